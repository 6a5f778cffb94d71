package cfront

import (
	"fmt"
	"strings"
	"testing"

	"github.com/seltl/seltl/c/ir"
	"github.com/seltl/seltl/internal/source"
)

// TestWritten: temporaries are told by what the user wrote, up to 80 characters of it, also in a
// chain of thousands of links, which takes no longer than its length.
func TestWritten(t *testing.T) {
	for n := 1; n < 60; n += 2 {
		text := "x ? " + strings.Repeat("1 + ", n%23) + strings.Repeat("a", n) + " : x == 2 ? 3 : 4"
		p, err := Parse([]*source.File{source.NewFile("p.c", fmt.Sprintf("int main(void) { int x = 1, %s = 2; int y = %s; return y; }", strings.Repeat("a", n), strings.ReplaceAll(text, " ", "\n ")))}, Options{Entry: "main"})
		if err != nil {
			t.Fatal(err)
		}
		want := "(" + text + ")"
		if len(text) > longestShown {
			want = ""
		}
		var found, inner bool
		for _, v := range p.Func("main").Locals {
			found = found || v.Kind == ir.Temp && v.Holds == want
			inner = inner || v.Holds == "(x == 2 ? 3 : 4)"
		}
		if !found || !inner {
			t.Errorf("%q is not held", want)
		}
	}
	var chain strings.Builder
	for i := range 2000 {
		fmt.Fprintf(&chain, "x == %d ? %d :\n", i, i)
	}
	if _, err := Parse([]*source.File{source.NewFile("p.c", "int main(void) { int x = 1;\nreturn "+chain.String()+" 0; }")}, Options{Entry: "main"}); err != nil {
		t.Fatal(err)
	}
}

// TestNames: names that are given again are numbered, without gaps.
func TestNames(t *testing.T) {
	n := names{}
	var all []string
	for _, name := range []string{"x", "x@2", "x", "x", "y", "x@2", "y", "x"} {
		all = append(all, n.unique(name))
	}
	if got := strings.Join(all, " "); got != "x x@2 x@3 x@4 y x@2@2 y@2 x@5" {
		t.Error(got)
	}
}
