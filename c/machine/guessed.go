package machine

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/seltl/seltl/c/ir"
)

// What a run is given in place of a value that the model does not know (floating point, what a
// routine of the C library returns that is not computed here) is no value that the program can have.
// Such values are labelled in memory, as what is computed of them is; a run that branches on one,
// or finds a place by one, depends on it. What it only computes and keeps makes no difference.

// label is what a byte of memory, or a value, depends on: 0 is nothing, n is guesses.all[n-1].
type label uint16

// guess is a reason why a value is not known.
type guess struct {
	why  string
	kind kind
}

// kind says what is known of a value with a label.
type kind uint8

const (
	certain kind = iota // of no label: all; of a guess: nothing
	// signed: it is known whether the value is -1, or null, which was a choice; of this one it is
	// not known what else it is.
	signed
	address // see provenance.go
	strayed
	noNumber // a floating-point value is known to be none, and not its bits
)

// guesses are those of a run.
type guesses struct {
	all []guess
	of  map[guess]label
	// asked are the routines whose first value (AsOnce) was chosen.
	asked map[string]bool
	// after are the characters that do not come next in what is read: a number that scanf has read goes on with them.
	after       string
	streams     streams
	descriptors descriptors
	failing     string // the routine that has just failed and says why in errno
}

func newGuesses() *guesses {
	return &guesses{of: map[guess]label{}, asked: map[string]bool{}, streams: streams{of: map[uint64]indicators{}, closed: map[uint64]bool{}}, descriptors: newDescriptors()}
}

func (g *guesses) copy() *guesses {
	return &guesses{slices.Clone(g.all), maps.Clone(g.of), maps.Clone(g.asked), g.after, g.streams.copy(), g.descriptors.copy(), g.failing}
}

// label is that of a guess. Where labels run out, the last one stands for others.
func (g *guesses) label(of guess) label {
	if g.of[of] == 0 {
		if len(g.all) == 1<<16-1 {
			return 1<<16 - 1
		}
		g.all = append(g.all, of)
		g.of[of] = label(len(g.all))
	}
	return g.of[of]
}

// changed is the label of what was computed of a value: its sign is not known.
func (g *guesses) changed(l label) label {
	if g.kind(l) == certain {
		return l
	}
	return g.label(guess{why: g.all[l-1].why})
}

// depend notes that the value which is computed depends on what a label says, too.
func (m *Machine) depend(l label) {
	switch {
	case l == 0 || l == m.dep:
	case m.dep == 0 || m.points(m.dep) && !m.points(l):
		m.dep = l
	case m.points(l) && !m.points(m.dep):
	default:
		m.dep = m.guesses.changed(m.dep)
	}
}

// depends returns on what the value depends that was computed last, and begins the next one.
func (m *Machine) depends() label {
	l := m.dep
	m.dep = 0
	return l
}

// decided is told of a label of what decides how the run goes on.
func (m *Machine) decided(l label) {
	if l != 0 && m.guess == "" && m.kind(l) != address {
		m.guess = m.guesses.all[l-1].why
	}
}

// deciding computes what decides, not changing what the value that is computed around it depends on.
func (m *Machine) deciding(do func() (uint64, error)) (uint64, error) {
	before := m.depends()
	bits, err := do()
	m.decided(m.depends())
	m.dep = before
	return bits, err
}

// truth computes a condition, which decides.
func (m *Machine) truth(e ir.Expr, span ir.Span) (uint64, error) {
	bits, err := m.eval(e, span)
	l := m.depends()
	if m.dangles(l, bits) {
		m.decided(m.ofDangling())
	}
	if l != 0 && (e.Type().Kind != ir.Pointer || m.kind(l) != signed) {
		m.decided(l)
	}
	return bits, err
}

// floating is the label of what depends on floating point.
func (m *Machine) floating(span ir.Span) label {
	return m.guesses.label(guess{why: "floating point, which is not computed" + placeIn(span)})
}

// placeIn is where something is, in brackets, for messages.
func placeIn(span ir.Span) string {
	if at := Where(span); at != "" {
		return " (" + at + ")"
	}
	return ""
}

// put stores a scalar, with what it depends on.
func (m *Machine) put(a access, bits uint64, l label) error {
	err := m.write(a, bits)
	if err == nil {
		a.o.labelled(a, l, m.guesses)
	}
	return err
}

// labelled gives the bytes of an access a label; a bit-field leaves that of its neighbours.
func (o *object) labelled(a access, l label, g *guesses) {
	off, size := a.span()
	if a.bits > 0 {
		if l != 0 {
			o.mark(off, size, g.changed(l))
		}
		return
	}
	o.mark(off, size, l)
}

// mark gives bytes a label.
func (o *object) mark(off, size int64, l label) {
	if o.labels == nil {
		if l == 0 {
			return
		}
		o.labels = make([]label, len(o.data))
	}
	for i := off; i < off+size; i++ {
		o.labels[i] = l
	}
}

// markFrom copies labels.
func (o *object) markFrom(off int64, from *object, fromOff, size int64) {
	if from.labels == nil {
		o.mark(off, size, 0)
		return
	}
	if o.labels == nil {
		o.labels = make([]label, len(o.data))
	}
	copy(o.labels[off:off+size], from.labels[fromOff:fromOff+size])
}

// labelsOf notes what the value of an access depends on.
func (m *Machine) labelsOf(a access) {
	if a.o.labels == nil {
		return
	}
	off, size := a.span()
	whole := a.o.labels[off]
	for i := off; i < off+size; i++ {
		if l := a.o.labels[i]; l != whole {
			m.depend(m.guesses.changed(whole))
			m.depend(m.guesses.changed(l))
			return
		}
	}
	if m.points(whole) && (size != m.Program.Model.PointerSize() || a.t.Kind == ir.IEEE) { // some digits of it
		whole = m.guesses.layout()
	}
	m.depend(whole)
}

// comparison is the label of a comparison of operands with these labels.
func (m *Machine) comparison(e *ir.Binary, x, y label) label {
	if m.told(e.Op, e.X, e.Y, x, y, false) || m.told(e.Op, e.Y, e.X, y, x, true) {
		return 0
	}
	m.depend(m.guesses.changed(x))
	m.depend(m.guesses.changed(y))
	return m.depends()
}

// told reports that a comparison with a number only asks for what is known of a value: whether it
// is -1, or null.
func (m *Machine) told(op ir.Op, value, number ir.Expr, l, other label, swapped bool) bool {
	n, ok := number.(*ir.Const)
	if op < ir.Eq || !ok || other != 0 || m.kind(l) != signed {
		return false
	}
	t := value.Type()
	if t.Kind == ir.Pointer {
		return n.Bits == 0 && (op == ir.Eq || op == ir.Ne)
	}
	if !t.Signed {
		return false
	}
	switch k := int64(n.Bits); {
	case op == ir.Eq || op == ir.Ne:
		return k < 0
	case (op == ir.Lt) != swapped: // value < k, k <= value
		return k <= 0
	default: // value <= k, k < value
		return k < 0
	}
}

// answered is the label of the result of a routine of the library that the run was given: 0 if it is
// a choice. What its arguments depend on is given.
func (m *Machine) answered(f *ir.Func, args []uint64, given []label, bits uint64, t *ir.Type, span ir.Span) label {
	k := f.Known
	shown, span := m.programs(f, span)
	if m.excluded(f, bits) {
		return m.guesses.label(guess{why: fmt.Sprintf("what is read behind a number%s, which does not end there", placeIn(span))})
	}
	impossible := m.shallFail(f, args, given, bits)
	m.descriptor(f, args, given, &bits)
	if m.contradicts(f, args, bits) {
		return m.guesses.label(guess{why: fmt.Sprintf("what %s() returns%s, which depends on what was read before", shown, placeIn(span))})
	}
	if impossible {
		return m.guesses.label(guess{why: fmt.Sprintf("what %s() returns%s, which fails with what it is given", shown, placeIn(span))})
	}
	if k == nil {
		return m.untold(f, bits, span)
	}
	of := guess{why: fmt.Sprintf("what %s() returns%s, which is not computed", shown, placeIn(span))}
	failed := t.Kind == ir.Pointer && bits == 0 || t.Kind == ir.Integer && t.Signed && bits == ^uint64(0)
	if m.guesses.failing = ""; failed && !quiet[ir.PlainName(f.Name)] {
		m.guesses.failing = ir.PlainName(f.Name)
	}
	switch k.Meaning {
	case ir.AsInput:
		if by := ir.GivesAgain[ir.PlainName(f.Name)]; by == "" || !m.Program.CalledByName[by] {
			return m.opened(f, args, bits, 0)
		}
	case ir.AsOnce:
		if first := !m.guesses.asked[f.Name]; first {
			m.guesses.asked[f.Name] = true
			if t.Kind != ir.Pointer || failed {
				return 0
			}
			of.kind = signed
		}
	case ir.AsSign:
		if failed {
			return 0
		}
		of.kind = signed
	}
	return m.opened(f, args, bits, m.guesses.label(of))
}

// programs is the routine of the library that the program calls, and where, of one that a body of the library calls.
func (m *Machine) programs(f *ir.Func, span ir.Span) (name string, at ir.Span) {
	name = f.Name
	for k := len(m.stack) - 1; k > 0 && m.stack[k].f.Library; k-- {
		name = ir.PlainName(m.stack[k].f.Name)
		if c, is := m.stack[k-1].b.Instrs[m.stack[k-1].at-1].(*ir.Call); is {
			span = c.Span
		}
	}
	return name, span
}

// excluded reports a character that does not come behind the number which was read before; or it may, behind white
// space, or after the stream was changed: then it is not known.
func (m *Machine) excluded(f *ir.Func, bits uint64) bool {
	if f.Name == ir.LetterRoutine {
		m.guesses.after = blacks
		return false
	}
	read := m.Program.Scans[f]
	switch {
	case read != nil:
	case ir.ReadsCharacter(f):
		read = &ir.Scanned{Character: true}
	default:
		return false
	}
	bad := read.Character && int64(bits) >= 0 && strings.IndexByte(m.guesses.after, byte(bits)) >= 0
	m.guesses.after = read.On
	return bad
}

// blacks are all characters that are no white space.
var blacks = func() (all string) {
	for c := range 256 {
		if !ir.IsSpace(byte(c)) {
			all += string([]byte{byte(c)})
		}
	}
	return all
}()
