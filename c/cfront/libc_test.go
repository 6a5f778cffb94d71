package cfront

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/seltl/seltl/c/ir"
	"github.com/seltl/seltl/internal/source"
)

// TestLibraryPieces: each routine of the list that has a body has one in the library's text, which
// can be parsed alone, in both data models; and each body is that of a routine of the list.
func TestLibraryPieces(t *testing.T) {
	pieces := libraryPieces()
	if n := strings.Count(libraryText, "\n}\n") + strings.Count(libraryText, "; }\n"); len(pieces)-1 != n {
		t.Errorf("%d pieces, not %d", len(pieces)-1, n)
	}
	used := map[string]bool{}
	for _, name := range slices.Sorted(maps.Keys(ir.KnownLines())) {
		if k := ir.KnownAs(name); k.Meaning != ir.AsBody {
			continue
		}
		piece, _ := pieceFor(name)
		used[piece] = true
		for i, model := range []ir.DataModel{ir.LP64, ir.ILP32} {
			if testing.Short() && len(used)%2 != i {
				continue // one of them for each
			}
			text := declared(name) + fmt.Sprintf("\nvoid *f[] = {%s};\nint main(void) { return 0; }\n", name)
			p, err := Parse([]*source.File{source.NewFile("library.c", text)}, Options{Model: model, Defines: []string{"n=1", "size_t=x"}})
			if err != nil {
				t.Errorf("%s: %v\n%s", name, err, text)
				continue
			}
			if f := p.Func(name); f == nil || f.Extern() || !f.Library {
				t.Errorf("%s has no body\n%s", name, text)
			}
		}
	}
	for name := range pieces {
		if name != "" && !used[name] {
			t.Errorf("the library has %s, and the list does not", name)
		}
	}
}

// declared declares a routine as the list has it.
func declared(name string) string {
	if builtinPieces().named[name] != nil {
		return "" // by the parser
	}
	line := ir.KnownLines()[name]
	at := strings.Index(line.Typ, "(")
	return fmt.Sprintf("%s%s%s;", line.Typ[:at], name, line.Typ[at:])
}

// TestKnown: names of the list are the library's where they are declared as there, or not declared,
// and the program's where they are declared in another way.
func TestKnown(t *testing.T) {
	if n := len(ir.KnownLines()); n < 2300 {
		t.Fatalf("%d names", n)
	}
	for name, line := range ir.KnownLines() {
		word, _, _ := strings.Cut(line.Meaning, " ")
		if _, known := ir.Meanings[word]; !known || !strings.HasSuffix(line.Typ, ")") {
			t.Errorf("%s: %+v", name, line)
		}
	}
	for _, c := range []struct {
		text, name string
		want       ir.Meaning // -1: the program's
	}{
		{"long time(long *); int main(void) { return time(0); }", "time", ir.AsOnce},
		{"int time(long *); int main(void) { return time(0); }", "time", ir.AsUnknown},
		{"int time(void); int main(void) { return time(); }", "time", none},
		{"int time(int); int main(void) { return time(1); }", "time", none},
		{"int main(void) { return raise(2); }", "raise", ir.AsBlocking},
		{"int ffs(int); int main(void) { return ffs(3); }", "ffs", none},                 // it has a body
		{"int isnan(double); int main(void) { return isnan(3); }", "isnan", none},        // it has a body
		{"int isnan(float); int main(void) { return isnan(3); }", "isnan", ir.AsRefused}, // compilers pass a float
		{"long labs(int); int main(void) { return labs(3); }", "labs", ir.AsRefused},
		{"long labs(unsigned); int main(void) { return labs(3); }", "labs", none}, // it has a body
		{"long strcmp(char *, char *); int main(void) { return strcmp(\"\", \"\"); }", "strcmp", ir.AsRefused},
		{"char strcmp(char *, char *); int main(void) { return strcmp(\"\", \"\"); }", "strcmp", none},
		{"void *malloc(unsigned); int main(void) { return malloc(3) == 0; }", "malloc", ir.AsOwn},
		{"void *malloc(int); int main(void) { return malloc(3) == 0; }", "malloc", ir.AsRefused},
		{"double cbrt(double); int main(void) { return cbrt(3); }", "cbrt", ir.AsUnknown},
		{"float cbrt(float); int main(void) { return cbrt(3); }", "cbrt", ir.AsRefused},
		{"int isnan(int); int main(void) { return isnan(3); }", "isnan", none},
		{"int random(void); int main(void) { return random(); }", "random", none},
		{"long random(void); int main(void) { return random(); }", "random", ir.AsInput},
		{"int sprintf(char *, char *, ...); int main(void) { return sprintf(0, 0); }", "sprintf", ir.AsFormat},
		{"int sprintf(int *, char *, ...); int main(void) { return sprintf(0, 0); }", "sprintf", none},
		{"int sprintf(char *); int main(void) { return sprintf(0); }", "sprintf", none},
		{"int raise(); int main(void) { return raise(1, 2); }", "raise", none},
		{"int raise(); int main(void) { return raise(2); }", "raise", ir.AsBlocking},
		{"typedef void FILE; int fclose(FILE *); int main(void) { return fclose(0); }", "fclose", ir.AsInput},
		{"int wait(int *); int main(void) { return wait(0); }", "wait", ir.AsSign},
		{"int wait(struct s *); int main(void) { return wait(0); }", "wait", none},
		{"int __sync_what(int *); int main(void) { return __sync_what(0); }", "__sync_what", ir.AsRefused},
		{"int __mine(int *); int main(void) { return __mine(0); }", "__mine", none},
	} {
		p, err := Parse([]*source.File{source.NewFile("p.c", c.text)}, Options{})
		if err != nil {
			t.Errorf("%v\n%s", err, c.text)
			continue
		}
		got := none
		if f := p.Func(c.name); f.Extern() && f.Known != nil {
			got = f.Known.Meaning
		}
		if got != c.want {
			t.Errorf("%s: %d, not %d", c.text, got, c.want)
		}
	}
}

// none is no meaning: the program's own routine.
const none ir.Meaning = 255
