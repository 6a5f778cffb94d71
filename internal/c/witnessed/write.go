package witnessed

import (
	"crypto/sha256"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/seltl/seltl/c/cfront"
	"github.com/seltl/seltl/c/encode"
	"github.com/seltl/seltl/c/ir"
	"github.com/seltl/seltl/c/machine"
	"github.com/seltl/seltl/internal/source"
	"github.com/seltl/seltl/internal/svcomp"
	"github.com/seltl/seltl/logic"
)

// Written is a witness, with what it leaves out.
type Written struct {
	*svcomp.Witness
	// LeftOut says what is not in it, for people; "" if it has all that there is.
	LeftOut string
}

// About is a witness about a program with nothing in it yet.
func About(sources []*source.File, model ir.DataModel, p *svcomp.Property) *svcomp.Witness {
	w := &svcomp.Witness{Meta: svcomp.Meta{Hashes: map[string]string{}, Specification: p.String(), Property: p, Language: "C"}}
	w.Meta.Model = map[ir.DataModel]string{ir.LP64: "LP64", ir.ILP32: "ILP32"}[model]
	for _, src := range sources {
		w.Meta.Files = append(w.Meta.Files, src.Name())
		w.Meta.Hashes[src.Name()] = Hash(src)
	}
	return w
}

// Identify gives a witness a name (UUID, version 8) that says what it says: the same one is written again.
func Identify(w *svcomp.Witness) {
	h := sha256.New()
	_ = w.Write(h) // a hash takes all
	b := h.Sum(nil)[:16]
	b[6], b[8] = b[6]&0x0f|0x80, b[8]&0x3f|0x80
	w.Meta.UUID = fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:])
}

// Correctness adds what a proof says at loops, as far as C can say it there.
func Correctness(w *svcomp.Witness, enc *encode.Encoding, invariant []*logic.Term) *Written {
	out := &Written{Witness: w}
	if len(invariant) == 0 {
		out.LeftOut = "the proof has no invariants: all states were visited"
		return out
	}
	said := map[*ir.Loop][]string{}
	silent := map[*ir.Loop]bool{}
	var loops []encode.LoopAt
	for _, l := range enc.Loops {
		if said[l.Loop] == nil && !silent[l.Loop] {
			loops = append(loops, l)
		}
		s := &speaker{name: func(variable string) (string, *ir.Type, bool) { return enc.Spoken(l, variable) }}
		text := s.weaker(invariant[l.Location], false)
		if text == "" { // in one activation nothing is known that can be said
			silent[l.Loop] = true
		} else if !slices.Contains(said[l.Loop], text) {
			said[l.Loop] = append(said[l.Loop], text)
		}
	}
	missing := 0
	for _, l := range loops {
		text := joined(said[l.Loop], " || ")
		at, ok := locationOf(l.Loop.Span)
		if silent[l.Loop] || !ok || w.Meta.Hashes[at.File] == "" || !keyword(l.Loop.Span) || len(text) > 4*longest {
			missing++
			continue
		}
		at.Function = l.Func.Name
		w.Invariants = append(w.Invariants, svcomp.Invariant{Loop: true, Location: at, Value: text})
	}
	if missing > 0 {
		out.LeftOut = fmt.Sprintf("what the proof says at %d of %d loops is not said in C, or nothing", missing, len(loops))
	}
	return out
}

// keyword reports a loop that stands in the text of its source: one of a macro does not, and nothing can be said there.
func keyword(at source.Span) bool {
	return loopKeyword().MatchString(at.File.Text()[at.Start:])
}

var loopKeyword = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^(for|while|do)\b`) })

// locationOf is where a part of a source begins, as witnesses have it; false: nowhere.
func locationOf(at source.Span) (svcomp.Location, bool) {
	if !at.Valid() {
		return svcomp.Location{}, false
	}
	pos := at.Pos()
	return svcomp.Location{File: at.File.Name(), Line: pos.Line, Column: pos.Column}, true
}

// both makes an assumption part of the last one, if that is about other variables at the same visit of a place: a visit
// passes one waypoint.
func both(all []svcomp.Segment, p svcomp.Waypoint) bool {
	if len(all) == 0 || p.Type != svcomp.Assumption {
		return false
	}
	last := &all[len(all)-1].Follow
	here := last.Type == p.Type && last.Location.File == p.Location.File && last.Location.Line == p.Location.Line && last.Location.Column == p.Location.Column
	name, _, _ := strings.Cut(p.Constraint, " ")
	if !here || slices.ContainsFunc(strings.Split(last.Constraint, " && "), func(part string) bool { return strings.HasPrefix(part, name+" ") }) {
		return false
	}
	last.Constraint += " && " + p.Constraint
	return true
}

// nameOf is the name of the file that something stands in, "" if it is in none.
func nameOf(at source.Span) string {
	if !at.Valid() {
		return ""
	}
	return at.File.Name()
}

// maxReturns bounds the waypoints of a witness that is written.
const maxReturns = 10_000

// Violation adds what calls returned in a failing run, and where it fails. The error is that of reading
// the sources.
func Violation(w *svcomp.Witness, run *machine.Recording, sources []*source.File, o cfront.Options) (*Written, error) {
	out := &Written{Witness: w}
	w.Violation = true
	files := map[string]*file{}
	for _, src := range sources {
		f, err := newFile(src, o)
		if err != nil {
			return nil, err
		}
		files[src.Name()] = f
	}
	skipped := run.Otherwise()
	for _, g := range run.Given() {
		f := files[nameOf(g.At)]
		var s *cfront.Site
		point := svcomp.Waypoint{Type: svcomp.FunctionReturn, Constraint: `\result == ` + literalOf(g)}
		switch {
		case f == nil || g.Type.Kind != ir.Integer || len(w.Segments) >= maxReturns:
		case g.Call:
			s = f.callAt(g.At.Start)
		default:
			var name string
			name, s = f.declared(g.At.Start)
			point = svcomp.Waypoint{Type: svcomp.Assumption, Constraint: name + " == " + literalOf(g)}
		}
		if s == nil {
			skipped++
			continue
		}
		point.Location, _ = locationOf(f.src.Span(s.At, s.At+1))
		if point.Location.Function = s.Func; !both(w.Segments, point) {
			w.Segments = append(w.Segments, svcomp.Segment{Follow: point})
		}
	}
	target, _ := locationOf(run.Outcome.Span)
	if f := files[nameOf(run.Outcome.Span)]; f != nil {
		if s := f.around(run.Outcome.Span.Start); s != nil {
			if run.Outcome.By == "" { // else it is the call, or the label
				target, _ = locationOf(f.src.Span(s.From, s.From))
			}
			target.Function = s.Func
		}
	}
	w.Segments = append(w.Segments, svcomp.Segment{Follow: svcomp.Waypoint{Type: svcomp.Target, Location: target}})
	if skipped > 0 {
		out.LeftOut = fmt.Sprintf("%d values that the run was given otherwise than by a call of the program", skipped)
	}
	return out, nil
}

// literalOf is a value as a number that C reads as it is.
func literalOf(g machine.Given) string {
	if g.Type.Signed {
		if g.Value == "-9223372036854775808" {
			return "(-9223372036854775807LL - 1)"
		}
		return g.Value
	}
	if g.Type.Size == 8 {
		return g.Value + "ULL"
	}
	if g.Type.Size == 4 {
		return g.Value + "U"
	}
	return g.Value
}

// callAt is a call that begins somewhere.
func (f *file) callAt(offset int) *cfront.Site {
	var found *cfront.Site
	for i := range f.Sites {
		if s := &f.Sites[i]; s.Kind == cfront.CallSite && s.From == offset {
			if found != nil {
				return nil // f()(): which one is not clear
			}
			found = s
		}
	}
	return found
}

// declared is a variable without a first value that is declared somewhere, and the statement behind that, where it can
// be spoken of. nil: that is not in its block, or something is called in between.
func (f *file) declared(offset int) (name string, next *cfront.Site) {
	in := f.around(offset)
	if in == nil || !in.Item || strings.ContainsAny(f.src.Text()[in.From:in.To], "(#") {
		return "", nil
	}
	name = tokens().FindString(f.src.Text()[offset:])
	for i := range f.Sites { // the first one that begins behind, if no block ends before
		s := &f.Sites[i]
		if s.Kind == cfront.StatementSite && s.From >= in.To && s.Func == in.Func && (next == nil || s.From < next.From) {
			next = s
		}
	}
	if next == nil || !isName(name) || strings.ContainsAny(f.src.Text()[in.To:next.From], "{}#:") {
		return "", nil
	}
	return name, next
}

// around is the smallest statement that a place lies in.
func (f *file) around(offset int) (found *cfront.Site) {
	for i := range f.Sites {
		s := &f.Sites[i]
		if s.Kind == cfront.StatementSite && s.From <= offset && offset < s.To && (found == nil || s.To-s.From < found.To-found.From) {
			found = s
		}
	}
	return found
}
