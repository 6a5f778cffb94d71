package buchi

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/internal/bdd"
	"github.com/seltl/seltl/ltl"
)

// exploding is a formula whose automata are far too large.
func exploding() *ltl.Formula {
	var fs []*ltl.Formula
	for _, name := range strings.Fields("a b c d e f g h i j k l m n o p q r s t u v w x y z") {
		fs = append(fs, ltl.MustParse("F(p_"+name+" & X F q_"+name+")"))
	}
	return ltl.MakeAnd(fs...)
}

func TestLimits(t *testing.T) {
	for _, level := range []Level{High, Low} {
		many := ltl.MustParse("F a & F b & F c & F d & F e & F f & F g & F h & F j & F k")
		for _, c := range []struct {
			f      *ltl.Formula
			limits budget.Limits
		}{{many, budget.Limits{States: 500}}, {exploding(), budget.Limits{Time: 50 * time.Millisecond}}} {
			_, err := Translate(c.f, Options{Level: level, Meter: budget.New(context.Background(), c.limits, nil)})
			if _, ok := errors.AsType[*budget.Exhausted](err); !ok {
				t.Errorf("level %d, %+v: %v", level, c.limits, err)
			}
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Translate(exploding(), Options{Meter: budget.New(ctx, budget.Limits{}, nil)}); !errors.Is(err, budget.ErrInterrupted) {
		t.Errorf("cancelled: %v", err)
	}
	if _, err := Classify(exploding(), Options{Meter: budget.New(ctx, budget.Limits{}, nil)}); !errors.Is(err, budget.ErrInterrupted) {
		t.Errorf("cancelled classification: %v", err)
	}
}

// TestNodeLimit: without a Meter, diagrams that explode are a clean error.
func TestNodeLimit(t *testing.T) {
	tr := newTranslation(exploding(), Options{})
	tr.man.SetLimit(100_000, nil)
	err := bdd.Guard(func() error {
		_, err := tr.run()
		return err
	})
	var nodes *bdd.NodeLimit
	var exhausted *budget.Exhausted
	if !errors.As(err, &nodes) || !errors.As(nodeLimit(err), &exhausted) {
		t.Errorf("got %v", err)
	}
}

// TestTooManySets: more promises than marks is an error, not a wrong automaton.
func TestTooManySets(t *testing.T) {
	g := ltl.MustParse("X a")
	var fs []*ltl.Formula
	for range MaxSets + 1 {
		fs = append(fs, ltl.MakeAlways(ltl.MakeEventually(g)))
		g = ltl.MakeNext(g)
	}
	_, err := Translate(ltl.MakeOr(fs...), Options{Level: Low})
	var exhausted *budget.Exhausted
	if !errors.As(err, &exhausted) || exhausted != errTooManySets {
		t.Errorf("got %v", err)
	}
}
