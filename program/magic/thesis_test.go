package magic_test

import (
	"errors"
	"io/fs"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/seltl/seltl/program/magic"
)

// seed is the text of [Chaki05], which is not part of the repository.
const seed = "../../../shared/seeds/001_c8412e47ba7e7d9d.txt"

// listings returns the texts between lines of three backquotes, and between lines with $$,
// in the lines first to last of the thesis.
func listings(t *testing.T, first, last int) (all []string) {
	text, err := os.ReadFile(seed)
	if errors.Is(err, fs.ErrNotExist) {
		t.Skip("the text of the thesis is not beside the repository: skipped")
	}
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(string(text), "\n")[first-1 : last]
	var b strings.Builder
	inside := false
	for _, line := range lines {
		switch {
		case strings.HasPrefix(line, "```"):
			if inside {
				all = append(all, b.String())
				b.Reset()
			}
			inside = !inside
		case inside:
			b.WriteString(line + "\n")
		case strings.HasPrefix(line, "$$") || b.Len() > 0: // a formula, perhaps over several lines
			if b.WriteString(line + "\n"); strings.HasSuffix(line, ".$ ") {
				all = append(all, b.String())
				b.Reset()
			}
		}
	}
	return all
}

// repairs undo what the conversion of the thesis to text has done, in this order. times is
// how often each is to be found in the part that it is for, so that none stands here in
// vain and none does more than it says.
type repair struct {
	why      string
	from, to string // from is a regular expression
	times    int
}

// What is typeset as mathematics, and what looks like the end of an HTML element.
func mathematics(braces, arrows int) []repair {
	return []repair{
		{"braces typeset as mathematics", `\\\{\\\$0 == -1\\\}`, `{$$0 == -1}`, braces},
		{"arrows typeset as mathematics", `\\rightarrow`, `->`, arrows},
	}
}

// lostParenthesis is for equations whose body began with "(" on a line of its own: only
// "NAME =" and the alternatives are left.
func lostParenthesis(times int) repair {
	return repair{`a lost "(" behind "="`, `(?m)^(\w+ =\n)( *[a-z])`, "$1(\n$2", times}
}

func restore(t *testing.T, text string, repairs []repair) string {
	for _, r := range repairs {
		pattern := regexp.MustCompile(r.from)
		if found := len(pattern.FindAllString(text, -1)); found != r.times {
			t.Errorf("%s: %d times, want %d", r.why, found, r.times)
		}
		text = pattern.ReplaceAllString(text, r.to)
	}
	return text
}

// size counts what is in files.
type size struct{ lks, cproc, cprog, states, transitions int }

func (s *size) add(t *testing.T, f *magic.File) {
	for _, d := range f.Defs {
		switch d := d.(type) {
		case *magic.LKSDef:
			m, err := f.Machine(d, nil)
			if err != nil {
				t.Fatal(render(err))
			}
			s.lks++
			s.states += len(d.States)
			s.transitions += len(m.Transitions)
		case *magic.ProcDef:
			s.cproc++
		case *magic.ProgDef:
			s.cprog++
		}
	}
}

// TestThesisTutorial reads the specifications of 6.4, one by one and all as one file.
func TestThesisTutorial(t *testing.T) {
	var got, all size
	var together strings.Builder
	for _, text := range listings(t, 2007, 2272) {
		if !regexp.MustCompile(`cproc|cprog|->|\\rightarrow`).MatchString(text) || strings.Contains(text, "magic --") {
			continue // C, commands and what they print
		}
		if strings.Contains(text, "########") {
			continue
		}
		var repairs []repair
		switch {
		case strings.Contains(text, "$$"): // one line with two, then one with one
			repairs = []repair{
				{"lines typeset as formulas", `(?m)^ ?\$+(S\d.*?)\$+ ?$`, "$1", 2},
				{"an underscore typeset as mathematics", `call_\{foo\}`, "call_foo", 1},
			}
		case strings.Contains(text, "BAR ="):
			repairs = []repair{{"braces typeset as mathematics", `\\\{\\\$0 == (-?\d+)\\\}`, `{$$0 == $1}`, 2}}
		case strings.Contains(text, "PROC ="):
			repairs = mathematics(1, 1)
		case strings.Contains(text, "</pre>"):
			repairs = []repair{{"an HTML element", `</pre>`, "", 1}}
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
		name        string
		first, last int
		repairs     []repair
		want        size
	}{
		{"A.2", 4249, 4381, append(mathematics(11, 11), lostParenthesis(10)), size{lks: 14, cproc: 14, states: 14, transitions: 42}},
		{"A.4", 4733, 4829, append(mathematics(6, 6), lostParenthesis(12)), size{lks: 12, cproc: 12, states: 12, transitions: 36}},
		{"A.5", 4830, 4971, append(mathematics(14, 16), lostParenthesis(23),
			repair{"a dollar typeset as mathematics", `\\\{\\\$1->`, `{$$1->`, 1},
			repair{"a lost $", `(?m)^( +)1-> state`, `$1$$1->state`, 1},
			repair{"l read as 1", `Ss13`, `Ssl3`, 2},
			repair{"a lost } behind the guards", `0x2000\)\), Ssl3;`, `0x2000))}, Ssl3;`, 1},
		), size{lks: 1, cprog: 1, states: 28, transitions: 67}},
	} {
		t.Run(c.name, func(t *testing.T) {
			parts := listings(t, c.first, c.last)
			if c.name == "A.2" {
				parts = parts[1:] // the first is the example before it
			}
			f := parse(t, c.name, restore(t, strings.Join(parts, ""), c.repairs))
			var got size
			got.add(t, f)
			if got != c.want {
				t.Errorf("%+v, want %+v", got, c.want)
			}
			checkLayout(t, f)
		})
	}
}
