package ltl

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/seltl/seltl/internal/lists"
	"github.com/seltl/seltl/internal/source"
)

// resolver turns a syntax tree into a formula: names become propositions and
// events, and quantifiers, sets and bounded operators are expanded.
type resolver struct {
	src      *source.File
	opts     ParseOptions
	errs     source.List
	nodes    int             // made so far, against MaxNodes
	reported map[string]bool // messages, so that an expansion repeats none
	stopped  bool            // the expansion is too large: everything returns
	events   map[string]bool
	places   map[*Formula]Place // of what is read, if asked for
}

// env is a chain of index variables, innermost first.
type env struct {
	name  string
	value value
	outer *env
}

// value is what an index variable stands for: a number or a label.
type value struct {
	number int
	text   string // "" for numbers
}

func (v value) String() string {
	if v.text != "" {
		return v.text
	}
	return strconv.Itoa(v.number)
}

func (e *env) lookup(name string) (value, bool) {
	for ; e != nil; e = e.outer {
		if e.name == name {
			return e.value, true
		}
	}
	return value{}, false
}

// maxErrors is the number of unknown names reported in one formula.
const maxErrors = 20

// errorf reports an error once for each place and message.
func (r *resolver) errorf(start, end int, code, help, format string, args ...any) {
	message := fmt.Sprintf(format, args...)
	key := reportKey(start, message)
	if r.reported[key] || r.stopped {
		return
	}
	if r.reported == nil {
		r.reported = map[string]bool{}
	}
	r.reported[key] = true
	r.errs.Errorf(r.src.Span(start, end), code, "%s", message).Help = help
	r.stopped = len(r.errs) >= maxErrors
}

func reportKey(start int, message string) string { return strconv.Itoa(start) + message }

// count adds n nodes and reports whether the limit is kept.
func (r *resolver) count(n, start, end int) bool {
	if r.stopped {
		return false
	}
	if n > MaxNodes || r.nodes+n > MaxNodes {
		d := r.errs.Errorf(r.src.Span(start, end), "too-large", "the formula has more than %d operators and atoms when it is expanded", MaxNodes)
		d.Help, d.Limit = "use smaller ranges, or check instances one by one", true
		r.stopped = true
		return false
	}
	r.nodes += n
	return true
}

// resolve returns the formula of a tree; what it returns after an error is of
// no use.
func (r *resolver) resolve(n *node) *Formula {
	f := r.formula(n, nil)
	if !r.stopped && len(r.errs) == 0 && int(f.depth) > MaxDepth {
		r.errorf(n.start, n.end, "too-deep", "", "the formula is nested more than %d deep when it is expanded", MaxDepth)
	}
	return f
}

// formula is what a tree means; it remembers where that was read first.
func (r *resolver) formula(n *node, vars *env) *Formula {
	f := r.meaning(n, vars)
	if _, known := r.places[f]; r.places != nil && !known {
		r.places[f] = Place{Span: r.src.Span(n.start, n.end), Instance: vars != nil}
	}
	return f
}

func (r *resolver) meaning(n *node, vars *env) *Formula {
	if !r.count(1, n.start, n.end) {
		return falseFormula
	}
	switch n.kind {
	case nOperator:
		return r.operator(n, vars)
	case nLabel:
		return r.labelAtom(n, vars)
	case nCompare:
		return r.compare(n, vars)
	case nQuoted:
		return r.atom(n.text, n.qualifier, n.start, n.end)
	case nEnabled:
		return r.disjunction(n.label, vars, func(name string) *Formula {
			if v := r.opts.Vocabulary; v != nil && name != "tau" && !v.Event(name) {
				if dotted := dotIndices(name); v.Event(dotted) {
					name = dotted
				} else {
					r.unknown(name, "action", n.label.start, n.label.end)
				}
			}
			return r.silentOr(Enabled, name)
		})
	case nDeadlock:
		return AtomOf(Atom{Kind: Deadlock})
	case nTau:
		return r.silentOr(Event, "tau")
	case nQuantifier:
		return r.quantifier(n, n.indices, vars)
	case nBounded:
		return r.bounded(n, vars)
	case nSuffix:
		return r.suffix(n, vars)
	}
	v, _ := r.number(n.expr, vars) // nRigid
	return Constant(v != 0)
}

func (r *resolver) operator(n *node, vars *env) *Formula {
	if n.op == And || n.op == Or {
		args := lists.Append(nil, operands(n, n.op, nil), func(a *node) *Formula { return r.formula(a, vars) })
		return Make(n.op, args...)
	}
	args := lists.Map(n.args, func(a *node) *Formula { return r.formula(a, vars) })
	return r.make(n.op, n.strong, args...)
}

// make is Make, for finite words where formulas are about these.
func (r *resolver) make(op Op, strong bool, args ...*Formula) *Formula {
	if e := r.opts.Finite; e != nil {
		return e.make(op, strong, args...)
	}
	return Make(op, args...)
}

// operands collects the operands of nested nodes of the same operator, so that
// a & (b & (c & ...)) is made in one step.
func operands(n *node, op Op, out []*node) []*node {
	stack := []*node{n}
	for len(stack) > 0 {
		top := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if top.kind != nOperator || top.op != op {
			out = append(out, top)
			continue
		}
		for _, a := range slices.Backward(top.args) {
			stack = append(stack, a)
		}
	}
	return out
}

// quantifier expands forall and exists over the first index, then the others.
func (r *resolver) quantifier(n *node, indices []*labelPart, vars *env) *Formula {
	if len(indices) == 0 {
		return r.formula(n.args[0], vars)
	}
	var args []*Formula
	for _, v := range r.values(indices[0], vars) {
		if r.stopped {
			break
		}
		args = append(args, r.quantifier(n, indices[1:], &env{indices[0].variable, v, vars}))
	}
	return Make(n.op, args...)
}

// bounded expands X[n] f, F[lo..hi] f = X[lo](f | X(f | ...)), the dual for G, and likewise Y, Z, O
// and H.
func (r *resolver) bounded(n *node, vars *env) *Formula {
	lo, ok := r.bound(n.expr, vars)
	hi := lo
	if n.hi != nil && ok {
		hi, ok = r.bound(n.hi, vars)
	}
	if ok && hi < lo {
		r.errorf(n.expr.start, n.hi.end, "empty-range", "", "the range %d..%d is empty", lo, hi)
	}
	f := r.formula(n.args[0], vars)
	if !ok || hi < lo || !r.count(2*hi, n.start, n.end) {
		return f
	}
	g := f
	switch {
	case n.open:
		g = r.make(n.op, n.strong, f)
	case n.op == Eventually || n.op == Once:
		for range hi - lo {
			g = MakeOr(f, r.make(step[n.op], n.strong, g))
		}
	case n.op == Always || n.op == Historically:
		for range hi - lo {
			g = MakeAnd(f, r.make(step[n.op], n.strong, g))
		}
	}
	for range lo {
		g = r.make(step[n.op], n.strong, g)
	}
	return g
}

// bound is a number of steps.
func (r *resolver) bound(e *expr, vars *env) (int, bool) {
	v, ok := r.number(e, vars)
	switch {
	case !ok:
		return 0, false
	case v < 0:
		r.errorf(e.start, e.end, "negative-bound", "", "the bound %d is negative", v)
		return 0, false
	case v > MaxDepth:
		r.errorf(e.start, e.end, "too-large", "", "the bound %d is larger than %d", v, MaxDepth)
		return 0, false
	}
	return v, true
}

func (r *resolver) labelAtom(n *node, vars *env) *Formula {
	if len(n.label.parts) == 1 {
		part := n.label.parts[0]
		if f := r.single(n, part, vars); f != nil {
			return f
		}
	}
	first := n.label.parts[0]
	if first.set == nil && !r.isSet(first.name) {
		return r.disjunction(n.label, vars, func(name string) *Formula { return r.atom(name, n.qualifier, n.start, n.end) })
	}
	// {a, b} is any of these events; {p} of one name that is none is a regular expression, the weak
	// closure of one letter, which is that letter.
	one := len(n.label.parts) == 1 && first.set != nil && len(first.set.elements) == 1 && first.set.minus == nil
	return r.disjunction(n.label, vars, func(name string) *Formula {
		name, kind := r.inBraces(name, one)
		return r.atom(name, kind, n.start, n.end)
	})
}

// inBraces reads a name of a set of events, or the one between braces: E.a is a there, and if it is the
// only one S.p and p are propositions.
func (r *resolver) inBraces(name string, one bool) (string, AtomKind) {
	v := r.opts.Vocabulary
	if v != nil && (v.Event(name) || v.Event(dotIndices(name))) {
		return name, Event
	}
	if event, ok := strings.CutPrefix(name, "E."); ok {
		return event, Event
	}
	if !one {
		return name, Event
	}
	if prop, ok := strings.CutPrefix(name, "S."); ok {
		return prop, Prop
	}
	if v != nil && (v.Prop(name) || v.Prop(dotIndices(name))) {
		return name, Prop
	}
	return name, Event
}

// single handles names without indices that have a meaning of their own:
// formulas defined elsewhere, sets, i for tau, and index variables by mistake.
// It returns nil for all others.
func (r *resolver) single(n *node, part *labelPart, vars *env) *Formula {
	v := r.opts.Vocabulary
	name := part.name
	known := v != nil && (v.Prop(name) || v.Event(name))
	if name == "" || known || n.qualifier == Prop {
		return nil
	}
	if n.qualifier == Name && r.opts.Named != nil {
		if f := r.opts.Named(name); f != nil {
			if r.opts.Finite != nil && f.HasFuture() {
				r.errorf(n.start, n.end, "infinite-definition", "write the formula itself, which is then read of finite runs",
					"%q is a formula about infinite runs", name)
			}
			return f
		}
	}
	if _, bound := vars.lookup(name); bound {
		r.errorf(n.start, n.end, "index-as-atom", fmt.Sprintf("write an index as in a[%s]", name),
			"the index variable %q is no formula", name)
		return falseFormula
	}
	if name == "tau" || name == "i" && v != nil {
		return r.silentOr(Event, "tau")
	}
	return nil
}

// silentOr returns the atom of that event; tau stands for the Silent events, too.
func (r *resolver) silentOr(kind AtomKind, name string) *Formula {
	f := AtomOf(Atom{kind, name})
	if name != "tau" {
		return f
	}
	args := []*Formula{f}
	for _, a := range r.opts.Silent {
		args = append(args, AtomOf(Atom{kind, a}))
	}
	return MakeOr(args...)
}

// disjunction expands a label and makes the disjunction of its atoms.
func (r *resolver) disjunction(l *label, vars *env, atom func(string) *Formula) *Formula {
	var names []string
	r.expand(l.parts, "", vars, &names)
	args := make([]*Formula, 0, len(names))
	for _, name := range names {
		if r.stopped {
			break
		}
		args = append(args, atom(name))
	}
	return MakeOr(args...)
}

// atom resolves a canonical name.
func (r *resolver) atom(name string, kind AtomKind, start, end int) *Formula {
	v := r.opts.Vocabulary
	if kind == Event && name == "tau" {
		return r.silentOr(Event, name)
	}
	if v == nil {
		if kind == Name && r.isEvent(name) {
			kind = Event
		}
		return AtomOf(Atom{kind, name})
	}
	prop, event := v.Prop(name), v.Event(name)
	if !prop && !event {
		if dotted := dotIndices(name); v.Prop(dotted) || v.Event(dotted) {
			name, prop, event = dotted, v.Prop(dotted), v.Event(dotted)
		}
	}
	switch {
	case kind == Name && prop && event:
		r.errorf(start, end, "ambiguous-name", fmt.Sprintf("write S.%s for the proposition, E.%s for the event", typed(name), typed(name)),
			"%q is both a proposition and an event", typed(name))
	case kind == Name && prop:
		kind = Prop
	case kind == Name && event:
		kind = Event
	case kind == Prop && !prop:
		r.unknown(name, "proposition", start, end)
	case kind == Event && !event:
		r.unknown(name, "event", start, end)
	case kind == Name:
		r.unknown(name, "name", start, end)
	}
	return AtomOf(Atom{kind, name})
}

// dotIndices separates the digits at the end of every segment: "phil0.eat2"
// becomes "phil.0.eat.2". Papers write c2 for what a model calls c[2], and so may
// a formula where the model has no c2 of its own.
func dotIndices(name string) string {
	segments := strings.Split(name, ".")
	for i, s := range segments {
		base := strings.TrimRight(s, "0123456789")
		if base != "" && base != s {
			segments[i] = base + "." + s[len(base):]
		}
	}
	return strings.Join(segments, ".")
}

func (r *resolver) isEvent(name string) bool {
	if r.events == nil {
		r.events = map[string]bool{}
		for _, e := range r.opts.Events {
			r.events[e] = true
		}
	}
	return r.events[name]
}

// unknown reports a name that the vocabulary does not have as a what.
func (r *resolver) unknown(name, what string, start, end int) {
	v := r.opts.Vocabulary
	message := fmt.Sprintf("unknown %s %q", what, typed(name))
	if r.stopped || r.reported[reportKey(start, message)] {
		return // finding a suggestion takes time
	}
	var help string
	switch {
	case what == "proposition" && v.Event(name):
		help = fmt.Sprintf("%q is an event: write E.%s", typed(name), typed(name))
	case what != "proposition" && what != "name" && v.Prop(name):
		help = fmt.Sprintf("%q is a proposition, not an %s", typed(name), what)
		if strings.HasPrefix(r.src.Span(start, end).Text(), "{") {
			help += "; a set has events only: write a | b"
		}
	case what == "proposition" && v.Prop(name):
		help = fmt.Sprintf("%q has no index", typed(name))
	case len(v.Indexed(name)) > 0:
		help = fmt.Sprintf("%q has an index: write %s[%d] or %s = %d", name, name, v.Indexed(name)[0], name, v.Indexed(name)[0])
	case r.indexed(name) != "":
		help = fmt.Sprintf("%q has an index, and is an event: write %s", name, typed(r.indexed(name)))
	default:
		candidates := r.candidates(what)
		if what == "name" {
			candidates = append(candidates, "deadlock")
		}
		if i := slices.IndexFunc(candidates, func(n string) bool { return strings.HasPrefix(n, name+".") }); i >= 0 {
			help = fmt.Sprintf("%q is only the beginning of names: write %s", typed(name), typed(candidates[i]))
		} else if s := source.Suggest(name, candidates); s != "" {
			help = fmt.Sprintf("did you mean %q?", typed(s))
		} else if h, hints := v.(Hinter); hints {
			help = h.Hint(name)
		}
	}
	r.errorf(start, end, "unknown-"+what, help, "%s", message)
}

// indexed returns the first event name.i, with a number i, or "".
func (r *resolver) indexed(name string) string {
	v := r.opts.Vocabulary
	for _, n := range v.Names() {
		if rest, ok := strings.CutPrefix(n, name+"."); ok && isDigit(firstByte(rest)) && v.Event(n) {
			return n
		}
	}
	return ""
}

// candidates are the names that could be meant by an unknown what.
func (r *resolver) candidates(what string) []string {
	v := r.opts.Vocabulary
	names := slices.Clone(v.Names())
	switch what {
	case "proposition":
		return slices.DeleteFunc(names, func(n string) bool { return !v.Prop(n) })
	case "event", "action":
		return slices.DeleteFunc(names, func(n string) bool { return !v.Event(n) })
	}
	return names
}

// compare resolves m = 2 and the like. "=" is one proposition, "!=" its
// negation, the others are disjunctions of the propositions declared.
func (r *resolver) compare(n *node, vars *env) *Formula {
	if e := n.expr; e.op == "" && e.name != "" && !isUpper(e.name[0]) {
		if _, bound := vars.lookup(e.name); !bound {
			r.errorf(n.start, n.end, "expected-number",
				"write <-> for equivalence; comparisons are between an indexed proposition and a number, as in m = 2",
				"%q is not a number", e.name)
			return falseFormula
		}
	}
	k, ok := r.number(n.expr, vars)
	var bases []string
	r.expand(n.label.parts, "", vars, &bases)
	if !ok || len(bases) == 0 {
		return falseFormula
	}
	if n.qualifier == Event || len(bases) > 1 {
		r.errorf(n.start, n.end, "bad-comparison", "comparisons are between an indexed proposition and a number, as in m = 2",
			"only a single indexed proposition can be compared with a number")
		return falseFormula
	}
	if r.opts.Vocabulary == nil {
		kind := n.qualifier
		if n.cmp == "!=" {
			return MakeNot(AtomOf(Atom{kind, fmt.Sprintf("%s=%d", bases[0], k)}))
		}
		return AtomOf(Atom{kind, fmt.Sprintf("%s%s%d", bases[0], n.cmp, k)})
	}
	return r.compareDeclared(n, bases[0], k)
}

func (r *resolver) compareDeclared(n *node, base string, k int) *Formula {
	declared := r.opts.Vocabulary.Indexed(base)
	if h, hints := r.opts.Vocabulary.(Hinter); hints && len(declared) == 0 {
		cmp := n.cmp
		if cmp == "=" {
			cmp = "=="
		}
		text := fmt.Sprintf("%s %s %d", typed(base), cmp, k)
		if help := h.Hint(text); help != "" {
			r.errorf(n.start, n.end, "unknown-proposition", help, "%s is no proposition", text)
			return falseFormula
		}
	}
	if event := base + "." + strconv.Itoa(k); len(declared) == 0 && r.opts.Vocabulary.Event(event) && n.cmp == "=" {
		r.errorf(n.start, n.end, "unknown-proposition", fmt.Sprintf("%s is an event: write %s", typed(event), typed(event)),
			"unknown proposition %q", typed(event))
		return falseFormula
	}
	if len(declared) == 0 {
		r.unknown(base, "proposition", n.label.start, n.label.end)
		return falseFormula
	}
	if (n.cmp == "=" || n.cmp == "!=") && !slices.Contains(declared, k) {
		r.errorf(n.start, n.end, "undeclared-index", fmt.Sprintf("declared are %s", ranges(declared)),
			"the model has no proposition %s[%d]", base, k)
		return falseFormula
	}
	var args []*Formula
	for _, i := range declared {
		if holds(n.cmp, i, k) {
			args = append(args, AtomOf(Atom{Prop, base + "." + strconv.Itoa(i)}))
		}
	}
	f := MakeOr(args...)
	if n.cmp == "!=" {
		return MakeNot(f)
	}
	return f
}

// holds is the comparison of an index; "!=" stands for "=" and is negated later.
func holds(cmp string, i, k int) bool {
	switch cmp {
	case "<":
		return i < k
	case "<=":
		return i <= k
	case ">":
		return i > k
	case ">=":
		return i >= k
	}
	return i == k
}

// ranges prints sorted numbers as "0..3, 5".
func ranges(sorted []int) string {
	var words []string
	for i := 0; i < len(sorted); {
		j := i
		for j+1 < len(sorted) && sorted[j+1] == sorted[j]+1 {
			j++
		}
		if i == j {
			words = append(words, strconv.Itoa(sorted[i]))
		} else {
			words = append(words, fmt.Sprintf("%d..%d", sorted[i], sorted[j]))
		}
		i = j + 1
	}
	return strings.Join(words, ", ")
}
