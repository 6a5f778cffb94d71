package facts_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/seltl/seltl/internal/program/facts"
	"github.com/seltl/seltl/program"
	"github.com/seltl/seltl/program/gcl"
)

func parse(t testing.TB, text string) *program.System {
	t.Helper()
	sys, err := gcl.ParseText("test.gcl", text)
	if err != nil {
		t.Fatal(err)
	}
	return sys
}

func find(t testing.TB, sys *program.System, o facts.Options) *facts.Facts {
	t.Helper()
	f, err := facts.Find(nil, sys, o)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// show writes the facts of a location: "x = 2 (karr); y <= 3 (intervals)".
func show(fs []facts.Fact) string {
	var out []string
	for _, f := range fs {
		out = append(out, fmt.Sprintf("%s (%s)", f.Formula, f.By))
	}
	return strings.Join(out, "; ")
}

// TestTextbook: what the domains are known to find.
func TestTextbook(t *testing.T) {
	for _, c := range []struct {
		name, text string
		want       map[string]string // by location
		without    []facts.Domain
	}{
		{"equal counters", `var x, y: int; locations a, l, e; init a; error e;
			a -> l do x := 0, y := 0; l -> l do x := x + 1, y := y + 1; l -> e when x != y;`,
			map[string]string{"a": "", "l": "x == y (karr); x >= 0 (intervals)", "e": "false (karr)"}, nil},
		{"twice", `var x, i, n: int; locations a, l, e; init a; error e;
			a -> l do x := 0, i := 0; l -> l when i < n do x := x + 2, i := i + 1; l -> e when i >= n;`,
			map[string]string{"l": "2*i == x (karr); x >= 0 (intervals)", "e": "2*i == x (karr); i >= n (octagons); x >= 0 (intervals)"}, nil},
		{"parity", `var x: int; locations a, l, e; init a; error e;
			a -> l do x := 1; l -> l do x := x + 4; l -> l do x := x - 6; l -> e when x == 10;`,
			map[string]string{"l": "mod(x, 2) == 1 (congruences)", "e": "false (congruences)"}, nil},
		{"even", `var x: int; locations a, l, e; init a; error e;
			a -> l when mod(x, 2) == 0; l -> l do x := x + 2; l -> e when mod(x, 2) == 1;`,
			map[string]string{"l": "mod(x, 2) == 0 (congruences)", "e": "false (congruences)"}, nil},
		{"count to 100", `var i: int; locations a, l, e; init a; error e;
			a -> l do i := 0; l -> l when i < 100 do i := i + 1; l -> e when i >= 100;`,
			map[string]string{"l": "i <= 100 (intervals); i >= 0 (intervals)", "e": "i == 100 (intervals)"}, nil},
		{"count by two", `var x: int; locations a, l, e; init a; error e;
			a -> l do x := 0; l -> l when x != 10 do x := x + 2; l -> e when x == 10;`,
			map[string]string{"l": "mod(x, 2) == 0 (congruences); x <= 10 (intervals); x >= 0 (intervals)", "e": "x == 10 (karr)"}, nil},
		{"count to n", `var i, n: int; locations a, l, e; init a; error e;
			a -> l when n >= 0 do i := 0; l -> l when i < n do i := i + 1; l -> e when i >= n;`,
			map[string]string{"l": "i <= n (octagons); i >= 0 (intervals); n >= 0 (intervals)", "e": "i == n (octagons); i >= 0 (intervals); n >= 0 (intervals)"}, nil},
		{"octagon", `var x, y: int; locations a, l, e; init a; error e;
			a -> l when x - y <= 3; l -> l do x := x + 1, y := y + 1; l -> l do y := y + 1; l -> e when x > y + 3;`,
			map[string]string{"l": "x <= y + 3 (octagons)", "e": "false (octagons)"}, nil},
		{"booleans", `var b, c: bool; locations a, l, e; init a when b; error e;
			a -> l do c := b && b; l -> l do c := c || b; l -> e when !c;`,
			map[string]string{"l": "b (karr); c (karr)", "e": "false (karr)"}, nil},
		{"words", `var x, y: bv8; locations a, l, e; init a; error e;
			a -> l do x := 0bv8; l -> l when bvult(x, 10bv8) do x := bvadd(x, 1bv8); l -> e when bvule(10bv8, x);`,
			map[string]string{"l": "bvule(x, 10bv8) (intervals)", "e": "x == 10bv8 (intervals)"}, nil},
		{"reals", `var x, y: real; locations a, l, e; init a; error e;
			a -> l do x := 0, y := 1/2; l -> l do x := x + 1, y := y + 1/2; l -> e when x < 0;`,
			map[string]string{"l": "x + 1.0 == 2.0*y (karr); x >= 0.0 (intervals)", "e": "false (intervals)"}, nil},
		{"square", `var x, y: int; locations a, l; init a; error l;
			a -> l do x := y * y;`, map[string]string{"l": "x >= 0 (intervals)"}, nil},
		{"nested loops", `var i, j, n: int; locations a, l, m, e; init a; error e;
			a -> l when n >= 1 do i := 0; l -> m when i < n do j := 0; m -> m when j < i do j := j + 1;
			m -> l when j >= i do i := i + 1; l -> e when i >= n;`,
			map[string]string{"l": "i <= n (octagons); i >= 0 (intervals); n >= 1 (intervals)", "m": "i + 1 <= n (octagons); i >= j (octagons); i >= 0 (intervals); j >= 0 (intervals); n >= 1 (intervals)", "e": "i == n (octagons); i >= 1 (intervals); n >= 1 (intervals)"}, nil},
		{"disjunction", `var x, y: int; locations a, l; init a; error l;
			a -> l when (x == 1 && y == 2) || (x == 3 && y == 4);`, map[string]string{"l": "x + 1 == y (karr); mod(x, 2) == 1 (congruences); x <= 3 (intervals); x >= 1 (intervals)"}, nil},
		{"if and only if", `var b: bool; var x: int; locations a, l, e; init a; error e;
			a -> l when b == (x >= 3) && b; l -> e when !b || x <= 2;`, map[string]string{"l": "b (karr); x >= 3 (intervals)", "e": "false (intervals)"}, nil},
		{"division by zero", `var x, y: int; locations a, l; init a; error l;
			a -> l when y >= 5 && y <= 6 do x := div(y, 0), y := div(y, 2);`, map[string]string{"l": "y <= 3 (intervals); y >= 2 (intervals)"}, nil},
		{"flags", `var x: int; var b, c: bool; locations a, l, m, e; init a when x == 0; error e;
			a -> l do x := x + 1, b := true; a -> l do b := false; l -> m do x := x + 2, c := true; l -> m do c := false;
			m -> e when b do x := x - 1; m -> e when !b;`,
			map[string]string{"a": "x == 0 (karr)", "l": "x == (b ? 1 : 0) (karr)", "m": "x == (b ? 1 : 0) + 2*(c ? 1 : 0) (karr)", "e": "x == 2*(c ? 1 : 0) (karr)"}, nil},
		{"copies and negations", `var b, c, d: bool; locations a, l, m, e; init a; error e;
			a -> l do c := b, d := !b; l -> m do b := d, d := b; m -> e when b == c;`,
			map[string]string{"l": "b != d (karr); b == c (karr)", "m": "b != c (karr); b != d (karr)", "e": "false (parities)"}, nil},
		{"choice of flags", `var x: int; var b: bool; input i: bool; locations a, l, m, e; init a; error e;
			a -> l do x := b ? 7 : 4; l -> m do b := i, x := x + (i ? 1 : 0) - (b ? 3 : 0); m -> e when x == 6;`,
			map[string]string{"l": "x == 3*(b ? 1 : 0) + 4 (karr)", "m": "x == (b ? 1 : 0) + 4 (karr)", "e": "false (intervals)"}, nil},
		{"choice by a flag", `var x, y: int; var b: bool; locations a, l, e; init a; error e;
			a -> l when x + 3 >= (b ? x : -1); l -> e when x < -4 && !b;`,
			map[string]string{"a": "", "l": "", "e": "!b (karr); x <= -5 (intervals)"}, nil},
		{"a flag from a comparison", `var x, y: int; var b: bool; locations a, l, m, e; init a; error e;
			a -> l do b := x > y, y := 0; l -> m when b do y := y + 2; l -> m when !b; m -> e;`,
			map[string]string{"l": "y == 0 (karr)", "m": "y == 2*(b ? 1 : 0) (karr)"}, nil},
		{"bits by congruences", `var x: int; var b: bool; locations a, l; init a; error l;
			a -> l when mod(x, 4) == 2 && (b ? 1 : 0) == x + 2;`, map[string]string{"l": "!b (congruences); x == -2 (intervals); x + 2 == (b ? 1 : 0) (karr); mod(x, 4) == 2 (congruences)"}, nil},
		{"same parity", `var x, y: int; locations a, l; init a when x == y + 1; error l;
			a -> l; l -> l do x := x + 3, y := y + 1; l -> l do y := y - 2;`,
			map[string]string{"a": "x == y + 1 (karr)", "l": "mod(x + y, 2) == 1 (parities); x >= y + 1 (octagons)"}, nil},
		{"toggle", `var x: int; var b, c, d: bool; locations a, l; init a when x == 0 && !b && c && d; error l;
			a -> l; l -> l do x := x + 1, b := !b; l -> l do b := c, c := b, x := x + (b ? 1 : 0) - (c ? 1 : 0) + 2, d := !d; l -> l do c := !c, x := x - 2;`,
			map[string]string{"l": "mod(x + (b ? 1 : 0), 2) == 0 (parities)"}, nil},
		{"two of three flags", `var b, c, d: bool; locations a, l, e; init a when !b && !c && !d; error e;
			a -> l; l -> l do b := !b, c := !c; l -> l do c := !c, d := !d; l -> e when b && c;`,
			map[string]string{"l": "mod((b ? 1 : 0) + (c ? 1 : 0) + (d ? 1 : 0), 2) == 0 (parities)", "e": "b (karr); c (karr); !d (parities)"}, nil},
		{"wrapping", `var x, y: bv8; locations a, l; init a; error l;
			a -> l when bvult(x, 10bv8) && bvult(200bv8, y) do x := bvsub(x, 1bv8), y := bvadd(y, x);`, map[string]string{"l": ""}, nil},
		{"no edge", `var x: int; locations a, l; init a; error l;`, map[string]string{"a": "", "l": "false (karr)"}, nil},
		{"without karr", `var x, y: int; locations a, l; init a; error l;
			a -> l do x := 0, y := 0; l -> l do x := x + 1, y := y + 1;`, map[string]string{"l": "x == y (octagons); x >= 0 (intervals); y >= 0 (intervals)"}, []facts.Domain{facts.Karr, facts.Parities}},
		{"choice", `var x, y: int; locations a, l; init a; error l;
			a -> l do x := mod(y, 3), y := div(y, 3);`, map[string]string{"l": "x <= 2 (intervals); x >= 0 (intervals)"}, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			sys := parse(t, c.text)
			f := find(t, sys, facts.Options{Without: c.without})
			for _, l := range []string{"a", "l", "m", "e"} {
				want, ok := c.want[l]
				if !ok {
					continue
				}
				if got := show(f.At[slices.IndexFunc(sys.Locations, func(x program.Location) bool { return x.Name == l })]); got != want {
					t.Errorf("%s: %s, want %s", l, got, want)
				}
			}
		})
	}
}
