package programs

import (
	"context"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/seltl/seltl/c/cfront"
	"github.com/seltl/seltl/c/checks"
	"github.com/seltl/seltl/c/encode"
	"github.com/seltl/seltl/c/ir"
	"github.com/seltl/seltl/check"
	"github.com/seltl/seltl/internal/testing/soak"
	"github.com/seltl/seltl/report"
	"github.com/seltl/seltl/safety"
)

// openLimit ends the search for what is open.
const openLimit = 20 * time.Second

// realQuestion is a line of the comment of a program: a verdict, which is not come to in ten seconds with a question
// mark, and a command.
var realQuestion = regexp.MustCompile(`(?m)^ +(FAILS|HOLDS)(\?| ) seltl reach (\S+)(?: --check=(\S+))?( -D FIXED)?(?: \*/)?$`)

// TestReal decides the programs of specs/c/real, which are written over the headers of the system: what fails and what
// is mended, as their comments say; gcc compiles the runs that fail. Of what is open there, a soak asks that no verdict is another one.
func TestReal(t *testing.T) {
	files, _ := filepath.Glob("../../specs/c/real/*.c")
	if len(files) != 10 {
		t.Fatalf("%d programs", len(files))
	}
	quick := []string{"daemon", "pool", "holidays", "grepopt"}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		comment, _, _ := strings.Cut(string(text), "*/")
		questions := realQuestion.FindAllStringSubmatch(comment+"*/", -1)
		if len(questions) != 2 || questions[0][1] != "FAILS" || questions[0][5] != "" || questions[1][1] != "HOLDS" || questions[1][5] == "" {
			t.Fatalf("%s: %q", file, questions)
		}
		name := strings.TrimSuffix(filepath.Base(file), ".c")
		for _, q := range questions {
			open, fails := q[2] == "?", q[1] == "FAILS"
			if open && !soak.On() || testing.Short() && !(fails && slices.Contains(quick, name)) {
				continue
			}
			t.Run(name+q[5], func(t *testing.T) { askReal(t, file, q[4], fails, open) })
		}
	}
}

func askReal(t *testing.T, file, list string, fails, open bool) {
	o := cfront.Options{}
	if list != "" {
		var err error
		if o.Checks, err = checks.Parse(list); err != nil {
			t.Fatal(err)
		}
	}
	if !fails {
		o.Defines = []string{"FIXED"}
	}
	p, err := LoadC([]string{file}, o, nil)
	if err != nil && strings.Contains(err.Error(), "include file not found") {
		t.Skip("SKIPPED: the system has no headers")
	}
	if err != nil {
		t.Fatal(err)
	}
	e, err := encode.Encode(p, "")
	if err != nil {
		t.Fatal(err)
	}
	ctx := context.Background()
	if open {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, openLimit)
		defer cancel()
	}
	r, res, err := ReachC(ctx, e, Common, check.Options{}, safety.Options{})
	if err != nil {
		t.Fatal(err)
	}
	want := map[bool]report.Verdict{true: report.Violated, false: report.Holds}[fails]
	if got := r.Results[0].Verdict; got != want && (!open || got != report.Unknown) {
		t.Errorf("%s: %s", got, r.Results[0].Reason)
	} else if got == report.Violated && !p.Checks(ir.CheckBounds) { // with that, compiled C goes on there
		reachesFailure(t, ir.LP64, r, res)
	}
}
