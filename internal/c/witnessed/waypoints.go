package witnessed

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/seltl/seltl/c/cfront"
	"github.com/seltl/seltl/internal/source"
	"github.com/seltl/seltl/internal/svcomp"
)

// visit is a waypoint at a part of a source.
type visit struct {
	segment int
	avoid   bool
	when    string // the constraint, in C; "" for none
	// value is, of a branching, whether the condition is true.
	value bool
}

// Follow puts the waypoints into the program. A run ends that comes to where the next one is to be followed, and does not
// pass it, or that passes one which is to be avoided until then.
func (p *Program) Follow() ([]*source.File, error) {
	w := &way{Program: p, visits: map[*cfront.Site][]visit{}, in: map[*cfront.Site]*file{}}
	for i, s := range p.witness.Segments {
		if s.Follow.Type != svcomp.Target {
			if err := w.point(i, s.Follow, false); err != nil {
				return nil, err
			}
		}
		for _, a := range s.Avoid {
			if err := w.point(i, a, true); err != nil {
				return nil, err
			}
		}
	}
	for _, f := range p.files {
		f.adds = nil
	}
	for _, s := range w.order {
		if err := w.put(s); err != nil {
			return nil, err
		}
	}
	return p.finish(fmt.Sprintf("extern int %s; extern void _Exit(int); ", passed), fmt.Sprintf("int %s = 0; ", passed)), nil
}

// way is the waypoints of a witness at the parts of the sources.
type way struct {
	*Program
	visits map[*cfront.Site][]visit
	in     map[*cfront.Site]*file
	order  []*cfront.Site
}

// sites are where waypoints of a type are.
var sites = map[string]cfront.SiteKind{svcomp.Assumption: cfront.StatementSite, svcomp.Branching: cfront.BranchSite, svcomp.FunctionEnter: cfront.CallSite, svcomp.FunctionReturn: cfront.CallSite}

// nothing is what is missing where a waypoint has no place.
var nothing = map[string]string{svcomp.Assumption: "no statement begins here", svcomp.Branching: "nothing branches here", svcomp.FunctionEnter: "no call ends here", svcomp.FunctionReturn: "no call ends here"}

func (w *way) point(segment int, at svcomp.Waypoint, avoid bool) error {
	f, err := w.sourceOf(at.Location)
	if err != nil {
		return err
	}
	s := f.at(at.Location, sites[at.Type])
	if s == nil {
		return wrong(at.Location.Span, "%s: %s", nothing[at.Type], told(at.Location.Line, at.Location.Column))
	}
	v := visit{segment: segment, avoid: avoid}
	switch at.Type {
	case svcomp.Assumption:
		if loop := f.loopAt(s); loop != nil {
			s = loop
		}
		v.when, err = f.expression(at.Constraint)
	case svcomp.FunctionReturn:
		if at.Constraint != "" && s.Void {
			return wrong(at.Span, "the routine that is called here returns nothing")
		} else if at.Constraint != "" && at.Constraint != "true" && at.Constraint != "1" {
			if v.when, err = Result(at.Constraint, result); err == nil {
				err = f.harmless(v.when, map[string]bool{})
			}
		}
		v.value = true // it is about the return
	case svcomp.Branching:
		err = v.branch(s, at.Constraint)
	}
	if err != nil {
		return wrong(at.Span, "the constraint is none that is read here: %v", err)
	}
	if w.visits[s] == nil {
		w.order, w.in[s] = append(w.order, s), f
	}
	w.visits[s] = append(w.visits[s], v)
	return nil
}

// loopAt is the loop that a statement is, if what is assumed before it is looked at each time round: of `while`.
func (f *file) loopAt(s *cfront.Site) *cfront.Site {
	for i := range f.Sites {
		if l := &f.Sites[i]; l.Kind == cfront.LoopSite && l.At == s.At && l.Keyword == "while" {
			return l
		}
	}
	return nil
}

// branch reads which way is taken: true, false, or a case of a switch.
func (v *visit) branch(s *cfront.Site, constraint string) error {
	if s.Keyword != "switch" {
		if constraint != "true" && constraint != "false" {
			return fmt.Errorf("%s branches to true and false, not to %s", s.Keyword, source.Shown(constraint))
		}
		v.value = constraint == "true"
		return nil
	}
	if s.Ranges {
		return fmt.Errorf("the cases of this switch are not all numbers")
	}
	if constraint != "default" {
		n, err := strconv.ParseInt(constraint, 0, 64)
		if err != nil || !slices.Contains(s.Cases, n) {
			return fmt.Errorf("%s is no case of this switch", source.Shown(constraint))
		}
		v.when = fmt.Sprintf("%s == %s", result, constraint)
		return nil
	}
	var others []string
	for _, n := range s.Cases {
		others = append(others, fmt.Sprintf("%s != %d", result, n))
	}
	if v.when = strings.Join(others, " && "); len(others) == 0 {
		v.when = "1"
	}
	return nil
}

// step is what visits do, as an expression: one of them at most is the next waypoint.
func (w *way) step(all []visit, which func(visit) bool) string {
	all = slices.DeleteFunc(slices.Clone(all), func(v visit) bool { return !which(v) })
	slices.SortStableFunc(all, func(a, b visit) int {
		if a.segment != b.segment {
			return a.segment - b.segment
		}
		return toInt(b.avoid) - toInt(a.avoid) // what is to be avoided first
	})
	text := "0"
	for i := len(all) - 1; i >= 0; {
		segment, inner := all[i].segment, "0"
		for ; i >= 0 && all[i].segment == segment; i-- {
			v := all[i]
			end := "(" + endOfRun + ", 0)"
			then, otherwise := fmt.Sprintf("(%s = %d)", passed, segment+1), end
			if v.avoid {
				then, otherwise = end, inner
			}
			if inner = then; v.when != "" {
				inner = fmt.Sprintf("((%s) ? %s : %s)", v.when, then, otherwise)
			}
		}
		text = fmt.Sprintf("(%s == %d ? %s : %s)", passed, segment, inner, text)
	}
	return "(void)" + text
}

func every(visit) bool { return true }

// put puts the visits of a part around it.
func (w *way) put(s *cfront.Site) error {
	f, all := w.in[s], w.visits[s]
	mark := all[0].segment
	add := insertion{from: s.From, to: s.To, mark: mark}
	switch {
	case s.Kind == cfront.StatementSite:
		add = f.before(s, w.step(all, every), mark)
	case s.Kind == cfront.LoopSite:
		add = f.condition(s, w.step(all, every), mark)
	case s.Kind == cfront.CallSite:
		return w.call(f, s, all)
	case s.Keyword == "switch":
		text, err := f.copied(s)
		if err != nil {
			return wrong(w.span(mark), "this switch cannot be followed: %v", err)
		}
		add.open, add.shut = fmt.Sprintf("({ __typeof__(%s) %s = (", text, result), fmt.Sprintf("); %s; %s; })", w.step(all, every), result)
	default:
		add.open, add.shut, add.blank = "((", fmt.Sprintf(") ? (%s, 1) : (%s, 0))", w.ways(all, true), w.ways(all, false)), f.blank(s)
	}
	f.adds = append(f.adds, add)
	return nil
}

// ways are the visits when a condition is true, or false: waypoints of the other way are not passed.
func (w *way) ways(all []visit, value bool) string {
	all = slices.Clone(all)
	for i := range all {
		if all[i].when = ""; all[i].value != value {
			all[i].when = "0"
		}
	}
	return w.step(all, every)
}

// copied is the text of a part on one line, to be written twice: once only for its type.
func (f *file) copied(s *cfront.Site) (string, error) {
	text := f.src.Text()[s.From:s.To]
	if strings.Contains(text, "//") || strings.Contains(text, "#") {
		return "", fmt.Errorf("there is a comment, or a directive, in it")
	}
	return strings.Join(strings.Fields(text), " "), nil
}

// call has visits around a call: where a routine is entered, and where it has returned.
func (w *way) call(f *file, s *cfront.Site, all []visit) error {
	enter := slices.ContainsFunc(all, func(v visit) bool { return !v.value })
	if inside := func(o *cfront.Site) bool { return o != s && w.in[o] == f && s.From <= o.From && o.To <= s.To }; enter && slices.ContainsFunc(w.order, inside) {
		return wrong(w.span(all[0].segment), "a waypoint where a routine is entered is not followed if there are others in its arguments")
	}
	before, after := "", w.step(all, func(v visit) bool { return v.value })
	if enter {
		before = w.step(all, func(v visit) bool { return !v.value }) + ", "
	}
	add := insertion{from: s.From, to: s.To, open: "(" + before, shut: ", " + after + ")", mark: all[0].segment}
	if !s.Void {
		text, err := f.copied(s)
		if err != nil {
			return wrong(w.span(all[0].segment), "this call cannot be followed: %v", err)
		}
		if before != "" {
			before = strings.TrimSuffix(before, ", ") + "; "
		}
		add.open, add.shut = fmt.Sprintf("({ %s__typeof__(%s) %s = ", before, text, result), fmt.Sprintf("; %s; %s; })", after, result)
	}
	f.adds = append(f.adds, add)
	return nil
}

// Counter is the variable that counts the waypoints.
const Counter = passed

// Waypoints is how many waypoints there are before the target.
func (p *Program) Waypoints() int { return len(p.witness.Segments) - 1 }

// Hits reports a failure, in the new sources, that is at the target: it begins there, or is in the statement there.
func (p *Program) Hits(at source.Span) (bool, error) {
	target := p.witness.Segments[p.Waypoints()].Follow.Location
	f, err := p.sourceOf(target)
	if err != nil || at.File != f.woven.new {
		return false, err
	}
	begin := f.woven.back(at.Start)
	if column := f.offset(target.Line, max(target.Column, 1)); target.Column > 0 && column < 0 {
		return false, wrong(target.Span, "there is no such place: %s", told(target.Line, target.Column))
	} else if target.Column > 0 && begin == column || target.Column == 0 && f.lineOf(begin) == target.Line {
		return true, nil
	}
	s := f.at(target, cfront.StatementSite)
	return s != nil && s.From <= begin && begin < s.To, nil
}
