package source

import (
	"strings"
	"testing"
)

func TestJSON(t *testing.T) {
	type point struct{ X, Y int }
	for text, want := range map[string]string{
		`{"X": 1, "Y": 2}` + "\n": "",
		`null`:                    "not a point: null",
		`{"X": 1} {}`:             "not a point: more text follows it",
		`{"X": 1}]`:               "not a point: more text follows it",
		``:                        "not a point: EOF",
		`{"X": "1"}`:              "not a point: json: cannot unmarshal string",
		`{"X": 1, "Y": 2`:         "not a point: unexpected EOF",
	} {
		p, err := JSON[point]("point", strings.NewReader(text))
		if want == "" {
			if err != nil || *p != (point{1, 2}) {
				t.Errorf("%s: %v, %v", text, p, err)
			}
		} else if err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
}
