package programs

import (
	"fmt"
	"slices"
	"strings"

	"github.com/seltl/seltl/c/cfront"
	"github.com/seltl/seltl/c/encode"
	"github.com/seltl/seltl/c/ir"
	"github.com/seltl/seltl/c/machine"
	"github.com/seltl/seltl/check"
	"github.com/seltl/seltl/internal/c/witnessed"
	"github.com/seltl/seltl/internal/lists"
	"github.com/seltl/seltl/internal/source"
	"github.com/seltl/seltl/internal/svcomp"
	"github.com/seltl/seltl/logic"
	"github.com/seltl/seltl/outcome"
	"github.com/seltl/seltl/report"
)

// QuestionC is what is asked about a C program, and nothing else: which failures count.
type QuestionC struct {
	Failures *cfront.Failures
	Checks   []ir.Check
	Ends     bool // whether all runs end is asked, and not whether one fails: EndsC
	Stricter bool // not every failure is one of the property: that none is possible says something, and a run that is one of Misuses
	Misuses  []ir.Misuse
	Tracked  bool // memory that is lost is asked for, too
}

// questionsC are the properties of the competition that can be asked.
var questionsC = map[svcomp.Kind]func(p *svcomp.Property) QuestionC{
	svcomp.UnreachCall: func(p *svcomp.Property) QuestionC {
		return QuestionC{Failures: &cfront.Failures{Calls: []string{p.Target}, Assertions: cfront.Asserts(p.Target)}}
	},
	svcomp.UnreachLabel: func(p *svcomp.Property) QuestionC {
		return QuestionC{Failures: &cfront.Failures{Labels: []string{p.Target}}}
	},
	svcomp.NoOverflow: func(*svcomp.Property) QuestionC {
		return QuestionC{Failures: &cfront.Failures{}, Checks: []ir.Check{ir.CheckOverflow, ir.CheckShift}}
	},
	svcomp.Termination: func(*svcomp.Property) QuestionC {
		return QuestionC{Failures: &cfront.Failures{}, Ends: true}
	},
	svcomp.ValidMemclean: func(*svcomp.Property) QuestionC {
		return QuestionC{Failures: &cfront.Failures{}, Checks: []ir.Check{ir.CheckLeaks}}
	},
	svcomp.ValidMemsafety: func(*svcomp.Property) QuestionC { return misuses(true, ir.Dereference, ir.Deallocation) },
	svcomp.ValidMemtrack:  func(*svcomp.Property) QuestionC { return misuses(true) },
	svcomp.ValidDeref:     func(*svcomp.Property) QuestionC { return misuses(false, ir.Dereference) },
	svcomp.ValidFree:      func(*svcomp.Property) QuestionC { return misuses(false, ir.Deallocation) },
}

// misuses asks for all that is done wrongly with memory: an index outside of a row, and an address that is computed of
// null, are no failures of the competition's.
func misuses(tracked bool, violations ...ir.Misuse) QuestionC {
	return QuestionC{Failures: &cfront.Failures{}, Checks: []ir.Check{ir.CheckNull, ir.CheckBounds, ir.CheckMemory}, Stricter: true, Misuses: violations, Tracked: tracked}
}

// violated are the properties that misuses of memory violate.
var violated = map[ir.Misuse]svcomp.Kind{ir.Dereference: svcomp.ValidDeref, ir.Deallocation: svcomp.ValidFree}

// elsewhere are assumptions about memory of which the property asks whether they are so.
var elsewhere = []string{"strangers", "numbers", "arguments", "free", "scope", "room", "promises"}

// Undecided is why a property is not decided of a program, with the report of what was asked, and its failing run, if there
// is one; tracked: it was asked as safety.Options.Tracked says. nil if it is; a report says which property the run violates, then.
func (q QuestionC) Undecided(p *ir.Program, r *report.Report, run *machine.Recording, tracked bool) error {
	if !q.Stricter || r.Results[0].Verdict == report.Unknown {
		return nil
	}
	found := &r.Results[0]
	if found.Verdict == report.Violated {
		if run == nil || !slices.Contains(q.Misuses, run.Outcome.Misuse) {
			return &outcome.Outside{What: fmt.Sprintf("a mistake is found (%s: %s), and not each is one of the property's", found.Name, found.Formula), Try: "--check=null,bounds,memory, which shows the run"}
		}
		if len(q.Misuses) > 1 {
			found.Formula = string(violated[run.Outcome.Misuse]) + ": " + found.Formula
		}
		return nil
	}
	if q.Tracked && p.Allocates && !tracked {
		return &outcome.Outside{What: "the program allocates memory, and whether some is lost is not told", Try: "--check=null,bounds,memory,leaks, for what is used or freed wrongly, or left at the end"}
	}
	for _, a := range found.Assumed {
		if slices.Contains(elsewhere, a.Name) {
			return &outcome.Outside{What: "nothing is done wrongly, assuming that " + a.Text + ", which the property asks, too", Try: "--check=null,bounds,memory"}
		}
	}
	return nil
}

// Question is what a property asks. The error is an *outcome.Outside: it is none that can be asked.
func Question(p *svcomp.Property) (q QuestionC, err error) {
	of := questionsC[p.Kind]
	if of == nil {
		what := "the property " + strings.Join(p.Formulas, ", ")
		if p.Kind != svcomp.Other {
			what = fmt.Sprintf("the property %s (%s)", p.Kind, strings.Join(p.Formulas, ", "))
		}
		var known []string
		for _, k := range svcomp.Kinds() {
			if questionsC[k] != nil {
				known = append(known, string(k))
			}
		}
		return q, &outcome.Outside{What: what + " is not decided", Try: "a property that is: " + strings.Join(known, ", ")}
	}
	return of(p), nil
}

// LoadProperty is a property by the name that the competition has for it, or by the name of its file.
func LoadProperty(name string, open check.Open) (*svcomp.Property, error) {
	if p := svcomp.Named(name); p != nil {
		return p, nil
	}
	if strings.HasPrefix(name, "CHECK") { // its text, as certificates have it
		p, err := svcomp.ParseProperty(source.NewFile("--property", name))
		if err == nil {
			p.Name = string(p.Kind)
		}
		return p, err
	}
	if !strings.HasSuffix(name, ".prp") {
		kinds := lists.Append(nil, svcomp.Kinds(), func(k svcomp.Kind) string { return string(k) })
		help := source.DidYouMean(name, kinds)
		if help == "" {
			help = "name a file (.prp), or one of " + strings.Join(kinds, ", ")
		}
		return nil, &check.InputError{Code: "svcomp-property", Text: fmt.Sprintf("%s is no property that has a name", source.Shown(name)), Help: help}
	}
	src, err := check.ReadSource(name, open)
	if err != nil {
		return nil, err
	}
	return svcomp.ParseProperty(src)
}

// LoadTask reads a task definition.
func LoadTask(name string, open check.Open) (*svcomp.Task, error) {
	src, err := check.ReadSource(name, open)
	if err != nil {
		return nil, err
	}
	return svcomp.ParseTask(src)
}

// IsTask reports whether a file is, by its name, a task definition.
func IsTask(name string) bool {
	return strings.HasSuffix(name, ".yml") || strings.HasSuffix(name, ".yaml")
}

// ModelNamed is the data model that the competition has a name for, ILP32 or LP64.
func ModelNamed(name string) (ir.DataModel, bool) {
	models := map[string]ir.DataModel{"ILP32": ir.ILP32, "LP64": ir.LP64}
	m, ok := models[name]
	return m, ok
}

// NotAsked is the report about a property that cannot be asked.
func NotAsked(name string, p *svcomp.Property, reason error, opts check.Options) *report.Report {
	result := report.Result{Kind: "reach", Name: name, Formula: strings.Join(p.Formulas, ", ")}
	r := &report.Report{Command: "reach", Exit: opts.Unknown(&result, reason)}
	r.Results = []report.Result{result}
	OfProperty(r, p)
	return r
}

// OfProperty says in a report which property its results are about.
func OfProperty(r *report.Report, p *svcomp.Property) {
	for i := range r.Results {
		result := &r.Results[i]
		if result.Verdict != report.Violated {
			result.Formula = strings.Join(p.Formulas, ", ")
		}
		result.Property, result.Formula = p.Name, p.Name+": "+result.Formula
	}
}

// Expect compares a result with the verdict that should come.
func Expect(r *report.Report, holds bool) {
	for i := range r.Results {
		if r.Results[i].Expected = report.Violated; holds {
			r.Results[i].Expected = report.Holds
		}
		r.Exit = check.Judge(&r.Results[i], r.Exit)
	}
}

// Witness is one of what was found out about a program: of a proof, whose invariant is by location of
// Encoding.Words, or of a failing run, if there is one. It is about a property, or else about what a run that
// fails, or calls of the program, say. The error is that of reading the sources.
func Witness(enc *encode.Encoding, invariant []*logic.Term, run *machine.Recording, sources []*source.File, o cfront.Options, p *svcomp.Property) (*witnessed.Written, error) {
	if p == nil {
		p = propertyAsked(enc.Program, run, enc.Entry)
	}
	w := witnessed.About(sources, enc.Program.Model, p)
	var out *witnessed.Written
	if run == nil {
		out = witnessed.Correctness(w, enc, invariant)
	} else {
		var err error
		if out, err = witnessed.Violation(w, run, sources, o); err != nil {
			return nil, err
		}
	}
	witnessed.Identify(w)
	return out, nil
}

// propertyAsked is the property of the competition that an answer is about where none was asked: the one that a run
// violates, or else the first of those that the program could violate.
func propertyAsked(p *ir.Program, run *machine.Recording, entry *ir.Func) *svcomp.Property {
	how := p.Failing(entry)
	if run != nil {
		how = []string{run.Outcome.By}
	}
	target := "reach_error"
	if len(how) > 0 {
		target = how[0]
	}
	if label, is := strings.CutSuffix(target, ":"); is {
		return svcomp.Of(entry.Name, fmt.Sprintf("G ! label(%s)", label))
	}
	return svcomp.Of(entry.Name, fmt.Sprintf("G ! call(%s())", target))
}
