package programs

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/seltl/seltl/armc"
	"github.com/seltl/seltl/c/cfront"
	"github.com/seltl/seltl/c/encode"
	"github.com/seltl/seltl/c/ir"
	"github.com/seltl/seltl/check"
	"github.com/seltl/seltl/internal/source"
	"github.com/seltl/seltl/internal/testing/soak"
	"github.com/seltl/seltl/report"
	"github.com/seltl/seltl/safety"
	"github.com/seltl/seltl/smt"
)

// TestLayouts: what programs do with addresses, as pointers, numbers, bytes, parts, is done here with numbers, for
// many layouts of their objects: what holds has to hold in each, and a failure has to be one in each.
func TestLayouts(t *testing.T) {
	pool := smt.Z3Pool(1, smt.Options{})
	defer pool.Close()
	told := map[string]int{}
	for seed := range soak.Long(uint64(120)) {
		if t.Failed() {
			break
		}
		g := newPlaced(seed)
		reached, all := 0, 120
		for range all {
			if g.run() {
				reached++
			}
		}
		v := g.verdict(t, pool)
		told[string(v)]++
		switch {
		case v == report.Holds && reached > 0, v == report.Violated && reached < all:
			t.Errorf("seed %d, %s: %s, and reached in %d of %d layouts:\n%s", seed, g.model, v, reached, all, g.source())
		case v == report.Unknown && (reached == 0 || reached == all):
			told["unknown, and one answer in all layouts that were tried"]++
		}
	}
	t.Log(told)
	if !t.Failed() && !testing.Short() && (told[string(report.Holds)] == 0 || told[string(report.Violated)] == 0 || told[string(report.Unknown)] == 0) {
		t.Errorf("verdicts are %v", told)
	}
}

// placed is a program over objects whose addresses it looks at, and what it does for a layout.
type placed struct {
	r       *rand.Rand
	model   ir.DataModel
	wide    int             // bytes of an address
	objects []*placedObject // addresses are taken of them
	globals strings.Builder
	text    strings.Builder
	steps   []func(v values)
	last    string // the variable that was written last
}

// A placedObject has a size, what its address is a multiple of, and a life from one step to another.
type placedObject struct {
	name          string
	size, aligned int
	begin, end    int
	at            uint64
}

// values are those of the program's variables: of p, q, u, v, x, z as many bytes as an address has, of w and y four,
// of b one.
type values map[string]uint64

func newPlaced(seed uint64) *placed {
	g := &placed{r: rand.New(rand.NewPCG(seed, 146)), model: ir.LP64, wide: 8}
	if seed%3 == 0 {
		g.model, g.wide = ir.ILP32, 4
	}
	g.declare("char c", "c", 1, 1)
	g.declare("short s", "s", 2, 2)
	g.declare("int i", "i", 4, 4)
	g.declare("int a[3]", "a", 12, 4)
	g.declare("struct { char k; int n; } t", "t", 8, 4)
	for _, v := range []string{"char *p", "char *q", "unsigned long u", "unsigned long v", "unsigned w", "unsigned y", "unsigned char b"} {
		if g.r.IntN(2) == 0 {
			fmt.Fprintf(&g.globals, "%s;\n", v)
		} else {
			fmt.Fprintf(&g.text, "  %s = 0;\n", v)
		}
	}
	fmt.Fprintf(&g.globals, "union { char *p; unsigned long u; unsigned w[sizeof(char *) / 4]; unsigned char c[sizeof(char *)]; } x;\n")
	fmt.Fprintf(&g.globals, "unsigned char z[sizeof(char *)];\n")
	g.assignAddress("p")
	for range 3 + g.r.IntN(5) {
		if g.r.IntN(6) == 0 {
			g.conditional()
		} else {
			g.step()
		}
	}
	c, holds := g.condition()
	if g.r.IntN(3) == 0 {
		d, also := g.condition()
		one := holds
		if g.r.IntN(2) == 0 {
			c, holds = "("+c+") && ("+d+")", func(v values) bool { return one(v) && also(v) }
		} else {
			c, holds = "("+c+") || ("+d+")", func(v values) bool { return one(v) || also(v) }
		}
	}
	fmt.Fprintf(&g.text, "  if (%s) reach_error();\n", c)
	g.steps = append(g.steps, func(v values) {
		if holds(v) {
			v["reached"] = 1
		}
	})
	return g
}

func (g *placed) source() string {
	return "void reach_error(void); void *memcpy(void *, const void *, unsigned long); void *malloc(unsigned long); void free(void *);\n" +
		g.globals.String() + "int main(void) {\n" + g.text.String() + "}\n"
}

func (g *placed) verdict(t *testing.T, pool *smt.Pool) report.Verdict {
	p, err := cfront.Parse([]*source.File{source.NewFile("t.c", g.source())}, cfront.Options{Model: g.model})
	if err != nil {
		t.Errorf("%s: %v", g.source(), err)
		return report.Unknown
	}
	e, err := encode.Encode(p, "")
	if err != nil {
		return report.Unknown
	}
	r, _, err := ReachC(context.Background(), e, pool, check.Options{}, safety.Options{Engine: armc.Options{MaxQueries: 200}})
	if err != nil {
		t.Errorf("%s: %v", g.source(), err)
		return report.Unknown
	}
	return r.Results[0].Verdict
}

// run does the program in a layout that is drawn.
func (g *placed) run() bool {
	g.place()
	v := values{}
	for _, s := range g.steps {
		s(v)
	}
	return v["reached"] == 1
}

// place draws a layout: tight, or with bytes that programs compare with, or anywhere; places of objects that have
// ended are often taken again.
func (g *placed) place() {
	r, most := g.r, uint64(1)<<47
	if g.wide == 4 {
		most = 1<<32 - 4096
	}
	odd := func() (a uint64) {
		for k := range g.wide {
			a |= []uint64{0, 0, 1, 255, r.Uint64() & 255}[r.IntN(5)] << (8 * k)
		}
		return a
	}
	style, next := r.IntN(3), (odd()%(most-9192)+4096)&^15
	for _, i := range r.Perm(len(g.objects)) {
		o := g.objects[i]
		o.at = 0
		for {
			at := odd()
			switch again := g.objects[r.IntN(len(g.objects))]; {
			case again.at != 0 && r.IntN(3) == 0 && (again.end < o.begin || o.end < again.begin):
				at = again.at
			case style == 0:
				at = (next + uint64(o.aligned) - 1) / uint64(o.aligned) * uint64(o.aligned)
				next = at + uint64(o.size)
			case style == 1:
				at = r.Uint64()
			}
			at = at % most &^ uint64(o.aligned-1)
			if at >= 4096 && at+uint64(o.size) < most && g.free(o, at) {
				o.at = at
				break
			}
			if style == 0 {
				next += uint64(o.size)
			}
		}
	}
}

// free says whether nothing that lives at the same time is there.
func (g *placed) free(o *placedObject, at uint64) bool {
	for _, other := range g.objects {
		if other == o || other.at == 0 || other.end < o.begin || o.end < other.begin {
			continue
		}
		if at < other.at+uint64(other.size) && other.at < at+uint64(o.size) {
			return false
		}
	}
	return true
}

func (g *placed) declare(declaration, name string, size, aligned int) {
	to := &g.globals
	if g.r.IntN(2) == 0 {
		to = &g.text
	}
	fmt.Fprintf(to, "  %s;\n", declaration)
	g.objects = append(g.objects, &placedObject{name: name, size: size, aligned: aligned, end: 1 << 30})
}

// do writes a statement, and what it does to a variable.
func (g *placed) do(to string, f func(v values), format string, args ...any) {
	g.last = to
	fmt.Fprintf(&g.text, "  "+format+"\n", args...)
	g.steps = append(g.steps, f)
}

// cut keeps so many bytes.
func cut(v uint64, n int) uint64 {
	if n >= 8 {
		return v
	}
	return v & (1<<(8*n) - 1)
}

// put writes n bytes at k into a value.
func put(to uint64, k, n int, v uint64) uint64 {
	mask := cut(^uint64(0), n) << (8 * k)
	return to&^mask | cut(v, n)<<(8*k)&mask
}

func (g *placed) pick(names ...string) string { return names[g.r.IntN(len(names))] }

// from picks a variable to read, mostly the one that was written last.
func (g *placed) from(names ...string) string {
	if slices.Contains(names, g.last) && g.r.IntN(4) > 0 {
		return g.last
	}
	return g.pick(names...)
}

func (g *placed) assignAddress(to string) {
	o := g.objects[g.r.IntN(len(g.objects))]
	if o.end < 1<<30 {
		o = g.objects[0]
	}
	k := g.r.IntN(o.size + 1)
	if g.r.IntN(2) == 0 {
		k = 0
	}
	g.do(to, func(v values) { v[to] = o.at + uint64(k) }, "%s = (char *)&%s + %d;", to, o.name, k)
}

// conditional is a step that is made under a condition.
func (g *placed) conditional() {
	c, holds := g.condition()
	before := len(g.steps)
	fmt.Fprintf(&g.text, "  if (%s) {\n  ", c)
	g.plain()
	fmt.Fprintf(&g.text, "  }\n")
	inner := g.steps[before]
	g.steps[before] = func(v values) {
		if holds(v) {
			inner(v)
		}
	}
}

func (g *placed) step() {
	switch g.r.IntN(8) {
	case 0:
		g.assignAddress(g.pick("p", "q"))
	case 1:
		g.ended()
	default:
		g.plain()
	}
}

// ended gives a number the address of what ends at once.
func (g *placed) ended() {
	name, to, now := fmt.Sprintf("h%d", len(g.objects)), g.pick("u", "v"), len(g.steps)
	o := &placedObject{name: name, size: 4, aligned: 4, begin: now, end: now}
	g.objects = append(g.objects, o)
	f := func(v values) { v[to] = o.at }
	if g.r.IntN(2) == 0 {
		o.size, o.aligned = 16, 16
		g.do(to, f, "{ int *%s = malloc(16); %s = (unsigned long)%s; free(%s); }", name, to, name, name)
	} else {
		g.do(to, f, "{ int %s; %s = (unsigned long)&%s; }", name, to, name)
	}
}

// plain is a step that takes no address, mostly one that reads what was written last.
func (g *placed) plain() {
	all := []func(){g.convert, g.compute, g.narrow, g.copyWhole, g.copyPart, g.byteOf, g.union, g.bytewise}
	text, steps, last := g.text.String(), len(g.steps), g.last
	for range 8 {
		all[g.r.IntN(len(all))]()
		if g.last != last && mentions(g.text.String()[len(text):], last) {
			return
		}
		g.text.Reset()
		g.text.WriteString(text)
		g.steps, g.last = g.steps[:steps], last
	}
	all[g.r.IntN(len(all))]()
}

// mentions reports a variable of one letter in a text.
func mentions(text, name string) bool {
	letter := func(r rune) bool { return !unicode.IsLetter(r) }
	return slices.Contains(strings.FieldsFunc(text, letter), name)
}

func (g *placed) convert() {
	p, u := g.from("p", "q"), g.from("u", "v")
	switch g.r.IntN(4) {
	case 0:
		g.do(u, func(v values) { v[u] = v[p] }, "%s = (unsigned long)%s;", u, p)
	case 1:
		g.do(p, func(v values) { v[p] = v[u] }, "%s = (char *)%s;", p, u)
	case 2:
		g.do("u", func(v values) { v["u"] = v["v"] }, "u = v;")
	default:
		g.do("q", func(v values) { v["q"] = v["p"] }, "q = p;")
	}
}

func (g *placed) compute() {
	to, from, k := g.pick("u", "v"), g.from("u", "v"), uint64(g.r.IntN(9))
	name, other := fmt.Sprint(k), func(values) uint64 { return k }
	if g.r.IntN(2) == 0 {
		o := g.pick("u", "v")
		name, other = o, func(v values) uint64 { return v[o] }
	}
	switch g.r.IntN(7) {
	case 0:
		g.do(to, func(v values) { v[to] = cut(v[from]+other(v), g.wide) }, "%s = %s + %s;", to, from, name)
	case 1:
		g.do(to, func(v values) { v[to] = cut(v[from]-other(v), g.wide) }, "%s = %s - %s;", to, from, name)
	case 2:
		g.do(to, func(v values) { v[to] = v[from] & other(v) }, "%s = %s & %s;", to, from, name)
	case 3:
		g.do(to, func(v values) { v[to] = v[from] | other(v) }, "%s = %s | %s;", to, from, name)
	case 4:
		g.do(to, func(v values) { v[to] = v[from] ^ other(v) }, "%s = %s ^ %s;", to, from, name)
	case 5:
		g.do(to, func(v values) { v[to] = v[from] >> k }, "%s = %s >> %d;", to, from, k)
	default:
		g.do(to, func(v values) { v[to] = cut(v[from]<<k, g.wide) }, "%s = %s << %d;", to, from, k)
	}
}

func (g *placed) narrow() {
	from, to, k := g.from("u", "v"), g.pick("w", "y", "b"), 8*g.r.IntN(g.wide)
	g.do(to, func(v values) { v[to] = cut(v[from]>>k, width(to)) }, "%s = %s >> %d;", to, from, k)
}

func width(name string) int {
	switch name {
	case "b":
		return 1
	default:
		return 4
	}
}

func (g *placed) copyWhole() {
	all := []string{"&p", "&q", "&u", "&v", "z", "&x"}
	g.r.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	to, from := all[0], all[1]
	g.do(to[len(to)-1:], func(v values) { v[to[len(to)-1:]] = v[from[len(from)-1:]] }, "memcpy(%s, %s, sizeof(char *));", to, from)
}

func (g *placed) copyPart() {
	whole, part := g.pick("&p", "&q", "&u", "&v", "z", "&x"), g.pick("w", "y", "b")
	n := width(part)
	k, name := g.r.IntN(g.wide-n+1), whole[len(whole)-1:]
	if g.r.IntN(2) == 0 {
		g.do(part, func(v values) { v[part] = cut(v[name]>>(8*k), n) }, "memcpy(&%s, (char *)%s + %d, %d);", part, whole, k, n)
	} else {
		g.do(name, func(v values) { v[name] = put(v[name], k, n, v[part]) }, "memcpy((char *)%s + %d, &%s, %d);", whole, k, part, n)
	}
}

func (g *placed) byteOf() {
	name, k := g.from("p", "q", "u", "v"), g.r.IntN(g.wide)
	switch g.r.IntN(3) {
	case 0:
		g.do("b", func(v values) { v["b"] = cut(v[name]>>(8*k), 1) }, "b = ((unsigned char *)&%s)[%d];", name, k)
	case 1:
		g.do(name, func(v values) { v[name] = put(v[name], k, 1, v["b"]) }, "((unsigned char *)&%s)[%d] = b;", name, k)
	default:
		g.do(name, func(v values) { v[name] = put(v[name], k, 1, 0) }, "((unsigned char *)&%s)[%d] = 0;", name, k)
	}
}

func (g *placed) union() {
	k, h := g.r.IntN(g.wide), g.r.IntN(g.wide/4)
	p, u, w := g.from("p", "q"), g.from("u", "v"), g.from("w", "y")
	switch g.r.IntN(8) {
	case 0:
		g.do("x", func(v values) { v["x"] = v[p] }, "x.p = %s;", p)
	case 1:
		g.do("x", func(v values) { v["x"] = v[u] }, "x.u = %s;", u)
	case 2:
		g.do(p, func(v values) { v[p] = v["x"] }, "%s = x.p;", p)
	case 3:
		g.do(u, func(v values) { v[u] = v["x"] }, "%s = x.u;", u)
	case 4:
		g.do(w, func(v values) { v[w] = cut(v["x"]>>(32*h), 4) }, "%s = x.w[%d];", w, h)
	case 5:
		g.do("x", func(v values) { v["x"] = put(v["x"], 4*h, 4, v[w]) }, "x.w[%d] = %s;", h, w)
	case 6:
		g.do("b", func(v values) { v["b"] = cut(v["x"]>>(8*k), 1) }, "b = x.c[%d];", k)
	default:
		g.do("x", func(v values) { v["x"] = put(v["x"], k, 1, v["b"]) }, "x.c[%d] = b;", k)
	}
}

func (g *placed) bytewise() {
	name, n := g.from("p", "q", "u", "v"), 1+g.r.IntN(g.wide)
	if g.r.IntN(2) == 0 {
		g.do("z", func(v values) { v["z"] = put(v["z"], 0, n, v[name]) }, "for (int k = 0; k < %d; k++) z[k] = ((unsigned char *)&%s)[k];", n, name)
	} else {
		g.do(name, func(v values) { v[name] = put(v[name], 0, n, v["z"]) }, "for (int k = 0; k < %d; k++) ((unsigned char *)&%s)[k] = z[k];", n, name)
	}
}

// condition is one that programs ask of addresses, and their parts.
func (g *placed) condition() (string, func(v values) bool) {
	c, holds := g.question()
	for range 8 {
		if mentions(c, g.last) {
			break
		}
		c, holds = g.question()
	}
	if g.r.IntN(2) == 0 {
		return "!(" + c + ")", func(v values) bool { return !holds(v) }
	}
	return c, holds
}

func (g *placed) question() (string, func(v values) bool) {
	p, u, k := g.from("p", "q"), g.from("u", "v"), uint64([]int{0, 1, 8, 255, 4095}[g.r.IntN(5)])
	m := uint64(g.r.IntN(16))
	switch g.r.IntN(12) {
	case 0:
		return fmt.Sprintf("%s == %d", u, k), func(v values) bool { return v[u] == k }
	case 1:
		return fmt.Sprintf("%s < %d", u, k), func(v values) bool { return v[u] < k }
	case 2:
		return "u == v", func(v values) bool { return v["u"] == v["v"] }
	case 3:
		return "u < v", func(v values) bool { return v["u"] < v["v"] }
	case 4:
		return "p == q", func(v values) bool { return v["p"] == v["q"] }
	case 5:
		return p + " == 0", func(v values) bool { return v[p] == 0 }
	case 6:
		o := g.objects[g.r.IntN(5)]
		return fmt.Sprintf("%s == (char *)&%s", p, o.name), func(v values) bool { return v[p] == o.at }
	case 7:
		return fmt.Sprintf("(%s & %d) == %d", u, m, k&m), func(v values) bool { return v[u]&m == k&m }
	case 8:
		n := g.from("w", "y", "b")
		return fmt.Sprintf("%s == %d", n, k), func(v values) bool { return v[n] == k }
	case 9:
		n, h := g.from("w", "b"), 8*g.r.IntN(g.wide)
		cast := map[string]string{"w": "unsigned", "b": "unsigned char"}[n]
		return fmt.Sprintf("%s == (%s)(%s >> %d)", n, cast, u, h), func(v values) bool { return v[n] == cut(v[u]>>h, width(n)) }
	case 10:
		return fmt.Sprintf("u - v == %d", m), func(v values) bool { return cut(v["u"]-v["v"], g.wide) == m }
	default:
		return fmt.Sprintf("x.u == %s || z[%d] == %d", u, m%4, k), func(v values) bool { return v["x"] == v[u] || v["z"]>>(8*(m%4))&255 == k }
	}
}
