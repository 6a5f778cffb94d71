package fsp_test

import (
	"fmt"
	"testing"

	"github.com/seltl/seltl/lks"
)

// TestEndings compares what compositions with END, ERROR and silent steps come to
// with what LTSA composed from the same text: numbers of states (without ERROR) and
// transitions, ERROR reachable, deadlock reachable.
func TestEndings(t *testing.T) {
	const text = `
Q = (b -> END).
P = (b -> t -> ERROR)\{t}.
||SILENT_ERROR = (Q || P).
TASK = (start -> finish -> END).
W2 = (start -> finish -> SLEEP),
SLEEP = (wake -> boom -> ERROR)\{wake, boom}.
||LATE = (TASK || W2).
A = (a -> END).
R = (a -> R).
S = (a -> b -> END)\{b}.
T = (x -> T)\{x}.
||ENDS = (A || R).
||NEVER = (A || T).
||AFTER_TAU = (S).
||AFTER_TAU2 = (S || R).
||HIDES = (A || R)\{a}.
||TWICE = (HIDES || HIDES).
U = (u -> (v -> END | v -> w -> END))\{v, w}.
V = (u -> i -> V)\{i}.
||BOTH = (U || V).
M = (m -> n -> M).
N = (m -> n -> N).
||PAIR = (M || N)\{m, n}.
||WITH_PAIR = (A || PAIR).
L = (a -> k -> STOP)\{k}.
O = (a -> k -> j -> STOP)\{k, j}.
||MERGED = (A || L || O).
`
	for process, want := range map[string]string{
		"SILENT_ERROR": "2 states, 2 transitions, error true, deadlock false",
		"LATE":         "4 states, 4 transitions, error true, deadlock false",
		"ENDS":         "2 states, 1 transitions, error false, deadlock false",
		"NEVER":        "2 states, 3 transitions, error false, deadlock false",
		"AFTER_TAU":    "3 states, 2 transitions, error false, deadlock false",
		"AFTER_TAU2":   "3 states, 2 transitions, error false, deadlock false",
		"HIDES":        "2 states, 1 transitions, error false, deadlock false",
		"TWICE":        "4 states, 4 transitions, error false, deadlock false",
		"BOTH":         "7 states, 10 transitions, error false, deadlock false",
		"PAIR":         "2 states, 2 transitions, error false, deadlock false",
		"WITH_PAIR":    "4 states, 6 transitions, error false, deadlock false",
		"MERGED":       "7 states, 8 transitions, error false, deadlock false",
	} {
		net, err := model(t, text).Network(process)
		if err != nil {
			t.Fatal(err)
		}
		m, err := net.Build(nil)
		if err != nil {
			t.Fatal(err)
		}
		states, failed, dead := 0, false, false
		for s := range int32(m.NumStates()) {
			switch kind := m.Kind(s); {
			case kind == lks.Error:
				failed = true
				continue
			case kind == lks.Normal && len(m.Edges(s)) == 0:
				dead = true
			}
			states++
		}
		if got := fmt.Sprintf("%d states, %d transitions, error %t, deadlock %t", states, m.NumTransitions(), failed, dead); got != want {
			t.Errorf("%s: %s, LTSA has %s", process, got, want)
		}
	}
}
