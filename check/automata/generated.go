package automata

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"strconv"
	"strings"

	"github.com/seltl/seltl/check/formulas"
	"github.com/seltl/seltl/omega"
)

// RandomAutomata says which random automata to draw, that depend on Seed and the options only.
type RandomAutomata struct {
	Count      int
	Seed       uint64
	States     formulas.Range
	Acceptance *RandomAcceptance
	omega.RandomOptions
}

// Each calls yield for each automaton, with its number, until there is an error.
func (ra *RandomAutomata) Each(yield func(number int, a *omega.Automaton) error) error {
	for i := range ra.Count {
		r := rand.New(rand.NewPCG(ra.Seed, uint64(i)))
		o := ra.RandomOptions
		o.States = ra.States.Draw(r)
		o.Sets, o.Condition = ra.Acceptance.draw(r)
		if err := yield(i, omega.Random(r, o)); err != nil {
			return err
		}
	}
	return nil
}

// RandomAcceptance draws acceptance conditions.
type RandomAcceptance struct {
	draw func(r *rand.Rand) (sets int, c *omega.Condition)
}

const acceptanceHelp = "Buchi, co-Buchi, all, none, generalized-Buchi 1..3, generalized-co-Buchi 2, Rabin 1..3, Streett 2, " +
	"generalized-Rabin 2 1 0..2, parity min|max|rand even|odd|rand 1..4, random 2..4 [0.3], a number of Büchi sets such as 0..2, or a condition such as Fin(0)|Inf(1)"

// ParseRandomAcceptance reads the name of a condition as the Hanoi format has them, with ranges in
// place of numbers, or a condition. The error says what there is.
func ParseRandomAcceptance(text string) (*RandomAcceptance, error) {
	words := strings.Fields(text)
	bad := fmt.Errorf("%q is no acceptance: there are %s", text, acceptanceHelp)
	if len(words) == 0 {
		return nil, bad
	}
	if n, err := formulas.ParseRange(words[0], 0, omega.MaxSets); err == nil && len(words) == 1 {
		return counted(n, omega.MaxSets, omega.GeneralisedBuchi, 1), checkSets(n, omega.MaxSets)
	}
	fixed := map[string]*RandomAcceptance{
		"all": always(0, omega.True()), "none": always(0, omega.False()), "Buchi": always(1, omega.Inf(0)), "co-Buchi": always(1, omega.Fin(0)),
	}
	if a := fixed[words[0]]; a != nil && len(words) == 1 {
		return a, nil
	}
	forms := map[string]struct {
		of  func(n int) *omega.Condition
		per int
	}{
		"generalized-Buchi":    {omega.GeneralisedBuchi, 1},
		"generalized-co-Buchi": {func(n int) *omega.Condition { return omega.GeneralisedBuchi(n).Dual() }, 1},
		"Rabin":                {omega.Rabin, 2}, "Streett": {omega.Streett, 2},
	}
	if f, ok := forms[words[0]]; ok && len(words) == 2 {
		n, err := formulas.ParseRange(words[1], 0, omega.MaxSets/f.per)
		if err != nil {
			return nil, err
		}
		return counted(n, omega.MaxSets/f.per, f.of, f.per), checkSets(n, omega.MaxSets/f.per)
	}
	switch {
	case words[0] == "parity" && len(words) == 4:
		return randomParity(words, bad)
	case words[0] == "random" && (len(words) == 2 || len(words) == 3):
		return randomCondition(words)
	case words[0] == "generalized-Rabin" && len(words) >= 2:
		return randomGeneralisedRabin(words, bad)
	case strings.Contains(text, "("):
		return fixedCondition(text)
	}
	return nil, bad
}

func always(sets int, c *omega.Condition) *RandomAcceptance {
	return &RandomAcceptance{func(*rand.Rand) (int, *omega.Condition) { return sets, c }}
}

// counted draws a number, of which the condition is.
func counted(n formulas.Range, most int, of func(int) *omega.Condition, per int) *RandomAcceptance {
	return &RandomAcceptance{func(r *rand.Rand) (int, *omega.Condition) {
		k := min(n.Draw(r), most)
		return per * k, of(k)
	}}
}

func checkSets(n formulas.Range, most int) error {
	if n.Min < 0 || n.Max > most {
		return fmt.Errorf("%d..%d: at most %d are there", n.Min, n.Max, most)
	}
	return nil
}

func randomParity(words []string, bad error) (*RandomAcceptance, error) {
	n, err := formulas.ParseRange(words[3], 0, omega.MaxSets)
	if err != nil {
		return nil, err
	}
	choice := func(word, no, yes string) (func(r *rand.Rand) bool, bool) {
		switch word {
		case no, yes:
			return func(*rand.Rand) bool { return word == yes }, true
		case "rand":
			return func(r *rand.Rand) bool { return r.IntN(2) == 0 }, true
		}
		return nil, false
	}
	maximum, ok1 := choice(words[1], "min", "max")
	odd, ok2 := choice(words[2], "even", "odd")
	if !ok1 || !ok2 {
		return nil, bad
	}
	return &RandomAcceptance{func(r *rand.Rand) (int, *omega.Condition) {
		k := n.Draw(r)
		return k, omega.Parity(maximum(r), odd(r), k)
	}}, checkSets(n, omega.MaxSets)
}

func randomGeneralisedRabin(words []string, bad error) (*RandomAcceptance, error) {
	pairs, err := strconv.Atoi(words[1])
	if err != nil || pairs < 0 || len(words) != 2+pairs {
		return nil, bad
	}
	var sizes []formulas.Range
	most := 0
	for _, w := range words[2:] {
		n, err := formulas.ParseRange(w, 0, omega.MaxSets)
		if err != nil {
			return nil, err
		}
		sizes = append(sizes, n)
		most += 1 + n.Max
	}
	return &RandomAcceptance{func(r *rand.Rand) (int, *omega.Condition) {
		sets, condition := 0, omega.False()
		for _, n := range sizes {
			pair := omega.Fin(sets)
			sets++
			for range n.Draw(r) {
				pair = omega.And(pair, omega.Inf(sets))
				sets++
			}
			condition = omega.Or(condition, pair)
		}
		return sets, condition
	}}, checkSets(formulas.Range{Min: 0, Max: most}, omega.MaxSets)
}

// randomCondition draws conditions in which each set stands once, or, with a probability, again.
func randomCondition(words []string) (*RandomAcceptance, error) {
	n, err := formulas.ParseRange(words[1], 0, omega.MaxSets)
	if err != nil {
		return nil, err
	}
	again := 0.0
	if len(words) == 3 {
		if again, err = strconv.ParseFloat(words[2], 64); err != nil || !(0 <= again && again < 1) {
			return nil, fmt.Errorf("%q is no probability below 1", words[2])
		}
	}
	return &RandomAcceptance{func(r *rand.Rand) (int, *omega.Condition) {
		k := n.Draw(r)
		if k == 0 {
			return 0, []*omega.Condition{omega.True(), omega.False()}[r.IntN(2)]
		}
		var parts []*omega.Condition
		for set := range k {
			for more := true; more; more = r.Float64() < again {
				parts = append(parts, []*omega.Condition{omega.Inf(set), omega.Fin(set)}[r.IntN(2)])
			}
		}
		r.Shuffle(len(parts), func(i, j int) { parts[i], parts[j] = parts[j], parts[i] })
		for len(parts) > 1 {
			i := r.IntN(len(parts) - 1)
			join := omega.And
			if r.IntN(2) == 0 {
				join = omega.Or
			}
			parts[i] = join(parts[i], parts[i+1])
			parts = append(parts[:i+1], parts[i+2:]...)
		}
		return k, parts[0]
	}}, checkSets(n, omega.MaxSets)
}

var setNumber = regexp.MustCompile(`\(\s*!?\s*([0-9]+)\s*\)`)

// fixedCondition reads a condition as the Hanoi format has it.
func fixedCondition(text string) (*RandomAcceptance, error) {
	sets := 0
	for _, m := range setNumber.FindAllStringSubmatch(text, -1) {
		n, err := strconv.Atoi(m[1])
		if err != nil || n >= omega.MaxSets {
			return nil, fmt.Errorf("acceptance set %s: the limit is %d", m[1], omega.MaxSets)
		}
		sets = max(sets, n+1)
	}
	if strings.Contains(text, "!") {
		return nil, fmt.Errorf("%q: complements of sets (!) are not needed for random ones", text)
	}
	hoa := fmt.Sprintf("HOA: v1 States: 1 Start: 0 Acceptance: %d %s\n--BODY-- State: 0 --END--", sets, text)
	a, err := omega.NewReader("<acceptance>", strings.NewReader(hoa)).Next()
	if err != nil {
		return nil, fmt.Errorf("%q is no acceptance condition: %v", text, err)
	}
	return always(sets, a.Condition()), nil
}
