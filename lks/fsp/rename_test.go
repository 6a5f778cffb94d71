package fsp_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/seltl/seltl/internal/testing/gen"
	"github.com/seltl/seltl/internal/testing/soak"
	"github.com/seltl/seltl/lks/fsp"
	"github.com/seltl/seltl/lks/fsp/syntax"
	"github.com/seltl/seltl/lks/fsp/types"
)

// renamed is what is put behind every name; no model has it.
const renamed = "_zz9"

// rename gives all names of a file, but those of some kinds, other ones.
func rename(t *testing.T, name, text string) string {
	f, err := syntax.ParseText(name, text)
	if err != nil {
		t.Fatal(render(err))
	}
	var ends []int
	for _, o := range types.Check(f, types.Options{}).Objects {
		for _, s := range slices.Concat(o.Defs, o.Uses) {
			ends = append(ends, int(s.End))
		}
	}
	slices.Sort(ends)
	for _, end := range slices.Backward(ends) {
		text = text[:end] + renamed + text[end:]
	}
	return text
}

// meaning returns what a text comes to: states and transitions of each process, and
// formulas; names that were given by rename are taken back.
func meaning(name, text string) string {
	f, err := syntax.ParseText(name, text)
	if err != nil {
		return render(err)
	}
	m, err := fsp.Compile(f, fsp.Options{MaxStates: 20_000})
	if err != nil {
		return render(err)
	}
	var b strings.Builder
	for _, p := range m.Processes() {
		net, err := m.Network(p.Name)
		if err != nil {
			return "" // too large, or a file is missing
		}
		fmt.Fprintln(&b, p.Name, net.Alphabet(), net.Props(), len(net.Rules()))
		for _, c := range net.Components() {
			fmt.Fprintln(&b, c.NumStates(), c.NumTransitions(), summary(c))
		}
	}
	ps, err := m.Properties("")
	if err != nil {
		return render(err)
	}
	for _, p := range ps {
		fmt.Fprintln(&b, p.Name, p.Formula)
	}
	progress, err := m.Progress()
	if err != nil {
		return render(err)
	}
	for _, p := range progress {
		fmt.Fprintln(&b, p.Name, p.Condition, p.Actions)
	}
	return strings.ReplaceAll(b.String(), renamed, "")
}

// TestRenameKeepsMeaning: a file in which every name is another one, in all places that
// package types knows of, means the same.
func TestRenameKeepsMeaning(t *testing.T) {
	compared := 0
	random := 0
	try := func(name, text string) {
		if len(text) > 6000 {
			return
		}
		before := meaning(name, text)
		if before == "" || strings.Contains(before, "error: ") {
			return
		}
		compared++
		if name == "random" {
			random++
		}
		if after := meaning(name, rename(t, name, text)); after != before {
			t.Errorf("%s: renaming changed\n%.2000s\nto\n%.2000s", name, before, after)
		}
	}
	files, fixed := modelFiles(t), 15 // however many are random
	if testing.Short() {
		fixed = 5
	}
	for i, path := range slices.Sorted(maps.Keys(files)) {
		if testing.Short() && i%3 > 0 {
			continue
		}
		try(path, files[path])
	}
	for seed := range soak.Long(uint64(100)) {
		text := gen.FSP(rand.New(rand.NewPCG(seed, 12)), 2, true)
		try("random", text+"||C(K=1) = (forall [i:0..K] x[i]:P0 || P1)\\{x[0].a}.\nfluent ON[i:0..N] = <a, d[i]>\nassert A = [](ON[1] -> <>(b || ON[0]))\nltl L = GON[N] | !A & F b\n")
	}
	if random < soak.Long(50) || compared < random+fixed {
		t.Errorf("only %d files compared, %d of them random", compared, random)
	}
}
