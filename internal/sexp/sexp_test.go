package sexp

import (
	"io"
	"strings"
	"testing"
)

const sample = `sat (a (b "c ""d""" |x y|) () ; comment (
 -1.5) "alone" |q r|
(error "line 1: ""x""")`

func TestParseAndReaderAgree(t *testing.T) {
	want := []string{`sat`, `(a (b "c ""d""" |x y|) () -1.5)`, `"alone"`, `|q r|`, `(error "line 1: ""x""")`}
	nodes, err := Parse(sample)
	if err != nil || len(nodes) != len(want) {
		t.Fatalf("Parse: %v, %v", nodes, err)
	}
	r := NewReader(strings.NewReader(sample))
	for i, w := range want {
		if got := nodes[i].String(); got != w {
			t.Errorf("Parse: %s, want %s", got, w)
		}
		n, err := r.Next()
		if err != nil || n.String() != w {
			t.Errorf("Next: %s, %v, want %s", n, err, w)
		}
	}
	if _, err := r.Next(); err != io.EOF {
		t.Errorf("at the end: %v", err)
	}
}

func TestErrors(t *testing.T) {
	for text, offset := range map[string]int{"(a": 0, "a)": 1, `"a`: 0, "a |b": 2, "((a)": 0} {
		_, err := Parse(text)
		if e, ok := err.(*Error); !ok || e.Offset != offset {
			t.Errorf("%q: %v, want an error at %d", text, err, offset)
		}
	}
	if _, err := Parse(strings.Repeat("(", maxDepth+10)); err == nil {
		t.Error("deep nesting is accepted")
	}
}

func FuzzParse(f *testing.F) {
	f.Add(sample)
	f.Add("(a)b(c)")
	f.Fuzz(func(t *testing.T, text string) {
		nodes, err := Parse(text)
		if err != nil {
			return
		}
		for _, n := range nodes {
			again, err := Parse(n.String())
			if err != nil || len(again) != 1 || again[0].String() != n.String() {
				t.Errorf("%s is read again as %v, %v", n, again, err)
			}
		}
	})
}
