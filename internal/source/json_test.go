package source

import (
	"errors"
	"strings"
	"testing"
)

func TestJSON(t *testing.T) {
	type point struct{ X, Y int }
	for text, want := range map[string]string{
		`{"X": 1, "Y": 2}` + "\n": "",
		`null`:                    "p.json:1:1: error: this is no point: null",
		`{"X": 1} {}`:             "p.json:1:10: error: this is no point: more text follows it",
		`{"X": 1}]`:               "p.json:1:9: error: this is no point: more text follows it",
		``:                        "p.json:1:1: error: this is no point: it ends too early",
		`{"X": "1"}`:              "p.json:1:9: error: this is no point: here is a string, where something else is expected",
		"{\n \"X\": [1]}":         "p.json:2:7: error: this is no point: here is an array, where something else is expected",
		"{\"X\": 1,\n 'Y': 2}":    `p.json:2:2: error: this is no point: invalid character '\'' looking for beginning of object key string`,
		`{"X": 1, "Y": 2`:         "p.json:1:16: error: this is no point: it ends too early",
	} {
		p, _, err := JSON[point]("point", NewFile("p.json", text).Reader())
		if want == "" {
			if err != nil || *p != (point{1, 2}) {
				t.Errorf("%s: %v, %v", text, p, err)
			}
		} else if err == nil || err.Error() != want {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
	if _, _, err := JSON[point]("point", strings.NewReader("x")); err == nil || !strings.HasPrefix(err.Error(), "<point>:1:1: ") {
		t.Error(err)
	}
}

func TestJSONAt(t *testing.T) {
	text := "{\"a\": [1, {\"b\": \"x\"},\n  true], \"c d\": {\"e\" : null}, \"f\": 7}"
	_, at, err := JSON[map[string]any]("thing", NewFile("t", text).Reader())
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		path []any
		want string
		line int
	}{
		{nil, "{", 1}, {[]any{"a"}, "[", 1}, {[]any{"a", 0}, "1", 1}, {[]any{"a", 1, "b"}, `"x"`, 1}, {[]any{"a", 2}, "true", 2}, {[]any{"c d", "e"}, "null", 2},
		{[]any{"f"}, "7", 2}, {[]any{"g"}, "{", 1}, {[]any{"a", 9}, "[", 1}, {[]any{"f", "g", 3}, "7", 2}, {[]any{"a", "b"}, "[", 1},
	} {
		if got := at.At(c.path...); got.Text() != c.want || got.Pos().Line != c.line {
			t.Errorf("%v: %q in line %d", c.path, got.Text(), got.Pos().Line)
		}
	}
	if err := at.Errorf([]any{"f"}, "seven", "no %d", 7); err.Error() != "t:2:36: error: no 7" {
		t.Error(err)
	}
	var inner List
	inner.Errorf(NewFile("<p>", "q").Span(0, 1), "x", "what")
	var out List
	if err := at.Within([]any{"f"}, inner); !errors.As(err, &out) || len(out) != 1 || len(out[0].Related) != 1 || out[0].Related[0].Span != at.At("f") || len(inner[0].Related) != 0 {
		t.Error(err)
	}
	if err := at.Within([]any{"f"}, errors.New("plain")); err.Error() != "t:2:36: error: plain" {
		t.Error(err)
	}
}
