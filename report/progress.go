package report

import (
	"fmt"
	"slices"
	"strings"
)

// neverLine lists actions that occur in no run.
func neverLine(never []string) string {
	return fmt.Sprintf("%s in no run: {%s}", Counted(int64(len(never)), "action")+map[bool]string{true: " occurs", false: " occur"}[len(never) == 1], strings.Join(Listed(never), ", "))
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
