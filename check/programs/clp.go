package programs

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/check"
	"github.com/seltl/seltl/clp"
	"github.com/seltl/seltl/horn"
	"github.com/seltl/seltl/internal/source"
	"github.com/seltl/seltl/logic"
	"github.com/seltl/seltl/outcome"
	"github.com/seltl/seltl/program"
	"github.com/seltl/seltl/program/clauses"
	"github.com/seltl/seltl/program/reader"
	"github.com/seltl/seltl/report"
	"github.com/seltl/seltl/smt"
)

// Query is a query of constraint logic that was read.
type Query struct {
	Name     string
	Clauses  *clp.Clauses
	Warnings source.List
}

// LoadQuery reads Horn clauses of SMT-LIB (.smt2), rules (.clp), or a system (.gcl, .pl),
// whose clauses are those of its edges; a text of standard input is SMT-LIB if it begins
// with a parenthesis or a comment of that language, else rules. The error is diagnostics,
// an *InputError, a *check.OtherKind, or a limit.
func LoadQuery(name string, open check.Open) (*Query, error) {
	if source.KindOf(name).Model() {
		return nil, &check.OtherKind{File: name, Needed: ".clp, .smt2, .gcl or .pl"}
	}
	src, err := check.ReadSource(name, open)
	if err != nil {
		return nil, err
	}
	q := &Query{Name: src.Name()}
	text := strings.TrimSpace(src.Text())
	switch kind := source.KindOf(name); {
	case kind == source.Commands || kind == source.Terms:
		sys, err := reader.Parse(src)
		if err != nil {
			return nil, err
		}
		for _, v := range sys.Vars {
			if program.Rigid(v) {
				return nil, hasFunction(src, v)
			}
		}
		q.Warnings = sys.Warnings
		q.Clauses = clp.OfProblem(clauses.Problem(sys))
	case kind == source.Clauses || kind != source.Rules && (strings.HasPrefix(text, "(") || strings.HasPrefix(text, ";")):
		p, err := horn.Parse(src)
		if err != nil {
			return nil, check.ForeignFile(name, err)
		}
		q.Clauses = clp.OfProblem(p)
	default:
		rules, err := clp.Parse(src)
		if err != nil {
			return nil, check.ForeignFile(name, err)
		}
		if q.Clauses, err = rules.Clauses(); err != nil {
			return nil, err
		}
		q.Warnings = rules.Warnings
	}
	if len(q.Clauses.Problem.Clauses) == 0 && len(q.Clauses.Problem.Preds) == 0 && !strings.Contains(src.Text(), "check-sat") {
		var errs source.List
		errs.Errorf(src.Span(0, 0), "no-clause", "there are no clauses").Help = "write for example: (assert (forall ((x Int)) (=> (= x 0) (P x))))"
		return nil, errs.Err()
	}
	if !slices.ContainsFunc(q.Clauses.Problem.Clauses, func(c horn.Clause) bool { return c.Head == nil }) {
		q.Warnings.Warnf(src.Span(0, 0), "no-query", "no clause concludes false: every such problem has a solution")
	}
	return q, nil
}

// hasFunction says that a system's clauses would have a relation over functions.
func hasFunction(src *source.File, v *logic.Term) error {
	at := max(0, strings.Index(src.Text(), v.Name()))
	var errs source.List
	errs.Errorf(src.Span(at, at+len(v.Name())), "function", "relations do not hold of functions, such as %q", v.Name()).Help = "seltl reach decides systems with unknown functions"
	return errs.Err()
}

// CLP decides a query, as engine says (its limits and callbacks apart), with the solvers of
// pool. What the engine answered comes with the report; it is nil if it was interrupted.
func CLP(ctx context.Context, q *Query, pool *smt.Pool, opts check.Options, engine clp.Options) (*report.Report, *clp.Result, error) {
	engine.Limits, engine.Progress = opts.Limits, opts.Progress
	if opts.Narrate != nil {
		engine.Explain = func(r clp.Round) { opts.Narrate(r.Explain()) }
		engine.Turned = opts.NarrateTurn
	}
	r := &report.Report{Command: "clp", Messages: check.Messages(q.Warnings)}
	result := report.Result{Kind: "clp", Name: q.Name, Formula: "the clauses have a solution"}
	res, err := clp.Decide(ctx, q.Clauses, pool, engine)
	if err == nil {
		r.Exit = describeQuery(&opts, &result, q, res)
	} else if result, r.Exit, err = opts.Undecided(result, err); err != nil {
		return nil, nil, err
	}
	r.Results = []report.Result{result}
	return r, res, nil
}

func describeQuery(o *check.Options, result *report.Result, q *Query, res *clp.Result) int {
	p := q.Clauses.Problem
	result.Statistics = &report.Statistics{States: report.NewCount(int64(res.Stats.Facts)), SearchSeconds: res.Stats.Time.Seconds(),
		Method: fmt.Sprintf("%s, %s, %s", res.Method, report.Counted(int64(res.Stats.Rounds), "round"), report.Counted(int64(res.Stats.Predicates), "predicate"))}
	switch res.Verdict {
	case clp.Underivable:
		result.Verdict = report.Holds
		result.Note = "sat: the clauses have a solution, which was checked clause by clause"
		result.Assumptions = divisors(p)
		for i, f := range res.Solution {
			params := p.Preds[i].Params
			plain := make([]*logic.Term, len(params))
			by := map[*logic.Term]*logic.Term{}
			for k, v := range params {
				plain[k] = logic.Var(shownParam(v, k), v.Sort())
				by[v] = plain[k]
			}
			out := report.Formula{Location: fmt.Sprintf("%s(%s)", p.PredName(i), logic.Formats(plain, logic.C, ", "))}
			if size := f.Size(); size > largestShown {
				out.Nodes = size
			} else {
				out.Formula = forAll(logic.Substitute(f, by), plain)
			}
			result.Invariant = append(result.Invariant, out)
		}
		return report.ExitHolds
	case clp.Derivable:
		result.Verdict = report.Violated
		result.Note = "unsat: the clauses have no solution; the derivation was replayed"
		result.Derivation = derivation(q, res.Derivation, 0)
		return report.ExitViolated
	}
	result.Tried = outcome.Texts(res.Tried)
	return o.Unknown(result, res.Reason)
}

// WriteSMTLIB writes an answer as scripts read it: sat, unsat or unknown in the first line, then a model, a
// derivation, or the reason. The report is that of CLP, as is the engine's answer, which may be nil.
func (q *Query) WriteSMTLIB(w io.Writer, r *report.Report, res *clp.Result) error {
	p := q.Clauses.Problem
	switch {
	case res != nil && res.Verdict == clp.Underivable:
		if _, err := io.WriteString(w, "sat\n(\n"); err != nil {
			return err
		}
		if err := p.With(res.Folds).WriteSolution(w, res.Solution); err != nil {
			return err
		}
		_, err := io.WriteString(w, ")\n")
		return err
	case res != nil && res.Verdict == clp.Derivable:
		if _, err := io.WriteString(w, "unsat\n"); err != nil {
			return err
		}
		return res.Derivation.WriteSMTLIB(w, p)
	}
	_, err := fmt.Fprintf(w, "unknown\n(:reason-unknown \"%s\")\n", strings.ReplaceAll(r.Results[0].Reason, `"`, `""`))
	return err
}

// Solution checks a solution of a query, as WriteSolution or a solver writes it: a text with a define-fun for
// each predicate. The error is diagnostics about it.
func Solution(ctx context.Context, q *Query, solution *source.File, solver smt.Checker, opts check.Options) (*report.Report, error) {
	p := q.Clauses.Problem
	p, formulas, err := p.ParseCertificate(solution.Name(), solution.Text())
	if err != nil {
		return nil, err
	}
	result := report.Result{Kind: "certificate", Name: q.Name, Formula: "the formulas are a solution of the clauses", Verdict: report.Holds, Assumptions: divisors(p)}
	r := &report.Report{Command: "check-certificate", Messages: check.Messages(q.Warnings)}
	var wrong *horn.Unproved
	switch err := clp.CheckSolution(ctx, p, formulas, solver); {
	case errors.As(err, &wrong) && !budget.Stopped(err) && ctx.Err() == nil:
		result.Verdict, r.Exit, result.Note = report.Violated, report.ExitViolated, err.Error()
	case err != nil:
		r.Exit = opts.Unknown(&result, err)
	}
	r.Results = []report.Result{result}
	return r, nil
}

// forAll is a formula that is to hold for all values of variables that are not known; folds are no such variables.
func forAll(f *logic.Term, known []*logic.Term) string {
	own := slices.DeleteFunc(logic.Vars(f), func(v *logic.Term) bool {
		return v.Sort().Kind() == logic.FunctionKind || slices.Contains(known, v)
	})
	if len(own) == 0 {
		return f.String()
	}
	return fmt.Sprintf("for all %s: %s", logic.Formats(own, logic.C, ", "), f)
}

// shownParam is what a parameter is called: x0 for those that have made names.
func shownParam(v *logic.Term, k int) string {
	if strings.Contains(v.Name(), "!") {
		return fmt.Sprintf("x%d", k)
	}
	return v.Name()
}

// divisors says what a solution assumes of divisions by zero.
func divisors(p *horn.Problem) []string {
	seen := map[*logic.Term]bool{}
	for i := range p.Clauses {
		if slices.ContainsFunc(p.Clauses[i].Terms(), func(t *logic.Term) bool { return divides(t, seen) }) {
			return []string{"that a number divided by 0 is some number, always the same"}
		}
	}
	return nil
}

// divides reports that a term divides by something that is no number, unless it was seen.
func divides(f *logic.Term, seen map[*logic.Term]bool) bool {
	if seen[f] {
		return false
	}
	seen[f] = true
	switch f.Op() {
	case logic.OpDiv, logic.OpIntDiv, logic.OpIntMod:
		if n := f.Args()[1].Num(); n == nil || n.Sign() == 0 {
			return true
		}
	}
	return slices.ContainsFunc(f.Args(), func(t *logic.Term) bool { return divides(t, seen) })
}

// derivation tells node i of a derivation.
func derivation(q *Query, d *clp.Derivation, i int) *report.Derivation {
	p := q.Clauses.Problem
	clause := &p.Clauses[d.Nodes[i].Clause]
	out := &report.Derivation{Fact: "false", Clause: d.Nodes[i].Clause + 1}
	if clause.Head != nil {
		args := make([]string, len(clause.Head.Args))
		for k, v := range d.Arguments(p, i) {
			args[k] = v.String()
		}
		out.Fact = fmt.Sprintf("%s(%s)", p.PredName(clause.Head.Pred), strings.Join(args, ", "))
	} else if rules := q.Clauses.Rules; rules != nil {
		out.Fact = rules.Relations[rules.Goal].Name + "()"
	}
	if clause.Span.Valid() {
		out.File, out.Line = clause.Span.File.Name(), clause.Span.Pos().Line
	}
	names := make([]string, 0, len(d.Values[i]))
	for name := range d.Values[i] {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		out.Values = append(out.Values, fmt.Sprintf("%s = %s", name, d.Values[i][name]))
	}
	for _, j := range d.Nodes[i].Calls {
		out.Calls = append(out.Calls, derivation(q, d, j))
	}
	return out
}
