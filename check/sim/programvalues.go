package sim

import (
	"errors"
	"fmt"
	"math/big"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"github.com/seltl/seltl/c/cfront"
	"github.com/seltl/seltl/c/ir"
	"github.com/seltl/seltl/check/programs"
	"github.com/seltl/seltl/internal/c/steps"
)

// asked says that a step needs a value that nobody has given: it is what a preview of a step
// ends with.
type asked struct{ *steps.Ask }

func (e *asked) Error() string { return "a value is asked for: " + askText(e.Ask) }

// askText says what is asked for: "input(), an int".
func askText(a *steps.Ask) string {
	text := a.What()
	if name := a.Type.Name; name != "" {
		text += " of type " + name
	}
	return text
}

// noValues is the source of previews.
func (s *Program) noValues() steps.Source {
	garbage := s.garbage()
	return func(a *steps.Ask) (uint64, error) {
		if a.Garbage() {
			return garbage(a)
		}
		return 0, &asked{a}
	}
}

// garbage is what memory holds that the program has not written to: nobody is asked for it, and
// a step that is looked at finds what it finds when it is made.
func (s *Program) garbage() steps.Source {
	r := rand.New(rand.NewPCG(s.opts.Seed, uint64(s.at)+1))
	region := s.at % foreignRegions
	return func(a *steps.Ask) (uint64, error) {
		region++
		return s.any(a.Type, r, foreignRegions+region%foreignRegions), nil
	}
}

// drawn is the value that stands for one that is drawn.
const drawn = "random"

// giver gives the values of a step: those that a person gave, then, if it draws, such as are
// drawn.
type giver struct {
	s      *Program
	values []string
	draws  bool
	asks   []string // what was asked for
	waste  steps.Source
}

func (g *giver) give(a *steps.Ask) (uint64, error) {
	if a.Garbage() {
		if g.waste == nil {
			g.waste = g.s.garbage()
		}
		return g.waste(a)
	}
	g.asks = append(g.asks, askText(a))
	if len(g.values) == 0 {
		if !g.draws {
			return 0, &asked{a}
		}
		return g.s.draw(a)
	}
	text := g.values[0]
	g.values = g.values[1:]
	if text == drawn {
		return g.s.draw(a)
	}
	bits, err := readValue(a, text)
	if err == nil && a.Allowed != nil {
		var ok bool
		if ok, err = a.Allowed(bits); err == nil && !ok {
			err = &NotPossible{Text: fmt.Sprintf("the specification does not allow %s as %s", text, askText(a)), Help: "another value, or " + drawn}
		}
	}
	return bits, err
}

// leftOver complains about values that nobody asked for.
func (g *giver) leftOver() error {
	if len(g.values) == 0 {
		return nil
	}
	e := &NotPossible{Text: "nothing asks for " + clipped(strings.Join(g.values, ", ")), Help: "the step asks for no value"}
	if len(g.asks) > 0 {
		e.Help = "the step asks for " + strings.Join(g.asks, ", then ")
	}
	return e
}

// readValue reads a number as a value of the type that is asked for.
func readValue(a *steps.Ask, text string) (uint64, error) {
	if a.Type.Kind == ir.IEEE {
		bits, ok := cfront.ReadFloat(a.Type, text)
		if !ok {
			return 0, &NotPossible{Text: fmt.Sprintf("%q is no floating-point number, and %s is asked for", clipped(text), askText(a)), Help: "a number as C has it, INFINITY, NAN, or " + drawn}
		}
		return bits, nil
	}
	n, ok := new(big.Int).SetString(text, 0)
	if r := []rune(text); !ok && len(r) == 3 && r[0] == '\'' && r[2] == '\'' {
		n, ok = big.NewInt(int64(r[1])), true
	}
	if !ok && text == "NULL" && a.Type.Kind == ir.Pointer {
		n, ok = new(big.Int), true
	}
	if !ok {
		return 0, &NotPossible{Text: fmt.Sprintf("%q is no number, and %s is asked for", clipped(text), askText(a)), Help: "a number as C has it, a character in quotes, or " + drawn}
	}
	least, most := rangeOf(a.Type)
	if n.Cmp(least) < 0 || n.Cmp(most) > 0 {
		return 0, &NotPossible{Text: fmt.Sprintf("%s is no value of %s", clipped(text), askText(a)), Help: fmt.Sprintf("values are %s to %s", least, most)}
	}
	return new(big.Int).And(n, new(big.Int).SetUint64(^uint64(0))).Uint64(), nil
}

// rangeOf are the least and the greatest value of a scalar type.
func rangeOf(t *ir.Type) (least, most *big.Int) {
	width := uint(t.Width())
	if t.Bool {
		width = 1
	}
	one := big.NewInt(1)
	if t.Kind == ir.Integer && t.Signed {
		most = new(big.Int).Sub(new(big.Int).Lsh(one, width-1), one)
		return new(big.Int).Neg(new(big.Int).Lsh(one, width-1)), most
	}
	return new(big.Int), new(big.Int).Sub(new(big.Int).Lsh(one, width), one)
}

// Tries of draw, where a specification says which values are allowed.
const mostDraws = 2_000

// draw draws a value: small numbers and such as the program compares with more often than
// others.
func (s *Program) draw(a *steps.Ask) (uint64, error) {
	for range mostDraws {
		if a.Type.Kind == ir.Pointer {
			s.regions++
		}
		bits := s.any(a.Type, s.random, s.regions%foreignRegions)
		if bits != 0 && a.Own != 0 {
			bits = a.Own
		}
		if a.Allowed == nil {
			return bits, nil
		}
		ok, err := a.Allowed(bits)
		if ok || err != nil {
			return bits, err
		}
	}
	return 0, &NotPossible{Text: fmt.Sprintf("no value was found that the specification allows as %s", askText(a)), Help: "give one"}
}

// hopeless reports a move for which no value was found that the specification allows as a result:
// the component waits, as far as is known.
func (s *Program) hopeless(v *programVisit, m *programMove) (none bool) {
	r, asked := rand.New(rand.NewPCG(0, 0)), errors.New("it was asked for a value")
	_, _ = s.moved(v, m, func(a *steps.Ask) (uint64, error) {
		if a.Allowed == nil {
			return 0, asked
		}
		draw := func(int) uint64 { return s.any(a.Type, r, 0) }
		n := mostDraws
		if w := a.Type.Width(); w <= 8 {
			n, draw = 1<<w, func(k int) uint64 { return ir.Canonical(a.Type, uint64(k)) }
		}
		for k := range n {
			if ok, err := a.Allowed(draw(k)); ok || err != nil {
				return 0, asked
			}
		}
		none = true
		return 0, asked
	})
	return none
}

// any draws a value; of a pointer null, or a region of that number.
func (s *Program) any(t *ir.Type, r *rand.Rand, region int) uint64 {
	if t.Kind == ir.Pointer {
		if r.IntN(2) == 0 {
			return 0
		}
		return foreign + uint64(region)*foreignStride // memory that nothing else uses
	}
	var bits uint64
	switch r.IntN(8) {
	case 0, 1:
		bits = uint64(r.IntN(2))
	case 2, 3:
		bits = uint64(r.IntN(16) - 3)
	case 4, 5:
		if len(s.numbers) > 0 {
			bits = s.numbers[r.IntN(len(s.numbers))] + uint64(r.IntN(3)) - 1
		}
	case 6:
		bits = uint64(r.IntN(2000) - 1000)
	default:
		bits = r.Uint64()
	}
	if t.Kind == ir.IEEE && r.IntN(2) == 0 {
		if x, ok := cfront.ReadFloat(t, fmt.Sprint(int64(bits))); ok {
			return x
		}
	}
	return ir.Canonical(t, bits)
}

// Where memory is drawn that no variable is in: far from all of them.
// Those that are drawn come first, then as many of garbage, which does not depend on what is drawn.
const foreign, foreignStride, foreignRegions = 0xc000_0000, 0x10_0000, 500

// comparedWith are the constants that stand in comparisons.
func comparedWith(c *programs.SteppedC) (all []uint64) {
	known := map[uint64]bool{}
	for _, p := range c.Parts {
		for _, f := range slices.Concat(p.Procedure.Program.Funcs, p.Procedure.Program.Conditions) {
			for _, b := range f.Blocks {
				if branch, ok := b.End.(*ir.Branch); ok {
					if cond, ok := branch.Cond.(*ir.Binary); ok {
						for _, e := range []ir.Expr{cond.X, cond.Y} {
							if k, ok := e.(*ir.Const); ok && !known[k.Bits] {
								known[k.Bits] = true
								all = append(all, k.Bits)
							}
						}
					}
				}
			}
		}
	}
	slices.Sort(all)
	return all
}

// valuesOf are the words behind a command, "random" among them, as values. A comma may stand
// between them.
func valuesOf(text string) []string {
	return strings.FieldsFunc(text, func(r rune) bool { return r == ' ' || r == ',' || r == '\t' })
}

// missing is the error of a step that asks for more than was given.
func (s *Program) missing(err error, given []string) error {
	var need *asked
	if !errors.As(err, &need) {
		return err
	}
	value := "1"
	least, most := rangeOf(need.Type)
	which := fmt.Sprintf("values are %s to %s", least, most)
	if some := s.allowed(need.Ask); len(some) > 0 {
		value, which = some[0], "the specification allows "+strings.Join(some, ", ")
	}
	example := "give " + strings.Join(append(slices.Clone(given), value), " ")
	return &NotPossible{Text: "the step asks for " + askText(need.Ask), Help: fmt.Sprintf("%s, or give %s; %s", example, drawn, which)}
}

// allowed are some values that a specification allows, the small ones first; none where it allows
// all.
func (s *Program) allowed(a *steps.Ask) (some []string) {
	const most = 5
	if a.Allowed == nil {
		return nil
	}
	for _, n := range slices.Concat([]uint64{0, 1, ^uint64(0), 2, 3, 4, 5, 6, 7, 8}, s.numbers) {
		bits := ir.Canonical(a.Type, n)
		text := ir.Number(a.Type, bits)
		if ok, err := a.Allowed(bits); err != nil || !ok || slices.Contains(some, text) {
			continue
		}
		if some = append(some, text); len(some) == most {
			return append(some, "...")
		}
	}
	return some
}

// wayNumber is the number of a word, -1 if it is none.
func wayNumber(word string) int {
	n, err := strconv.Atoi(word)
	if err != nil {
		return -1
	}
	return n
}
