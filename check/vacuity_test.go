package check_test

import (
	"context"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/check"
	"github.com/seltl/seltl/internal/source"
	"github.com/seltl/seltl/product"
	"github.com/seltl/seltl/report"
)

// modelOf loads a model from its text.
func modelText(t testing.TB, text string) *check.Model {
	t.Helper()
	m, err := check.Load(context.Background(), "model.lks", check.LoadOptions{Open: func(string) (io.ReadCloser, error) { return io.NopCloser(strings.NewReader(text)), nil }})
	if err != nil {
		t.Fatalf("%s\n%s", render(err), text)
	}
	return m
}

// vacuityOf asks one formula.
func vacuityOf(t testing.TB, m *check.Model, formula string, opts check.Verification) *report.Result {
	t.Helper()
	q, err := m.Ask(formula)
	if err != nil {
		t.Fatalf("%s: %s", formula, render(err))
	}
	r, err := check.Verify(context.Background(), m, []check.Question{q}, opts)
	if err != nil {
		t.Fatalf("%s: %v", formula, err)
	}
	return &r.Results[0]
}

// A client asks, works and may be told to stop, which nobody does; lamp and door are beside it.
const seededModel = `
CLIENT = IDLE, IDLE {idle} = (ask -> WAIT), WAIT {waits} = (grant -> WORK | refuse -> IDLE), WORK {works} = (done -> IDLE | halt -> STOP).
SERVER = (ask -> {grant, refuse} -> SERVER | done -> SERVER).
GUARD = (halt -> GUARD).
LAMP = OFF, OFF {dark} = (press -> ON), ON {lit} = (press -> OFF), SPARE {broken} = (mend -> OFF).
||SYSTEM = (CLIENT || SERVER || LAMP || NEVER || STOPPED).
NEVER = (start -> USES), USES {on} = (use[1] -> USES | ask -> USES) + {halt}.
STOPPED = STOP + {mend, use[2]}.
`

// TestSeededVacuity: vacuous formulas are found, with their cause, without being asked for.
func TestSeededVacuity(t *testing.T) {
	m := modelText(t, seededModel)
	for _, c := range []struct{ formula, remark string }{
		{`G(ask & grant -> F idle)`, `vacuously: "ask & grant" never happens`},
		{`G(halt -> F idle)`, `vacuously: "halt" never happens`},
		{`G(halt -> X idle) & G(press -> X(lit | dark))`, `in part vacuously: "halt" never happens`},
		{`G(broken -> F lit)`, `vacuously: "broken" is never true`},
		{`G(broken & press -> X lit)`, `vacuously: "broken" is never true`},
		{`G(lit & dark -> F works)`, `vacuously: "lit & dark" is never true`},
		{`G(waits & done -> F refuse)`, `vacuously: "waits & done" never happens`},
		{`G ask => F grant`, `vacuously: "G ask" is true at the beginning of no run`},
		{`ask -> X grant`, `vacuously: "ask" is true at the beginning of no run`},
		{`works -> F done`, `vacuously: "works" is true at the beginning of no run`},
		{`!halt W done`, `vacuously: "halt" never happens`},
		{`G !(halt & X ask)`, `vacuously: "halt" never happens`},
		{`G(!(lit | dark) -> F mend)`, `vacuously: "!(lit | dark)" is never true`},
		{`G(grant -> (mend -> X idle))`, `vacuously: "mend" never happens`},
		{`G(F halt -> F idle)`, `vacuously: "halt" never happens`},
		{`G(X(grant & press) -> F done)`, `vacuously: "grant & press" never happens`},
		{`G((waits U (lit & dark)) -> F done)`, `vacuously: "lit & dark" is never true`},
		{`G({grant; grant}[]-> F idle)`, `vacuously: "{grant; grant}" never matches`},
		{`G(G grant -> F done)`, `vacuously: "G grant" is never true`},
		{`forall [i:1..2] G(use[i] -> X on)`, `in part vacuously: "use[2]" never happens`},
		{`G(enabled(halt) -> F idle)`, `vacuously: "enabled(halt)" is never true`},
		{`G(grant -> O halt | X works) & (O mend -> ask)`, `in part vacuously: "mend" never happens`},
		{`G(mend -> F lit) & G(!mend & lit & dark -> F press)`, `vacuously: "mend" never happens, "!mend & lit & dark" never happens`},
		{`G({{grant; grant}[*1..2]; ask}[]-> F idle)`, `vacuously: "{{grant; grant}[*1..2]; ask}" never matches`},
		{`G({grant; grant}|-> F idle)`, `vacuously: "{grant; grant}" never matches`},
		{`G !({grant; grant}<>-> F idle)`, `vacuously: "{grant; grant}" never matches`},
		{`mend -> false`, ``}, // that is what it is about
		{`G !halt`, ``},
		{`G !(lit & dark)`, ``},
		{`G(ask -> X waits)`, ``},
		{`G(grant -> X(works | broken))`, ``}, // an alternative
		{`G({grant, mend} -> X works | X !idle)`, ``},
		{`!grant W ask`, ``},
		{`G(halt <-> mend)`, ``},
		{`G({mend, ask} -> X waits)`, ``},
		{`true`, ``},
	} {
		for _, full := range []bool{false, true} {
			r := vacuityOf(t, m, c.formula, check.Verification{Vacuity: full})
			if r.Verdict != report.Holds {
				t.Errorf("%s: %s", c.formula, r.Verdict)
			}
			remark := r.Vacuous()
			if full && c.remark == "" {
				continue
			}
			if full { // where something is left, parts without effect follow
				remark = remark[:min(len(remark), len("but "+c.remark))]
			}
			if want := c.remark; (want != "" || remark != "") && remark != "but "+want {
				t.Errorf("%s: %q, want %q", c.formula, remark, want)
			}
			if full && len(r.Vacuity.NoEffect) == 0 {
				t.Errorf("%s: each part has an effect: %+v", c.formula, r.Vacuity)
			}
		}
	}
}

// TestVacuousPlaces: what stands at several places is not shown at one where it is not meant.
func TestVacuousPlaces(t *testing.T) {
	m := modelText(t, seededModel)
	r := vacuityOf(t, m, `G(done -> X idle) & (done -> X lit)`, check.Verification{})
	if n := r.Vacuity.Never; len(n) != 1 || n[0].To != 0 || n[0].Says != "is true at the beginning of no run" {
		t.Errorf("%+v", r.Vacuity)
	}
	r = vacuityOf(t, m, `G(waits & idle -> false) & G(done & works -> X idle)`, check.Verification{Vacuity: true})
	if n := r.Vacuity.NoEffect; len(n) != 1 || n[0].Formula != "works" || n[0].To == 0 || n[0].In != "" {
		t.Errorf("%+v", r.Vacuity)
	}
	r = vacuityOf(t, m, `G(works & idle -> false) & G(done & works -> X idle)`, check.Verification{Vacuity: true})
	if n := r.Vacuity.NoEffect; len(n) != 1 || n[0].Formula != "works" || n[0].To != 0 || n[0].In != "done & works" {
		t.Errorf("%+v", r.Vacuity)
	}
	if r = vacuityOf(t, m, `G(ask & !ask -> F idle)`, check.Verification{}); r.Vacuous() != "but vacuously: it is true of every run, of any model" {
		t.Errorf("%+v", r.Vacuity)
	}
	m = modelText(t, "A = (a -> A | b -> STOP).\nfair weak {b}\n")
	for _, fair := range []check.Fairness{check.AutoFair, check.FairChoice} {
		if r = vacuityOf(t, m, `G(a -> X b)`, check.Verification{Finite: product.IgnoreRuns, Fair: fair}); r.Vacuous() != "but vacuously: no run counts" {
			t.Errorf("%v: %s %+v", fair, r.Verdict, r.Vacuity)
		}
	}
}

// TestVacuityOfLargeModels: what is found without being asked for is found when each part is asked, too,
// in states that the search does not need.
func TestVacuityOfLargeModels(t *testing.T) {
	m := modelText(t, "P {idle} = (a -> BUSY), BUSY {busy} = (b -> DONE), DONE = (c -> P).\n||S = (x[1..24]:P).\n")
	r := vacuityOf(t, m, `G(x[1].a & x[1].busy -> F (x[1].busy & x[2].idle))`, check.Verification{Vacuity: true, Options: check.Options{Limits: budget.Limits{States: 2_000_000}}})
	if r.Vacuous() != `but vacuously: "x[1].a & x[1].busy" never happens` || len(r.Vacuity.Open) > 0 {
		t.Errorf("%s: %+v", r.Vacuous(), r.Vacuity)
	}
}

// TestVacuityOfEachPart: all parts are asked where that is wanted.
func TestVacuityOfEachPart(t *testing.T) {
	m := modelText(t, seededModel)
	for formula, want := range map[string]string{
		"G(ask -> X waits)":                  "every part has an effect (2 questions)",
		"G(ask & idle -> X waits)":           "no effect: idle: the formula holds with true in its place",
		"F ask | F grant | F press":          "every part has an effect (6 questions)",
		"G(grant -> X(works | broken))":      "no effect: broken: the formula holds with false in its place",
		"G(press & dark -> X(lit | F done))": "no effect: F done: the formula holds with false in its place",
		"G !halt":                            "every part has an effect (1 question)",
	} {
		r := vacuityOf(t, m, formula, check.Verification{Vacuity: true})
		if r.Verdict != report.Holds {
			if r.Vacuity != nil {
				t.Errorf("%s fails, and %+v", formula, r.Vacuity)
			}
			continue
		}
		if got := strings.Join(r.Vacuity.Lines(), "\n"); got != want {
			t.Errorf("%s: %s, want %s", formula, got, want)
		}
	}
	r := vacuityOf(t, m, "G(ask & grant -> F idle)", check.Verification{Vacuity: true, Options: check.Options{Limits: budget.Limits{States: 1}}})
	if r.Verdict != report.Holds || len(r.Vacuity.Open) == 0 || len(r.Vacuity.NoEffect) == 0 {
		t.Errorf("%v within one state: %+v", r.Verdict, r.Vacuity)
	}
}

// argued are alarms about models of others that are right, and why.
var argued = map[string]string{}

// TestNoFalseAlarms: nothing is said about what the models of specs, and those of LTSA's textbook,
// declare.
func TestNoFalseAlarms(t *testing.T) {
	held, alarms := 0, 0
	for _, root := range []string{filepath.Join("..", "specs"), filepath.Join("..", "..", "shared", "oracle", "ltsa")} {
		if _, err := os.Stat(root); err != nil {
			t.Logf("SKIPPED: the models of LTSA's textbook (../shared/oracle/ltsa) are not here")
			continue
		}
		err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			ext := filepath.Ext(path)
			if err != nil || d.IsDir() || ext != ".lks" && ext != ".lts" || testing.Short() && d.Name() == "abb.lks" {
				return err
			}
			m, err := check.Load(context.Background(), path, check.LoadOptions{})
			if err != nil {
				return nil // some are to be refused
			}
			r, err := check.All(context.Background(), m, check.Everything{Kinds: []string{"ltl", "assert"}, Elsewhere: true,
				Verification: check.Verification{Options: check.Options{Limits: budget.Limits{States: 300_000, Time: 30 * time.Second}}}})
			if err != nil {
				return nil // declares none
			}
			for i := range r.Results {
				res := &r.Results[i]
				if res.Verdict != report.Holds {
					continue
				}
				held++
				where := filepath.Base(path) + " " + res.Label()
				if remark := res.Vacuous(); remark != "" {
					if alarms++; argued[where] == "" {
						t.Errorf("%s: %s   [%s]", where, res.Formula, remark)
					}
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	t.Logf("%d properties hold, %d alarms, all argued", held, alarms)
	if held < 60 {
		t.Errorf("only %d properties hold", held)
	}
}

// render is an error with all that it says.
func render(err error) string {
	var b strings.Builder
	if list, ok := err.(source.List); ok {
		list.Render(&b)
		return b.String()
	}
	return err.Error()
}
