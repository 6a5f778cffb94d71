package values

import (
	"fmt"
	"slices"

	"github.com/seltl/seltl/internal/statetable"
	"github.com/seltl/seltl/logic"
)

// Reached are the abstract states of an exploration.
type Reached struct {
	a       *Analysis
	options *Options
	vars    [][]int32           // by location: the variables that are tracked there, increasing
	tables  []*statetable.Table // by location; nil: not reached
	states  []state             // in breadth-first order
	Error   int                 // an abstract state that has an error, -1 without
	enc     encoder
	numbers []map[uint64]bool // by variable that is tracked: its numbers, or differences
	many    int               // a variable that has too many, -1 without
	oldest  int               // of the states that were not visited in breadth-first order
	newest  []int32           // of the states beyond, a stack
	seen    int               // states that have come to the stack
	index   [][]int32         // of Concrete: the states, by location and number
	steps   [][2]int32        // of Concrete: from a state to one
	assumed bool              // of Concrete: some step was not certain
	before  uint64            // the stamp of the values of the state that is visited; 0: they are not loaded
}

type state struct {
	location, number int32 // in the location's table
	from, by         int32 // the state before and the edge; -1: initial
}

// Options of Explore.
type Options struct {
	Precision []Precision // by variable; see Explore
	Fixed     []bool      // by variable: it is not made Relative
	Beside    Beside      // nil: nothing
	// Concrete: steps are done with each of the few numbers that what has none can have; where
	// that is not so, the error is ErrOpen. It demands that Beside is nil.
	Concrete bool
	// Tick is asked for every state that is visited; its error ends the exploration.
	Tick func(states int) error
}

// Beside is a domain that runs along with values: what it knows of a state is a number, 0
// if that is nothing. values is what the values say of some variables, a conjunction.
type Beside interface {
	// Step returns what is known behind a block of states before it; possible is false if
	// there are none.
	Step(block int, known uint64, values func(about func(v *logic.Term) bool) *logic.Term) (after uint64, possible bool, err error)
	// Meets reports whether states may satisfy a formula.
	Meets(where *logic.Term, known uint64, values func(about func(v *logic.Term) bool) *logic.Term) (bool, error)
	// Formula is what a number says.
	Formula(known uint64) *logic.Term
}

// Explore visits all abstract states, or those before the first one with an error. A
// variable that has more than a few numbers is made Relative, with those it is related to:
// Precision is changed, and the exploration begins anew; if it has too many differences,
// too, it is Exact again, and Fixed. Errors are those of Tick and
// Beside, and *TooMany for a variable that is Fixed and whose numbers find no end.
func (a *Analysis) Explore(o Options) (*Reached, error) {
	for {
		r, err := a.explore(&o)
		if err != nil || r.many < 0 {
			return r, err
		}
		if o.Fixed[r.many] || a.env.kinds[r.many] == arrays {
			return nil, &TooMany{a.blocks.System.Vars[r.many]}
		}
		was := o.Precision[r.many]
		for v, class := range a.related {
			switch {
			case class != a.related[r.many] || o.Fixed[v] || o.Precision[v] != was:
			case was == Relative: // differences are no better
				o.Precision[v], o.Fixed[v] = Exact, true
			default:
				o.Precision[v] = Relative
			}
		}
	}
}

// mostNumbers is how many numbers a variable has before it is made Relative, and mostFixed
// how many it has at all.
const (
	mostNumbers = 100
	mostFixed   = 20_000
)

// mostConcrete is how many states are visited with Concrete, which does not look at numbers.
const mostConcrete = 1 << 21

// ErrMany is the error of Explore for more of them.
var ErrMany = fmt.Errorf("there are more than %d states", mostConcrete)

// TooMany is the error of Explore for a variable whose numbers find no end.
type TooMany struct{ Variable *logic.Term }

func (e *TooMany) Error() string {
	return fmt.Sprintf("%s has more than %d numbers", e.Variable, mostFixed)
}

func (a *Analysis) explore(o *Options) (*Reached, error) {
	n := len(a.bad)
	r := &Reached{a: a, options: o, vars: a.lists(o.Precision), tables: make([]*statetable.Table, n), Error: -1, many: -1, index: make([][]int32, n),
		enc: encoder{precision: o.Precision}, numbers: make([]map[uint64]bool, a.vars)}
	for v := range a.vars {
		if o.Precision[v] != Untracked {
			r.numbers[v] = map[uint64]bool{}
		}
	}
	if bad, err := r.begin(); bad || err != nil {
		return r, err
	}
	for {
		i, left := r.next()
		if !left || r.many >= 0 {
			return r, nil
		}
		if o.Concrete && len(r.states) > mostConcrete {
			return nil, ErrMany
		}
		if err := o.Tick(len(r.states)); err != nil {
			return nil, err
		}
		r.before = 0
		for _, b := range a.out[r.states[i].location] {
			if bad, err := r.take(i, b); bad || err != nil {
				return r, err
			}
		}
	}
}

// begin enters the initial states, and take those behind a block of state i.
func (r *Reached) begin() (bad bool, err error) {
	if r.options.Concrete {
		return r.beginAll()
	}
	for i := range r.a.init {
		init := &r.a.init[i]
		if !r.a.begin(init) {
			continue
		}
		if bad, err = r.enter(init.location, 0, -1, -1); bad || err != nil {
			break
		}
	}
	return bad, err
}

func (r *Reached) take(i, b int) (bad bool, err error) {
	if r.options.Concrete {
		return r.stepAll(i, b)
	}
	known, possible, err := r.step(r.states[i], b)
	if err != nil || !possible {
		return false, err
	}
	return r.enter(r.a.blocks.All[b].To, known, int32(i), int32(b))
}

// shallow is how many states are visited in breadth-first order, which gives the shortest
// paths. Beyond, errors that are far away are found sooner by going on from the newest.
const shallow = 4_000

// next takes a state that was not visited.
func (r *Reached) next() (i int, left bool) {
	if r.oldest == len(r.states) {
		return 0, false
	}
	if r.oldest < shallow {
		r.oldest++
		return r.oldest - 1, true
	}
	if r.newest == nil {
		for i := len(r.states) - 1; i >= r.oldest; i-- {
			r.newest = append(r.newest, int32(i))
		}
		slices.Reverse(r.newest)
		r.seen = len(r.states)
	}
	for ; r.seen < len(r.states); r.seen++ {
		r.newest = append(r.newest, int32(r.seen))
	}
	if len(r.newest) == 0 {
		return 0, false
	}
	i = int(r.newest[len(r.newest)-1])
	r.newest = r.newest[:len(r.newest)-1]
	return i, true
}

// step takes a block from a state; the slots have the values behind it, if it is possible.
func (r *Reached) step(s state, b int) (known uint64, possible bool, err error) {
	words, vars := r.tables[s.location].State(s.number), r.vars[s.location]
	env := &r.a.env
	if env.stamp != r.before { // most blocks cannot be taken, and leave the values alone
		env.load(words, vars, r.a.uses[s.location])
		r.before = env.stamp
	}
	if possible = env.do(&r.a.edges[b]); possible && r.options.Beside != nil {
		return r.options.Beside.Step(b, words[len(words)-1], r.values(words, vars))
	}
	return 0, possible, nil
}

// values writes what a state knows of some variables.
func (r *Reached) values(words []uint64, vars []int32) func(about func(v *logic.Term) bool) *logic.Term {
	return func(about func(v *logic.Term) bool) *logic.Term {
		var all []*logic.Term
		for i, v := range vars {
			if about(r.a.blocks.System.Vars[v]) {
				all = append(all, r.literal(vars, words, i))
			}
		}
		return logic.And(all...)
	}
}

// enter adds the state that the slots have at a location, unless it is known. bad says that
// it has an error.
func (r *Reached) enter(location int, known uint64, from, by int32) (bad bool, err error) {
	words, vars := r.enc.encode(&r.a.env, r.vars[location]), r.vars[location]
	if r.options.Beside != nil {
		words = append(words, known)
	}
	t := r.tables[location]
	if t == nil {
		t = statetable.New(len(words))
		r.tables[location] = t
	}
	number, fresh := t.Insert(words)
	if r.options.Concrete {
		r.went(from, location, number, fresh)
	}
	if !fresh {
		return false, nil
	}
	if !r.options.Concrete {
		r.count(words, vars)
	}
	r.states = append(r.states, state{int32(location), number, from, by})
	for _, e := range r.a.bad[location] {
		if r.options.Concrete {
			bad, err = r.meets(e, words, vars)
		} else if bad = r.a.may(e, words, vars); bad && r.options.Beside != nil {
			bad, err = r.options.Beside.Meets(e.formula, known, r.values(t.State(number), vars))
		}
		if err != nil {
			return false, err
		}
		if bad {
			r.Error = len(r.states) - 1
			return true, nil
		}
	}
	return false, nil
}

// count takes down the numbers of a new state.
func (r *Reached) count(words []uint64, vars []int32) {
	for i, v := range vars {
		source := sourceOf(words, len(vars), i)
		if r.numbers[v] == nil || source == isNothing || source == isOther {
			continue
		}
		seen := r.numbers[v]
		if seen[words[i]] {
			continue
		}
		seen[words[i]] = true
		if n := len(seen); n > mostFixed || n > mostNumbers && !r.options.Fixed[v] && r.a.env.kinds[v] != arrays {
			r.many = int(v)
		}
	}
}

// States returns how many there are.
func (r *Reached) States() int { return len(r.states) }

// Path returns how a state was reached.
func (r *Reached) Path(i int) (p Path) {
	for ; r.states[i].from >= 0; i = int(r.states[i].from) {
		p.Blocks = append(p.Blocks, int(r.states[i].by))
	}
	slices.Reverse(p.Blocks)
	p.Start = int(r.states[i].location)
	return p
}
