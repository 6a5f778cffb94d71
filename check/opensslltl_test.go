package check_test

import (
	"context"
	"os"
	"strings"
	"testing"

	"github.com/seltl/seltl/internal/appendix"
	"github.com/seltl/seltl/internal/source"
	"github.com/seltl/seltl/ltl"
	"github.com/seltl/seltl/program/cfront"
	"github.com/seltl/seltl/program/magic"
	"github.com/seltl/seltl/program/magic/bind"
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
	scoped := func(p appendix.Part, component string) string {
		return strings.ReplaceAll(p.Text(t, ".."), "cproc ", "cproc "+component+"::")
	}
	spec, err := magic.ParseText(path, string(text)+scoped(appendix.ServerLibrary, "ssl3_accept")+scoped(appendix.ClientLibrary, "ssl3_connect")+bioCtrl)
	if err != nil {
		t.Fatal(render(err))
	}
	sources := appendix.Prelude + appendix.Server.Text(t, "..") + appendix.Client.Text(t, "..")
	return bind.Task{Sources: []*source.File{source.NewFile("ssl.c", sources)}, Spec: spec, Program: program,
		C: cfront.Options{Model: cfront.LP64}, PrivateGlobals: true, Unclaimed: true}
}

// TestOpenSSLPropertiesBind: the properties of the handshake are in the standard layout, have
// an expectation, and speak of what the programs have.
func TestOpenSSLPropertiesBind(t *testing.T) {
	text, err := os.ReadFile("testdata/openssl.spec")
	if err != nil {
		t.Fatal(err)
	}
	file, err := magic.ParseText("testdata/openssl.spec", string(text))
	if err != nil {
		t.Fatal(render(err))
	}
	if got := magic.Format(file); got != string(text) {
		t.Errorf("in the standard layout:\n%s", got)
	}
	z3, err := smt.NewZ3(smt.Options{RLimit: 50_000_000})
	if err != nil {
		t.Fatal(err)
	}
	defer z3.Close()
	properties := 0
	for _, d := range file.Defs {
		p, is := d.(*magic.ProgDef)
		if !is {
			continue
		}
		task := openSSLProperties(t, p.Name.Text)
		events, propositions := map[string]bool{}, map[string]bool{}
		for _, s := range p.Statements {
			s, is := s.(*magic.Property)
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
