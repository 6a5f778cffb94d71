package specification

import (
	"maps"
	"math"
	"slices"
	"strconv"

	"github.com/seltl/seltl/internal/source"
	"github.com/seltl/seltl/internal/tokens"
)

// Values are numbers by name: of constants, of variables of indices.
type Values map[string]int32

// maxNames bounds how many names one label stands for.
const maxNames = 100_000

// evaluator finds the values of what stands in brackets.
type evaluator struct {
	file      *File
	constants Values
	errs      source.List
}

func (v *evaluator) failed() bool { return len(v.errs) > 0 }

func (v *evaluator) err() error { return v.errs.Err() }

func (v *evaluator) errorf(at Span, code, help, format string, args ...any) {
	v.errs.Errorf(v.file.Place(at), code, format, args...).Help = help
}

// limit reports that something is larger than what is unfolded.
func (v *evaluator) limit(at Span, format string, args ...any) {
	v.errs.Errorf(v.file.Place(at), "too-large", format, args...).Limit = true
}

// value returns the value of an expression; ok is false after an error, which is reported.
func (v *evaluator) value(e *Expr, bound Values) (value int32, ok bool) {
	switch e.Op {
	case OpBad:
		v.errorf(e.Span, "syntax", "", "no expression stands here")
		return 0, false
	case OpNumber:
		return e.Value, true
	case OpName:
		return v.named(e, bound)
	}
	left, ok := v.value(e.Left, bound)
	if !ok {
		return 0, false
	}
	if e.Op == OpNeg {
		return v.fit(e, -int64(left))
	}
	right, ok := v.value(e.Right, bound)
	if !ok {
		return 0, false
	}
	l, r := int64(left), int64(right)
	switch e.Op {
	case OpAdd:
		return v.fit(e, l+r)
	case OpSub:
		return v.fit(e, l-r)
	case OpMul:
		return v.fit(e, l*r)
	}
	if r == 0 {
		v.errorf(e.Right.Span, "division-by-zero", "", "division by zero")
		return 0, false
	}
	if e.Op == OpDiv {
		return v.fit(e, l/r) // truncates, as in C
	}
	return v.fit(e, l%r)
}

func (v *evaluator) named(e *Expr, bound Values) (int32, bool) {
	if value, ok := bound[e.Text]; ok {
		return value, true
	}
	value, ok := v.constants[e.Text]
	if !ok {
		known := append(slices.Sorted(maps.Keys(bound)), slices.Sorted(maps.Keys(v.constants))...)
		what, help := "variable", "a variable is bound where it ranges over numbers: a[i:0..3]"
		if e.Text[0] >= 'A' && e.Text[0] <= 'Z' {
			what, help = "constant", "a constant is written const N = 3"
		}
		if near := source.DidYouMean(e.Text, known); near != "" {
			help = near
		}
		v.errorf(e.Span, "unknown-name", help, "there is no %s %q", what, e.Text)
	}
	return value, ok
}

func (v *evaluator) fit(e *Expr, value int64) (int32, bool) {
	if value < math.MinInt32 || value > math.MaxInt32 {
		v.errorf(e.Span, "overflow", "", "the value %d has more than 32 bits", value)
		return 0, false
	}
	return int32(value), true
}

// between returns the bounds of an index, which are the same if it is no range; ok is
// false after an error, which is reported.
func (v *evaluator) between(x *Index, bound Values) (lo, hi int32, ok bool) {
	lo, ok = v.value(x.Lo, bound)
	if !ok || x.Hi == nil {
		return lo, lo, ok
	}
	hi, ok = v.value(x.Hi, bound)
	switch {
	case !ok:
	case hi < lo:
		v.errorf(x.Span, "empty-range", "", "no number is in the range %d..%d", lo, hi)
		return 0, 0, false
	case int64(hi)-int64(lo) >= maxNames:
		v.limit(x.Span, "the range %d..%d has more than %d numbers", lo, hi, maxNames)
		return 0, 0, false
	}
	return lo, hi, ok
}

// expand calls yield with every name that a label stands for, and the variables that are
// bound behind it, until that returns false.
func (v *evaluator) expand(l *Label, bound Values, yield func(string, Values) bool) {
	type prefix struct {
		text  string
		bound Values
	}
	all := []prefix{{"", bound}}
	for _, part := range l.Parts {
		var next []prefix
		for _, p := range all {
			if part.Index == nil {
				next = append(next, prefix{join(p.text, part.Text), p.bound})
				continue
			}
			lo, hi, ok := v.between(part.Index, p.bound)
			if !ok {
				return
			}
			if len(next)+int(hi-lo) >= maxNames {
				v.limit(l.Span, "this stands for more than %d actions", maxNames)
				return
			}
			for i := int64(lo); i <= int64(hi); i++ {
				next = append(next, prefix{join(p.text, strconv.FormatInt(i, 10)), p.bound.with(part.Index.Variable.Text, int32(i))})
			}
		}
		all = next
	}
	for _, p := range all {
		if !yield(p.text, p.bound) {
			return
		}
	}
}

func join(prefix, name string) string {
	if prefix == "" {
		return name
	}
	return prefix + "." + name
}

// with returns the values with one more; "" is none.
func (v Values) with(name string, value int32) Values {
	if name == "" {
		return v
	}
	w := Values{name: value}
	for other, n := range v {
		if other != name {
			w[other] = n
		}
	}
	return w
}

// names returns the names that a set stands for, in the order of the text.
func (v *evaluator) names(s *LabelSet, bound Values) (names []string) {
	for _, l := range s.Labels {
		v.expand(l, bound, func(name string, _ Values) bool {
			names = append(names, name)
			return true
		})
		if len(names) > maxNames {
			v.limit(s.Span, "this stands for more than %d actions", maxNames)
			return nil
		}
	}
	return names
}

// Constants returns the values of the constants of the file; given are those from the
// command line, which come before the values in the file. The error is Diagnostics.
func (f *File) Constants(given Values) (Values, error) {
	defs := map[string]*ConstDef{}
	for _, d := range f.Defs {
		if c, ok := d.(*ConstDef); ok && c.Value != nil {
			defs[c.Name.Text] = c
		}
	}
	v := &evaluator{file: f, constants: maps.Clone(given)}
	if v.constants == nil {
		v.constants = Values{}
	}
	open := map[string]bool{} // constants whose value is being found
	var find func(c *ConstDef, depth int)
	find = func(c *ConstDef, depth int) {
		name := c.Name.Text
		if _, known := v.constants[name]; known || v.failed() {
			return
		}
		switch {
		case open[name]:
			v.errorf(c.Span, "circular-constant", "", "the constant %s is defined by itself", name)
			return
		case depth > tokens.MaxNesting:
			v.limit(c.Span, "more than %d constants are defined by one another", tokens.MaxNesting)
			return
		}
		open[name] = true
		c.Value.each(func(e *Expr) {
			if other := defs[e.Text]; e.Op == OpName && other != nil {
				find(other, depth+1)
			}
		})
		if v.failed() {
			return
		}
		if value, ok := v.value(c.Value, nil); ok {
			v.constants[name] = value
		}
	}
	for _, d := range f.Defs {
		if c, ok := d.(*ConstDef); ok && c.Value != nil {
			find(c, 0)
		}
	}
	if err := v.err(); err != nil {
		return nil, err
	}
	return v.constants, nil
}

// each calls f for an expression and all in it.
func (e *Expr) each(f func(*Expr)) {
	if e != nil {
		f(e)
		e.Left.each(f)
		e.Right.each(f)
	}
}

// Actions returns the full names of the actions of a set, in the order of the text.
// bound are the variables that are known there (of copies), besides constants. The error
// is Diagnostics.
func (f *File) Actions(s *LabelSet, constants, bound Values) ([]string, error) {
	v := &evaluator{file: f, constants: constants}
	names := v.names(s, bound)
	return names, v.err()
}

// Renamed is a pair of full names of actions.
type Renamed struct {
	Old, New string
	Span     Span
}

// Renaming returns the pairs of names that a rename statement stands for, in the order of
// the text. A variable that the old name binds is known in the new one. The error is
// Diagnostics.
func (f *File) Renaming(r *Rename, constants, bound Values) ([]Renamed, error) {
	v := &evaluator{file: f, constants: constants}
	var pairs []Renamed
	for _, p := range r.Pairs {
		v.expand(p.Old, bound, func(before string, bound Values) bool {
			v.expand(p.New, bound, func(after string, _ Values) bool {
				pairs = append(pairs, Renamed{before, after, p.Span})
				return len(pairs) < maxNames
			})
			return !v.failed() && len(pairs) < maxNames
		})
		if len(pairs) >= maxNames {
			v.limit(p.Span, "this renames more than %d actions", maxNames)
			break
		}
	}
	return pairs, v.err()
}

// Copies returns the values of the variable of a component with an index, nil for one
// without. The error is Diagnostics.
func (f *File) Copies(c *ComponentRef, constants Values) ([]int32, error) {
	if c.Index == nil {
		return nil, nil
	}
	v := &evaluator{file: f, constants: constants}
	lo, hi, ok := v.between(c.Index, nil)
	if !ok {
		return nil, v.err()
	}
	var copies []int32
	for i := int64(lo); i <= int64(hi); i++ {
		copies = append(copies, int32(i))
	}
	return copies, nil
}
