package smt

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/seltl/seltl/internal/sexp"
	"github.com/seltl/seltl/logic"
)

// stack is the Checker behind one z3 process, whose models are not looked at. Its
// assertions outlive the process.
type stack struct {
	*backend
	proc      *process // nil while none runs
	pending   strings.Builder
	frames    []frame                     // [0] is the bottom, always there
	declared  map[string]*logic.Sort      // of variables; and by the names of datatypes, constructors and fields
	bits      map[*logic.Term]*logic.Term // see bits.go
	namings   map[*logic.Term]*naming     // of what the child was sent
	texts     int                         // bytes of their texts
	proxies   int                         // names given out in this child
	limit     uint64                      // of the work of each Check
	words     bool                        // how is onlyWords where that is so, see words.go
	how       strategy
	whole     bool                 // the child gives no cores
	opening   string               // what is sent before anything else
	seen      map[*logic.Term]bool // whether a formula is of words alone
	datatypes bool                 // in some formula since the last Reset
	exact     bool                 // operations on floating-point numbers are those of the theory, see floats.go
	floats    []*logic.Term        // names of such operations, and what they are
	model     logic.Model          // of floating-point numbers, that the child does not have
	refuted   bool                 // the last Unsat is that of another child
	ended     bool                 // one that stood beside, see Z3.Beside

	asked  []*logic.Term // the assumptions of the last Check
	names  []string      // their proxies
	status Status
	reason string
}

type frame struct {
	asserted []*logic.Term
	proxy    map[*logic.Term]string // assumption -> Boolean that implies it
	bits     map[*logic.Term]bool   // that are defined here, see bits.go
}

// maxProxies ends a child's life: its symbols are never forgotten.
const maxProxies = 50_000

func newStack(b *backend) *stack { return &stack{backend: b, frames: make([]frame, 1)} }

// spawn starts a child, or takes one that was left, and queues all assertions for it.
func (z *stack) spawn() error {
	p, left, err := z.child()
	if err != nil {
		return err
	}
	if z.proc = p; left {
		z.renew()
		return nil
	}
	z.pending.Reset()
	z.replay()
	return nil
}

// renew lets the child forget everything, and queues all assertions for it. This takes 1 ms
// of processor time, the start of a child 6.
func (z *stack) renew() {
	z.proc.worked = 0
	z.pending.Reset()
	z.replay()
	z.opening = forget
}

// forget makes a child as new. Z3's reset keeps options.
const forget = "(reset)\n(set-option :rlimit 0)\n" + withoutProofs

// replay queues all assertions for a child that knows nothing yet.
func (z *stack) replay() {
	z.begin()
	for i := range z.frames {
		if i > 0 {
			z.pending.WriteString("(push)\n")
		}
		z.frames[i].proxy, z.frames[i].bits = nil, nil
		for _, f := range z.frames[i].asserted {
			z.writeAssert(f)
		}
	}
}

// begin queues the options for a child that knows nothing yet.
func (z *stack) begin() {
	z.declared = map[string]*logic.Sort{}
	z.bits, z.namings, z.texts = map[*logic.Term]*logic.Term{}, map[*logic.Term]*naming{}, 0
	z.proxies, z.seen, z.how, z.whole, z.opening, z.floats = 0, nil, undecided, false, "", nil
	z.pending.WriteString(z.within(z.limit))
	if z.datatypes {
		z.pending.WriteString(ownSorts)
	}
}

// ownSorts are what a child is told that is asked about datatypes: without a logic, z3 has one of its own, List.
const ownSorts = "(set-logic ALL)\n"

// sorted makes the child one that is asked about datatypes, if a formula has some.
func (z *stack) sorted(f *logic.Term) {
	if !z.datatypes && len(logic.DatatypesOf(f)) > 0 {
		z.datatypes = true
		if z.proc != nil {
			z.renew()
		}
	}
}

func (z *stack) take() string {
	s := z.decide() + z.pending.String()
	z.pending.Reset()
	return s
}

// stackOptions are those of every child of a stack.
const (
	stackOptions = "(set-option :produce-unsat-cores true)\n" + declarations
	wholeOptions = "(set-option :produce-unsat-cores false)\n" + declarations
	declarations = "(set-option :global-declarations true)\n"
)

// clashes reports whether the child knows a variable of f with another sort, as
// a variable of formulas asked before, or believes that there are only words.
func (z *stack) clashes(f *logic.Term) bool {
	if z.how == onlyWords && !z.inWords(f) {
		return true
	}
	if z.namings[f] != nil {
		return false // it was sent before
	}
	for _, v := range logic.Vars(f) {
		if s := z.declared[v.Name()]; s != nil && s != v.Sort() {
			return true
		}
	}
	for _, d := range logic.DatatypesOf(f) {
		for _, name := range d.Names() {
			if s := z.declared[name]; s != nil && !slices.Contains(d.Sorts(), s) {
				return true
			}
		}
	}
	return false
}

func (z *stack) declare(f *logic.Term) {
	for _, d := range logic.DatatypesOf(f) {
		if names := d.Names(); z.declared[names[0]] == nil {
			for _, name := range names { // a variable of such a name clashes, too
				z.declared[name] = d.Sorts()[0]
			}
			z.pending.WriteString(d.Text() + "\n")
		}
	}
	for _, v := range logic.Vars(f) {
		if z.declared[v.Name()] == nil {
			z.declared[v.Name()] = v.Sort()
			z.pending.WriteString(logic.Declaration(v) + "\n")
		}
	}
}

func (z *stack) writeAssert(f *logic.Term) {
	text := z.textOf(f)
	z.pending.WriteString("(assert ")
	z.pending.WriteString(text)
	z.pending.WriteString(")\n")
}

// Push implements Checker.
func (z *stack) Push() {
	z.frames = append(z.frames, frame{})
	if z.proc != nil {
		z.pending.WriteString("(push)\n")
	}
}

// Pop implements Checker.
func (z *stack) Pop() {
	if len(z.frames) == 1 {
		panic("smt: Pop without Push")
	}
	z.frames = z.frames[:len(z.frames)-1]
	if z.proc != nil {
		z.pending.WriteString("(pop)\n")
	}
}

// Reset implements Checker. The child is kept, but forgets everything: its answers
// (which model, which core) do not depend on what was asked before.
func (z *stack) Reset() {
	z.frames = make([]frame, 1)
	z.limit, z.datatypes = 0, false
	if z.proc != nil {
		z.renew()
	}
}

// Clear implements Checker. A child with a second context, as after a reset, has to make
// it first, which takes as long as its start.
func (z *stack) Clear() {
	if len(z.frames[0].asserted) > 0 {
		z.Reset()
		return
	}
	for len(z.frames) > 1 {
		z.Pop()
	}
	if z.limit > 0 {
		z.Limit(0)
	}
}

// Limit implements Checker.
func (z *stack) Limit(work uint64) {
	if z.limit = work; z.proc != nil {
		z.pending.WriteString("(set-option :rlimit 0)\n" + z.within(work))
	}
}

// close ends a stack beside another one.
func (z *stack) close() {
	z.ended = true
	child := z.proc
	switch {
	case child == nil:
	case z.leave(child):
		z.proc = nil
	default:
		z.end()
		child.gone()
	}
}

// end kills the child; the next question starts another.
func (z *stack) end() {
	if z.proc != nil {
		z.proc.kill()
		z.proc = nil
	}
	z.pending.Reset()
}

// Assert implements Checker.
func (z *stack) Assert(f *logic.Term) {
	if f.Sort() != logic.Bool {
		panic("smt: assertion of sort " + f.Sort().String())
	}
	z.sorted(f)
	top := &z.frames[len(z.frames)-1]
	top.asserted = append(top.asserted, f)
	switch {
	case z.proc == nil:
	case z.clashes(f):
		z.renew()
	default:
		z.writeAssert(f)
	}
}

// assume returns the proxy of an assumption: a Boolean that implies it.
func (z *stack) assume(f *logic.Term) string {
	if name := z.proxyOf(f); name != "" {
		return name
	}
	z.proxies++
	name := fmt.Sprintf("seltl!%d", z.proxies)
	text := z.textOf(f)
	fmt.Fprintf(&z.pending, "(declare-fun %s () Bool)\n(assert (=> %s %s))\n", name, name, text)
	top := &z.frames[len(z.frames)-1]
	if top.proxy == nil {
		top.proxy = map[*logic.Term]string{}
	}
	top.proxy[f] = name
	return name
}

// proxyOf returns the proxy that an assumption has already, or "".
func (z *stack) proxyOf(f *logic.Term) string {
	for _, fr := range z.frames {
		if name, ok := fr.proxy[f]; ok {
			return name
		}
	}
	return ""
}

// Check implements Checker. A child that dies or talks nonsense is replaced once.
func (z *stack) Check(ctx context.Context, assumptions ...*logic.Term) (Status, error) {
	z.asked = slices.Clone(assumptions)
	z.status, z.reason, z.model, z.refuted = Unknown, "", nil, false
	if z.closed || z.ended {
		return Unknown, errClosed
	}
	for _, f := range assumptions {
		z.sorted(f)
	}
	switch {
	case z.proxies > maxProxies:
		z.end()
	case z.proc != nil && slices.ContainsFunc(assumptions, func(f *logic.Term) bool { return z.proxyOf(f) == "" && z.clashes(f) }):
		z.renew()
	}
	for attempt := range 2 {
		if attempt > 0 {
			z.stats.Restarts++
		}
		status, retry, err := z.check(ctx)
		if err != nil {
			return Unknown, err
		}
		z.status = status
		if !retry {
			break
		}
	}
	if z.status == Sat && z.overFloats() {
		if err := z.decideFloats(ctx); err != nil {
			return Unknown, err
		}
	}
	z.count(z.status)
	return z.status, nil
}

// check asks once. retry says that the child was lost and another may do better.
func (z *stack) check(ctx context.Context) (status Status, retry bool, err error) {
	if z.proc == nil {
		if err := z.spawn(); err != nil {
			return Unknown, false, &Missing{z.options.Path, err.Error()}
		}
	} else if z.whole && !z.isWhole() {
		z.renew()
	}
	z.names = z.names[:0]
	for _, a := range z.asked {
		z.names = append(z.names, z.assume(a))
	}
	command := "(check-sat)\n"
	if len(z.names) > 0 {
		command = "(check-sat-assuming (" + strings.Join(z.names, " ") + "))\n"
	}
	answers, err := z.ask(ctx, command+askWork)
	if err != nil {
		if ctx.Err() != nil {
			return Unknown, false, ctx.Err()
		}
		z.reason = err.Error()
		return Unknown, !outOfMemory(z.reason) && !errors.Is(err, errLate), nil
	}
	if answers = z.work(z.proc, answers); len(answers) == 1 {
		switch {
		case answers[0].Is("sat"):
			return Sat, false, nil
		case answers[0].Is("unsat"):
			return Unsat, false, nil
		case answers[0].Is("unknown"):
			z.reason = z.reasonUnknown(ctx)
			z.interrupted()
			return Unknown, false, ctx.Err()
		}
	}
	z.reason = nonsense(answers)
	z.end()
	return Unknown, true, nil
}

func nonsense(answers []sexp.Node) string {
	for _, a := range answers {
		if text, ok := errorText(a); ok {
			return "the solver reports: " + text
		}
	}
	return fmt.Sprintf("the solver's answer is not understood (%d expressions)", len(answers))
}

func outOfMemory(reason string) bool { return strings.Contains(reason, "memory") }

// errLate is the error of a child that was killed because it did not answer.
var errLate = errors.New("the solver does not answer in time")

// ask sends what is pending and a command. After an error there is no child.
func (z *stack) ask(ctx context.Context, command string) ([]sexp.Node, error) {
	began, child := time.Now(), z.proc
	stop := child.watch(countedLate(cmp.Or(z.limit, z.options.RLimit)))
	answers, err := child.exchange(ctx, z.take()+command, z.hardLimit())
	stop()
	took := time.Since(began)
	z.stats.Time += took
	if err != nil {
		z.end()
		limit := z.hardLimit()
		if (child.late.Load() || limit > 0 && took >= limit) && errors.Is(err, errDied) {
			err = errLate
			z.stats.Work += lateWork(cmp.Or(z.limit, z.options.RLimit))
		}
	}
	return answers, err
}

func (z *stack) reasonUnknown(ctx context.Context) string {
	answers, err := z.ask(ctx, "(get-info :reason-unknown)\n")
	if err != nil || len(answers) != 1 || len(answers[0].List) != 2 {
		return "no reason given"
	}
	return strings.Trim(answers[0].List[1].Atom, "()")
}

// Reason implements Checker.
func (z *stack) Reason() string { return z.reason }

// formulas are all that were asserted or assumed.
func (z *stack) formulas() (all []*logic.Term) {
	for _, f := range z.frames {
		all = append(all, f.asserted...)
	}
	return append(all, z.asked...)
}

// Model implements Checker.
func (z *stack) Model(ctx context.Context) (logic.Model, error) {
	if z.status != Sat {
		panic("smt: Model without an answer Sat")
	}
	if z.model != nil {
		z.stats.Models++
		return z.model, nil
	}
	formulas := z.formulas()
	if z.proc == nil {
		z.reason = "the solver is gone"
		return nil, nil
	}
	m, err := z.values(ctx, z.proc, formulas)
	if err != nil {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		z.reason = err.Error()
		return nil, nil
	}
	z.stats.Models++
	return m, nil
}

// Core implements Checker.
func (z *stack) Core(ctx context.Context) ([]int, error) {
	if z.status != Unsat {
		panic("smt: Core without an answer Unsat")
	}
	core := []int{}
	if len(z.asked) == 0 {
		return core, nil
	}
	if z.refuted { // all of them are enough
		for i := range z.asked {
			core = append(core, i)
		}
		return core, nil
	}
	if z.proc == nil {
		z.reason = "the solver is gone"
		return nil, nil
	}
	answers, err := z.ask(ctx, "(get-unsat-core)\n")
	if err != nil {
		z.reason = err.Error()
		return nil, ctx.Err()
	}
	if len(answers) != 1 || answers[0].Kind != sexp.List {
		z.reason = nonsense(answers)
		return nil, nil
	}
	for _, n := range answers[0].List {
		i := slices.Index(z.names, n.Atom)
		if i < 0 {
			z.reason = nonsense(answers)
			return nil, nil
		}
		core = append(core, i)
	}
	slices.Sort(core)
	return slices.Compact(core), nil
}
