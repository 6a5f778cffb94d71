package smt

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/seltl/seltl/internal/sexp"
	"github.com/seltl/seltl/logic"
)

// Options of Z3. The zero value is useful.
type Options struct {
	Path    string        // of the program; "" is "z3", searched in PATH
	RLimit  uint64        // Z3's resource units for each question, 0 without limit; deterministic
	Timeout time.Duration // for each question, 0 without limit
	Memory  int           // megabytes for each child, 0 without limit
}

// Missing is the error of NewZ3 where the program is not installed or of no use.
type Missing struct {
	Path string
	Why  string
}

func (e *Missing) Error() string {
	return fmt.Sprintf("z3 (%s): %s; install it with `apt-get install z3`, `dnf install z3` or `brew install z3`, version %d.%d or newer",
		e.Path, e.Why, minVersion[0], minVersion[1])
}

// minVersion is the oldest version that the recipes here were measured with.
var minVersion = [2]int{4, 8}

// Z3 is the Solver behind a z3 process.
type Z3 struct {
	options Options
	path    string

	proc     *process // nil while none runs
	pending  strings.Builder
	frames   []frame // [0] is the bottom, always there
	declared map[string]*logic.Sort
	proxies  int // names given out in this child

	asked  []*logic.Term // the assumptions of the last Check
	names  []string      // their proxies
	status Status
	reason string

	horn, opt *process // children of their own for Horn problems and optimisation
	checker   *Z3      // an independent stack for internal questions
	stats     Stats
	closed    bool
}

type frame struct {
	asserted []*logic.Term
	proxy    map[*logic.Term]string // assumption -> Boolean that implies it
}

// maxProxies ends a child's life: its symbols are never forgotten.
const maxProxies = 50_000

var errClosed = errors.New("smt: the solver is closed")

// NewZ3 starts z3. The error is a *Missing if there is none that can be used.
func NewZ3(options Options) (*Z3, error) {
	if options.Path == "" {
		options.Path = "z3"
	}
	path, err := exec.LookPath(options.Path)
	if err != nil {
		return nil, &Missing{options.Path, "not found"}
	}
	z := &Z3{options: options, path: path, frames: make([]frame, 1)}
	if err := z.checkVersion(); err != nil {
		z.Close()
		return nil, err
	}
	return z, nil
}

// checkVersion starts the child and asks who it is.
func (z *Z3) checkVersion() error {
	if err := z.spawn(); err != nil {
		return &Missing{z.options.Path, err.Error()}
	}
	answers, err := z.proc.exchange(context.Background(), z.take()+"(get-info :version)\n", 10*time.Second)
	if err != nil {
		return &Missing{z.options.Path, "does not answer: " + err.Error()}
	}
	version := ""
	if len(answers) == 1 && len(answers[0].List) == 2 {
		version = answers[0].List[1].Atom
	}
	major, minor, ok := parseVersion(version)
	switch {
	case !ok:
		return &Missing{z.options.Path, "does not say its version"}
	case major < minVersion[0] || major == minVersion[0] && minor < minVersion[1]:
		return &Missing{z.options.Path, "version " + version + " is too old"}
	}
	return nil
}

func parseVersion(v string) (major, minor int, ok bool) {
	parts := strings.Split(v, ".")
	if len(parts) < 2 {
		return 0, 0, false
	}
	major, err1 := strconv.Atoi(parts[0])
	minor, err2 := strconv.Atoi(parts[1])
	return major, minor, err1 == nil && err2 == nil
}

func (z *Z3) args() []string {
	args := []string{"-in"}
	if z.options.Memory > 0 {
		args = append(args, fmt.Sprintf("-memory:%d", z.options.Memory))
	}
	return args
}

// budget are the options that every child gets.
func (z *Z3) budget() string {
	var b strings.Builder
	if z.options.RLimit > 0 {
		fmt.Fprintf(&b, "(set-option :rlimit %d)\n", z.options.RLimit)
	}
	if z.options.Timeout > 0 {
		fmt.Fprintf(&b, "(set-option :timeout %d)\n", max(1, z.options.Timeout.Milliseconds()))
	}
	return b.String()
}

// hardLimit is when a child that should have answered is killed.
func (z *Z3) hardLimit() time.Duration {
	if z.options.Timeout <= 0 {
		return 0
	}
	return 2*z.options.Timeout + time.Second
}

// spawn starts a child and queues all assertions for it.
func (z *Z3) spawn() error {
	p, err := start(z.path, z.args())
	if err != nil {
		return err
	}
	z.proc = p
	z.pending.Reset()
	z.begin()
	for i := range z.frames {
		if i > 0 {
			z.pending.WriteString("(push)\n")
		}
		z.frames[i].proxy = nil
		for _, f := range z.frames[i].asserted {
			z.writeAssert(f)
		}
	}
	return nil
}

// begin queues the options for a child that knows nothing yet.
func (z *Z3) begin() {
	z.declared = map[string]*logic.Sort{}
	z.proxies = 0
	z.pending.WriteString("(set-option :produce-unsat-cores true)\n(set-option :global-declarations true)\n")
	z.pending.WriteString(z.budget())
}

func (z *Z3) take() string {
	s := z.pending.String()
	z.pending.Reset()
	return s
}

// clashes reports whether the child knows a variable of f with another sort, as
// a variable of formulas asked before.
func (z *Z3) clashes(f *logic.Term) bool {
	for _, v := range logic.Vars(f) {
		if s := z.declared[v.Name()]; s != nil && s != v.Sort() {
			return true
		}
	}
	return false
}

func (z *Z3) declare(f *logic.Term) {
	for _, v := range logic.Vars(f) {
		if z.declared[v.Name()] == nil {
			z.declared[v.Name()] = v.Sort()
			fmt.Fprintf(&z.pending, "(declare-fun %s () %s)\n", logic.Symbol(v.Name()), v.Sort())
		}
	}
}

func (z *Z3) writeAssert(f *logic.Term) {
	z.declare(f)
	fmt.Fprintf(&z.pending, "(assert %s)\n", f.Format(logic.SMTLIB))
}

// Push implements Solver.
func (z *Z3) Push() {
	z.frames = append(z.frames, frame{})
	if z.proc != nil {
		z.pending.WriteString("(push)\n")
	}
}

// Pop implements Solver.
func (z *Z3) Pop() {
	if len(z.frames) == 1 {
		panic("smt: Pop without Push")
	}
	z.frames = z.frames[:len(z.frames)-1]
	if z.proc != nil {
		z.pending.WriteString("(pop)\n")
	}
}

// Reset implements Solver. The child is kept, but forgets everything: its answers
// (which model, which core) do not depend on what was asked before.
func (z *Z3) Reset() {
	z.frames = make([]frame, 1)
	if z.proc != nil {
		z.pending.Reset()
		z.pending.WriteString("(reset)\n")
		z.begin()
	}
}

// end kills the child; the next question starts another.
func (z *Z3) end() {
	if z.proc != nil {
		z.proc.kill()
		z.proc = nil
	}
	z.pending.Reset()
}

// Assert implements Solver.
func (z *Z3) Assert(f *logic.Term) {
	if f.Sort() != logic.Bool {
		panic("smt: assertion of sort " + f.Sort().String())
	}
	top := &z.frames[len(z.frames)-1]
	top.asserted = append(top.asserted, f)
	switch {
	case z.proc == nil:
	case z.clashes(f):
		z.end()
	default:
		z.writeAssert(f)
	}
}

// assume returns the proxy of an assumption: a Boolean that implies it.
func (z *Z3) assume(f *logic.Term) string {
	for _, fr := range z.frames {
		if name, ok := fr.proxy[f]; ok {
			return name
		}
	}
	z.proxies++
	name := fmt.Sprintf("seltl!%d", z.proxies)
	z.declare(f)
	fmt.Fprintf(&z.pending, "(declare-fun %s () Bool)\n(assert (=> %s %s))\n", name, name, f.Format(logic.SMTLIB))
	top := &z.frames[len(z.frames)-1]
	if top.proxy == nil {
		top.proxy = map[*logic.Term]string{}
	}
	top.proxy[f] = name
	return name
}

// Check implements Solver. A child that dies or talks nonsense is replaced once.
func (z *Z3) Check(ctx context.Context, assumptions ...*logic.Term) (Status, error) {
	z.asked = slices.Clone(assumptions)
	z.status, z.reason = Unknown, ""
	if z.closed {
		return Unknown, errClosed
	}
	if z.proxies > maxProxies || slices.ContainsFunc(assumptions, z.clashes) {
		z.end()
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
	z.count(z.status)
	return z.status, nil
}

func (z *Z3) count(s Status) {
	z.stats.Queries++
	switch s {
	case Sat:
		z.stats.Sat++
	case Unsat:
		z.stats.Unsat++
	default:
		z.stats.Unknown++
	}
}

// check asks once. retry says that the child was lost and another may do better.
func (z *Z3) check(ctx context.Context) (status Status, retry bool, err error) {
	if z.proc == nil {
		if err := z.spawn(); err != nil {
			return Unknown, false, &Missing{z.options.Path, err.Error()}
		}
	}
	z.names = z.names[:0]
	for _, a := range z.asked {
		z.names = append(z.names, z.assume(a))
	}
	command := "(check-sat)\n"
	if len(z.names) > 0 {
		command = "(check-sat-assuming (" + strings.Join(z.names, " ") + "))\n"
	}
	answers, err := z.ask(ctx, command)
	if err != nil {
		if ctx.Err() != nil {
			return Unknown, false, ctx.Err()
		}
		z.reason = err.Error()
		return Unknown, !outOfMemory(z.reason) && !errors.Is(err, errLate), nil
	}
	if len(answers) == 1 {
		switch {
		case answers[0].Is("sat"):
			return Sat, false, nil
		case answers[0].Is("unsat"):
			return Unsat, false, nil
		case answers[0].Is("unknown"):
			z.reason = z.reasonUnknown(ctx)
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
func (z *Z3) ask(ctx context.Context, command string) ([]sexp.Node, error) {
	began := time.Now()
	answers, err := z.proc.exchange(ctx, z.take()+command, z.hardLimit())
	took := time.Since(began)
	z.stats.Time += took
	if err != nil {
		z.end()
		if limit := z.hardLimit(); limit > 0 && took >= limit && errors.Is(err, errDied) {
			err = errLate
		}
	}
	return answers, err
}

func (z *Z3) reasonUnknown(ctx context.Context) string {
	answers, err := z.ask(ctx, "(get-info :reason-unknown)\n")
	if err != nil || len(answers) != 1 || len(answers[0].List) != 2 {
		return "no reason given"
	}
	return strings.Trim(answers[0].List[1].Atom, "()")
}

// Reason implements Solver.
func (z *Z3) Reason() string { return z.reason }

// Model implements Solver.
func (z *Z3) Model(ctx context.Context) (logic.Model, error) {
	if z.status != Sat {
		panic("smt: Model without an answer Sat")
	}
	var formulas []*logic.Term
	for _, f := range z.frames {
		formulas = append(formulas, f.asserted...)
	}
	formulas = append(formulas, z.asked...)
	if z.proc == nil {
		z.reason = "the solver is gone"
		return nil, nil
	}
	m, err := z.values(ctx, z.proc, logic.Vars(formulas...))
	if err != nil {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		z.reason = err.Error()
		return nil, nil
	}
	z.stats.Models++
	if why := refute(m, formulas); why != "" {
		z.reason = why
		return nil, nil
	}
	return m, nil
}

// refute says which formula a model does not make true, "" if it does all.
func refute(m logic.Model, formulas []*logic.Term) string {
	for _, f := range formulas {
		ok, err := logic.Holds(f, m)
		switch {
		case err != nil:
			return "the solver's model cannot be evaluated: " + err.Error()
		case !ok:
			return "the solver's model is wrong: it does not satisfy " + f.String()
		}
	}
	return ""
}

// values reads the values of variables in the last model of a child.
func (z *Z3) values(ctx context.Context, p *process, vars []*logic.Term) (logic.Model, error) {
	m := logic.Model{}
	if len(vars) == 0 {
		return m, nil
	}
	names := make([]string, len(vars))
	for i, v := range vars {
		names[i] = logic.Symbol(v.Name())
	}
	began := time.Now()
	answers, err := p.exchange(ctx, "(get-value ("+strings.Join(names, " ")+"))\n", z.hardLimit())
	z.stats.Time += time.Since(began)
	if err != nil {
		return nil, err
	}
	if len(answers) != 1 || len(answers[0].List) != len(vars) {
		return nil, errors.New(nonsense(answers))
	}
	for i, pair := range answers[0].List {
		if len(pair.List) != 2 {
			return nil, errors.New(nonsense(answers))
		}
		if m[vars[i].Name()], err = valueOf(pair.List[1], vars[i].Sort()); err != nil {
			return nil, err
		}
	}
	return m, nil
}

// valueOf reads a value that z3 prints; irrational numbers and functions are
// errors.
func valueOf(n sexp.Node, sort *logic.Sort) (logic.Value, error) {
	t, err := logic.FromSexp(n, nil)
	if err != nil {
		return logic.Value{}, fmt.Errorf("value not understood: %w", err)
	}
	if t.Sort() == logic.Int && sort == logic.Real {
		t = logic.ToReal(t)
	}
	v, err := logic.Eval(t, nil)
	if err == nil && v.Sort() != sort {
		err = fmt.Errorf("value of sort %s, not %s", v.Sort(), sort)
	}
	return v, err
}

// Core implements Solver.
func (z *Z3) Core(ctx context.Context) ([]int, error) {
	if z.status != Unsat {
		panic("smt: Core without an answer Unsat")
	}
	core := []int{}
	if len(z.asked) == 0 {
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

// independent returns a solver with an empty stack for internal questions.
func (z *Z3) independent() *Z3 {
	if z.checker == nil {
		z.checker = &Z3{options: z.options, path: z.path, frames: make([]frame, 1)}
	}
	z.checker.Reset()
	return z.checker
}

// Stats implements Solver.
func (z *Z3) Stats() Stats {
	s := z.stats
	if z.checker != nil {
		s.Add(z.checker.Stats())
	}
	return s
}

// Close implements Solver.
func (z *Z3) Close() error {
	z.closed = true
	z.end()
	for _, p := range []**process{&z.horn, &z.opt} {
		if *p != nil {
			(*p).kill()
			*p = nil
		}
	}
	if z.checker != nil {
		z.checker.Close()
	}
	return nil
}
