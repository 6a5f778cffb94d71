package floors

import (
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"testing"
)

// A citation is a key in brackets; all but those of undated works end in a year.
var citation = regexp.MustCompile(`\[([A-Z]\w+[0-9]{2}|TUMLectures)\]`)

// A loose citation is a year in parentheses or behind a comma or a conference.
var loose = regexp.MustCompile(`\(.*\b(19[5-9]|20[0-2])\d[,)]|, (19[5-9]|20[0-2])\d\)|\bet al\.`)

// TestBibliography: what comments cite is in the bibliography, which has nothing else.
func TestBibliography(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(root, "docs", "bibliography.md"))
	if err != nil {
		t.Fatal(err)
	}
	cited := map[string]bool{} // by key: whether a comment cites it
	for _, m := range regexp.MustCompile(`(?m)^- \*\*\[(\w+)\]\*\* `).FindAllSubmatch(text, -1) {
		key := string(m[1])
		if _, twice := cited[key]; twice {
			t.Errorf("%s is in the bibliography twice", key)
		}
		if cited[key] = false; !citation.MatchString("[" + key + "]") {
			t.Errorf("%s is no key: a name and two digits of the year", key)
		}
	}
	if len(cited) < 40 {
		t.Fatalf("only %d entries found: has the layout changed?", len(cited))
	}
	for _, path := range goFiles(t) {
		fset := token.NewFileSet()
		file, err := parser.ParseFile(fset, path, nil, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, group := range file.Comments {
			for _, c := range group.List {
				for _, m := range citation.FindAllStringSubmatch(c.Text, -1) {
					if _, known := cited[m[1]]; !known {
						t.Errorf("%v: %s is not in docs/bibliography.md", fset.Position(c.Pos()), m[1])
						continue
					}
					cited[m[1]] = true
				}
				if found := loose.FindString(c.Text); found != "" {
					t.Errorf("%v: %q: cite by a key of docs/bibliography.md", fset.Position(c.Pos()), found)
				}
			}
		}
	}
	for key, used := range cited {
		if !used {
			t.Errorf("no comment cites %s", key)
		}
	}
}

// TestCitation shows what is a citation and what is a loose one.
func TestCitation(t *testing.T) {
	for text, want := range map[string][2]bool{
		"// by [Tarjan72], section 3":               {true, false},
		"// eq. 7 of [TUMLectures]":                 {true, false},
		"// (Tarjan, 1972, with an explicit stack)": {false, true},
		"// Tarjan (SIAM J. Comput. 1972)":          {false, true},
		"// by de Wulf et al., see there":           {false, true},
		"// the entry [1]byte of x[N12]":            {false, false},
		"// beyond (2048) states":                   {false, false},
	} {
		if got := [2]bool{citation.MatchString(text), loose.MatchString(text)}; got != want {
			t.Errorf("%s: cites, loosely: %v, want %v", text, got, want)
		}
	}
}
