package cfront

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/seltl/seltl/c/ir"
	"github.com/seltl/seltl/c/machine"
	"github.com/seltl/seltl/internal/source"
	"github.com/seltl/seltl/internal/testing/gcc"
	"github.com/seltl/seltl/internal/testing/soak"
)

// reading are the routines of the library whose text asks for input.
var reading = map[string]bool{"fgets": true, "fgets_unlocked": true, "fread": true, "fread_unlocked": true, "read": true, "recv": true, "getline": true}

const readingDeclared = `long getline(char **, __SIZE_TYPE__ *, void *); char *fgets(char *, int, void *); unsigned long fread(void *, __SIZE_TYPE__, __SIZE_TYPE__, void *);
int begin(void); void *stream; int from; int fscanf(void *, const char *, ...);
`

// TestReadingGCC: what fgets, fread and read leave, given the bytes of a file, is what they leave in gcc's programs.
func TestReadingGCC(t *testing.T) {
	for model := range ir.DataModel(2) {
		for seed := range uint64(soak.Long(40)) {
			r := rand.New(rand.NewPCG(seed, 453))
			var data []byte
			for range r.IntN(30) {
				data = append(data, []byte{'a', 'b', '\n', 0, 200, 'z'}[r.IntN(6)])
			}
			var b strings.Builder
			b.WriteString(strings.Replace(readingDeclared, "unsigned long", "__SIZE_TYPE__", 1))
			if model == ir.LP64 {
				b.WriteString("long read(int, void *, unsigned long);\n")
			} else {
				b.WriteString("int read(int, void *, unsigned);\n")
			}
			b.WriteString("void try_it(void) {\nbegin();\n")
			plain := r.IntN(3) == 0
			for range 6 {
				call := ""
				switch k := r.IntN(12); {
				case plain:
					call = fmt.Sprintf("out(read(from, b, %d) + 1)", k)
				case r.IntN(4) == 0:
					call = fmt.Sprintf("out(fscanf(stream, \"%s%%%ds\", b) + 1)", []string{"", " "}[k%2], 1+k)
				case r.IntN(3) == 0:
					call = "char *p = 0; __SIZE_TYPE__ room = 0; out(getline(&p, &room, stream) + 1); out(room); for (i = 0; i < 15 && p[i] && p[i] != '\\n'; i++) b[i] = p[i]"
				case r.IntN(2) == 0:
					call = fmt.Sprintf("out(fgets(b, %d, stream) == b)", k-1)
				default:
					call = fmt.Sprintf("out(fread(b, %d, %d, stream))", r.IntN(4), k/2)
				}
				fmt.Fprintf(&b, "{ char b[16]; int i; for (i = 0; i < 16; i++) b[i] = 7; %s; for (i = 0; i < 16; i++) out((unsigned char)b[i]); }\n", call)
			}
			b.WriteString("}\n")
			var bytes strings.Builder
			for _, c := range data {
				fmt.Fprintf(&bytes, "%d, ", c)
			}
			opened := fmt.Sprintf("#include <stdio.h>\n#include <unistd.h>\nint begin(void) { static unsigned char data[] = {%s 0}; int p[2]; extern void *stream; extern int from;\nstream = fmemopen(data, %d, \"r\"); if (%[2]d == 0) stream = fopen(\"/dev/null\", \"r\"); pipe(p); write(p[1], data, %[2]d); close(p[1]); from = p[0]; return 0; }\n", bytes.String(), len(data))
			// The program's own declarations stand in for those of the headers.
			want, ok := compiled(t, model, opened+"void *stream; int from;\nvoid try_it(void);\n"+b.String()[strings.Index(b.String(), "void try_it"):], []string{"try_it"})
			if !ok {
				t.Skip("SKIPPED: ", gcc.ErrMissing)
			}
			p, err := Parse([]*source.File{source.NewFile("p.c", outDeclaration+b.String())}, Options{Model: model, Entry: "try_it"})
			if err != nil {
				t.Fatalf("seed %d: %v\n%s", seed, err, b.String())
			}
			var got strings.Builder
			m := &machine.Machine{Program: p, MaxSteps: 1_000_000, MaxDepth: 100}
			m.Call = func(f *ir.Func, args []uint64) {
				if f.Name == "out" {
					fmt.Fprintf(&got, "%x\n", args[0])
				}
			}
			left := data
			m.Choose = func(c *machine.Choice) (uint64, error) {
				if c.Call == nil {
					return 0, nil
				}
				black := func() bool { return len(left) > 0 && !ir.IsSpace(left[0]) }
				switch name := c.Call.Callee.Name; {
				case strings.HasPrefix(name, "result of "): // a word, or the end
					for len(left) > 0 && !black() {
						left = left[1:]
					}
					if len(left) == 0 {
						return ^uint64(0), nil
					}
					return 1, nil
				case name == ir.OwnPrefix+"more":
					if black() {
						return 1, nil
					}
					return 0, nil
				case name != ir.InputRoutine && name != ir.LetterRoutine: // nothing fails
					return 0, nil
				}
				if len(left) == 0 {
					return ^uint64(0), nil
				}
				next := left[0]
				left = left[1:]
				return uint64(next), nil
			}
			if out, err := m.Run(p.Func("try_it"), nil); err != nil || out.Ending != machine.Returned {
				t.Fatalf("seed %d: %v %+v\n%s", seed, err, out, b.String())
			}
			if got.String() != want[0] {
				t.Fatalf("%v, seed %d: %s\n%s", model, seed, difference(got.String(), want[0]), b.String())
			}
		}
	}
}
