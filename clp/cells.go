package clp

import (
	"context"
	"fmt"

	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/internal/cells"
	"github.com/seltl/seltl/internal/houdini"
	"github.com/seltl/seltl/outcome"
	"github.com/seltl/seltl/smt"
)

// CAR, which does fewer units of work in the same time, may do one part of what Spacer may, and begins in the second turn. Facts and derivations of clauses
// over cells are of little use: what holds of an element depends on its index.
const carPart = 3

// byCells looks for a solution about all elements of arrays: by Spacer's own quantifiers, then over single elements
// (internal/cells), by Spacer, of what is mentioned, and by CAR. Work bounds each; 0 is from little work to more.
func byCells(ctx context.Context, q *Clauses, s smt.Solver, meter *budget.Meter, work uint64) (*Result, error) {
	if !cells.Arrayed(q.Problem) {
		return &Result{Method: Cells, Reason: &outcome.Outside{What: "no argument is an array", Try: "another --method"}}, nil
	}
	if work > 0 {
		return cellsWithin(ctx, q, s, work)
	}
	for turn := 0; ; turn++ {
		err := meter.Tick(budget.Progress{Phase: "cells"})
		if err != nil {
			return undecided(ctx, &Result{Method: Cells}, err)
		}
		if r, err := cellsWithin(ctx, q, s, uint64(scaled(firstCells, turn))); err != nil || r.Verdict != Unknown || turn == mostTurns || ctx.Err() != nil {
			return r, err
		}
	}
}

func cellsWithin(ctx context.Context, q *Clauses, s smt.Solver, work uint64) (*Result, error) {
	r := &Result{Method: Cells}
	answer, err := s.ForAll(ctx, q.Problem, work)
	if err != nil {
		return undecided(ctx, r, err)
	}
	if answer.Status == smt.Sat {
		r.Verdict, r.Solution = Underivable, answer.Solution
		return r, nil
	}
	asks, shapes := []asker{cellsBySpacer, cellsByMention, cellsByCAR}, cells.Shapes
	if work <= firstCells { // what is easy, without the pairs
		asks, shapes = asks[:1], shapes[:len(shapes)-1]
	}
	for _, ask := range asks {
		for _, shape := range shapes {
			if r, err = overCells(ctx, q, s, shape, ask, work); err != nil || r.Verdict != Unknown {
				return r, err
			}
		}
	}
	return r, nil
}

// asker solves clauses over cells within some work.
type asker func(ctx context.Context, z *cells.Cells, s smt.Solver, work uint64) (*Result, error)

func overCells(ctx context.Context, q *Clauses, s smt.Solver, shape cells.Shape, ask asker, work uint64) (*Result, error) {
	r := &Result{Method: Cells}
	z := cells.New(q.Problem, shape)
	found, err := ask(ctx, z, s, work)
	if err != nil {
		return undecided(ctx, r, err)
	}
	switch found.Verdict {
	case Underivable:
		r.Solution = z.Solution(found.Solution)
		return confirm(ctx, r, q.Problem, s)
	case Derivable:
		r.Reason = &outcome.Stuck{What: fmt.Sprintf("%s are not enough: there is a derivation by them", shape)}
	default:
		r.Reason = found.Reason
	}
	return r, nil
}

func cellsBySpacer(ctx context.Context, z *cells.Cells, s smt.Solver, work uint64) (*Result, error) {
	return abstracted(ctx, z.Abstract(), s, work)
}

// cellsByMention asks for a solution that is made of what the clauses mention (internal/houdini).
func cellsByMention(ctx context.Context, z *cells.Cells, s smt.Solver, work uint64) (*Result, error) {
	s.Reset()
	s.Limit(work)
	indices, elements := z.Cells()
	guess, err := houdini.Solve(ctx, z.Abstract(), indices, elements, s, work)
	if err != nil || guess.Solution == nil {
		return &Result{Reason: guess.Reason}, err
	}
	return &Result{Verdict: Underivable, Solution: guess.Solution}, nil
}

// cellsByCAR asks CAR.
func cellsByCAR(ctx context.Context, z *cells.Cells, s smt.Solver, work uint64) (*Result, error) {
	s.Reset()
	before := s.Stats().Work
	within := budget.Watch(func(budget.Progress) error {
		if s.Stats().Work-before > work/carPart {
			return &budget.Exhausted{What: "work", Limit: fmt.Sprint(work)}
		}
		return ctx.Err()
	})
	return byCAR(ctx, &Clauses{Problem: z.Abstract()}, s, within, Options{NoFacts: true, NoUnrolling: true})
}
