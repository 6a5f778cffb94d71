package naive

import (
	"errors"
	"maps"
	"math/big"
	"slices"
	"strconv"

	"github.com/seltl/seltl/logic"
	"github.com/seltl/seltl/program"
)

// Unsafe searches all states of a system whose integers, and those of its
// inputs, stay in 0..limit (bit-vectors have all their values, arrays and functions all
// values that are 0 for keys beyond), and reports whether an error state is reachable.
func Unsafe(sys *program.System, limit int64) bool {
	return unsafe(sys, limit, func(err error) bool { panic(err) })
}

// UnsafeOrDivides is Unsafe where a division by zero is an error, too, or, if it is not,
// none and the end of the run.
func UnsafeOrDivides(sys *program.System, limit int64, isError bool) bool {
	return unsafe(sys, limit, func(err error) bool {
		if !errors.Is(err, logic.ErrDivisionByZero) {
			panic(err)
		}
		return isError
	})
}

// unsafe asks what an error of evaluation means: true is an error of the system.
func unsafe(sys *program.System, limit int64, fails func(error) bool) (found bool) {
	type state struct {
		at     int
		values logic.Model
	}
	seen := map[string]bool{}
	var todo []state
	var key []byte
	visit := func(s state) {
		key = strconv.AppendInt(key[:0], int64(s.at), 10)
		for _, v := range sys.Vars {
			key = append(append(key, ' '), s.values[v.Name()].String()...)
		}
		if !seen[string(key)] {
			seen[string(key)] = true
			todo = append(todo, s)
		}
	}
	holds := func(f *logic.Term, m logic.Model) bool {
		ok, err := logic.Holds(f, m)
		if err != nil && fails(err) {
			found = true
		}
		return ok && err == nil
	}
	for _, m := range Valuations(sys.Vars, limit) {
		for _, r := range sys.Init {
			if holds(r.Where, m) {
				visit(state{r.Location, m})
			}
		}
	}
	inputs := make([][]logic.Model, len(sys.Edges)) // of each edge, then with the values of a state
	for len(todo) > 0 && !found {
		s := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		for _, e := range sys.Error {
			if e.Location == s.at && holds(e.Where, s.values) {
				return true
			}
		}
		for i, r := range sys.Edges {
			if r.From != s.at {
				continue
			}
			if inputs[i] == nil {
				inputs[i] = Valuations(r.Command.Inputs, limit)
			}
			for _, all := range inputs[i] {
				maps.Copy(all, s.values) // of all variables, so that nothing of an earlier state is left
				if !holds(r.Command.Guard, all) {
					continue
				}
				next, undefined := maps.Clone(s.values), false
				for v, e := range r.Command.Update {
					value, err := logic.Eval(e, all)
					if err != nil {
						undefined = true
						found = found || fails(err)
					}
					next[v.Name()] = value
				}
				if !undefined {
					visit(state{r.To, next})
				}
			}
		}
	}
	return found
}

// Place is a state at a location.
type Place struct {
	Location int
	State    string
}

// Passages returns where a system, as for Unsafe, can be when it comes to a kept location
// the next time, with the values there.
func Passages(sys *program.System, kept []bool, from int, start logic.Model, limit int64) map[Place]logic.Model {
	out, seen := map[Place]logic.Model{}, map[Place]bool{}
	var visit func(l int, state logic.Model)
	visit = func(l int, state logic.Model) {
		p := Place{l, state.String()}
		if seen[p] {
			return
		}
		seen[p] = true
		for _, e := range sys.Edges {
			if e.From != l {
				continue
			}
			for _, inputs := range Valuations(e.Command.Inputs, limit) {
				next, err := e.Command.Step(state, inputs)
				switch {
				case err != nil:
				case kept[e.To]:
					out[Place{e.To, next.String()}] = next
				default:
					visit(e.To, next)
				}
			}
		}
	}
	visit(from, start)
	return out
}

// Valuations returns every valuation of variables, those of numbers up to a limit.
func Valuations(vars []*logic.Term, limit int64) []logic.Model {
	models := []logic.Model{{}}
	for _, v := range vars {
		var more []logic.Model
		values := allValues(v.Sort(), limit)
		for _, m := range models {
			for _, value := range values {
				n := maps.Clone(m)
				n[v.Name()] = value
				more = append(more, n)
			}
		}
		models = more
	}
	return models
}

func allValues(s *logic.Sort, limit int64) []logic.Value {
	keys, result := s.Signature()
	switch s.Kind() {
	case logic.BoolKind:
		return []logic.Value{logic.BoolValue(false), logic.BoolValue(true)}
	case logic.ArrayKind:
		var out []logic.Value
		for _, f := range allTables([]*logic.Sort{s.Index()}, s.Element(), limit) {
			array := logic.ConstArray(s, logic.Zero(s.Element()).Term())
			for _, p := range f {
				array = logic.Store(array, p.Arguments[0].Term(), p.Value.Term())
			}
			value, err := logic.Eval(array, nil)
			if err != nil {
				panic(err)
			}
			out = append(out, value)
		}
		return out
	case logic.FunctionKind:
		var out []logic.Value
		for _, f := range allTables(keys, result, limit) {
			out = append(out, logic.FunctionValue(s, f, logic.Zero(result)))
		}
		return out
	case logic.BitVecKind:
		limit = 1<<s.Width() - 1
	}
	var out []logic.Value
	for k := range limit + 1 {
		out = append(out, logic.NumValue(big.NewRat(k, 1), s))
	}
	return out
}

// allTables returns every map as a list of points.
func allTables(keys []*logic.Sort, result *logic.Sort, limit int64) [][]logic.Point {
	args := [][]logic.Value{{}}
	for _, k := range keys {
		var more [][]logic.Value
		for _, a := range args {
			for _, v := range allValues(k, limit) {
				more = append(more, append(slices.Clone(a), v))
			}
		}
		args = more
	}
	tables := [][]logic.Point{{}}
	for _, a := range args {
		var more [][]logic.Point
		for _, t := range tables {
			for _, v := range allValues(result, limit) {
				more = append(more, append(slices.Clone(t), logic.Point{Arguments: a, Value: v}))
			}
		}
		tables = more
	}
	return tables
}
