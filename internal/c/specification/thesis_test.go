package specification_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/seltl/seltl/internal/c/specification"
	"github.com/seltl/seltl/internal/testing/appendix"
)

// root is the folder of the repository.
const root = "../../.."

func restore(t *testing.T, text string, repairs []appendix.Repair) string {
	t.Helper()
	text, err := appendix.Restore(text, repairs)
	if err != nil {
		t.Error(err)
	}
	return text
}

// size counts what is in files.
type size struct{ lks, cproc, cprog, states, transitions int }

func (s *size) add(t *testing.T, f *specification.File) {
	for _, d := range f.Defs {
		switch d := d.(type) {
		case *specification.LKSDef:
			m, err := f.Machine(d, nil)
			if err != nil {
				t.Fatal(render(err))
			}
			s.lks++
			s.states += len(d.States)
			s.transitions += len(m.Transitions)
		case *specification.ProcDef:
			s.cproc++
		case *specification.ProgDef:
			s.cprog++
		}
	}
}

// TestThesisTutorial reads the specifications of 6.4, one by one and all as one file.
func TestThesisTutorial(t *testing.T) {
	var got, all size
	var together strings.Builder
	for _, text := range appendix.Listings(t, root, 2007, 2272) {
		if !regexp.MustCompile(`cproc|cprog|->|\\rightarrow`).MatchString(text) || strings.Contains(text, "magic --") {
			continue // C, commands and what they print
		}
		if strings.Contains(text, "########") {
			continue
		}
		var repairs []appendix.Repair
		switch {
		case strings.Contains(text, "$$"): // one line with two, then one with one
			repairs = []appendix.Repair{
				{Why: "lines typeset as formulas", From: `(?m)^ ?\$+(S\d.*?)\$+ ?$`, To: "$1", Times: 2},
				{Why: "an underscore typeset as mathematics", From: `call_\{foo\}`, To: "call_foo", Times: 1},
			}
		case strings.Contains(text, "BAR ="):
			repairs = []appendix.Repair{{Why: "braces typeset as mathematics", From: `\\\{\\\$0 == (-?\d+)\\\}`, To: `{$$0 == $1}`, Times: 2}}
		case strings.Contains(text, "PROC ="):
			repairs = appendix.Mathematics(1, 1)
		case strings.Contains(text, "</pre>"):
			repairs = []appendix.Repair{{Why: "an HTML element", From: `</pre>`, Times: 1}}
		}
		text = restore(t, text, repairs)
		f := parse(t, "tutorial", text)
		got.add(t, f)
		checkLayout(t, f)
		together.WriteString(text)
	}
	// S1, S3, FOO, BAR, PROC; my_proc three times, foo twice (one is about inlining), bar,
	// proc; my_prog.
	if want := (size{lks: 5, cproc: 7, cprog: 1, states: 7, transitions: 11}); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
	all.add(t, parse(t, "tutorial", together.String()))
	if all != got {
		t.Errorf("all in one file: %+v, one by one %+v", all, got)
	}
}

// TestThesisOpenSSL reads the libraries and the specification of appendix A.
func TestThesisOpenSSL(t *testing.T) {
	for _, c := range []struct {
		part appendix.Part
		want size
	}{
		{appendix.ServerLibrary, size{lks: 14, cproc: 14, states: 14, transitions: 42}},
		{appendix.ClientLibrary, size{lks: 12, cproc: 12, states: 12, transitions: 36}},
		{appendix.Specification, size{lks: 1, cprog: 1, states: 28, transitions: 67}},
	} {
		t.Run(c.part.Name, func(t *testing.T) {
			f := parse(t, c.part.Name, c.part.Text(t, root))
			var got size
			got.add(t, f)
			if got != c.want {
				t.Errorf("%+v, want %+v", got, c.want)
			}
			checkLayout(t, f)
		})
	}
}
