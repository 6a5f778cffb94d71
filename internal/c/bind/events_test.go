package bind_test

import (
	"testing"

	"github.com/seltl/seltl/internal/c/bind"
)

func TestParseEvent(t *testing.T) {
	for atom, want := range map[string]bind.EventSpelling{
		"lock":                          {Routine: "lock"},
		" HAL_Lock ":                    {Routine: "HAL_Lock"},
		"lock.return":                   {Routine: "lock", Return: true},
		"lock {$1 == 3}":                {Routine: "lock", Condition: "$1 == 3", From: 6},
		"lock.return {$0}":              {Routine: "lock", Return: true, Condition: "$0", From: 13},
		"p[1]::lock {$1 > 0 && $2 > 0}": {Component: "p[1]", Routine: "lock", Condition: "$1 > 0 && $2 > 0", From: 12},
		"lock {}":                       {Routine: "lock"},
		"error {$1}":                    {Routine: "error", Condition: "$1", From: 7},
	} {
		if got, ok := bind.ParseEvent(atom); !ok || got != want {
			t.Errorf("%q: %+v, %v", atom, got, ok)
		}
		if _, is := bind.ParseProposition(atom); is && (want.Condition != "" || want.Return) {
			t.Errorf("%q is a proposition", atom)
		}
	}
	for _, atom := range []string{"", "x > 0", "return", "return {$0 == 1}", "p::return", "error", "at(L)", "fork.1.get", "a.b {1}", "1"} {
		if got, ok := bind.ParseEvent(atom); ok {
			t.Errorf("%q: %+v", atom, got)
		}
	}
}
