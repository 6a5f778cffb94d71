package cfront

import (
	"strings"
	"testing"

	"github.com/seltl/seltl/internal/source"
)

// TestLibraryPieces: every routine of the library's text can be parsed without the others, in its
// own lines, and calls nothing.
func TestLibraryPieces(t *testing.T) {
	pieces, names := libraryPieces()
	if strings.Join(pieces, "") != libraryText || len(names) != strings.Count(libraryText, "\n}\n")+strings.Count(libraryText, "; }\n") {
		t.Errorf("%d pieces: %v", len(pieces), names)
	}
	if text := libraryOf([]string{"main", "a", "alpha"}); text != "" {
		t.Errorf("it has %s", text)
	}
	for i, name := range names {
		text := libraryOf([]string{name})
		p, err := Parse([]*source.File{source.NewFile("library.c", text)}, Options{NoEntry: true})
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if f := p.Func(name); f == nil || len(p.Funcs) != 1 || f.Extern() {
			t.Errorf("%s: %v", name, p.Funcs)
		}
		if !strings.Contains(text, name) || strings.Count(text[:strings.Index(text, pieces[i+1])], "\n") != strings.Count(strings.Join(pieces[:i+1], ""), "\n") {
			t.Errorf("%s is in other lines", name)
		}
	}
}
