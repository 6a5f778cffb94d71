package gen

import (
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
)

// FSP returns the text of n random primitive processes P0, P1, ... of the
// modelling language, with indexed local processes, guards, sets, state labels,
// alphabet extensions, relabelling and hiding. They share actions a to d. Each
// has a few dozen states at most. With labels, process Pi may have propositions,
// whose names begin with pi.
func FSP(r *rand.Rand, n int, labels bool) string {
	var b strings.Builder
	b.WriteString("const N = 2\nrange R = 0..N\nset S = {a, b[0..1]}\n")
	for i := range n {
		g := &fspGen{r: r, id: i, labels: labels}
		b.WriteString(g.process())
	}
	return b.String()
}

type fspGen struct {
	r      *rand.Rand
	id     int
	labels bool
}

func (g *fspGen) pick(options ...string) string { return options[g.r.IntN(len(options))] }

func (g *fspGen) process() string {
	var b strings.Builder
	fmt.Fprintf(&b, "P%d%s = %s", g.id, g.label(false), g.body(2, false))
	fmt.Fprintf(&b, ",\nQ[i:R]%s = %s", g.label(true), g.choice(2, true))
	if g.r.IntN(2) == 0 {
		fmt.Fprintf(&b, ",\nT = %s", g.choice(1, false))
	}
	if g.r.IntN(3) == 0 {
		b.WriteString(" + {" + g.pick("d", "a, e", "S") + "}")
	}
	if g.r.IntN(4) == 0 {
		b.WriteString(" /{" + g.pick("d/c", "{c, d}/c", "b/b[0]", "c/{c, d}") + "}")
	}
	if g.r.IntN(4) == 0 {
		b.WriteString(g.pick(" \\{c}", " \\{b}", " @{a, b, c}", " \\{}"))
	}
	b.WriteString(".\n")
	return b.String()
}

func (g *fspGen) label(indexed bool) string {
	if !g.labels || g.r.IntN(2) == 0 {
		return ""
	}
	p := fmt.Sprintf("p%d", g.id)
	if indexed {
		return g.pick(" {"+p+"[i]}", " {"+p+"[i], when (i == N) "+p+".full}")
	}
	return " {" + p + "}"
}

// body is a choice, a conditional, or the name of a local process.
func (g *fspGen) body(depth int, bound bool) string {
	switch k := g.r.IntN(6); {
	case k == 0 && bound && depth > 0:
		return fmt.Sprintf("if (i %s 1) then %s else %s", g.pick("<", "==", ">"), g.body(depth-1, bound), g.body(depth-1, bound))
	case k < 3 && depth > 0:
		return g.choice(depth-1, bound)
	}
	if depth == 2 { // the body of the process: not itself, and no label conflict
		return g.choice(1, bound)
	}
	refs := []string{fmt.Sprintf("P%d", g.id), "Q[0]", "Q[N]", "STOP", "END", "ERROR", "T"}
	if bound {
		refs = append(refs, "Q[i]", "Q[(i+1)%(N+1)]", "Q[i+1]")
	}
	return g.pick(refs...)
}

func (g *fspGen) choice(depth int, bound bool) string {
	var alternatives []string
	for range 1 + g.r.IntN(3) {
		alternatives = append(alternatives, g.alternative(depth, bound))
	}
	return "(" + strings.Join(alternatives, " | ") + ")"
}

func (g *fspGen) alternative(depth int, bound bool) string {
	actions := []string{"a", "b", "c", "d", "b[0]", "{a, c}", "S", "b[0..1]"}
	guard := ""
	if bound {
		actions = append(actions, "b[i]", "c[i+1]")
		if g.r.IntN(2) == 0 {
			guard = "when (" + g.pick("i < N", "i > 0", "i != 1", "!i") + ") "
		}
	}
	first := g.pick(actions...)
	if !bound && g.r.IntN(3) == 0 {
		first, bound = "b[i:R]", true
	}
	return guard + first + " -> " + g.body(depth, bound)
}

// FSPFiles returns the texts of the model files below some directories, by path. A
// directory that is not there has none.
func FSPFiles(dirs ...string) (map[string]string, error) {
	files := map[string]string{}
	for _, dir := range dirs {
		err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
			if err != nil {
				if path == dir { // not there
					return nil
				}
				return err
			}
			switch filepath.Ext(path) {
			case ".lks", ".lts", ".fsp":
			default:
				return nil
			}
			text, err := os.ReadFile(path)
			files[path] = string(text)
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	return files, nil
}

// FSPFragments are small texts of the modelling language, which between them have most
// of its constructs.
var FSPFragments = []string{
	"P = (a -> P).", "P(N=1)=(when(N>0)a[N]->P|b->STOP)+{c}/{d/c}\\{a}.", "P {p, when (1) q[0]} = (a -> P).",
	"||C(N=2) = if N>0 then (x[N]:P || C(N-1)) else P. P = (a->P).", "assert A = [](a -> X b) fluent F = <a,b>",
	"ltl L = G (a -> F b)\nP = (a -> b -> P).", "progress X[i:0..1] = if {a} then {b[i]}", "P = Q;R;END. Q=(a->END). R=(b->END).",
	"// comment\nP = /* in */ (a -> P). // behind\n", "animation A = \"x\" actions {a, b} P = (a->P).", "P@ = (a -> P).",
}
