package batch

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seltl/seltl/internal/source"
	"github.com/seltl/seltl/internal/testing/soak"
)

// unitsOf are the units of a list, each as a line: group, command, what is expected.
func unitsOf(t *testing.T, text string) (lines []string) {
	t.Helper()
	units, err := ReadList(source.NewFile("work.list", text))
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	for _, u := range units {
		line := fmt.Sprintf("%d %s", u.At.Pos().Line, strings.Join(u.Words, "|"))
		if u.Group != "" {
			line = "[" + u.Group + "] " + line
		}
		if u.Expect != "" {
			line += " # " + u.Expect
		}
		lines = append(lines, line)
	}
	return lines
}

func TestReadList(t *testing.T) {
	for _, c := range []struct {
		text string
		want []string
	}{
		{"", nil},
		{"# nothing\n\n   \t\r\n", nil},
		{"verify m.lks \"G(p -> F q)\"\n", []string{"1 verify|m.lks|G(p -> F q)"}},
		{"seltl check m.lks", []string{"1 check|m.lks"}},
		{"verify m.lks 'a\"b\\c' \"d\\\"e\\\\f\\n\" g\\ h", []string{`1 verify|m.lks|a"b\c|d"e\f\n|g h`}},
		{"check m.lks \\\n  -D N=2\nprogress m.lks", []string{"1 check|m.lks|-D|N=2", "3 progress|m.lks"}},
		{"check m.lks -D N={2..4}", []string{"1 check|m.lks|-D|N=2", "1 check|m.lks|-D|N=3", "1 check|m.lks|-D|N=4"}},
		{"check m.lks -D N={6..2..2}", []string{"1 check|m.lks|-D|N=6", "1 check|m.lks|-D|N=4", "1 check|m.lks|-D|N=2"}},
		{"check {a,b{1,2}}.lks -p X{,Y}", []string{"1 check|a.lks|-p|X", "1 check|a.lks|-p|XY", "1 check|b1.lks|-p|X", "1 check|b1.lks|-p|XY", "1 check|b2.lks|-p|X", "1 check|b2.lks|-p|XY"}},
		// What is quoted, and what no range and no choice is, stays as it is.
		{"verify m.lks \"G {a,b}\" {c} {d {1..x} }, '{1..3}'", []string{"1 verify|m.lks|G {a,b}|{c}|{d|{1..x}|},|{1..3}"}},
		{"verify m.lks p#q # comment \"", []string{"1 verify|m.lks|p#q"}},
		{"[ring, small]\ncheck m.lks\n[]\ncheck n.lks", []string{"[ring, small] 2 check|m.lks", "4 check|n.lks"}},
		{"check m.lks # expect: fails, because\ncheck m.lks # expect: holds", []string{"1 check|m.lks # fails", "2 check|m.lks # holds"}},
		{"deadlock m.lks --swarm 2", []string{"[swarm: deadlock m.lks] 1 deadlock|m.lks|--seed=1", "[swarm: deadlock m.lks] 1 deadlock|m.lks|--seed=2"}},
		{"[x]\nverify m.lks --swarm=1 -- p", []string{"[x swarm: verify m.lks -- p] 2 verify|m.lks|--seed=1|--|p"}},
		{"verify m.lks -- --swarm 3", []string{"1 verify|m.lks|--|--swarm|3"}},
		{`{"words": ["verify", "m {1..2}.lks", "G p"], "group": "g", "expect": "holds"}`, []string{"[g] 1 verify|m {1..2}.lks|G p # holds"}},
		{"[h]\n" + `{"words": ["check", "m.lks"], "swarm": 1}`, []string{"[h swarm: check m.lks] 2 check|m.lks|--seed=1"}},
	} {
		if d := cmp.Diff(c.want, unitsOf(t, c.text)); d != "" {
			t.Errorf("%s\n%s", c.text, d)
		}
	}
}

func TestReadListErrors(t *testing.T) {
	for text, want := range map[string]string{
		"check m.lks\nverify m.lks \"G p":           `work.list:2:14: error: this quote is not closed`,
		"check m.lks # expected: holds":             `work.list:1:1: error: this looks like an expectation`,
		"check m.lks # expect: true":                `"true" cannot be expected of a unit`,
		"check m.lks # expect:":                     `"" cannot be expected`,
		"seltl":                                     `a command is missing`,
		"--swarm 3":                                 `a command is missing`,
		"''":                                        `a command is missing`,
		"deadlock m.lks --swarm 0":                  `--swarm 0: a number from 1`,
		"deadlock m.lks --swarm":                    `--swarm : a number from 1`,
		"  check m.lks -D N={0..99} -D M={0..999}":  `work.list:1:31: error: this line stands for more than 100 units`,
		"check m.lks -D N={0..99999999}":            `this line stands for more than`,
		"deadlock m.lks --swarm 100\ncheck m.lks":   `the list stands for more than 100 units`,
		`{"words": []}`:                             `there are no words`,
		`{"words": ["check"], "shard": 3}`:          `work.list:1:1: error: this object cannot be read: json: unknown field "shard"`,
		`{"words": ["check"]} {}`:                   `something stands behind`,
		`{"words": ["check"], "swarm": -1}`:         `a swarm has from 1`,
		`{"words": ["check"], "expect": "wins"}`:    `"wins" cannot be expected`,
		`{"words": "check"}`:                        `cannot be read`,
		"check " + strings.Repeat("{", 5000):        `a word with braces has at most 4096 bytes`,
		"check " + strings.Repeat("{,}", 1000):      `this line stands for more than 100 units`,
		"check " + strings.Repeat("{{1..99},", 400): ``,
	} {
		_, err := readList(source.NewFile("work.list", text), 100)
		if want == "" && err == nil {
			continue // it is as it stands
		}
		if err == nil || !strings.Contains(strings.ReplaceAll(err.Error(), "\n", " "), want) {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
}

// Quoted words are read again as they were.
func TestQuote(t *testing.T) {
	letters := []rune("ab{},.#'\"\\ \t$`!é-=[]")
	for seed := range soak.Cases(uint64(3000)) {
		r := rand.New(rand.NewPCG(seed, 1))
		words := []string{"check"}
		for range 1 + r.IntN(3) {
			var w []rune
			for range r.IntN(6) {
				w = append(w, letters[r.IntN(len(letters))])
			}
			words = append(words, string(w))
		}
		units, err := ReadList(source.NewFile("work.list", Quote(words)))
		if err != nil || len(units) != 1 || !slices.Equal(units[0].Words, words) {
			t.Fatalf("seed %d: %q as %s: %v, %v", seed, words, Quote(words), units, err)
		}
	}
}

func FuzzReadList(f *testing.F) {
	f.Add("check m.lks -D N={2..4} # expect: holds\n[g]\n{\"words\": [\"verify\"]}\n")
	f.Add("verify {a,b{1,2},'c'} \"x\\\"\" --swarm 3 \\\n -- p")
	f.Add("{{{,},{..},{1..2..0},{-3..-1}")
	f.Fuzz(func(t *testing.T, text string) {
		units, err := readList(source.NewFile("work.list", text), 1000)
		if err != nil {
			return
		}
		for _, u := range units {
			if len(u.Words) == 0 || u.Place() == "" {
				t.Fatalf("%q: a unit without words or without a place", text)
			}
			// A unit is a line again. A line end cannot be quoted.
			line := Quote(u.Words)
			if u.Words[0] == "seltl" || strings.ContainsAny(line, "\r\n") || slices.ContainsFunc(u.Words, func(w string) bool { return strings.HasPrefix(w, "--swarm") }) || strings.HasPrefix(line, "[") || strings.HasPrefix(line, `{"`) {
				continue
			}
			again, err := ReadList(source.NewFile("again", line))
			if err != nil || len(again) != 1 || !slices.Equal(again[0].Words, u.Words) {
				t.Fatalf("%q: %q is read as %v, %v", text, line, again, err)
			}
		}
	})
}
