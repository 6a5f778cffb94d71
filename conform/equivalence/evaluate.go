package equivalence

import (
	"github.com/seltl/seltl/internal/lists"
	"github.com/seltl/seltl/internal/numset"
	"github.com/seltl/seltl/lks"
)

// evaluator finds the states of a system where formulas hold, straight from the
// meaning of the operators.
type evaluator struct {
	sys  *system
	sets map[*Formula]numset.Bits
	into [][]lks.Edge // transitions backwards: target holds the source
}

func newEvaluator(sys *system) *evaluator {
	v := &evaluator{sys: sys, sets: map[*Formula]numset.Bits{}, into: make([][]lks.Edge, sys.len())}
	for s, steps := range sys.out {
		for _, e := range steps {
			v.into[e.Target] = append(v.into[e.Target], lks.Edge{Action: e.Action, Target: int32(s)})
		}
	}
	return v
}

// holds returns the states where f holds. Formulas are evaluated in the order of
// their construction, so the recursion is as deep as the part that is new.
func (v *evaluator) holds(f *Formula) numset.Bits {
	set, ok := v.sets[f]
	if ok {
		return set
	}
	args := lists.Map(f.Args, v.holds)
	set = v.apply(f, args)
	v.sets[f] = set
	return set
}

func (v *evaluator) apply(f *Formula, args []numset.Bits) numset.Bits {
	set := numset.NewBits(v.sys.len())
	switch f.Op {
	case OpWeak:
		after := v.silentlyInto(args[0], nil)
		if f.Name == v.sys.actions[0] {
			return after
		}
		return v.silentlyInto(v.stepInto(f.Name, after), nil)
	case OpDiamond:
		return v.stepInto(f.Name, args[0])
	case OpUntil:
		last := v.stepInto(f.Name, args[1])
		for w := range last {
			if f.Name == v.sys.actions[0] {
				last[w] |= args[1][w]
			}
			last[w] &= args[0][w]
		}
		return v.silentlyInto(last, args[0])
	}
	for s := range int32(v.sys.len()) {
		ok := false
		switch f.Op {
		case OpTrue:
			ok = true
		case OpProp:
			ok = v.sys.hasProp(s, f.Name)
		case OpKind:
			ok = v.sys.kindName(s) == f.Name
		case OpNot:
			ok = !args[0].Has(s)
		case OpAnd:
			ok = true
			for _, a := range args {
				ok = ok && a.Has(s)
			}
		case OpOr:
			for _, a := range args {
				ok = ok || a.Has(s)
			}
		}
		if ok {
			set.Add(s)
		}
	}
	return set
}

// stepInto returns the states with a step by the named action into the set.
func (v *evaluator) stepInto(action string, set numset.Bits) numset.Bits {
	result := numset.NewBits(v.sys.len())
	for t := range v.into {
		if !set.Has(int32(t)) {
			continue
		}
		for _, e := range v.into[t] {
			if v.sys.actions[e.Action] == action {
				result.Add(e.Target)
			}
		}
	}
	return result
}

// silentlyInto returns the states that reach the set by silent steps, through
// states of through only unless that is nil.
func (v *evaluator) silentlyInto(set, through numset.Bits) numset.Bits {
	result := numset.NewBits(v.sys.len())
	var todo []int32
	for s := range int32(v.sys.len()) {
		if set.Has(s) {
			result.Add(s)
			todo = append(todo, s)
		}
	}
	for len(todo) > 0 {
		t := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		for _, e := range v.into[t] {
			if e.Action == 0 && !result.Has(e.Target) && (through == nil || through.Has(e.Target)) {
				result.Add(e.Target)
				todo = append(todo, e.Target)
			}
		}
	}
	return result
}
