package naive

import (
	"fmt"
	"math/big"

	"github.com/seltl/seltl/logic"
	"github.com/seltl/seltl/program"
)

// Unsafe searches all states of a system whose integers, and those of its
// inputs, stay in 0..limit (bit-vectors have all their values), and reports whether an error state is reachable.
func Unsafe(sys *program.System, limit int64) bool {
	type state struct {
		at     int
		values logic.Model
	}
	seen := map[string]bool{}
	var todo []state
	visit := func(s state) {
		if key := fmt.Sprint(s.at, " ", s.values); !seen[key] {
			seen[key] = true
			todo = append(todo, s)
		}
	}
	holds := func(f *logic.Term, m logic.Model) bool {
		ok, err := logic.Holds(f, m)
		if err != nil {
			panic(err)
		}
		return ok
	}
	for _, r := range sys.Init {
		for _, m := range allModels(sys.Vars, limit) {
			if holds(r.Where, m) {
				visit(state{r.Location, m})
			}
		}
	}
	for len(todo) > 0 {
		s := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		for _, e := range sys.Error {
			if e.Location == s.at && holds(e.Where, s.values) {
				return true
			}
		}
		for _, r := range sys.Edges {
			if r.From != s.at {
				continue
			}
			for _, all := range allModels(r.Command.Inputs, limit) {
				next := logic.Model{}
				for n, v := range s.values {
					all[n], next[n] = v, v
				}
				if !holds(r.Command.Guard, all) {
					continue
				}
				for v, e := range r.Command.Update {
					value, err := logic.Eval(e, all)
					if err != nil {
						panic(err)
					}
					next[v.Name()] = value
				}
				visit(state{r.To, next})
			}
		}
	}
	return false
}

// allModels returns every valuation of variables: integers by 0..limit.
func allModels(vars []*logic.Term, limit int64) []logic.Model {
	models := []logic.Model{{}}
	for _, v := range vars {
		var more []logic.Model
		for _, m := range models {
			last := limit
			switch v.Sort().Kind() {
			case logic.BitVecKind:
				last = 1<<v.Sort().Width() - 1
			case logic.BoolKind:
				last = 1
			}
			for k := range last + 1 {
				n := logic.Model{v.Name(): logic.BoolValue(k > 0)}
				if v.Sort() != logic.Bool {
					n[v.Name()] = logic.NumValue(big.NewRat(k, 1), v.Sort())
				}
				for name, value := range m {
					n[name] = value
				}
				more = append(more, n)
			}
		}
		models = more
	}
	return models
}
