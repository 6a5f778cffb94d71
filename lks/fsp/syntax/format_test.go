package syntax_test

import (
	"flag"
	"os"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/seltl/seltl/internal/testing/gen"
	"github.com/seltl/seltl/lks/fsp/syntax"
)

var update = flag.Bool("update", false, "rewrite the expected layout")

// modelFiles returns the texts of the models at hand: those of the repository's
// specs and, where it is there, of the LTSA oracle.
func modelFiles(t testing.TB) map[string]string {
	files, err := gen.FSPFiles("../../../specs", "../../../../shared/oracle/ltsa")
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// render returns an error with all its diagnostics.
func render(err error) string {
	var b strings.Builder
	err.(syntax.Diagnostics).Render(&b)
	return b.String()
}

func format(t testing.TB, name, text string) string {
	t.Helper()
	f, err := syntax.ParseText(name, text)
	if err != nil {
		t.Fatalf("%s\n%s", render(err), text)
	}
	return syntax.Format(f)
}

// significant returns a text without blanks and line breaks.
func significant(text string) string { return strings.Join(strings.Fields(text), "") }

func TestFormatKeepsEverything(t *testing.T) {
	for path, text := range modelFiles(t) {
		once := format(t, path, text)
		if significant(once) != significant(text) {
			t.Errorf("%s: formatting changed more than blanks:\n%s", path, once)
		}
		if twice := format(t, path, once); twice != once {
			t.Errorf("%s: formatting again changes the text:\n%s\n--- again ---\n%s", path, once, twice)
		}
	}
}

// TestFormatGolden compares the layout with testdata/format.txtar.
func TestFormatGolden(t *testing.T) {
	const path = "testdata/format.txtar"
	archive, err := txtar.ParseFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i+1 < len(archive.Files); i += 2 {
		in, want := archive.Files[i], &archive.Files[i+1]
		got := format(t, in.Name, string(in.Data))
		if twice := format(t, in.Name, got); twice != got {
			t.Errorf("%s: formatting again changes the text:\n%s\n--- again ---\n%s", in.Name, got, twice)
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
