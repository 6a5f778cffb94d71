package lasso

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/seltl/seltl/internal/testing/gen"
	"github.com/seltl/seltl/internal/testing/naive"
	"github.com/seltl/seltl/internal/testing/soak"
	"github.com/seltl/seltl/logic"
	"github.com/seltl/seltl/program"
)

// TestDecideNaive compares Decide with the enumeration of all states of random loops over
// narrow words, and what it returns with what it says about each of them.
func TestDecideNaive(t *testing.T) {
	s := z3(t)
	decided, counts := 0, map[string]int{}
	cases := soak.Long(70)
	for seed := range uint64(cases) {
		g := gen.NewWordLasso(rand.New(rand.NewPCG(seed, 18)))
		l := &Lasso{Vars: g.Vars, Init: g.Init, Stem: g.Stem, Loop: g.Loop, Where: g.Where}
		if err := l.Validate(); err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		ctx, few := context.Background(), Options{Rounds: 1 + int(seed%3)}
		v, err := Decide(ctx, s, l, few)
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		heads := naive.Lasso(l.Vars, l.Init, l.Stem, l.Loop, l.Where)
		endless := heads.Forever()
		kind := v.kind()
		counts[fmt.Sprint(kind, " ", endless)]++
		if kind == open && testing.Verbose() {
			t.Logf("seed %d (forever %v): %s\n%s", seed, endless, v.Reason, describe(l))
		}
		if kind != open {
			decided++
		}
		switch {
		case endless != (kind == forever) && kind != open:
			err = fmt.Errorf("%s, but the loop goes on for ever: %v", kind, endless)
		case v.Infeasible != nil:
			if err = checkInfeasible(heads, l, v.Infeasible); err == nil && v.Ranking != nil {
				counts["infeasible and ranked"]++
				err = checkRanking(heads, l, v.Ranking)
			}
		case v.Recurrence != nil:
			err = checkRecurrence(l, v.Recurrence)
		case v.Ranking != nil:
			err = checkRanking(heads, l, v.Ranking)
		}
		if err != nil {
			t.Errorf("seed %d: %v\n%s", seed, err, describe(l))
		}
		// Each question by itself, whatever the others say.
		r, err := Recur(ctx, s, l, few)
		if r != nil && err == nil {
			if err = checkRecurrence(l, r); !endless {
				err = fmt.Errorf("%+v, but the loop ends", r)
			}
		}
		if err != nil {
			t.Errorf("seed %d: %v\n%s", seed, err, describe(l))
		}
		f, some, err := Rank(ctx, s, l, few)
		if f != nil && err == nil {
			if err = checkRanking(heads, l, f); endless {
				err = fmt.Errorf("%v, but the loop goes on for ever", &f.Function)
			}
		}
		if err != nil {
			t.Errorf("seed %d: %v\n%s", seed, err, describe(l))
		}
		if f != nil && f.Within != nil {
			counts["command by command"]++
		}
		if err == nil && some != nil {
			counts["some"]++
			err = checkRanking(&naive.LassoHeads{}, l, some)
		}
		if err != nil {
			t.Errorf("seed %d: %v\n%s", seed, err, describe(l))
		}
		counts[fmt.Sprintf("recur %v, rank %v of %v", r != nil, f != nil, endless)]++
	}
	t.Logf("%d of %d cases decided: %v", decided, cases, counts)
	if (decided+1)*10 < cases*8 { // with -short one in a few is many
		t.Errorf("only %d of %d cases are decided: %v", decided, cases, counts)
	}
}

func describe(l *Lasso) string {
	text := fmt.Sprintf("init %v\n", l.Init)
	for i := range len(l.Stem) + len(l.Loop) {
		if i == len(l.Stem) {
			text += "loop:\n"
		}
		c := l.step(i)
		text += fmt.Sprintf("  %v %v -> %v\n", c.Inputs, c.Guard, c.Update)
	}
	return text
}

// checkInfeasible: no run has so many rounds, and one has one less.
func checkInfeasible(heads *naive.LassoHeads, l *Lasso, u *Unrolling) error {
	longest := 0 // rounds that can be done, plus 1
	now := naive.Lasso(l.Vars, l.Init, l.Stem, nil, l.Where[:min(len(l.Where), len(l.Stem)+1)]).States
	number := map[string]int{}
	for i, m := range heads.States {
		number[m.String()] = i
	}
	states := map[int]bool{}
	for _, m := range now {
		states[number[m.String()]] = true
	}
	for ; len(states) > 0; longest++ {
		next := map[int]bool{}
		for i := range states {
			for _, n := range heads.Next[i] {
				next[n] = true
			}
		}
		states = next
	}
	if longest != u.Rounds {
		return fmt.Errorf("%d rounds are said to be impossible, but %d rounds are the least", u.Rounds, longest)
	}
	return nil
}

// checkRecurrence follows the execution further than it was proved, and looks at every state
// of a closed set.
func checkRecurrence(l *Lasso, r *Recurrence) error {
	run, err := r.Follow(l, 40)
	if err != nil {
		return fmt.Errorf("following %+v: %w", r, err)
	}
	if n := len(l.Stem) + 40*len(l.Loop); len(run.Inputs) < n {
		return fmt.Errorf("%d steps were followed, not %d", len(run.Inputs), n)
	}
	if r.Set == nil {
		return nil
	}
	if head := r.Run.States[len(l.Stem)+r.From*len(l.Loop)]; !holdsIn(r.Set, head) {
		return fmt.Errorf("the set %v is not reached: %v", r.Set, head)
	}
	loop := l.loop()
	for _, m := range naive.Valuations(l.Vars, 0) {
		if !holdsIn(r.Set, m) {
			continue
		}
		at := m
		for i, c := range loop {
			in := logic.Model{}
			for _, v := range c.Inputs {
				value, err := logic.Eval(r.Inputs[i][v], m)
				if err != nil {
					return err
				}
				in[v.Name()] = value
			}
			if at, err = c.Step(at, in); err != nil {
				return fmt.Errorf("set %v, state %v: %w", r.Set, m, err)
			}
		}
		if !holdsIn(r.Set, at) || !holdsIn(l.Head(), at) {
			return fmt.Errorf("set %v is left from %v to %v", r.Set, m, at)
		}
	}
	return nil
}

// checkRanking looks at every round from every state of the supports.
func checkRanking(heads *naive.LassoHeads, l *Lasso, r *Ranking) error {
	support := logic.And(r.Supports...)
	for _, m := range heads.States {
		if !holdsIn(support, m) {
			return fmt.Errorf("support %v does not hold in %v", support, m)
		}
	}
	f := &r.Function
	loop := l.loop()
	value := func(m logic.Model) int64 {
		n, err := f.Value(m)
		if err != nil {
			panic(err)
		}
		wide, err := logic.Eval(f.Term(), m)
		if err != nil {
			panic(err)
		}
		k := wide.Num().Num().Int64()
		if w := f.width(); k >= 1<<(w-1) {
			k -= 1 << w
		}
		if n.Int64() != k {
			panic(fmt.Sprintf("%v is %v as a number and %d as a word", f, n, k))
		}
		return k
	}
	var follow func(first, at logic.Model, i int) error
	follow = func(first, at logic.Model, i int) error {
		if i == len(loop) {
			if value(first) < 0 || value(at) >= value(first) || !holdsIn(support, at) {
				return fmt.Errorf("%v with %v: from %v to %v", f, support, first, at)
			}
			return nil
		}
		for _, in := range naive.Valuations(loop[i].Inputs, 0) {
			next, err := loop[i].Step(at, in)
			if err != nil {
				continue
			}
			switch before, after := value(at), value(next); {
			case r.Labels[i] == Same && after > before, r.Labels[i] == Decrease && (before < 0 || after >= before):
				return fmt.Errorf("%v in command %d labelled %v: from %v to %v", f, i, r.Labels[i], at, next)
			}
			if err := follow(first, next, i+1); err != nil {
				return err
			}
		}
		return nil
	}
	for _, m := range naive.Valuations(l.Vars, 0) {
		if holdsIn(support, m) {
			if err := follow(m, m, 0); err != nil {
				return err
			}
		}
		for p, here := range r.Within {
			if err := checkStep(f, loop[p], r.Labels[p], here, r.Within[(p+1)%len(loop)], m); err != nil {
				return err
			}
		}
	}
	return nil
}

// checkStep looks at the steps of one command from one state, if the predicates hold in it.
func checkStep(f *Function, c *program.Command, label Label, here, next []*logic.Term, m logic.Model) error {
	if !holdsIn(logic.And(here...), m) {
		return nil
	}
	for _, in := range naive.Valuations(c.Inputs, 0) {
		after, err := c.Step(m, in)
		if err != nil {
			continue
		}
		a, _ := f.Value(m)
		b, _ := f.Value(after)
		if label == Other || b.Cmp(a) > 0 || label == Decrease && (a.Sign() < 0 || b.Cmp(a) == 0) || !holdsIn(logic.And(next...), after) {
			return fmt.Errorf("%v, %v with %v: from %v to %v, %v", f, label, here, m, after, next)
		}
	}
	return nil
}

// TestClassifyNaive compares labels with the enumeration of all states.
func TestClassifyNaive(t *testing.T) {
	s := z3(t)
	found := map[Label]int{}
	for seed := range soak.Long(uint64(200)) {
		r := rand.New(rand.NewPCG(seed, 81))
		g := gen.NewWordLasso(r)
		pool := templates(g.Loop[0], g.Vars)
		f := pool[r.IntN(len(pool))]
		if r.IntN(2) == 0 {
			f, _ = f.lowered()
		}
		got, err := Classify(context.Background(), s, &f, g.Loop[0], g.Init)
		if err != nil {
			t.Fatal(err)
		}
		want := Decrease
		for _, m := range naive.Valuations(g.Vars, 0) {
			for _, in := range naive.Valuations(g.Loop[0].Inputs, 0) {
				next, err := g.Loop[0].Step(m, in)
				if err != nil || !holdsIn(g.Init, m) {
					continue
				}
				before, _ := f.Value(m)
				after, _ := f.Value(next)
				switch {
				case after.Cmp(before) > 0:
					want = Other
				case want == Decrease && (before.Sign() < 0 || after.Cmp(before) == 0):
					want = Same
				}
			}
		}
		if found[got]++; got != want && !(want == Decrease && got == Same) {
			t.Errorf("seed %d: %v of %v -> %v where %v: %v, not %v", seed, &f, g.Loop[0].Guard, g.Loop[0].Update, g.Init, got, want)
		}
	}
	t.Log(found)
	if !testing.Short() && len(found) < 3 {
		t.Errorf("only %v", found)
	}
}
