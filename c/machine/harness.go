package machine

import (
	"cmp"
	_ "embed"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/seltl/seltl/c/ir"
	"github.com/seltl/seltl/logic"
)

// WriteHarness writes the program of a recorded run as C that gcc compiles, with nothing
// beside it: the simplified routines that the run came to, in which choices, memory
// without a value and routines without a body give what they gave in the run, in order.
// The compiled program exits with status 1, or SELTL_FAILED where that is defined, where
// the recorded run failed, with 0 where a run ends otherwise, and with 3 where what is
// given does not suffice. The error is w's, or a *NoHarness.
//
// Where the run fails by a mistake of memory (CheckMemory, CheckLeaks), the program ends before it makes that
// mistake; compiled with -fsanitize=address it makes it, which the sanitizer reports, and ends with status 4
// where that sees nothing. Memory is freed, then, and blocks end.
//
// Memory is bytes, read and written by types that may alias; signed arithmetic is done
// without signs: no option of the compiler matters but that of the data model.
func (r *Recording) WriteHarness(w io.Writer) error {
	if r.Outcome.Ending == Undefined && !r.ofMemory() {
		return &NoHarness{r.Outcome.What + ", which compiled C does not report"}
	}
	if r.cut {
		return &NoHarness{"a pointer from elsewhere, which is another address in a compiled program, is overwritten in part, or is a number first"}
	}
	for _, g := range r.given {
		if g.place != "" {
			return &NoHarness{fmt.Sprintf("%s is %s, an address of the program's, which values from outside cannot be there", g.what, g.place)}
		}
	}
	h := &harness{r: r, names: map[any]string{}, taken: map[string]bool{}, sizes: map[int64]bool{}, numbers: map[*ir.Var]int{}, born: map[*ir.Var]bool{}}
	text := h.text()
	if h.err != nil {
		return &NoHarness{h.err.Error()}
	}
	_, err := io.WriteString(w, text)
	return err
}

// ofMemory reports a run that ends by such a mistake.
func (r *Recording) ofMemory() bool {
	return r.Outcome.Ending == Undefined && (r.Outcome.Broken == ir.CheckMemory || r.Outcome.Broken == ir.CheckLeaks)
}

// NoHarness says that a run cannot be done again by a compiled program.
type NoHarness struct{ Why string }

func (e *NoHarness) Error() string { return "no harness can be written: " + e.Why }

// What all harnesses begin with, before and after their tables.
var (
	//go:embed harness_types.inc
	harnessTypes string
	//go:embed harness_memory.inc
	harnessMemory string
	//go:embed harness_lives.inc
	harnessLives string // where a run fails by a mistake of memory
)

type harness struct {
	strings.Builder
	r       *Recording
	names   map[any]string   // of *Var and *Func
	taken   map[string]bool  // names of globals, routines, and what C or the harness uses
	sizes   map[int64]bool   // of memory blocks that have a type
	floats  bool             // it computes with floating-point numbers
	numbers map[*ir.Var]int  // of variables, in the table of first values
	born    map[*ir.Var]bool // variables in that table
	mortal  map[*ir.Var]bool // that end with blocks of the routine
	places  []span           // what regions become, with room on both sides
	err     error
}

// cWords are names that variables and routines of a harness cannot have.
const cWords = `auto break case char const continue default do double else enum extern float for goto if inline int long register restrict return
	short signed sizeof static struct switch typedef union unsigned void volatile while asm typeof bool true false nullptr constexpr alignas alignof
	static_assert thread_local linux unix i386 main dprintf _exit calloc free`

// around is the room that a region of memory has on both sides: pointers into it are
// moved with it.
const around = 4096

func (h *harness) text() string {
	for _, word := range strings.Fields(cWords) {
		h.taken[word] = true
	}
	for _, f := range h.r.first {
		if _, forgot := h.r.forgot[f.event]; f.o.v != nil && !forgot {
			h.number(f.o.v)
			h.born[f.o.v] = true
		}
	}
	for _, s := range h.r.regions {
		if n := len(h.places); n > 0 && s.from-h.places[n-1].to <= 2*around {
			h.places[n-1].to = max(h.places[n-1].to, s.to)
		} else {
			h.places = append(h.places, s)
		}
	}
	h.wrap()
	var funcs []*ir.Func
	for _, f := range append([]*ir.Func{h.r.prog.Init}, h.r.prog.Funcs...) {
		h.names[f] = h.name(f.Name + "_")
		if h.r.entered[f] {
			funcs = append(funcs, f)
		}
	}
	for _, v := range h.r.prog.Globals {
		h.names[v] = h.name(v.Name)
	}
	// Bodies come first, since they say which types and numbers there are.
	for _, f := range funcs {
		h.routine(f)
	}
	bodies := h.String()
	h.Reset()
	for _, v := range h.r.prog.Globals {
		fmt.Fprintf(h, "static %s __attribute__((aligned(16)));\n", h.declaration(v))
	}
	for _, f := range h.r.prog.Funcs {
		if !h.r.entered[f] {
			fmt.Fprintf(h, "static void %s(void) { seltl_end(\"the run does not come here\", 3); }\n", h.names[f])
		}
	}
	for _, f := range funcs {
		fmt.Fprintf(h, "static %s;\n", h.signature(f))
	}
	h.WriteString(bodies)
	h.main()
	rest := h.String()
	h.Reset()
	h.prelude()
	return h.String() + rest
}

// name makes a name for the whole program.
func (h *harness) name(name string) string {
	return logic.UnusedName(h.taken, logic.PlainName(strings.TrimPrefix(name, "seltl_")))
}

// number is a variable's in the table of first values; others there have 0.
func (h *harness) number(v *ir.Var) int {
	if v == nil {
		return 0
	}
	if h.numbers[v] == 0 {
		h.numbers[v] = len(h.numbers) + 1
	}
	return h.numbers[v]
}

// quoted is a text as a C string.
func quoted(text string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, c := range []byte(text) {
		switch {
		case c == '"' || c == '\\':
			b.WriteByte('\\')
			b.WriteByte(c)
		case c < ' ' || c > '~' || c == '?':
			fmt.Fprintf(&b, "\\%03o", c)
		default:
			b.WriteByte(c)
		}
	}
	return b.String() + `"`
}

// Where is a place in the source, for people.
func Where(at ir.Span) string {
	if !at.Valid() {
		return ""
	}
	return strings.Map(func(c rune) rune {
		if c < ' ' || c == '\\' {
			return '?'
		}
		return c
	}, fmt.Sprintf("%s:%d", at.File.Name(), at.Pos().Line))
}

func (h *harness) prelude() {
	bits, also := map[ir.DataModel]string{ir.LP64: "-m64", ir.ILP32: "-m32"}[h.r.prog.Model], ""
	if h.floats {
		also = " -lm"
		if h.r.prog.Model == ir.ILP32 {
			bits += " -msse2 -mfpmath=sse"
		}
	}
	fmt.Fprintf(h, "/* A run of %s, written by seltl.\n   gcc %s -w -o harness THIS.c%s && ./harness\n   exits with status 1 (or -DSELTL_FAILED=N) at the failure. */\n",
		strings.ReplaceAll(h.r.prog.Name, "*/", "* /"), bits, also)
	fmt.Fprintf(h, "typedef char seltl_model[sizeof(char *) == %d ? 1 : -1]; /* compile with %s */\n", h.r.prog.Model.PointerSize(), bits)
	h.WriteString(harnessTypes)
	for _, size := range slices.Sorted(maps.Keys(h.sizes)) {
		fmt.Fprintf(h, "struct seltl_%d { unsigned char bytes[%d]; } __attribute__((may_alias));\n", size, size)
	}
	h.tables()
	h.WriteString(harnessMemory)
	if h.r.ofMemory() {
		last := fmt.Sprintf("%s: %s", Where(h.r.Outcome.Span), h.r.Outcome.What)
		fmt.Fprintf(h, "\n/* The run fails where so many steps have been done. */\n#define SELTL_LAST %d\n#define SELTL_WHAT %s\n%s", h.r.nodes, quoted(last), harnessLives)
	}
}

// tables writes what the run is given.
func (h *harness) tables() {
	fmt.Fprintf(h, "\n/* What the program leaves open, in the order in which it asks. */\n#define SELTL_GIVEN %d\nstatic const seltl_u64 seltl_values[] = {\n", len(h.r.given))
	for _, g := range h.r.given {
		fmt.Fprintf(h, "\t%s, // %s\n", openText(g), Where(g.at)+": "+g.what)
	}
	fmt.Fprintf(h, "\t0};\n\n/* Memory that is read before it is written. */\n#define SELTL_FIRSTS %d\nstatic const struct { int event, variable, size, pointer; long long off; seltl_u64 bits; } seltl_firsts[] = {\n", len(h.r.first))
	firsts := slices.Clone(h.r.first)
	slices.SortStableFunc(firsts, func(a, b first) int { return cmp.Compare(a.event, b.event) })
	for _, f := range firsts {
		off, v, name := f.off, f.o.v, "memory"
		if v != nil {
			name = logic.PlainName(v.Name)
		}
		base, forgot := h.r.forgot[f.event]
		switch {
		case forgot:
			off, v = off-base, nil
		case v == nil && f.o.site == nil:
			off = int64(h.moved(f.o.base + uint64(off)))
		}
		fmt.Fprintf(h, "\t{%d, %d, %d, %d, %d, %#xull}, // %s\n", f.event, h.number(v), f.size, map[bool]int{true: 1}[f.pointer], off, f.bits, name)
	}
	fmt.Fprintf(h, "\t{0}};\n\n/* Memory that pointers point to which no object was assigned to. */\n#define SELTL_REGIONS %d\nstatic const struct { seltl_uword from, to, at; } seltl_regions[] = {\n", len(h.places))
	var total uint64
	for _, p := range h.places {
		fmt.Fprintf(h, "\t{(seltl_uword)%#xull, (seltl_uword)%#xull, %d},\n", roomBelow(p), h.roomAbove(p), total)
		total += h.roomAbove(p) - roomBelow(p)
	}
	fmt.Fprintf(h, "\t{0}};\nstatic char seltl_memory[%d];\n", total+1)
}

// wrap joins memory at the end of 32-bit addresses with that at their beginning, where it
// goes on: a pointer that has any value may point there.
func (h *harness) wrap() {
	n := len(h.places)
	if h.r.prog.Model != ir.ILP32 || n < 2 || h.places[n-1].to+around <= addresses32 || roomBelow(h.places[0]) > 2*around {
		return
	}
	h.places[n-1].to = max(h.places[n-1].to, addresses32+h.places[0].to)
	h.places = h.places[1:]
}

const addresses32 = 1 << 32

// roomBelow is where the room before a region begins; null belongs to none.
func roomBelow(p span) uint64 { return max(p.from, around+1) - around }

// roomAbove is where the room behind a region ends: with the memory, unless it goes on at its beginning (wrap).
func (h *harness) roomAbove(p span) uint64 {
	last := ^uint64(0)
	if h.r.prog.Model == ir.ILP32 && p.to < addresses32 {
		last = addresses32 - 1
	}
	if last-p.to < around {
		return last
	}
	return p.to + around
}

// moved is where an address of a region is in the harness's memory.
func (h *harness) moved(at uint64) uint64 {
	var total uint64
	for _, p := range h.places {
		if p.to > addresses32 && at < p.from && h.r.prog.Model == ir.ILP32 && at+addresses32 < p.to {
			at += addresses32 // see wrap
		}
		if at >= p.from && at < p.to {
			return total + at - roomBelow(p)
		}
		total += h.roomAbove(p) - roomBelow(p)
	}
	return 0
}

// openText is a value, in the notation that its type suggests.
func openText(g given) string {
	if g.t.Signed && int64(g.bits) < 0 {
		return fmt.Sprintf("(seltl_u64)%dll", max(int64(g.bits), -1<<63+1)) + map[bool]string{true: " - 1"}[g.bits == 1<<63]
	}
	return fmt.Sprintf("%dull", g.bits)
}
