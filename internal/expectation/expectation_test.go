package expectation

import (
	"slices"
	"strings"
	"testing"
)

func TestWords(t *testing.T) {
	for _, c := range []struct {
		comment, words, near string
		ok                   bool
	}{
		{"// expect: holds", "holds", "", true},
		{"/* expect: no deadlock, ever */", "no deadlock, ever", "", true},
		{"// expect:", "", "", true},
		{"// expects HOLD", "", "expect: holds", false},
		{"// as expected: fails.", "", "expect: fails", false},
		{"// Expect: SYS: no  deadlock", "", "expect: SYS: no deadlock", false},
		{"// Expect: error", "", "expect: error", false},
		{"// expect error messages", "", "", false},
		{"// one would expect that it holds", "", "", false},
	} {
		words, near, ok := Words(c.comment)
		if strings.Join(words, " ") != c.words || near != c.near || ok != c.ok {
			t.Errorf("%s: %q, %q, %v", c.comment, words, near, ok)
		}
	}
}

func TestNext(t *testing.T) {
	for text, want := range map[string][]string{
		"holds":               {Holds},
		"fails, because of x": {Fails, "because", "of", "x"},
		"no deadlock. ever":   {DeadlockFree, "ever"},
		"no":                  {"no"},
		"no answer":           {"no", "answer"},
	} {
		word, rest := Next(strings.Fields(text))
		if got := append([]string{word}, rest...); !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}

func TestHelp(t *testing.T) {
	properties, processes := []string{Holds, Fails}, []string{Deadlock, DeadlockFree}
	for _, c := range []struct {
		word    string
		allowed []string
		want    string
	}{
		{"TRUE", properties, `did you mean "holds"?`},
		{"unsafe", properties, `did you mean "fails"?`},
		{"hold", properties, `did you mean "holds"?`},
		{"dedlock", processes, `did you mean "deadlock"?`},
		{"true", processes, "write expect: deadlock, or expect: no deadlock"},
		{"", properties, "write expect: holds, or expect: fails"},
	} {
		if got := Help(c.word, c.allowed); got != c.want {
			t.Errorf("%q of %q: %s, want %s", c.word, c.allowed, got, c.want)
		}
	}
}
