package components

import (
	"fmt"
	"strings"

	"github.com/seltl/seltl/internal/c/specification"
)

// stop is the state of a structure that is over.
const stop = -1

// lks is a structure of a specification, unfolded: its first state is 0.
type lks struct {
	name     string
	states   []lstate
	alphabet map[string]bool
	first    int // stop, if it is nothing but that
}

type lstate struct{ alts []alternative }

// alternative is one step, with the numbers that stand for names in its C expressions.
type alternative struct {
	kind        specification.StepKind
	guard       string // "" is true
	action      string
	condition   string // of a return, "" for any value
	left, right string
	to          int
	numbers     map[string]int64
}

// unfolder makes a structure of its definition.
type unfolder struct {
	s      *specFile
	def    *specification.LKSDef
	l      *lks
	states map[string]int // of equations
}

func (s *specFile) structure(name string) *lks {
	if name == "STOP" || name == "END" {
		return &lks{name: name, first: stop, alphabet: map[string]bool{}}
	}
	def := s.defs[name]
	if def == nil {
		unsupported("the structure %s", name)
	}
	u := &unfolder{s: s, def: def, l: &lks{name: name, alphabet: map[string]bool{}}, states: map[string]int{}}
	u.l.first = u.state(name)
	if def.Extension != nil {
		for _, l := range def.Extension.Labels {
			for _, r := range s.labels(l, s.numbers) {
				u.l.alphabet[r.name] = true
			}
		}
	}
	return u.l
}

// state is that of an equation; a name for another state is that.
func (u *unfolder) state(name string) int {
	if name == "STOP" || name == "END" {
		return stop
	}
	if n, ok := u.states[name]; ok {
		return n
	}
	for _, q := range u.def.States {
		if q.Name.Text != name {
			continue
		}
		if q.Body.Kind == specification.BodyRef {
			return u.state(q.Body.Name.Text)
		}
		n := u.fresh()
		u.states[name] = n
		u.fill(n, q.Body, u.s.numbers)
		return n
	}
	unsupported("the state %s", name)
	return 0
}

func (u *unfolder) fresh() int {
	u.l.states = append(u.l.states, lstate{})
	return len(u.l.states) - 1
}

func (u *unfolder) body(b *specification.Body, numbers map[string]int64) int {
	if b.Kind == specification.BodyRef {
		return u.state(b.Name.Text)
	}
	n := u.fresh()
	u.fill(n, b, numbers)
	return n
}

func (u *unfolder) fill(n int, b *specification.Body, numbers map[string]int64) {
	for _, c := range b.Choices {
		guard := ""
		if c.Guard != nil {
			guard = c.Guard.Text
		}
		u.steps(n, guard, c.Steps, c.Body, numbers)
	}
}

// steps adds alternatives of a state: one for each value of the indices of the first step.
func (u *unfolder) steps(n int, guard string, list []*specification.Step, last *specification.Body, numbers map[string]int64) {
	first := list[0]
	go_ := func(a alternative, numbers map[string]int64) {
		a.guard, a.numbers = guard, numbers
		switch {
		case len(list) > 1:
			a.to = u.fresh()
			u.steps(a.to, "", list[1:], last, numbers)
		default:
			a.to = u.body(last, numbers)
		}
		u.l.states[n].alts = append(u.l.states[n].alts, a)
	}
	switch first.Kind {
	case specification.StepAction:
		for _, r := range u.s.labels(first.Label, numbers) {
			u.l.alphabet[r.name] = true
			go_(alternative{kind: first.Kind, action: r.name}, r.numbers)
		}
	case specification.StepSilent:
		go_(alternative{kind: first.Kind}, numbers)
	case specification.StepReturn:
		a := alternative{kind: first.Kind}
		if first.Condition != nil {
			a.condition = first.Condition.Text
		}
		go_(a, numbers)
	case specification.StepAssign:
		go_(alternative{kind: first.Kind, left: first.Left.Text, right: first.Right.Text}, numbers)
	}
}

// named is a label with the numbers that its indices have.
type labelled struct {
	name    string
	numbers map[string]int64
}

// labels are the names that a label stands for.
func (s *specFile) labels(l *specification.Label, numbers map[string]int64) []labelled {
	all := []labelled{{"", numbers}}
	for _, p := range l.Parts {
		var next []labelled
		for _, r := range all {
			add := func(text string, numbers map[string]int64) {
				next = append(next, labelled{strings.TrimPrefix(r.name+"."+text, "."), numbers})
			}
			switch {
			case p.Index == nil:
				add(p.Text, r.numbers)
			case p.Index.Hi == nil:
				add(fmt.Sprint(s.number(p.Index.Lo, r.numbers)), r.numbers)
			default:
				for i := s.number(p.Index.Lo, r.numbers); i <= s.number(p.Index.Hi, r.numbers); i++ {
					add(fmt.Sprint(i), with(r.numbers, p.Index.Variable.Text, i))
				}
			}
		}
		all = next
	}
	return all
}

func with(numbers map[string]int64, name string, n int64) map[string]int64 {
	if name == "" {
		return numbers
	}
	all := map[string]int64{name: n}
	for k, v := range numbers {
		if k != name {
			all[k] = v
		}
	}
	return all
}

// number is an expression of a specification.
func (s *specFile) number(e *specification.Expr, numbers map[string]int64) int64 {
	switch e.Op {
	case specification.OpNumber:
		return int64(e.Value)
	case specification.OpName:
		n, ok := numbers[e.Text]
		if !ok {
			unsupported("the number %s", e.Text)
		}
		return n
	case specification.OpNeg:
		return -s.number(e.Left, numbers)
	}
	x, y := s.number(e.Left, numbers), s.number(e.Right, numbers)
	switch e.Op {
	case specification.OpAdd:
		return x + y
	case specification.OpSub:
		return x - y
	case specification.OpMul:
		return x * y
	}
	if y == 0 {
		unsupported("a division by 0 in an index")
	}
	if e.Op == specification.OpDiv {
		return x / y
	}
	return x % y
}
