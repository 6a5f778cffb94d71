package machine

import (
	"fmt"
	"slices"

	"github.com/seltl/seltl/c/ir"
)

// Line is a part of a run that is on one line of one activation of a routine.
type Line struct {
	Span  ir.Span
	Func  *ir.Func
	Depth int // how many calls it is inside of
	// Given are the values that the program is given there, Set those that it assigns to
	// variables: "n = 3".
	Given, Set []string
	// First is the number of the node that it begins with, as Recording.Chosen counts.
	First int
}

// maxLines bounds the lines that are watched.
const maxLines = 20_000

// Watch has a machine that is to run, with Record set, note the lines that the run goes
// through, in the routines of the program's sources. They are complete when the run has
// ended, unless it has more than 20,000.
func Watch(m *Machine) *[]Line {
	w := &watcher{m: m}
	m.Step = w.step
	return &w.lines
}

type watcher struct {
	m     *Machine
	lines []Line
	frame *frame // of the last line
	given int
	// What was begun in each activation, and stores a value.
	begun map[*frame]ir.Place
}

// step is told of what is done next.
func (w *watcher) step(at Node) error {
	m := w.m
	f := m.top()
	if w.begun == nil {
		w.begun = map[*frame]ir.Place{}
	}
	entered := f.at == 0 && f.b == f.f.Blocks[0] && w.frame != f
	w.finish(f)
	if n := len(m.Record.given); n > w.given { // asked for by what was done before
		w.inputs(m.Record.Given()[w.given:n])
		w.given = n
	}
	if f.f.Library {
		return nil
	}
	if span := at.At(); span.Valid() && len(w.lines) < maxLines {
		if last := len(w.lines) - 1; last < 0 || w.frame != f || lineOf(w.lines[last].Span) != lineOf(span) {
			w.lines = append(w.lines, Line{Span: span, Func: f.f, Depth: len(m.stack) - 1, First: m.Record.nodes})
		}
		if entered {
			for _, p := range f.f.Params {
				w.set(ir.Whole(p))
			}
		}
		w.frame = f
	}
	switch i := at.(type) {
	case *ir.Assign:
		w.begun[f] = i.To
	case *ir.Havoc:
		w.begun[f] = i.To
	case *ir.Call:
		if i.To != nil {
			w.begun[f] = *i.To
		}
	}
	return nil
}

func lineOf(s ir.Span) string { return fmt.Sprintf("%s:%d", s.File.Name(), s.Pos().Line) }

// finish notes the value that an activation stored.
func (w *watcher) finish(f *frame) {
	if p, ok := w.begun[f]; ok {
		delete(w.begun, f)
		w.set(p)
	}
}

func (w *watcher) inputs(all []Given) {
	if len(w.lines) > 0 {
		last := &w.lines[len(w.lines)-1]
		for _, g := range all {
			if g.What == "" {
				continue
			}
			last.Given = append(last.Given, g.What+" = "+g.Value)
		}
	}
}

// set notes what a scalar of a variable that the program declares has now.
func (w *watcher) set(p ir.Place) {
	if p.Var != nil && (p.Var.Kind == ir.Temp || p.Var.Ghost) || !p.Type.Scalar() || len(w.lines) == 0 {
		return
	}
	last := &w.lines[len(w.lines)-1]
	at, err := w.m.place(p, last.Span)
	if err != nil || at.o == nil {
		return
	}
	bits, ok := w.m.peek(at)
	if !ok {
		return
	}
	text := ir.ShownText(&ir.Load{From: p}) + " = " + w.m.shown(p.Type, bits)
	if !slices.Contains(last.Set, text) {
		last.Set = append(last.Set, text)
	}
}

// peek is a scalar all of whose bytes have a value; reading it does not change the run.
func (m *Machine) peek(a access) (uint64, bool) {
	off, size := a.span()
	if off < 0 || off+size > int64(len(a.o.data)) {
		return 0, false
	}
	for k := off; k < off+size; k++ {
		if a.o.lacks[k] {
			return 0, false
		}
	}
	bits, err := m.read(a, ir.Span{})
	return bits, err == nil
}

// shown is a value as C has it.
func (m *Machine) shown(t *ir.Type, bits uint64) string {
	if t.Kind == ir.Pointer {
		switch place := m.placed(t, bits); {
		case bits == 0:
			return "NULL"
		case m.funcs[bits] != nil:
			return "&" + m.funcs[bits].Name
		case place != "":
			return place
		}
		return "a pointer"
	}
	return ir.Number(t, bits)
}
