package specification_test

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/seltl/seltl/internal/c/specification"
)

var update = flag.Bool("update", false, "rewrite the expected layout and messages")

// specs returns the texts of the specifications of the repository, by path.
func specs(t testing.TB) map[string]string {
	t.Helper()
	paths, err := filepath.Glob("../../../specs/c/*.spec")
	more, _ := filepath.Glob("../../../specs/c/*/*.spec")
	paths = append(paths, more...)
	if err != nil || len(paths) < 2 {
		t.Fatal(paths, err)
	}
	texts := map[string]string{}
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		texts[path] = string(text)
	}
	return texts
}

// render returns an error with all its diagnostics.
func render(err error) string {
	var b strings.Builder
	err.(specification.Diagnostics).Render(&b)
	return b.String()
}

// parse reads a text without mistakes.
func parse(t testing.TB, name, text string) *specification.File {
	t.Helper()
	f, err := specification.ParseText(name, text)
	if err != nil {
		t.Fatalf("%s\n%s", render(err), text)
	}
	return f
}

// significant returns a text without blanks and line breaks.
func significant(text string) string { return strings.Join(strings.Fields(text), "") }

// TestFormatGolden compares the layout with testdata/format.txtar.
func TestFormatGolden(t *testing.T) {
	const path = "testdata/format.txtar"
	archive, err := txtar.ParseFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i+1 < len(archive.Files); i += 2 {
		in, want := archive.Files[i], &archive.Files[i+1]
		got := specification.Format(parse(t, in.Name, string(in.Data)))
		if twice := specification.Format(parse(t, in.Name, got)); twice != got {
			t.Errorf("%s: formatting again changes the text:\n%s\n--- again ---\n%s", in.Name, got, twice)
		}
		if significant(got) != significant(string(in.Data)) {
			t.Errorf("%s: formatting changed more than blanks:\n%s", in.Name, got)
		}
		if *update {
			want.Data = []byte(got)
		} else if got != string(want.Data) {
			t.Errorf("%s:\n%s\nwant\n%s", in.Name, got, want.Data)
		}
	}
	if *update {
		if err := os.WriteFile(path, txtar.Format(archive), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// TestSpecsFormatted: the specifications of the repository are in the standard layout.
func TestSpecsFormatted(t *testing.T) {
	for path, text := range specs(t) {
		f := parse(t, path, text)
		if len(f.Diagnostics) > 0 {
			t.Errorf("%s", f.Diagnostics.Error())
		}
		if got := specification.Format(f); got != text {
			t.Errorf("%s is not in the standard layout, which is\n%s", path, got)
		}
	}
}
