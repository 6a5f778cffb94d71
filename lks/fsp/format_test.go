package fsp_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/seltl/seltl/internal/source"
	"github.com/seltl/seltl/lks/fsp"
)

// modelFiles returns the texts of the models at hand: those of the repository's
// specs and, where it is there, of the LTSA oracle.
func modelFiles(t testing.TB) map[string]string {
	files := map[string]string{}
	for _, root := range []string{"../../specs", oracleDir} {
		filepath.Walk(root, func(path string, info os.FileInfo, err error) error {
			if err != nil || info.IsDir() {
				return nil
			}
			switch filepath.Ext(path) {
			case ".lks", ".lts", ".fsp":
				text, err := os.ReadFile(path)
				if err != nil {
					t.Fatal(err)
				}
				files[path] = string(text)
			}
			return nil
		})
	}
	return files
}

func format(t testing.TB, name, text string) string {
	t.Helper()
	f, err := fsp.Parse(source.NewFile(name, text))
	if err != nil {
		t.Fatalf("%s\n%s", render(err), text)
	}
	return fsp.Format(f)
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
