package report

import (
	"strings"
	"testing"
)

// crossSample has a translator that is right and one that fails, is slow, and is wrong.
func crossSample() *Cross {
	return &Cross{Seed: 7, Formulas: 2, Common: 1, Checks: 9, Skipped: 1,
		Translators: []CrossTranslator{{Name: "seltl", Made: 4, States: 3, Edges: 5, Sets: 2, Deterministic: 1, Seconds: 0.5},
			{Name: "x, y", Made: 2, Limited: 1, Failed: 1}},
		Failures: []CrossFailure{{Check: "word", Formula: "a", Found: "a & F b", Word: "cycle{a}", Holds: true, Wrong: []string{"x, y: wrong"}}},
		Rows: []CrossRow{{Formula: "a", Translator: "seltl", Status: "ok", States: 3, Edges: 5, Sets: 2, Deterministic: true, Seconds: 0.5},
			{Formula: "a", Negated: true, Translator: "x, y", Status: "limit", Seconds: 1}}}
}

// crossInJSON is the sample without what JSON does not have.
func crossInJSON() *Cross {
	c := crossSample()
	c.Rows = nil
	return c
}

func TestCrossText(t *testing.T) {
	var b strings.Builder
	if err := crossSample().Text(&b); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"WRONG (word): a\n    found with a & F b\n    cycle{a}\n    the formula is true on this word\n    x, y: wrong\n",
		"     4        0       0       3      5     2              1    0.500  seltl\n",
		"over 1 that all have translated), 9 checks, 1 left out at limits, seed 7: 1 failure\n",
	} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("%q is not in\n%s", want, b.String())
		}
	}
}

func TestCrossCSV(t *testing.T) {
	var b strings.Builder
	if err := crossSample().CSV(&b); err != nil {
		t.Fatal(err)
	}
	want := `formula,negated,translator,status,states,edges,sets,deterministic,seconds
a,0,seltl,ok,3,5,2,1,0.500000
a,1,"x, y",limit,,,,,1.000000
`
	if b.String() != want {
		t.Errorf("got\n%s", b.String())
	}
}

// The exit status: what is wrong comes before limits.
func TestCrossExit(t *testing.T) {
	c := crossSample()
	for _, want := range []int{ExitViolated, ExitUnknown, ExitUnknown, ExitUnknown, ExitHolds} {
		if got := c.Exit(); got != want {
			t.Errorf("%+v: %d, want %d", c, got, want)
		}
		switch {
		case len(c.Failures) > 0:
			c.Failures = nil
		case c.Translators[1].Limited > 0:
			c.Translators[1].Limited, c.Stopped = 0, true
		case c.Skipped > 0:
			c.Skipped = 0
		default:
			c.Stopped = false
		}
	}
}
