package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/seltl/seltl/lks"
	"github.com/seltl/seltl/product/fairchoice"
)

// ProgressLasso turns the run of a violated progress property into a Counterexample.
// never are the actions that occur in no run.
func ProgressLasso(net *lks.Network, p *fairchoice.ProgressResult, never []string) *Counterexample {
	c := Run(net, p.Lasso)
	c.Progress = &Progress{Occurring: append([]string{}, p.Terminal...), Missing: p.Missing}
	c.Note = "from there on nothing happens"
	if len(p.Terminal) > 0 {
		c.Note = "from there on only {" + strings.Join(listed(p.Terminal), ", ") + "} can happen"
	}
	again := slices.DeleteFunc(slices.Clone(p.Missing), func(a string) bool { return slices.Contains(never, a) })
	if len(again) > 0 {
		c.Note += "; never again {" + strings.Join(listed(again), ", ") + "}"
	}
	return c
}

// neverLine lists actions that occur in no run.
func neverLine(never []string) string {
	return fmt.Sprintf("%s in no run: {%s}", Count(int64(len(never)), "action")+map[bool]string{true: " occurs", false: " occur"}[len(never) == 1], strings.Join(listed(never), ", "))
}

// sameRun reports whether two counterexamples are one run.
func sameRun(a, b *Counterexample) bool {
	equal := func(s, t []Step) bool { return slices.EqualFunc(s, t, sameStep) }
	return slices.Equal(a.Components, b.Components) && sameState(&a.Initial, &b.Initial) && equal(a.Stem, b.Stem) && equal(a.Loop, b.Loop)
}

func sameStep(s, t Step) bool { return s.Event == t.Event && sameState(&s.State, &t.State) }

func sameState(s, t *State) bool {
	return slices.Equal(s.Locals, t.Locals) && slices.Equal(s.Props, t.Props)
}
