package machine

import (
	"fmt"
	"math/rand"
	"strings"
	"testing"

	"github.com/seltl/seltl/c/cfront"
	"github.com/seltl/seltl/c/ir"
	"github.com/seltl/seltl/internal/source"
	"github.com/seltl/seltl/internal/testing/soak"
)

// randomGuesses is a program that computes with choices, with results of routines that are not known,
// and with ones of which the sign is a choice.
func randomGuesses(rng *rand.Rand) string {
	pick := func(all ...string) string { return all[rng.Intn(len(all))] }
	variable := func() string { return pick("a", "b", "c", "s.x", "s.y", "t.x", "r[a & 3]", "r[1]", "*p", "f", "g") }
	var expr func(depth int) string
	expr = func(depth int) string {
		switch rng.Intn(7 - depth) {
		case 0:
			return fmt.Sprint(rng.Intn(5) - 1)
		case 1, 2:
			return variable()
		case 3:
			return fmt.Sprintf("(short)(%s)", variable())
		case 4:
			return fmt.Sprintf("twice(%s)", variable())
		}
		op := pick("+", "-", "*", "&", "|", "<", "==", "<<", "/")
		if op == "<<" || op == "/" { // the parser computes those of numbers
			return fmt.Sprintf("(%s %s %s)", expr(min(depth+1, 3)), op, variable())
		}
		return fmt.Sprintf("(%s %s %s)", expr(min(depth+1, 3)), op, expr(min(depth+1, 3)))
	}
	condition := func() string {
		return variable() + " " + pick("<", "<=", "==", "!=", ">", ">=") + " " + pick("0", "-1", "1", "0", variable(), "2")
	}
	var b strings.Builder
	b.WriteString(`int any(void); int __isnan(double); int open(const char *, int, ...); int getpid(void); void reach_error(void);
double half; struct pair { int x, y; }; int twice(int x) { return x + x; }
int main(void) {
  int a = any(), b = any(), c = __isnan(1.0), r[4] = {1, 2, 3, 4}, *p = &a, f = open("f", 0), g = getpid(); struct pair s = {1, 2}, t = {3, 4}; union { float f; int i; } u;
`)
	for range 3 + rng.Intn(8) {
		switch rng.Intn(11) {
		case 0:
			fmt.Fprintf(&b, "  c = __isnan(1.0);\n")
		case 1:
			fmt.Fprintf(&b, "  %s = open(\"g\", 0);\n", variable())
		case 2:
			fmt.Fprintf(&b, "  p = &%s;\n", pick("a", "b", "c", "r[2]", "s.x", "f"))
		case 3:
			fmt.Fprintf(&b, "  %s;\n", pick("s = t", "t = s", "half = half + 1; b = half > 0", "g = getpid()", "u.f = 1; a = u.i", "r[any() & 3] = c"))
		case 4:
			fmt.Fprintf(&b, "  if (%s) %s = %s;\n", condition(), variable(), expr(0))
		case 5:
			fmt.Fprintf(&b, "  if (%s) return 0;\n", condition())
		case 6, 7:
			fmt.Fprintf(&b, "  if (%s) reach_error();\n", condition())
		default:
			fmt.Fprintf(&b, "  %s = %s;\n", variable(), expr(0))
		}
	}
	b.WriteString("  reach_error(); return 0; }\n")
	return b.String()
}

// TestGuessed: a failure that the machine does not call dependent on what is not known happens with
// any other values of that, too: at the same place, with the same choices.
func TestGuessed(t *testing.T) {
	failed, guessed := 0, 0
	for seed := range int64(soak.Long(2000)) {
		rng := rand.New(rand.NewSource(seed))
		text := randomGuesses(rng)
		p, err := cfront.Parse([]*source.File{source.NewFile("p.c", text)}, cfront.Options{})
		if err != nil {
			t.Fatalf("seed %d: %v\n%s", seed, err, text)
		}
		values := []uint64{0, 1, 2, ^uint64(0), 5, 1 << 31}
		var free, handles []uint64 // what choices were, and whether open failed
		run := func(again bool) Outcome {
			n, h := 0, 0
			first := true
			m := &Machine{Program: p, MaxSteps: 10_000}
			m.Choose = func(c *Choice) (uint64, error) {
				value := values[rng.Intn(len(values))]
				name := ""
				if c.Call != nil {
					name = c.Call.Callee.Name
				}
				switch {
				case name == "__isnan" || c.Call == nil && c.Why == ir.Floating || name == "getpid" && !first:
					if name == "getpid" {
						return uint64(1 + rng.Intn(3)), nil
					}
					return value, nil
				case name == "open":
					if !again {
						handles = append(handles, uint64(rng.Intn(5)-1))
						return handles[len(handles)-1], nil
					}
					if h++; h > len(handles) {
						return 0, fmt.Errorf("the run goes another way")
					}
					if handles[h-1] == ^uint64(0) {
						return handles[h-1], nil
					}
					return uint64(rng.Intn(4)), nil
				case name == "getpid":
					first = false
				}
				if !again {
					if name == "getpid" {
						value = uint64(1 + rng.Intn(3))
					}
					free = append(free, value)
				}
				if n++; n > len(free) {
					return 0, fmt.Errorf("the run goes another way")
				}
				return free[n-1], nil
			}
			out, err := m.Run(p.Func("main"), nil)
			if err != nil {
				out.Ending = Exceeded
			}
			return out
		}
		out := run(false)
		if out.Ending != Failed {
			continue
		}
		if failed++; out.Guessed != "" {
			guessed++
			continue
		}
		for range 8 {
			if other := run(true); other.Ending != Failed || other.Span != out.Span {
				t.Fatalf("seed %d: it fails at line %d, which depends on nothing, but then it ends with %d %s\n%s", seed, out.Span.Pos().Line, other.Ending, other.What, text)
			}
		}
	}
	t.Logf("%d runs failed, %d of them depended on what is not known", failed, guessed)
	if failed < soak.Least(300) || guessed < soak.Least(100) || failed-guessed < soak.Least(100) {
		t.Errorf("%d failed, %d depended on something", failed, guessed)
	}
}
