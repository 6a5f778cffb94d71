package specification_test

import (
	"os"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/seltl/seltl/internal/c/specification"
)

// TestMessages compares what is said about mistakes with testdata/errors.txtar: of the
// text, then of its constants and machines.
func TestMessages(t *testing.T) {
	const path = "testdata/errors.txtar"
	archive, err := txtar.ParseFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i+1 < len(archive.Files); i += 2 {
		in, want := archive.Files[i], &archive.Files[i+1]
		f, _ := specification.ParseText("x.spec", string(in.Data))
		checkTree(t, f)
		got := messages(f)
		if got == "" {
			t.Errorf("%s: no message", in.Name)
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

func messages(f *specification.File) string {
	all := f.Diagnostics
	if !all.HasErrors() {
		constants, err := f.Constants(nil)
		all = add(all, err)
		for _, d := range f.Defs {
			switch d := d.(type) {
			case *specification.LKSDef:
				_, err = f.Machine(d, constants)
				all = add(all, err)
			case *specification.ProgDef:
				for _, c := range d.Components {
					_, err = f.Copies(c, constants)
					all = add(all, err)
				}
				for _, s := range d.Statements {
					switch s := s.(type) {
					case *specification.Hide:
						_, err = f.Actions(s.Set, constants, nil)
						all = add(all, err)
					case *specification.Rename:
						_, err = f.Renaming(s, constants, specification.Values{"i": 1})
						all = add(all, err)
					}
				}
			}
		}
	}
	var b strings.Builder
	all.Render(&b)
	return b.String()
}

func add(all specification.Diagnostics, err error) specification.Diagnostics {
	if err != nil {
		all = append(all, err.(specification.Diagnostics)...)
	}
	return all
}

// TestManyMistakes: the first twenty are told, and a text of nothing else ends.
func TestManyMistakes(t *testing.T) {
	for _, text := range []string{
		strings.Repeat("P = (a -> .\n", 1000),
		strings.Repeat("cproc f { predicate ; }\n", 1000),
		"cproc f {" + strings.Repeat("predicat x;\n", 1000),
		strings.Repeat("cproc f {\n", 1000),
		strings.Repeat("(", 100_000),
		"S = " + strings.Repeat("(a -> ", 100_000),
		"const N = " + strings.Repeat("(", 100_000),
		"const N = 1" + strings.Repeat("+1", 100_000),
		"cproc f { predicate " + strings.Repeat("(", 100_000),
		strings.Repeat("@", 100_000),
		strings.Repeat("\"", 100_001),
	} {
		f, err := specification.ParseText("x.spec", text)
		if err == nil || len(f.Diagnostics) > 30 {
			t.Errorf("%.20q...: %d messages, error %v", text, len(f.Diagnostics), err)
		}
		checkTree(t, f)
	}
}
