package programs_test

import (
	"context"
	"errors"
	"io/fs"
	"math/big"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/seltl/seltl/c/cfront"
	"github.com/seltl/seltl/c/ir"
	"github.com/seltl/seltl/check"
	"github.com/seltl/seltl/check/programs"
	"github.com/seltl/seltl/internal/c/bind"
	"github.com/seltl/seltl/internal/c/specification"
	"github.com/seltl/seltl/internal/cegar"
	"github.com/seltl/seltl/internal/source"
	"github.com/seltl/seltl/internal/testing/appendix"
	"github.com/seltl/seltl/internal/testing/naive"
	"github.com/seltl/seltl/internal/testing/soak"
	"github.com/seltl/seltl/lks"
	"github.com/seltl/seltl/logic"
	"github.com/seltl/seltl/ltl"
	"github.com/seltl/seltl/product"
	"github.com/seltl/seltl/program"
	"github.com/seltl/seltl/report"
	"github.com/seltl/seltl/smt"
)

// openSSLProperties is a program of testdata/openssl.spec: the handshake of [Chaki05], appendix
// A, with its library specifications.
func openSSLProperties(t *testing.T, program string) bind.Task {
	t.Helper()
	const path = "testdata/openssl.spec"
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	sources, all, err := appendix.Handshake("../..", string(text))
	if errors.Is(err, fs.ErrNotExist) {
		t.Skip("SKIPPED: the text of the thesis is not beside the repository")
	}
	if err != nil {
		t.Fatal(err)
	}
	spec, err := specification.ParseText(path, all)
	if err != nil {
		t.Fatal(render(err))
	}
	return bind.Task{Sources: []*source.File{source.NewFile("ssl.c", sources)}, Spec: spec, Program: program,
		C: cfront.Options{Model: ir.LP64}, PrivateGlobals: true, Unclaimed: true}
}

// TestOpenSSLPropertiesBind: the properties of the handshake are in the standard layout, have
// an expectation, and speak of what the programs have.
func TestOpenSSLPropertiesBind(t *testing.T) {
	text, err := os.ReadFile("testdata/openssl.spec")
	if err != nil {
		t.Fatal(err)
	}
	file, err := specification.ParseText("testdata/openssl.spec", string(text))
	if err != nil {
		t.Fatal(render(err))
	}
	if got := specification.Format(file); got != string(text) {
		t.Errorf("in the standard layout:\n%s", got)
	}
	z3, err := smt.NewZ3(smt.Options{RLimit: 50_000_000})
	if err != nil {
		t.Fatal(err)
	}
	defer z3.Close()
	properties := 0
	for _, d := range file.Defs {
		p, is := d.(*specification.ProgDef)
		if !is {
			continue
		}
		task := openSSLProperties(t, p.Name.Text)
		events, propositions := map[string]bool{}, map[string]bool{}
		for _, s := range p.Statements {
			s, is := s.(*specification.Property)
			if !is {
				continue
			}
			properties++
			if file.Expected(s) == "" {
				t.Errorf("%s: nothing is expected", s.Name.Text)
			}
			f, err := ltl.ParseText(s.Formula.Text, ltl.ParseOptions{Vocabulary: anything{}})
			if err != nil {
				t.Fatal(render(err))
			}
			for _, a := range ltl.Atoms(f) {
				if a.Kind == ltl.Prop {
					propositions[a.Name] = true
					task.Propositions = append(task.Propositions, a.Name)
				} else {
					events[a.Name] = true
					if strings.HasSuffix(s.Name.Text, "_SS") {
						t.Errorf("%s speaks of the event %s", s.Name.Text, a.Name)
					}
				}
			}
		}
		q, err := bind.Bind(context.Background(), &task, z3)
		if err != nil {
			t.Fatal(render(err))
		}
		found := 0
		for _, c := range q.Components {
			found += len(c.Propositions)
			for _, a := range c.Encoding.Component(c.Encoding.Words).Alphabet {
				delete(events, a)
			}
		}
		if found != len(propositions) || len(events) > 0 {
			t.Errorf("%s: %d of %d propositions; events %v are not known", p.Name.Text, found, len(propositions), events)
		}
	}
	if properties != 24 {
		t.Errorf("%d properties", properties)
	}
}

// beginnings are the first values of members that are tried, otherwise 0 alone. Those of
// pointers are not constrained further than openssl.spec does.
var beginnings = map[string][]int64{
	"(*s).hit": {0, 1}, "(*s).verify_mode": {0, 1}, "(*(*(*s).s3).tmp.new_cipher).algorithms": {0, 256}, "(*s).version": {0x300},
	"(*(*s).s3).flags": {0, 2}, "(*(*s).s3).tmp.cert_req": {0, 1},
	"(*(*(*s).method).ssl3_enc).setup_key_block": {8}, "(*(*(*s).method).ssl3_enc).change_cipher_state": {8}, "(*(*(*s).method).ssl3_enc).cert_verify_mac": {8},
}

// begin lets a component begin with those only.
func begin(c *program.Component) {
	init := &c.System.Init[0]
	where := []*logic.Term{init.Where}
	settled := map[*logic.Term]bool{}
	for _, p := range logic.Conjuncts(init.Where) {
		for _, v := range logic.Vars(p) {
			settled[v] = settled[v] || p.Op() == logic.OpEq
		}
	}
	for _, v := range c.System.Vars {
		pointer := slices.Contains([]string{"(*s).ctx", "(*s).method", "(*s).s3", "(*s).session", "(*s).cert", "(*(*s).method).ssl3_enc", "(*(*s).s3).tmp.new_cipher"}, v.Name())
		if settled[v] || pointer || v.Sort().Width() == 0 {
			continue
		}
		values := beginnings[v.Name()]
		if values == nil {
			values = []int64{0}
		}
		var any []*logic.Term
		for _, n := range values {
			any = append(any, logic.Eq(v, logic.NumValue(new(big.Rat).SetInt64(n), v.Sort()).Term()))
		}
		where = append(where, logic.Or(any...))
	}
	init.Where = logic.And(where...)
}

// TestOpenSSLPropertiesBySearch looks for violations from a few first states, and with few
// results of routines that nothing is known of: what fails does, and what is expected to hold
// is not refuted there. That found two mistakes in the formulas.
func TestOpenSSLPropertiesBySearch(t *testing.T) {
	if testing.Short() {
		t.Skip("half a minute")
	}
	z3, err := smt.NewZ3(smt.Options{RLimit: 50_000_000})
	if err != nil {
		t.Fatal(err)
	}
	defer z3.Close()
	for _, name := range []string{"server", "client"} {
		task := openSSLProperties(t, name)
		var properties []*specification.Property
		for _, d := range task.Spec.Defs {
			if p, is := d.(*specification.ProgDef); is && p.Name.Text == name {
				for _, s := range p.Statements {
					if s, is := s.(*specification.Property); is {
						properties = append(properties, s)
					}
				}
			}
		}
		formula := func(s *specification.Property, v ltl.Vocabulary) *ltl.Formula {
			f, err := ltl.ParseText(s.Formula.Text, ltl.ParseOptions{Vocabulary: v})
			if err != nil {
				t.Fatal(render(err))
			}
			return f
		}
		for _, s := range properties {
			for _, a := range ltl.Atoms(formula(s, anything{})) {
				if a.Kind == ltl.Prop {
					task.Propositions = append(task.Propositions, a.Name)
				}
			}
		}
		q, err := bind.Bind(context.Background(), &task, z3)
		if err != nil {
			t.Fatal(render(err))
		}
		c := q.Components[0]
		component := c.Encoding.Component(c.Encoding.Words)
		begin(component)
		x := &naive.Explicit{Domain: []int64{0, 1}, Limit: 100_000, Checker: z3, Labels: labelsOf(c)}
		built, err := x.Build(component)
		if err != nil || len(built.Lost) > 0 {
			t.Fatal(err, built.Lost)
		}
		t.Logf("%s: %d states", name, built.LKS.NumStates())
		net := lks.Single(built.LKS)
		for _, s := range properties {
			r, err := product.Verify(context.Background(), net, formula(s, product.Vocabulary(net)), product.Options{})
			if err != nil {
				t.Fatal(err)
			}
			want := product.Holds
			if task.Spec.Expected(s) == "fails" {
				want = product.Violated
			}
			if r.Verdict != want {
				t.Errorf("%s: %v, expected that it %s", s.Name.Text, r.Verdict, task.Spec.Expected(s))
			}
		}
	}
}

// fewProperties are those that every full run asks about.
var fewProperties = []string{"SRVR_3_SE", "SRVR_5_SE", "CLNT_1_SS", "SSL_2_SS"}

// TestOpenSSLProperties asks the engine: every answer is as expected. The limit is of rounds; 30
// are needed.
func TestOpenSSLProperties(t *testing.T) {
	if testing.Short() {
		t.Skip("half a minute")
	}
	pool := programs.Common
	engine := cegar.Options{Rounds: 300}
	for _, program := range []string{"server", "client", "handshake"} {
		task := openSSLProperties(t, program)
		formulas, err := programs.PropertiesC(task.Spec, program)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range formulas {
			if !soak.On() && !slices.Contains(fewProperties, f.Name) {
				continue
			}
			r, _, err := programs.VerifyC(context.Background(), &programs.SpecifiedC{Task: task}, []programs.FormulaC{f}, pool, check.Verification{Finite: product.StutterRuns}, engine)
			if err != nil {
				t.Fatal(program, f.Name, render(err))
			}
			openSSLResult(t, &r.Results[0])
		}
	}
	task := openSSLProperties(t, "handshake")
	for _, engine.Levels = range []cegar.Levels{cegar.AutoLevels, cegar.TwoLevels} {
		r, _, err := programs.DeadlockC(context.Background(), &programs.SpecifiedC{Task: task}, pool, check.Options{}, engine)
		if err != nil {
			t.Fatal(render(err))
		}
		openSSLResult(t, &r.Results[0])
	}
}

func openSSLResult(t *testing.T, r *report.Result) {
	t.Helper()
	t.Logf("%s: %s after %.1f s, %s, automaton of %d states and %d edges", r.Name, r.Verdict, r.Statistics.SearchSeconds, r.Note, r.Statistics.AutomatonStates, r.Statistics.AutomatonEdges)
	if r.AsExpected == nil || !*r.AsExpected {
		t.Errorf("%s: %s (%s), expected %s", r.Name, r.Verdict, r.Reason, r.Expected)
	}
}
