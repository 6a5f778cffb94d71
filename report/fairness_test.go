package report

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestFairLines: sets have a line each, processes and actions are put together.
func TestFairLines(t *testing.T) {
	at := func(n int) *int { return &n }
	c := &Counterexample{Fairness: []Fair{
		{Of: "set", Strong: true, Names: []string{"a", "b"}, Why: "taken", State: at(3), Event: "b"},
		{Of: "set", Names: []string{"c"}, Why: "impossible", State: at(4)},
		{Of: "set", Names: []string{"1", "2", "3", "4", "5", "6", "7", "8", "9", "10"}, Why: "never possible"},
		{Of: "process", Names: []string{"P"}, Why: "taken", State: at(1), Event: "a"},
		{Of: "process", Names: []string{"Q"}, Why: "impossible", State: at(2)},
		{Of: "process", Names: []string{"R"}, Why: "taken", State: at(2), Event: "b"},
		{Of: "transitions", Strong: true, Why: "taken", Transitions: 7},
	}}
	for i := range 10 {
		c.Fairness = append(c.Fairness, Fair{Of: "action", Strong: true, Names: []string{fmt.Sprint("a", i)}, Why: "never possible"})
	}
	want := `fair strong {a, b}: b occurs in state 3
fair weak {c}: impossible in state 4
fair weak {1, 2, 3, 4, 5, 6, 7, 8, 2 more}: never possible
fairness of transitions: all 7 that leave its states are taken
weak fairness of processes: P moves in state 1, R in state 2; Q cannot move in state 2
strong fairness of actions: a0, a1, a2, a3, a4, a5, a6, a7, 2 more never possible`
	if d := cmp.Diff(want, strings.Join(c.fairLines(), "\n")); d != "" {
		t.Errorf("-want +got:\n%s", d)
	}
}
