package prolog_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/seltl/seltl/program"

	. "github.com/seltl/seltl/program/prolog"
)

const goodRule = "r(p(init,X,Y), p(a,X1,Y), {X1=X+1}, 1).\n"

// TestBadInput: one message for each mistake, at its place.
func TestBadInput(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"r(p(init,X), p(a,X1), {X1=X+1}, 1", `a.pl:1:34: error: expected ")", found end of text`},
		{"r(p(init,X), p(a,X1), {X1=X+1}).", `a.pl:1:31: error: expected ",", found ")"`},
		{"r(p(init,X), q(a,X1), {X1=X+1}, 1).", `a.pl:1:14: error: expected a state p(Location, ...), found "q"`},
		{"r(p(Init,X), p(a,X1), {}, 1).", `a.pl:1:5: error: expected a location, found "Init"`},
		{"t(p(init,X), {}, 1).", `a.pl:1:1: error: unknown term "t"`},
		{goodRule + "r(p(a,X), p(a,X), {}, 2).", "a.pl:2:3: error: this state has 1 variables, the first one 2"},
		{"r(p(init,X), p(a,X1), {X1=X*X}, 1).", "a.pl:1:24: error: the constraint is not linear"},
		{"r(p(init,X), p(a,X1), {X1=X+}, 1).", `a.pl:1:29: error: expected a variable, a number or a formula, found "}"`},
		{"r(p(init,X), p(a,X1), {X1+X}, 1).", "a.pl:1:24: error: expected a constraint, found a number"},
		{"r(p(init,X), p(a,X1), {X1=x}, 1).", `a.pl:1:27: error: unknown variable "x"`},
		{"r(p(init,x), p(a,X1), {}, 1).", `a.pl:1:10: error: expected a variable or a number, found "x"`},
		{goodRule + "s(0, p(a,X,Y), {Z*Z>=1}, 1, (0,0)).", "a.pl:2:17: error: the constraint is not linear"},
		{goodRule + "s(0, p(a,X,Y), {Z=\\=X}, 1, (0,0)).", "a.pl:2:1: error: the constraint speaks of variables that are not in the state"},
		{goodRule + "b(p(init,X,Y), {}, 1).\nb(p(a,X,Y), {}, 1).", "a.pl:1:1: error: there are no initial states"},
		{"% nothing", "a.pl:1:1: error: the text has no r(...) and no s(...) terms"},
		{"/* r(", "a.pl:1:1: error: comment is never closed"},
	} {
		sys, err := ParseText("a.pl", c.text)
		if err == nil {
			t.Errorf("%s: accepted: %+v", c.text, sys)
			continue
		}
		if got := strings.Split(err.Error(), " (and ")[0]; got != c.want {
			t.Errorf("%s:\n got %s\nwant %s", c.text, got, c.want)
		}
	}
}

// TestSpans: what is read knows where it stands.
func TestSpans(t *testing.T) {
	sys, err := ParseText("a.pl", goodRule+"s(0, p(a,X,Y), {X >= 3}, 1, (0,0)).")
	if err != nil {
		t.Fatal(err)
	}
	for what, got := range map[string]string{"init": sys.Locations[0].Span.Text(), "a": sys.Locations[1].Span.Text(),
		"r(p(init,X,Y), p(a,X1,Y), {X1=X+1}, 1": sys.Edges[0].Span.Text()} {
		if got != what {
			t.Errorf("%q is said to be at %q", what, got)
		}
	}
}

func FuzzParse(f *testing.F) {
	files, _ := filepath.Glob("../../specs/armc/*.pl")
	for _, name := range files {
		if text, err := os.ReadFile(name); err == nil {
			f.Add(string(text))
		}
	}
	f.Add(goodRule)
	f.Fuzz(func(t *testing.T, text string) {
		sys, err := ParseText("a.pl", text)
		if err == nil {
			if err = sys.Validate(); err != nil {
				t.Errorf("accepted, but %v", err)
			}
		} else if l, ok := err.(program.Diagnostics); !ok || len(l) == 0 {
			t.Errorf("not a list of diagnostics: %v", err)
		}
	})
}
