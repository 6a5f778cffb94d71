package programs_test

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/seltl/seltl/c/cfront"
	"github.com/seltl/seltl/c/ir"
	"github.com/seltl/seltl/check"
	"github.com/seltl/seltl/check/programs"
	"github.com/seltl/seltl/conform"
	"github.com/seltl/seltl/deadlock"
	"github.com/seltl/seltl/internal/c/bind"
	"github.com/seltl/seltl/internal/c/specification"
	"github.com/seltl/seltl/internal/source"
	"github.com/seltl/seltl/internal/testing/naive"
	"github.com/seltl/seltl/lks"
	"github.com/seltl/seltl/ltl"
	"github.com/seltl/seltl/product"
	"github.com/seltl/seltl/smt"
)

// specified is a program with its specification, with which explicit search is to agree.
type specified struct {
	source, spec string // paths
	program      string // a cprog block
	constants    specification.Values
	defines      []string
	// sampled are the choices of which only the values of domain are tried, with commas
	// between those of one step: otherwise a test fails that meets one.
	sampled []string
	domain  []int64
	limit   int // of the states of a component; 0 is 50,000
	private bool
	// without are claims whose expectation is about other constants.
	without []string
	slow    bool
}

// task is what is bound of a program.
func (s *specified) task(t *testing.T) bind.Task {
	t.Helper()
	file, err := programs.LoadSpec(s.spec, nil)
	if err != nil {
		t.Fatal(render(err))
	}
	src, err := check.ReadSource(s.source, nil)
	if err != nil {
		t.Fatal(err)
	}
	return bind.Task{Sources: []*source.File{src}, Spec: file, Constants: s.constants, Program: s.program,
		C: cfront.Options{Model: ir.LP64, Defines: s.defines}, PrivateGlobals: s.private}
}

// labelsOf are the propositions of a component as labels of its states.
func labelsOf(c *bind.Component) (all []naive.StateLabel) {
	for _, p := range c.Propositions {
		l := naive.StateLabel{Name: p.Name, Formula: p.Formula, Undefined: p.Undefined}
		if p.Label {
			l.At = p.At
		}
		all = append(all, l)
	}
	return all
}

func render(err error) string {
	var b strings.Builder
	if list, ok := err.(source.List); ok {
		list.Render(&b)
		return b.String()
	}
	return err.Error()
}

// network binds a task and builds its components by explicit search.
func (s *specified) network(t *testing.T, task bind.Task, z3 smt.Checker) (*bind.Question, *lks.Network) {
	t.Helper()
	q, err := bind.Bind(context.Background(), &task, z3)
	if err != nil {
		t.Fatal(render(err))
	}
	for _, f := range q.Program.Funcs {
		for _, b := range f.Blocks {
			for _, i := range b.Instrs {
				if _, is := i.(*ir.Assume); is {
					t.Fatalf("%s: assumptions end no run, which explicit components do not know", f.Name)
				}
			}
		}
	}
	var parts []*lks.Network
	for _, c := range q.Components {
		comp := c.Encoding.Component(c.Encoding.Words)
		comp.Name = c.Name
		x := &naive.Explicit{Domain: s.domain, Limit: s.limit, Checker: z3}
		if x.Limit == 0 {
			x.Limit = 50_000
		}
		x.Labels = labelsOf(c)
		built, err := x.Build(comp)
		if err != nil {
			t.Fatalf("%s: %v", c.Name, err)
		}
		if len(built.Lost) > 0 {
			t.Fatalf("%s: %v", c.Name, built.Lost)
		}
		for _, choice := range built.Sampled {
			if !slices.Contains(s.sampled, choice) {
				t.Errorf("%s: not all values are tried of %s", c.Name, choice)
			}
		}
		t.Logf("%s: %d states", c.Name, built.LKS.NumStates())
		parts = append(parts, lks.Single(built.LKS))
	}
	net, err := lks.Compose("explicit", parts...)
	if err != nil {
		t.Fatal(err)
	}
	return q, net
}

// verdicts are what explicit search says: of properties and abstractions by name, of
// deadlock by "deadlock".
func (s *specified) verdicts(t *testing.T, z3 smt.Checker) (found, expected map[string]string) {
	t.Helper()
	task := s.task(t)
	found, expected = map[string]string{}, map[string]string{}
	for _, d := range task.Spec.Defs {
		p, is := d.(*specification.ProgDef)
		if !is || p.Name.Text != s.program {
			continue
		}
		if want := task.Spec.Expected(p); want != "" {
			expected["deadlock"] = want
			found["deadlock"] = s.deadlocks(t, task, z3)
		}
		for _, stmt := range p.Statements {
			switch stmt := stmt.(type) {
			case *specification.Property:
				name := stmt.Name.Text
				expected[name] = task.Spec.Expected(stmt)
				found[name] = s.satisfies(t, task, z3, task.Spec.Place(stmt.Formula.Span).Text())
			case *specification.Abstract:
				name := stmt.Name.Text
				expected[name] = task.Spec.Expected(stmt)
				found[name] = s.conforms(t, task, z3, name)
			}
		}
	}
	if len(found) == 0 {
		t.Fatalf("%s: nothing is expected of a program %s", s.spec, s.program)
	}
	return found, expected
}

func (s *specified) deadlocks(t *testing.T, task bind.Task, z3 smt.Checker) string {
	t.Helper()
	task.Unclaimed = true
	_, net := s.network(t, task, z3)
	r, err := deadlock.Check(context.Background(), net, deadlock.Options{Method: deadlock.Plain, NoReduction: true})
	if err != nil {
		t.Fatal(err)
	}
	if r.Free() {
		return "no deadlock"
	}
	return "deadlock"
}

func (s *specified) satisfies(t *testing.T, task bind.Task, z3 smt.Checker, formula string) string {
	t.Helper()
	constants, err := task.Spec.Constants(task.Constants)
	if err != nil {
		t.Fatal(render(err))
	}
	parsed := func(v ltl.Vocabulary) *ltl.Formula {
		f, err := ltl.ParseText(formula, ltl.ParseOptions{Vocabulary: withConstants{v, constants}})
		if err != nil {
			t.Fatal(render(err))
		}
		return f
	}
	task.Unclaimed = true
	for _, a := range ltl.Atoms(parsed(anything{})) {
		if a.Kind == ltl.Prop && !slices.Contains(task.Propositions, a.Name) {
			task.Propositions = append(task.Propositions, a.Name)
		}
	}
	_, net := s.network(t, task, z3)
	f := parsed(product.Vocabulary(net))
	r, err := product.Verify(context.Background(), net, f, product.Options{})
	switch {
	case err != nil:
		t.Fatal(err)
	case r.Verdict == product.Holds:
		return "holds"
	case r.Verdict == product.Violated:
		return "fails"
	}
	return fmt.Sprint(r.Verdict, " ", r.Reason)
}

// anything is a vocabulary in which all names are known.
type anything struct{}

func (anything) Prop(name string) bool                 { _, is := bind.ParseProposition(name); return is }
func (v anything) Event(name string) bool              { return !v.Prop(name) }
func (anything) Indexed(string) []int                  { return nil }
func (anything) Range(string) (lo, hi int, ok bool)    { return 0, 0, false }
func (anything) Set(string) (labels []string, ok bool) { return nil, false }
func (anything) Const(string) (value int, ok bool)     { return 0, false }
func (anything) Names() []string                       { return nil }

// withConstants is a vocabulary with the constants of a specification.
type withConstants struct {
	ltl.Vocabulary
	constants specification.Values
}

func (v withConstants) Const(name string) (int, bool) {
	n, ok := v.constants[name]
	return int(n), ok
}

func (s *specified) conforms(t *testing.T, task bind.Task, z3 smt.Checker, abstraction string) string {
	t.Helper()
	task.Abstraction = abstraction
	q, net := s.network(t, task, z3)
	// What only one side has is added to the other: the comparison is of equal alphabets.
	rest := lks.NewBuilder("rest") // takes part in what no component does, and never does it
	rest.State()
	wide := lks.NewBuilder("specification")
	for _, a := range q.Spec.Alphabet()[1:] {
		wide.Action(a)
		if net.Action(a) < 0 {
			rest.Action(a)
		}
	}
	for _, a := range net.Alphabet()[1:] {
		wide.Action(a)
	}
	for p := range int32(q.Spec.NumStates()) {
		wide.StateID(q.Spec.Kind(p), nil)
		for _, e := range q.Spec.Edges(p) {
			wide.Transition(p, q.Spec.Alphabet()[e.Action], e.Target)
		}
	}
	wide.Initial(q.Spec.Initial()...)
	both := []*lks.LKS{}
	for _, b := range []*lks.Builder{rest, wide} {
		m, err := b.Build()
		if err != nil {
			t.Fatal(err)
		}
		both = append(both, m)
	}
	if len(both[0].Alphabet()) > 1 {
		var err error
		if net, err = lks.Compose("explicit", net, lks.Single(both[0])); err != nil {
			t.Fatal(err)
		}
	}
	r, err := conform.Check(context.Background(), net, lks.Single(both[1]), conform.Options{Preorder: conform.Weak, SilentSpec: conform.Saturate})
	if err != nil {
		t.Fatal(err)
	}
	if r.Holds() {
		return "holds"
	}
	return "fails"
}

// TestExplicit decides what the programs of specs/c claim by explicit search, which has
// nothing in common with the engines for programs but how C is read.
func TestExplicit(t *testing.T) {
	z3, err := smt.NewZ3(smt.Options{RLimit: 50_000_000})
	if err != nil {
		t.Fatal(err)
	}
	defer z3.Close()
	for i, s := range explicitCases {
		name := fmt.Sprint(filepath.Base(s.spec), " ", s.program, " ", s.constants)
		t.Run(name, func(t *testing.T) {
			if testing.Short() && (s.slow || i%14 > 0) {
				t.Skip("all of them take half a minute")
			}
			if s.source == "" {
				s.source = strings.TrimSuffix(s.spec, ".spec") + ".c"
			}
			found, expected := s.verdicts(t, z3)
			for name, verdict := range found {
				if slices.Contains(s.without, name) {
					continue
				}
				if want := expected[name]; verdict != want {
					t.Errorf("%s: %s, expected %q", name, verdict, want)
				}
			}
		})
	}
}

const specsC = "../../specs/c/"

var explicitCases = slices.Concat(
	families,
	loops,
	arguments,
	servers,
	kernel,
)

// families are those of table 10.1 of the thesis, and of table 8.1.
var families = []specified{
	{spec: specsC + "philosophers.spec", program: "dinner"},
	{spec: specsC + "philosophers.spec", program: "dinner", constants: specification.Values{"N": 3}, without: []string{"neighbours"}},
	{spec: specsC + "philosophers.spec", program: "peace"},
	{spec: specsC + "philosophers.spec", program: "peace", constants: specification.Values{"N": 3}, without: []string{"peaceful_neighbours"}},
	{spec: specsC + "readers.spec", program: "library"},
	{spec: specsC + "readers.spec", program: "careless"},
	{spec: specsC + "readers.spec", program: "rw"},
	{spec: specsC + "ucos.spec", program: "ucosn"},
	{spec: specsC + "ucos.spec", program: "ucosd"},
	{spec: specsC + "ipc.spec", program: "abb", constants: specification.Values{"N": 1}, without: []string{"GIVES_UP"}},
	{spec: specsC + "ipc.spec", program: "abb", slow: true},
	{spec: specsC + "ipc.spec", program: "hasty", constants: specification.Values{"N": 1}},
	{spec: specsC + "surge.spec", program: "messages", sampled: append([]string{"ranged.n"}, next...), domain: []int64{0, 1}},
	{spec: specsC + "surge.spec", program: "messages", sampled: append([]string{"ranged.n"}, next...), domain: []int64{0, 1}, constants: specification.Values{"R": 3}},
	{spec: specsC + "surge.spec", program: "states", sampled: next, domain: []int64{0, 1}},
	{spec: specsC + "surge.spec", program: "surge", sampled: next, domain: []int64{0, 1}},
	{spec: specsC + "surge.spec", program: "faulty", sampled: next, domain: []int64{0, 1}},
}

// next is the result of a routine without a body, which is compared with 0 only: two values
// stand for all.
var next = []string{"any!0"}
