package trials

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/seltl/seltl/internal/testing/soak"
	"github.com/seltl/seltl/report"
)

// core builds seltl itself, once.
var core = sync.OnceValues(func() (string, error) {
	if _, err := build(); err != nil { // makes the folder
		return "", err
	}
	if built == "" {
		var err error
		if built, err = os.MkdirTemp(temporary, "trials-*"); err != nil {
			return "", err
		}
	}
	program := filepath.Join(built, "seltl")
	command := exec.Command("go", "build", "-buildvcs=false", "-o", program, "./cmd/seltl")
	command.Dir = filepath.Join("..", "..")
	out, err := command.CombinedOutput()
	if err != nil {
		err = fmt.Errorf("%w: %s", err, out)
	}
	return program, err
})

// models are small ones, each of a kind.
var models = map[string]string{
	"loop":      "P = (a -> P).\n",
	"stop":      "P = (a -> STOP).\n",
	"end":       "P = (a -> END).\n",
	"error":     "P = (a -> ERROR | b -> P).\n",
	"nothing":   "P = STOP.\n",
	"choice":    "P = (a -> P | b -> c -> P | d -> STOP).\n",
	"two":       "P = (a -> b -> P).\nQ = (b -> c -> Q).\n||S = (P || Q).\n||T = (P || Q)@{a}.\n",
	"cross":     "P = (a -> b -> P).\nQ = (b -> a -> Q).\n||S = (P || Q).\n",
	"sized":     "const N = 2\nP = S[0], S[i:0..N] = (when (i < N) up -> S[i+1] | when (i > 0) down -> S[i-1]).\n",
	"declared":  "P = (a -> b -> P).\nltl GOOD = G(a -> X b)\nltl BAD = F c\nltl TRIVIAL = G(a -> a)\n",
	"stopping":  "P = (a -> b -> STOP).\nltl TRIVIAL = G(a -> a)\nltl DONE = F b\nltl BAD = G F a // expect: fails\n",
	"expecting": "P = (a -> b -> P).\nltl BAD = G a // expect: fails\nltl GOOD = F b // expect: fails\n",
	"broken":    "P = (a -> Q).\n",
	"asserting": "P = (a -> P | b -> P).\nassert FAIR = G F a\nfluent ON = <a, b>\nltl ONE = F ON\n",
	"stuck":     "P = (a -> STOP | b -> P). // expect: deadlock\n||S = P. // expect: deadlock\n",
}

// asked is a question in the words of both programs.
type asked struct{ model, core, cluster string }

// sideBySide are all questions about all models, with all flags that both programs have.
func sideBySide() (all []asked) {
	// Fair runs, and fair choice, are for seltl alone.
	add := func(model, core, cluster string) { all = append(all, asked{model, core, cluster}) }
	both := func(model, words string) { add(model, "verify "+words, words) }
	for _, name := range slices.Sorted(keys(models)) {
		m := "MODEL "
		for _, f := range []string{"true", "false", "F_a", "G_!a", "G_F_a", "G_!deadlock", "G(a_->_a)", "X_true", "!X_true", "F_c", "a", "G(b_->_O_a)", "G_("} {
			for _, finite := range []string{"", "--finite=stutter", "--finite=ignore", "--finite=error"} {
				both(name, m+f+" "+finite)
			}
		}
		add(name, "deadlock "+m, "--deadlock "+m)
		add(name, "check --only=safety "+m, "--error "+m)
		add(name, "stats "+m, "--count "+m)
		both(name, m+"true --process=P")
		both(name, m+"F_a -p Q")
		both(name, m+"F_a --process=NONE")
		for _, p := range []string{"GOOD", "BAD", "TRIVIAL", "DONE", "FAIR", "ONE", "NONE"} {
			both(name, m+"--property="+p)
			both(name, m+"--finite=error --property="+p)
		}
		both(name, m+"F_a -DN=3")
		both(name, m+"F_a -DN=x")
		both(name, m+"F_a -D N")
		both(name, m+"F_a --finite=some")
		both(name, m+"F_a --store=exact")
		both(name, m+"F_a --store=none")
		both(name, m+"F_a --nonsense")
		both(name, m+"F_a -p P --process=P")
	}
	both("sized", "MODEL G_!up -DN=0")
	both("sized", "MODEL G_!up -DN=1 -D N=0")
	for _, n := range []string{"0", "5", "-1"} {
		add("sized", "deadlock MODEL -DN="+n, "--deadlock MODEL -DN="+n)
		add("sized", "stats MODEL -DN="+n, "--count MODEL -DN="+n)
	}
	both("two", "MODEL G(a_->_F_c) -p T")
	both("two", "MODEL G(a_->_F_a) -p T")
	add("two", "deadlock MODEL -p T", "--deadlock MODEL -p T")
	both("loop", "missing.lks F_a")
	return all
}

func keys[V any](m map[string]V) func(yield func(string) bool) {
	return func(yield func(string) bool) {
		for k := range m {
			if !yield(k) {
				return
			}
		}
	}
}

// words are those of a command line; "_" is a blank within one.
func (a *asked) words(text, folder string) (words []string) {
	for word := range strings.FieldsSeq(text) {
		words = append(words, strings.ReplaceAll(strings.ReplaceAll(word, "_", " "), "MODEL", filepath.Join(folder, a.model+".lks")))
	}
	return append(words, "--json")
}

// said is what a program says, as far as it may not depend on which: where there are several
// counterexamples, one may be of a run that ends and another not.
func said(a *asked, e ended) string {
	if strings.HasPrefix(a.core, "stats") {
		var counts struct{ States, Transitions float64 }
		var r report.Report
		if json.Unmarshal([]byte(e.out), &r) == nil && len(r.Results) == 1 {
			counts.States, counts.Transitions = r.Results[0].Statistics.States.Float(), r.Results[0].Statistics.Transitions.Float()
		} else {
			_ = json.Unmarshal([]byte(e.out), &counts)
		}
		return fmt.Sprintf("status %d, %+v", e.status, counts)
	}
	var r report.Report
	if err := json.Unmarshal([]byte(e.out), &r); err != nil || len(r.Results) == 0 {
		return fmt.Sprintf("status %d, no results", e.status)
	}
	one := &r.Results[0]
	text := fmt.Sprintf("status %d, %v %v, expected %q", e.status, one.Kind, one.Verdict, one.Expected)
	switch c := one.Counterexample; {
	case c == nil:
		text += fmt.Sprintf(" assuming %q", one.Assumptions)
	case one.Kind != "ltl":
		text += fmt.Sprintf(", %d steps to %q", len(c.Stem), c.End)
	}
	return text
}

// TestSideBySide asks seltl and seltl-cluster the same.
func TestSideBySide(t *testing.T) {
	if testing.Short() {
		t.Skip("both programs are built, and started many times")
	}
	program, err := core()
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	for name, text := range models {
		if err := os.WriteFile(filepath.Join(folder, name+".lks"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	p := newPool(t, 2)
	all := sideBySide()
	every := 1
	if !soak.On() {
		every = 29
	}
	tried := map[string]int{}
	for i, a := range all {
		if i%every != 0 {
			continue
		}
		want := said(&a, startBy(t, program, a.words(a.core, folder)...).wait(t))
		got := said(&a, seltlCluster(t, append([]string{"submit", "--access", p.access, "-n", fmt.Sprint(1 + i%2)}, a.words(a.cluster, folder)...)...))
		tried[strings.SplitN(want, ",", 2)[0]]++
		if got != want {
			t.Errorf("%s: seltl %s: %s\n\tseltl-cluster: %s", a.model, a.core, want, got)
		}
	}
	t.Logf("%d of %d questions: %v", (len(all)+every-1)/every, len(all), tried)
}
