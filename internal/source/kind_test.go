package source

import (
	"slices"
	"testing"
)

func TestKinds(t *testing.T) {
	for name, want := range map[string]Kind{"a/b.lks": Processes, "x.aut": Transitions, "x.i": C, "a.b.smt2": Clauses, "x.armc": Terms, ".spec": Spec, "x": Unknown, "-": Unknown, "lks": Unknown} {
		if got := KindOf(name); got != want {
			t.Errorf("%s: %d, want %d", name, got, want)
		}
	}
	if got := Endings(Processes, Transitions); !slices.Equal(got, []string{".lks", ".lts", ".fsp", ".aut"}) {
		t.Error(got)
	}
}
