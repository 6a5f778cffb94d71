package armc

import (
	"context"

	"github.com/seltl/seltl/horn"
	"github.com/seltl/seltl/logic"
	"github.com/seltl/seltl/smt"
)

// Every question to the solver has a limit of work, in the solver's resource units, and so
// one that does not depend on the machine; without an answer within it, the answer is
// unknown. Where Options.MaxQueries bounds questions, it bounds their work all together,
// too: among products of variables, a single question may take longer than all others.
const (
	workOfQuery    = 10_000     // that MaxQueries allows for each, several times what most take
	leastLeft      = 10_000     // of all work, for one question more
	questionAlone  = 20_000_000 // one question of a method that does not search beside others: about a minute
	questionLeast  = 100_000    // that one question may take, whatever MaxQueries is
	questionsShare = 100        // of these that take as long as they may use up all work
	questionCheck  = 20_000_000 // one obligation of a certificate
)

// rationed is a solver whose questions have a limit of work all together.
type rationed struct {
	smt.Solver
	most   uint64 // work of all questions, 0 without limit
	slice  bool   // it is Options.MaxWork
	before uint64 // what the solver had done
	each   uint64 // as of Limit
	cut    bool   // the solver's limit is less
	spent  bool   // the last question was not asked
	open   bool   // a question had no answer, and might have one with more of a slice
}

// ration returns a solver for a run with so many queries, 0 without limit.
func ration(s smt.Solver, queries int) *rationed {
	return &rationed{Solver: s, most: workOfQuery * uint64(max(queries, 0)), before: s.Stats().Work}
}

// question is the limit of one question of a method that searches alone.
func (q *rationed) question() uint64 {
	switch {
	case q.slice:
		return min(questionAlone, q.most)
	case q.most == 0:
		return questionAlone
	}
	return min(questionAlone, max(questionLeast, q.most/questionsShare))
}

// left is the work that is left for a question that may take so much (0: any), 0 if none is.
func (q *rationed) left(each uint64) uint64 {
	used := q.Solver.Stats().Work - q.before
	if used+leastLeft > q.most {
		return 0 // Z3 may not answer at all, if it has next to nothing: nor say a model
	}
	if left := q.most - used; each == 0 || left < each {
		return left
	}
	return each
}

// over says that nothing is left.
func (q *rationed) over() bool { return q.most > 0 && q.left(0) == 0 }

func (q *rationed) Limit(work uint64) {
	q.each, q.cut = work, false
	q.Solver.Limit(work)
}

func (q *rationed) Reset() {
	q.each, q.cut = 0, false
	q.Solver.Reset()
}

func (q *rationed) Clear() {
	q.each, q.cut = 0, false
	q.Solver.Clear()
}

func (q *rationed) Check(ctx context.Context, assumptions ...*logic.Term) (smt.Status, error) {
	if q.spent = q.over(); q.spent {
		return smt.Unknown, ctx.Err()
	}
	if q.most > 0 {
		if left := q.left(q.each); left != q.each || q.cut {
			q.cut = left != q.each
			q.Solver.Limit(left)
		}
	}
	allowed, before := q.left(q.each), q.Solver.Stats().Work
	status, err := q.Solver.Check(ctx, assumptions...)
	q.open = q.open || status == smt.Unknown && q.sliced(allowed, before)
	return status, err
}

// sliced reports that a question has done what it was allowed to, which would be more with a larger slice.
// Others have no answer whatever they may do.
func (q *rationed) sliced(allowed, before uint64) bool {
	less := q.each == 0 || allowed < q.each || q.each == q.most
	return q.slice && less && q.Solver.Stats().Work-before >= allowed/2
}

func (q *rationed) Horn(ctx context.Context, p *horn.Problem, limit uint64) (smt.HornResult, error) {
	return q.horn(ctx, p, limit, q.Solver.Horn)
}

func (q *rationed) ForAll(ctx context.Context, p *horn.Problem, limit uint64) (smt.HornResult, error) {
	return q.horn(ctx, p, limit, q.Solver.ForAll)
}

func (q *rationed) horn(ctx context.Context, p *horn.Problem, limit uint64, ask func(context.Context, *horn.Problem, uint64) (smt.HornResult, error)) (smt.HornResult, error) {
	if q.over() {
		return smt.HornResult{Reason: rationSpent}, ctx.Err()
	}
	wanted := limit
	if q.most > 0 {
		limit = q.left(limit)
	}
	res, err := ask(ctx, p, limit)
	q.open = q.open || q.slice && res.Status == smt.Unknown && limit < wanted
	return res, err
}

const rationSpent = "the limit of work of all questions is reached"

func (q *rationed) Reason() string {
	if q.spent {
		return rationSpent
	}
	return q.Solver.Reason()
}
