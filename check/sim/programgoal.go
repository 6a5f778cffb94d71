package sim

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/c/cfront"
	"github.com/seltl/seltl/c/ir"
	"github.com/seltl/seltl/c/machine"
	"github.com/seltl/seltl/check"
	"github.com/seltl/seltl/internal/c/steps"
	"github.com/seltl/seltl/internal/source"
	"github.com/seltl/seltl/report"
)

// Bounds of a search for a goal: steps in all, and of its first runs.
const mostSought, firstSought = 200_000, 64

// Goto goes on to a goal, with moves and values that are drawn: not by a shortest way. Goals are
//
//	12, FILE.c:12       a component comes to the line, which is done next
//	ROUTINE()           a routine is entered
//	an action           it has been performed
//	error, end          a failure; all components have ended
//	deadlock            nothing is possible, and some have not
//	return              the routine that the session is in has returned
//	a C expression      it is true in the innermost routine; with ROUTINE:: before it, in that one
//
// The error is ErrNowhere if no run of the program comes there, a *NotPossible if none was found,
// diagnostics of the expression, or that of a limit or the context.
func (s *Program) Goto(ctx context.Context, goal string) (*Found, error) {
	target, now, err := s.target(strings.TrimSpace(goal))
	if err != nil {
		return nil, err
	}
	if now && target(s.now()) {
		return &Found{}, nil
	}
	if strings.TrimSpace(goal) != "error" || s.c.Fails == nil {
		return s.search(ctx, target, mostSought)
	}
	found, err := s.search(ctx, target, mostSought/20)
	if _, ok := errors.AsType[*NotPossible](err); !ok {
		return found, err
	}
	return s.decide(ctx)
}

// mostDeciding bounds the time of decide, where the caller does not.
const mostDeciding = 20 * time.Second

// decide loads a run into a failure from the start, if there is one.
func (s *Program) decide(ctx context.Context) (*Found, error) {
	opts := check.Options{Limits: s.opts.Limits, Progress: s.opts.Progress}
	if opts.Limits.Time == 0 {
		opts.Limits.Time = mostDeciding
	}
	r, err := s.c.Fails(ctx, opts)
	if err != nil {
		return nil, err
	}
	switch res := &r.Results[0]; {
	case ctx.Err() != nil:
		return nil, budget.ErrInterrupted
	case res.Verdict == report.Violated:
		return &Found{Loaded: true}, s.Load(res.Counterexample)
	case res.Verdict == report.Holds:
		return nil, &NotPossible{Text: "no run of the program fails: that is proved", Help: "seltl reach says what the proof assumes"}
	default:
		return nil, &NotPossible{Text: "no run at random fails, and whether one can is not known: " + res.Reason, Help: res.Advice}
	}
}

// badNumber is a number that something stands behind that C does not have there.
var badNumber = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[1-9]\d*[a-df-km-tv-zA-DF-KM-TV-Z_]\w*$`) })

var lineGoal = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^(?:(.+):)?(\d+)$`) })

// target reads a goal; now reports one that can be reached already.
func (s *Program) target(goal string) (reached func(*programVisit) bool, now bool, err error) {
	switch goal {
	case "":
		return nil, false, &NotPossible{Text: "goto: where to?", Help: "a line, ROUTINE(), an action, a C expression, error, end, deadlock or return"}
	case "error", "end", "deadlock":
		return func(v *programVisit) bool {
			if len(s.moves(v)) > 0 {
				return false
			}
			kind, _ := s.ending(v)
			return kind == goal
		}, true, nil
	case "return":
		return s.returned(), false, nil
	}
	if m := lineGoal().FindStringSubmatch(goal); m != nil && (!strings.ContainsAny(m[1], "?<>=&|") || s.isSource(m[1])) {
		reached, err = s.atLine(m[1], m[2])
		return reached, false, err
	}
	if name, ok := strings.CutSuffix(goal, "()"); ok {
		reached, err = s.entered(strings.TrimSpace(name))
		return reached, false, err
	}
	for _, p := range s.c.Parts {
		if _, ok := slices.BinarySearch(p.Alphabet, goal); ok {
			return func(v *programVisit) bool {
				return slices.ContainsFunc(v.lines, func(l *steps.Line) bool { return l.Action == goal })
			}, false, nil
		}
	}
	if badNumber().MatchString(goal) {
		return nil, false, &NotPossible{Text: clipped(goal) + " is neither a line nor a C expression", Help: "as in: goto 12; goto x > 3"}
	}
	reached, err = s.condition(goal)
	return reached, true, err
}

// returned is the goal behind the end of the routine of the component that moved last.
func (s *Program) returned() func(*programVisit) bool {
	part := 0
	if by := s.now().by; len(by) > 0 {
		part = max(0, s.partOf(&by[0]))
	}
	depth := len(s.now().points[part].Here())
	return func(v *programVisit) bool { return v.points[part].End() != nil || len(v.points[part].Here()) < depth }
}

// atLine is the goal of a line of one of the sources.
func (s *Program) atLine(file, number string) (func(*programVisit) bool, error) {
	n, err := strconv.Atoi(number)
	if err != nil || n < 1 {
		return nil, &NotPossible{Text: "there is no line " + number}
	}
	files, lines := s.lines()
	wanted := map[string]bool{}
	for name := range files {
		if file == "" || namesSource(file, name) {
			wanted[name] = true
		}
	}
	if len(wanted) == 0 {
		var known []string
		for name := range files {
			known = append(known, filepath.Base(name))
		}
		slices.Sort(known)
		return nil, &NotPossible{Text: "there is no source " + file, Help: cmp.Or(source.DidYouMean(file, known), "sources: "+strings.Join(known, ", "))}
	}
	is := map[string]bool{}
	nearest := 0
	for name := range wanted {
		is[fmt.Sprintf("%s:%d", name, n)] = true
		for _, l := range lines[name] {
			if l == n {
				nearest = n
			} else if nearest != n && l > n && (nearest == 0 || l < nearest) {
				nearest = l
			}
		}
	}
	if nearest != n {
		e := &NotPossible{Text: fmt.Sprintf("nothing is done in line %d", n)}
		if nearest > 0 {
			e.Help = fmt.Sprintf("the next line is goto %d", nearest)
		}
		return nil, e
	}
	return func(v *programVisit) bool {
		for i, p := range v.points {
			if here := p.Here(); p.End() == nil && len(here) > 0 && s.moves0(v, i) {
				if at := here[len(here)-1].At; at.Valid() && is[placeText(at)] {
					return true
				}
			}
		}
		return false
	}, nil
}

// isSource reports the name of a source, and namesSource one that stands for it.
func (s *Program) isSource(file string) bool {
	files, _ := s.lines()
	for name := range files {
		if namesSource(file, name) {
			return true
		}
	}
	return false
}

func namesSource(file, name string) bool { return name == file || filepath.Base(name) == file }

// moves0 reports whether a component has just moved: others have come to their lines before.
func (s *Program) moves0(v *programVisit, part int) bool { return slices.Contains(v.parts, part) }

// lines are the lines of each source on which something is done.
func (s *Program) lines() (files map[string]*source.File, lines map[string][]int) {
	files, lines = map[string]*source.File{}, map[string][]int{}
	add := func(at ir.Span) {
		if at.Valid() {
			files[at.File.Name()] = at.File
			lines[at.File.Name()] = append(lines[at.File.Name()], at.Pos().Line)
		}
	}
	for _, p := range s.c.Parts {
		for _, f := range p.Procedure.Program.Funcs {
			if f.Library {
				continue
			}
			for _, b := range f.Blocks {
				for _, i := range b.Instrs {
					if !machine.Quiet(i) {
						add(i.At())
					}
				}
				add(b.End.At())
			}
		}
	}
	return files, lines
}

// entered is the goal of a routine that begins.
func (s *Program) entered(name string) (func(*programVisit) bool, error) {
	var names []string
	found := false
	for _, p := range s.c.Parts {
		for _, f := range p.Procedure.Program.Funcs {
			if !f.Extern() && !f.Library {
				names = append(names, f.Name)
				found = found || f.Name == name
			}
		}
	}
	if !found {
		return nil, &NotPossible{Text: fmt.Sprintf("there is no routine %s with a body", name), Help: source.DidYouMean(name, names)}
	}
	type key struct{ part, began int }
	old := map[key]bool{}
	inside := func(v *programVisit, visit func(key)) {
		for i, p := range v.points {
			for _, a := range p.Here() {
				if p.End() == nil && a.Func.Name == name {
					visit(key{i, a.Began})
				}
			}
		}
	}
	inside(s.now(), func(k key) { old[k] = true })
	return func(v *programVisit) bool {
		fresh := false
		inside(v, func(k key) { fresh = fresh || !old[k] })
		return fresh
	}, nil
}

var (
	inRoutine = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^([A-Za-z_]\w*)\s*::\s*(.+)$`) })
	cName     = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`[A-Za-z_]\w*`) })
)

// condition is the goal of a C expression over the variables of a routine.
func (s *Program) condition(text string) (func(*programVisit) bool, error) {
	routine, named := "", false
	expr := text
	if m := inRoutine().FindStringSubmatch(text); m != nil {
		routine, expr, named = m[1], m[2], true
	} else {
		for _, p := range s.now().points {
			if here := p.Here(); len(here) > 0 && routine == "" {
				routine = here[len(here)-1].Func.Name
			}
		}
		if routine == "" {
			routine = s.c.Parts[0].Procedure.Entry.Name
		}
	}
	program := s.c.Parts[0].Procedure.Program
	f := program.Func(routine)
	if f == nil || f.Extern() {
		return nil, &NotPossible{Text: fmt.Sprintf("there is no routine %s with a body", routine)}
	}
	file := source.NewFile("<goal>", expr)
	c := cfront.Condition{Routine: routine, Expr: file.Span(0, len(expr))}
	own := false
	for _, word := range cName().FindAllString(expr, -1) {
		v, is := program.Named(f, word)
		if is && !slices.Contains(c.Locals, v) {
			c.Locals, own = append(c.Locals, v), own || !v.Static
		}
	}
	prog, err := s.c.Parse([]cfront.Condition{c})
	if err != nil {
		return nil, err
	}
	condition := prog.Conditions[0]
	return func(v *programVisit) bool {
		for _, p := range v.points {
			here := p.Here()
			if p.End() != nil || len(here) == 0 {
				continue
			}
			level := len(here) - 1
			if (own || named) && here[level].Func.Name != routine {
				continue
			}
			if !own {
				level = -1
			}
			if holds, _ := p.Observe(prog, condition, level); holds {
				return true
			}
		}
		return false
	}, nil
}

// search goes on to a state: as long as every step is the only one, to its end, and from there by
// runs at random, longer and longer ones: to the first that comes there.
func (s *Program) search(ctx context.Context, reached func(*programVisit) bool, most int) (*Found, error) {
	meter := budget.New(ctx, s.opts.Limits, s.opts.Progress)
	bound := 0
	if most < mostSought { // others decide it then
		bound = most
	}
	from, only, there, err := s.only(reached, meter, bound)
	if err != nil {
		return nil, err
	}
	if there {
		return s.follow(only, meter)
	}
	total, runs := 0, 0
	for total < most {
		runs++
		limit := firstSought << min(trailing(runs), 12)
		at, draws := from, s.draws()
		for n := 1; n <= limit; n++ {
			to, _, err := s.step(at)
			if impossible(err) { // with these values
				total++
				break
			}
			if err != nil {
				return nil, err
			}
			if to == nil {
				break
			}
			if at, total = to, total+1; reached(to) {
				s.drawAgain(draws)
				return s.follow(only+n, meter)
			}
			if total%64 == 0 {
				if err := meter.Tick(budget.Progress{Phase: "looking", States: int64(total)}); err != nil {
					return nil, err
				}
			}
			if total >= most {
				break
			}
		}
	}
	return nil, &NotPossible{Text: fmt.Sprintf("%s at random did not come there, %s in all: that proves nothing", report.Counted(int64(runs), "run"), report.Counted(int64(total), "step")),
		Help: "seltl reach and seltl verify decide such questions; load takes the runs that they find (--json)"}
}

// trailing is how often a number can be halved: the lengths of runs are those of Luby's
// sequence, nearly.
func trailing(n int) (k int) {
	for ; n%2 == 0; n /= 2 {
		k++
	}
	return k
}

// only makes steps, without telling them, as long as nothing is chosen or drawn; there reports
// that they come to the goal. The error is ErrNowhere where they end before, or come to a state
// for the second time: Brent's way to find a cycle (An improved Monte Carlo factorization
// algorithm, BIT 20, 1980, section 2), which keeps one state. A bound of 0 is none.
func (s *Program) only(reached func(*programVisit) bool, meter *budget.Meter, bound int) (at *programVisit, n int, there bool, err error) {
	at = s.now()
	kept, key, next := at, stateKey(at), 1
	for bound == 0 || n < bound {
		to, chose, err := s.step(at)
		if chose || impossible(err) {
			return at, n, false, nil
		}
		if err != nil {
			return nil, n, false, err
		}
		if to == nil {
			return nil, n, false, ErrNowhere
		}
		if at, n = to, n+1; reached(at) {
			return at, n, true, nil
		}
		if key != "" && sameControl(at, kept) && stateKey(at) == key {
			return nil, n, false, ErrNowhere
		}
		if n == next {
			kept, key, next = at, stateKey(at), 2*next
		}
		if n%64 == 0 {
			if err := meter.Tick(budget.Progress{Phase: "looking", States: int64(n)}); err != nil {
				return nil, n, false, err
			}
		}
	}
	return at, n, false, nil
}

// draws is what decides what is drawn next.
type draws struct {
	source  rand.PCG
	regions int
}

func (s *Program) draws() draws { return draws{*s.source, s.regions} }

// drawAgain has what was drawn from then on drawn again: a search keeps no more of a run than
// where it begins.
func (s *Program) drawAgain(from draws) { *s.source, s.regions = from.source, from.regions }

// follow makes so many steps, with what is drawn.
func (s *Program) follow(n int, meter *budget.Meter) (*Found, error) {
	for i := range n {
		to, _, err := s.step(s.now())
		if err != nil {
			return nil, err
		}
		s.tell(s.now(), to)
		s.take(to)
		if i%64 == 63 {
			if err := meter.Tick(budget.Progress{Phase: "going on"}); err != nil {
				return nil, err
			}
		}
	}
	return &Found{Steps: n}, nil
}
