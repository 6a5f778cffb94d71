package types

import (
	"cmp"
	"fmt"
	"slices"
	"sort"
	"strings"

	"github.com/seltl/seltl/internal/source"
	"github.com/seltl/seltl/lks/fsp/internal/eval"
	"github.com/seltl/seltl/lks/fsp/syntax"
)

// Options of Check. The zero value is useful.
type Options struct {
	// Params overrides constants and the default values of parameters by name. A name
	// that the file does not define is an error.
	Params map[string]int
	// MaxLabels bounds how many labels one label expression or set may stand for;
	// 0 means 2 million.
	MaxLabels int
}

const defaultMaxLabels = 2 << 20

// Check resolves the names of a file, evaluates its constants, ranges and sets, and
// looks at all definitions, used or not, for names that are not defined and wrong
// numbers of arguments. It takes time linear in the length of the file and the sizes of
// its sets.
func Check(file *syntax.File, opts Options) *Info {
	if opts.MaxLabels == 0 {
		opts.MaxLabels = defaultMaxLabels
	}
	env := eval.New(file, opts.Params, opts.MaxLabels)
	checkParams(env)
	checkOperatorNames(env)
	evaluate(env)
	r := &resolver{info: &Info{File: file, env: env}, env: env, globals: map[syntax.Kind]map[string]*Object{}}
	r.declareGlobals()
	for _, d := range file.Defs {
		r.definition(d)
	}
	r.info.finish()
	return r.info
}

// evaluate evaluates all constants, ranges and sets, so that what is wrong with them is
// reported, used or not.
func evaluate(env *eval.Env) {
	for _, d := range env.File.Defs {
		env.Guard(func() {
			switch d := d.(type) {
			case *syntax.ConstDef:
				env.Constant(d.Name.Text)
			case *syntax.RangeDef:
				env.Range(d.Name.Text)
			case *syntax.SetDef:
				env.Set(d.Name.Text)
			}
		})
	}
}

// finish puts everything into the order of the text.
func (i *Info) finish() {
	byStart := func(a, b syntax.Span) int { return cmp.Compare(a.Start, b.Start) }
	for _, o := range i.Objects {
		slices.SortFunc(o.Uses, byStart)
		for _, s := range slices.Concat(o.Defs, o.Uses) {
			i.refs = append(i.refs, reference{s, o})
		}
	}
	slices.SortFunc(i.refs, func(a, b reference) int { return byStart(a.Span, b.Span) })
	slices.SortStableFunc(i.Objects, func(a, b *Object) int { return byStart(a.Defs[0], b.Defs[0]) })
	i.Diagnostics = slices.Clone(i.env.Errs)
	i.Diagnostics.Sort()
}

// checkParams reports overriding values whose name the file does not define.
func checkParams(c *eval.Env) {
	known := map[string]bool{}
	for _, n := range c.Names.Of(syntax.Constant) {
		known[n] = true
	}
	for _, d := range c.File.Defs {
		for _, p := range syntax.ParamsOf(d) {
			known[p.Name.Text] = true
		}
	}
	var all []string
	for n := range known {
		all = append(all, n)
	}
	sort.Strings(all)
	var given []string
	for n := range c.Params {
		given = append(given, n)
	}
	sort.Strings(given)
	for _, n := range given {
		v := c.Params[n]
		if !known[n] {
			d := c.Errs.Errorf(source.Span{}, "unknown-parameter", "%s: there is no constant or parameter of that name to give the value %d", n, v)
			d.Help = source.DidYouMean(n, all)
		}
		if int(int32(v)) != v {
			c.Errs.Errorf(source.Span{}, "bad-number", "%s=%d: numbers have 32 bits", n, v)
		}
	}
}

// isOperator reports whether a name is an operator of ltl formulas.
func isOperator(name string) bool {
	return len(name) == 1 && strings.Contains(operatorLetters, name)
}

// checkOperatorNames warns of fluents and asserts with the name of an operator:
// ltl formulas take a name of the model first. An ltl property cannot have one.
func checkOperatorNames(c *eval.Env) {
	if len(c.Names.Of(syntax.LTL)) == 0 {
		return
	}
	for _, n := range c.Names.Of(syntax.LTL) {
		if isOperator(n) {
			c.Errorf(c.Names.Defs[syntax.LTL][n].Head().Name.Span, "operator-name", "call the property by a longer name",
				"%s is an operator of ltl formulas, and cannot name a property", n)
		}
	}
	for _, k := range []syntax.Kind{syntax.Fluent, syntax.Assert} {
		for _, n := range c.Names.Of(k) {
			if isOperator(n) {
				c.Warnf(c.Names.Defs[k][n].Head().Name.Span, "operator-name", fmt.Sprintf("call the %s by a longer name, or write <> for F and [] for G", k),
					"in ltl formulas %s is this %s, not the operator", n, k)
			}
		}
	}
}
