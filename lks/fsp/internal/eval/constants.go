package eval

import "github.com/seltl/seltl/lks/fsp/syntax"

// constant is what is known of the value of a constant.
type constant struct {
	value Value
	state uint8 // 1: being evaluated, 2: known, 3: wrong, and reported
}

// Constant returns the value of a constant of the file.
func (c *Env) Constant(n string) (Value, bool) {
	k := c.consts[n]
	if k.state == 2 {
		return k.value, true
	}
	def, ok := c.Names.Defs[syntax.Constant][n]
	if !ok {
		return Value{}, false
	}
	d := def.(*syntax.ConstDef)
	switch k.state {
	case 1:
		c.Fail(d.Name.Span, "circular", "", "the constant %s is defined by itself", n)
	case 3:
		panic(Abort)
	}
	if v, ok := c.Params[n]; ok {
		c.consts[n] = constant{Int(int32(v)), 2}
		return Int(int32(v)), true
	}
	c.consts[n] = constant{state: 1}
	defer func() {
		if c.consts[n].state == 1 {
			c.consts[n] = constant{state: 3}
		}
	}()
	v := c.Scope(nil).Eval(d.Value)
	c.consts[n] = constant{v, 2}
	return v, true
}

// Range returns the bounds of a named range.
func (c *Env) Range(n string) (lo, hi int32, ok bool) {
	if r, ok := c.ranges[n]; ok {
		return r[0], r[1], true
	}
	def, ok := c.Names.Defs[syntax.Range][n]
	if !ok {
		return 0, 0, false
	}
	d := def.(*syntax.RangeDef)
	s := c.Scope(nil)
	lo, hi = s.Number(d.Lo), s.Number(d.Hi)
	if lo > hi {
		s.backwards(d.Lo.Span.To(d.Hi.Span), lo, hi)
	}
	c.ranges[n] = [2]int32{lo, hi}
	return lo, hi, true
}

// Set returns the elements of a named set, in order; they must not be changed.
func (c *Env) Set(n string) ([]string, bool) {
	if s, ok := c.sets[n]; ok {
		if s == nil { // being evaluated
			c.Fail(c.Names.Defs[syntax.Set][n].Head().Name.Span, "circular", "", "the set %s is defined by itself", n)
		}
		return s, true
	}
	def, ok := c.Names.Defs[syntax.Set][n]
	if !ok {
		return nil, false
	}
	c.sets[n] = nil
	defer func() {
		if c.sets[n] == nil {
			c.sets[n] = []string{} // wrong, and reported
		}
	}()
	c.sets[n] = c.Scope(nil).Set(def.(*syntax.SetDef).Set)
	return c.sets[n], true
}

// Arguments gives a process its parameters: the actual arguments, or for none
// (nil) the defaults, which Params overrides.
func (c *Env) Arguments(n string, params []syntax.Param, actual []Value, at syntax.Span) map[string]Value {
	if actual != nil && len(actual) != len(params) {
		c.Fail(at, "arity", "", "%s takes %d argument%s, got %d", n, len(params), Plural(len(params)), len(actual))
	}
	if len(params) == 0 {
		return nil
	}
	values := make(map[string]Value, len(params))
	for i, p := range params {
		override, given := c.Params[p.Name.Text]
		switch {
		case actual != nil:
			values[p.Name.Text] = actual[i]
		case given:
			values[p.Name.Text] = Int(int32(override))
		default:
			values[p.Name.Text] = c.Scope(nil).Eval(p.Value)
		}
	}
	return values
}

// Plural returns the ending of a noun of which there are n.
func Plural(n int) string {
	if n == 1 {
		return ""
	}
	return "s"
}
