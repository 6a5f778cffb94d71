package cfront

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"math/rand"
	"strings"
	"testing"

	"github.com/seltl/seltl/c/ir"
	"github.com/seltl/seltl/internal/source"
	"github.com/seltl/seltl/internal/testing/gen"
	"github.com/seltl/seltl/internal/testing/soak"
)

// TestWriteSVG: drawings are XML with a box for each block and an arrow for each jump.
func TestWriteSVG(t *testing.T) {
	for seed := range soak.Long(int64(10)) {
		text := gen.CProgram(rand.New(rand.NewSource(seed)), "p_")
		p, err := Parse([]*source.File{source.NewFile("p.c", outDeclaration+text)}, Options{Entry: "p_main"})
		if err != nil {
			t.Fatal(err)
		}
		var out bytes.Buffer
		if err := p.WriteSVG(&out); err != nil {
			t.Fatal(err)
		}
		blocks, jumps := 0, 0
		for _, f := range p.Funcs {
			blocks += len(f.Blocks)
			for _, b := range f.Blocks {
				switch end := b.End.(type) {
				case *ir.Jump:
					jumps++
				case *ir.Branch:
					if jumps++; end.Then != end.Else {
						jumps++
					}
				}
			}
		}
		if n := strings.Count(out.String(), `data-state="`); n != blocks {
			t.Errorf("seed %d: %d boxes for %d blocks", seed, n, blocks)
		}
		if n := strings.Count(out.String(), "data-edge="); n != jumps {
			t.Errorf("seed %d: %d arrows for %d jumps", seed, n, jumps)
		}
		d := xml.NewDecoder(&out)
		for {
			if _, err := d.Token(); errors.Is(err, io.EOF) {
				break
			} else if err != nil {
				t.Fatalf("seed %d: %v", seed, err)
			}
		}
	}
}
