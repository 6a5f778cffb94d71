package check

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/seltl/seltl/internal/source"
)

// TestExpectedQuestions: what comments say is found, in each kind of file.
func TestExpectedQuestions(t *testing.T) {
	for _, c := range []struct {
		name, text string
		want       string
	}{
		{"m.lks", `P = (a -> P). // expect: no deadlock
property Q = (a -> Q). // expect: holds S: fails
E = (a -> ERROR). // expect: error
||S = (P || Q). // expect: deadlock
ltl L = G a // expect: holds P: fails
assert A = <>a // expect: fails
progress R = {a} // expect: holds
progress T = {a} // expect: holds
ltl NOTHING = F a`, "deadlock//P safety// safety//E deadlock// property/L/ property/L/P property/A/ progress//"},
		{"m.spec", `cproc p { abstract { abs_1, (1), END }; }
cprog one = p {
  abstract x, {1}, END; // expect: holds
  abstract y, {1}, END;
  ltl L = F a; // expect: fails
} // expect: no deadlock
`, "conform/x/one property/L/one deadlock//one"},
		{"s.gcl", "// about this\n// expect: fails, because\nvar x: int;", "//fails"},
		{"t.gcl", "// expect: holds\nlocations a; init a; error a;\nltl P = F deadlock;  // expect: fails\nltl Q = G a; // no more\nltl R = G !deadlock; // expect: holds", "//holds property/P/ property/R/"},
		{"s.smt2", "; expect: holds\n", "//holds"},
		{"s.pl", "% expect: holds\n", "//holds"},
		{"notes.txt", "// expect: holds", ""},
		{"m.aut", "// expect: holds", ""},
		{"m.lks", "P = (a -> P).", ""},
	} {
		open := func(string) (io.ReadCloser, error) { return io.NopCloser(strings.NewReader(c.text)), nil }
		questions, err := ExpectedQuestions(context.Background(), c.name, open)
		var got []string
		for _, q := range questions {
			last := q.Process
			if q.Kind == "" {
				last = q.Verdict
			}
			if !q.At.Valid() || q.At.Text() == "" {
				t.Errorf("%s: %v stands nowhere", c.name, q)
			}
			got = append(got, fmt.Sprintf("%s/%s/%s", q.Kind, q.Name, last))
		}
		if err != nil || strings.Join(got, " ") != c.want {
			t.Errorf("%s: %v, %v, want %s", c.name, got, err, c.want)
		}
	}
}

// TestExpectedSpecs: no file of specs that expects something is passed over.
func TestExpectedSpecs(t *testing.T) {
	files, questions := 0, 0
	err := filepath.WalkDir(filepath.Join("..", "specs"), func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(path) == ".list" {
			return err
		}
		src, err := ReadSource(path, nil)
		if err != nil || !strings.Contains(src.Text(), "expect:") {
			return err
		}
		found, err := ExpectedQuestions(context.Background(), path, nil)
		if err != nil || len(found) == 0 {
			t.Errorf("%s: %d questions, %v", path, len(found), err)
		}
		files++
		questions += len(found)
		return nil
	})
	if err != nil || files < 150 || questions < 200 {
		t.Errorf("%d questions of %d files, %v", questions, files, err)
	}
}

// TestUnreadExpectations: what cannot be asked is an error, in each kind of file.
func TestUnreadExpectations(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"m.lks", "P = (a -> P). // expect: no deadlock\nltl L = G a // expect: fail\n", `2:13 "fail" cannot be expected here, and is ignored; did you mean "fails"?`},
		{"m.lks", "P = (a -> P).\nltl L = G a // Expect: FAILS\n// as expected: holds\n", `2:13 this looks like an expectation, and is ignored; write // expect: fails`},
		{"m.lks", "// expect: holds\nP = (a -> P).", `1:1 this expectation belongs to no definition; it stands on the line where a property or process is defined, behind it`},
		{"m.lks", "P = (a -> P).\nltl L = G a // expect: Q: fails\n", `2:13 the expectation is about a process "Q", which the file does not define; did you mean "P"?`},
		{"m.spec", "cproc p { abstract { abs_1, (1), END }; }\ncprog one = p {\n abstract x, {1}, END; // expect: deadlock\n}\n", `3:24 "deadlock" cannot be expected here, and is ignored; write expect: holds, or expect: fails`},
		{"s.gcl", "// expect: deadlock\n", `1:1 "deadlock" cannot be expected of a system; write expect: holds, or expect: fails`},
		{"t.gcl", "locations a; init a; error a;\nltl P = F deadlock;  // expect: broken\n", `2:22 "broken" cannot be expected here, and is ignored; write expect: holds, or expect: fails`},
		{"s.clp", "p(x) :- x = 1. // expect: holds\n", `1:1 this expectation belongs to nothing; it stands on a line of its own, and is about the whole file`},
		{"s.smt2", "; expect: holds\n(a)\n; expect: fails\n", `3:1 something else is expected above; a file asks one question`},
		{"s.smt2", "; expect:\n", `1:1 "" cannot be expected of a system; write expect: holds, or expect: fails`},
	} {
		open := func(string) (io.ReadCloser, error) { return io.NopCloser(strings.NewReader(c.text)), nil }
		_, err := ExpectedQuestions(context.Background(), c.name, open)
		var got []string
		if unread, ok := errors.AsType[*Unread](err); ok {
			for _, d := range unread.List {
				got = append(got, fmt.Sprintf("%d:%d %s; %s", d.Span.Pos().Line, d.Span.Pos().Column, d.Message, d.Help))
			}
		}
		if strings.Join(got, " | ") != c.want {
			t.Errorf("%s, %s: %q, %v, want %q", c.name, c.text, got, err, c.want)
		}
	}
}

func TestIncludes(t *testing.T) {
	for _, c := range []struct {
		name, text string
		want       []string
	}{
		{"a.c", "#include \"x.h\"\n  #  include <y/z.h> // why\n#if 0\n#include_next \"n.h\"\n#endif\n# /* a */ include /* b */ \"c.h\"\n#inc\\\nlude \"split.h\"\n#include MACRO\nint i; #include \"no.h\"\n/* c */ #include \"d.h\"\n", []string{"x.h", "y/z.h", "n.h", "c.h", "split.h", "d.h"}},
		{"a.h", "#include \"x.h\"\r\n", []string{"x.h"}},
		{"m.lks", "import A = \"sub/a.aut\"\n||S = A.", []string{"sub/a.aut"}},
		{"m", "import A = \"a.aut\"\n||S = A.", []string{"a.aut"}},
		{"m.lks", "))", nil},
		{"m.aut", "import A = \"a.aut\"", nil},
		{"m.spec", "import A = \"a.aut\"", nil},
		{"m.smt2", "import A = \"a.aut\"", nil},
	} {
		if got := Includes(source.NewFile(c.name, c.text)); !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}
