package armc

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"sync"

	"github.com/seltl/seltl/internal/lists"
	"github.com/seltl/seltl/internal/program/concrete"
	"github.com/seltl/seltl/internal/program/unwound"
	"github.com/seltl/seltl/internal/source"
	"github.com/seltl/seltl/logic"
	"github.com/seltl/seltl/outcome"
	"github.com/seltl/seltl/program"
	"github.com/seltl/seltl/smt"
)

// Certificate proves safety: a formula over the system's variables for each
// location, by location number, that together are an inductive invariant
// without error states.
type Certificate struct {
	// Invariant may speak of other variables, and holds for all values of these, as horn.Solution has it.
	Invariant []*logic.Term
	// Enumeration: the states are so few that they are visited one by one, without an Invariant, which
	// would be a list of them.
	Enumeration bool
	// Execution: no run is long, and all are gone through at once until they have ended, without an Invariant.
	Execution bool
	// Options are those that the system was read with, by name, in the words of who writes
	// the certificate; they prove nothing.
	Options map[string][]string
	text    *source.JSONText // what it was read from, or nil
}

// Refused is the error of CheckCertificate: an obligation that is not proved.
type Refused struct {
	Kind    string // "initial", "inductive" or "safe"
	Where   string // the location or rule
	Status  smt.Status
	Example logic.Model // values that break the obligation, where the solver gave some
	// Place is where the certificate says what is not so; not valid if it was not read.
	Place source.Span
}

func (e *Refused) Error() string {
	s := fmt.Sprintf("the certificate is not %s at %s (%s)", e.Kind, e.Where, map[smt.Status]string{smt.Sat: "refuted", smt.Unknown: "not proved"}[e.Status])
	if values := e.Example.String(); values != "" {
		s += ": " + values
	}
	if e.Place.Valid() {
		s += ": " + e.Place.Place()
	}
	return s
}

// CheckCertificate proves with the solver, by one question for each obligation that is not
// plain to see, or one for each state where the invariant lists states (cases.go),
// that every initial state is in the invariant, that every step from it stays
// in it, and that no error state is in it. It uses the system as it was read and
// nothing that the methods computed. One that is an enumeration it does once more, by evaluation
// (internal/program/concrete), and so an execution (internal/program/unwound). nil means that the system is safe.
func CheckCertificate(ctx context.Context, sys *program.System, cert *Certificate, s smt.Checker) error {
	return CheckCertificateWithin(ctx, sys, cert, s, 0)
}

// CheckCertificateWithin is CheckCertificate where all runs that an execution goes through are asked about with so
// many units of the solver's work; what takes more is refused. 0 is as much as they take, for minutes.
func CheckCertificateWithin(ctx context.Context, sys *program.System, cert *Certificate, s smt.Checker, work uint64) error {
	if cert.Enumeration {
		return visited(ctx, sys)
	}
	if cert.Execution {
		return executedAgain(ctx, sys, s, work)
	}
	if len(cert.Invariant) != len(sys.Locations) {
		return fmt.Errorf("the certificate has %d locations, the system %d", len(cert.Invariant), len(sys.Locations))
	}
	if len(universal(sys, cert.Invariant)) > 0 {
		return cert.checkInstances(ctx, sys, s)
	}
	for _, r := range sys.Init {
		if err := impossible(ctx, s, "initial", sys.Locations[r.Location].Name, r.Where, logic.Not(cert.Invariant[r.Location])); err != nil {
			return cert.placed(err, sys, r.Location)
		}
	}
	cases := &casesBy{all: map[*logic.Term][]stateOf{}, hard: map[*logic.Term]bool{}}
	for _, r := range sys.Edges {
		before := logic.And(cert.Invariant[r.From], r.Command.Guard)
		after := logic.Substitute(cert.Invariant[r.To], r.Command.Update)
		if contains(before, after) {
			continue
		}
		if err := impossibleIn(ctx, s, "inductive", "rule "+r.Name, cases.of(cert.Invariant[r.From], r.Command.Guard, after), cert.Invariant[r.From], r.Command.Guard, logic.Not(after)); err != nil {
			return cert.placed(err, sys, r.To)
		}
	}
	for _, r := range sys.Error {
		if err := impossibleIn(ctx, s, "safe", sys.Locations[r.Location].Name, cases.of(cert.Invariant[r.Location], r.Where), cert.Invariant[r.Location], r.Where); err != nil {
			return cert.placed(err, sys, r.Location)
		}
	}
	return nil
}

// visited checks an enumeration.
func visited(ctx context.Context, sys *program.System) error {
	err := concrete.Visit(sys, func(states int) error {
		if states%1024 == 0 {
			return ctx.Err()
		}
		return nil
	})
	var possible *concrete.Possible
	switch {
	case err == nil || ctx.Err() != nil:
		return err
	case errors.As(err, &possible):
		return &Refused{Kind: "safe", Where: possible.Location, Status: smt.Unknown}
	}
	return &Refused{Kind: "an enumeration", Where: "any location, since " + err.Error(), Status: smt.Unknown}
}

// executedAgain checks an execution.
func executedAgain(ctx context.Context, sys *program.System, s smt.Checker, work uint64) error {
	if solver, ok := s.(smt.Solver); ok { // whose questions are whole there
		var end func()
		s, end = solver.Beside()
		defer end()
	}
	err := unwound.Prove(ctx, sys, s, work, func(int) error { return nil })
	var possible *unwound.Possible
	var stuck *outcome.Stuck
	switch {
	case errors.As(err, &possible):
		example := logic.Model{} // of the start: other symbols are the check's own
		for _, v := range sys.Vars {
			if value, ok := possible.Model[v.Name()]; ok {
				example[v.Name()] = value
			}
		}
		return &Refused{Kind: "safe", Where: possible.Location, Status: smt.Sat, Example: example}
	case errors.As(err, &stuck):
		return &Refused{Kind: "an execution of all runs", Where: "any location, since " + err.Error(), Status: smt.Unknown}
	}
	return err
}

// placed adds to an error the place of the invariant that does not hold.
func (c *Certificate) placed(err error, sys *program.System, location int) error {
	if refused := (*Refused)(nil); c.text != nil && errors.As(err, &refused) {
		refused.Place = c.text.At("invariant", sys.Locations[location].Name)
	}
	return err
}

// contains reports that every conjunct of a formula is one of another, which implies it
// then.
func contains(f, part *logic.Term) bool {
	all := logic.Conjuncts(f)
	return !slices.ContainsFunc(logic.Conjuncts(part), func(p *logic.Term) bool { return p != f && !slices.Contains(all, p) })
}

// impossible proves that some formulas cannot hold together.
func impossible(ctx context.Context, s smt.Checker, kind, where string, fs ...*logic.Term) error {
	status, m, err := smt.ModelOf(ctx, s, fs...)
	switch {
	case err != nil:
		return err
	case status != smt.Unsat:
		return &Refused{Kind: kind, Where: where, Status: status, Example: m}
	}
	return nil
}

// certificateFile is the exported form. Formulas are in the C syntax. Large ones, and
// those over variables with other names than C's, are in that of SMT-LIB, over definitions of the parts they share, and the format is another.
type certificateFile struct {
	Format      string              `json:"format"`
	System      string              `json:"system"`
	Options     map[string][]string `json:"options,omitempty"`
	Variables   []certVariable      `json:"variables"`
	Universal   []certVariable      `json:"universal,omitempty"` // the invariant holds for all values of these
	Definitions []certDefinition    `json:"definitions,omitempty"`
	Invariant   map[string]string   `json:"invariant,omitempty"`
}

type certVariable struct {
	Name string `json:"name"`
	Sort string `json:"sort"`
}

type certDefinition struct {
	Name string `json:"name"`
	Text string `json:"text"`
}

const (
	certificateFormat = "seltl-armc-certificate-1"
	sharedFormat      = "seltl-armc-certificate-2"
	enumerationFormat = "seltl-armc-certificate-3" // without an invariant
	universalFormat   = "seltl-armc-certificate-4" // with universal variables
	executionFormat   = "seltl-armc-certificate-5" // without an invariant
	// largestPlain is the size of formulas, all together, up to which they are
	// written for people.
	largestPlain = 20_000
)

var plainName = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^[A-Za-z_][A-Za-z_0-9]*([.][A-Za-z_][A-Za-z_0-9]*)*$`)
})

// Write exports a certificate as JSON; ReadCertificate reads it back. Its length is
// linear in the different parts of the formulas. The error is w's, or says that the
// certificate is longer than what ReadCertificate reads; then nothing is written.
func (c *Certificate) Write(w io.Writer, sys *program.System) error {
	f := certificateFile{Format: certificateFormat, System: sys.Name, Options: c.Options, Invariant: map[string]string{}}
	for _, v := range sys.Vars {
		f.Variables = append(f.Variables, certVariable{v.Name(), v.Sort().String()})
	}
	for _, v := range universal(sys, c.Invariant) {
		f.Universal = append(f.Universal, certVariable{v.Name(), v.Sort().String()})
	}
	size, plain := 0, len(f.Universal) == 0
	for _, inv := range c.Invariant {
		size += min(inv.Size(), largestPlain+1)
	}
	for _, v := range sys.Vars { // those of C programs may be read as something else
		plain = plain && plainName().MatchString(v.Name())
	}
	if c.Enumeration {
		f.Format = enumerationFormat
	} else if c.Execution {
		f.Format = executionFormat
	} else if size <= largestPlain && plain {
		for i, inv := range c.Invariant {
			f.Invariant[sys.Locations[i].Name] = inv.String()
		}
	} else {
		if f.Format = sharedFormat; len(f.Universal) > 0 {
			f.Format = universalFormat
		}
		defs, texts := logic.FormatShared(c.Invariant)
		for _, d := range defs {
			f.Definitions = append(f.Definitions, certDefinition(d))
		}
		for i, text := range texts {
			f.Invariant[sys.Locations[i].Name] = text
		}
	}
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetIndent("", "  ")
	e.SetEscapeHTML(false)
	if err := e.Encode(f); err != nil {
		return err
	}
	if out.Len() > source.MaxText {
		return fmt.Errorf("the certificate has more than %d MiB, which is the most that is read", source.MaxText>>20)
	}
	_, err := w.Write(out.Bytes())
	return err
}

// reader returns the syntax of the formulas, and what their names mean.
func (f *certificateFile) reader(sys *program.System, text *source.JSONText) (logic.Syntax, logic.Scope, error) {
	scope := logic.NewScope(sys.Vars...)
	for _, v := range f.Universal {
		sort, err := scope.ParseSort(v.Sort)
		if err != nil || f.Format != universalFormat || scope[v.Name] != nil || v.Name == "" || logic.Reserved(v.Name) {
			return 0, nil, text.Errorf([]any{"universal"}, "certificate", "the variable %q is not understood, or one of the system", v.Name)
		}
		scope[v.Name] = logic.Var(v.Name, sort)
	}
	switch {
	case f.Format == sharedFormat, f.Format == universalFormat:
		defs := lists.Append(nil, f.Definitions, func(d certDefinition) logic.Definition { return logic.Definition(d) })
		scope, err := scope.WithDefinitions(defs)
		if err != nil {
			err = text.Within([]any{"definitions"}, err)
		}
		return logic.SMTLIB, scope, err
	case f.Format != certificateFormat:
		return 0, nil, text.Errorf([]any{"format"}, "certificate", "not a certificate of the format %s, %s, %s, %s or %s", certificateFormat, sharedFormat, enumerationFormat, executionFormat, universalFormat)
	case len(f.Definitions) > 0:
		return 0, nil, text.Errorf([]any{"definitions"}, "certificate", "not a certificate: definitions need the format %s", sharedFormat)
	}
	return logic.C, scope, nil
}

// sameVariables refuses a certificate that was written for other variables. One that
// names none, written by hand, is judged by its formulas alone.
func (f *certificateFile) sameVariables(sys *program.System, text *source.JSONText) error {
	if f.Variables == nil {
		return nil
	}
	sorts := map[string]string{}
	for _, v := range f.Variables {
		sorts[v.Name] = v.Sort
	}
	for _, v := range sys.Vars {
		if sorts[v.Name()] != v.Sort().String() {
			return text.Errorf([]any{"variables"}, "certificate", "the certificate is of another system: it has no variable %s of sort %s", v.Name(), v.Sort())
		}
	}
	if len(sorts) > len(sys.Vars) {
		return text.Errorf([]any{"variables"}, "certificate", "the certificate is of another system: it has %d variables, the system %d", len(sorts), len(sys.Vars))
	}
	return nil
}

// CertificateOptions reads the Options of a certificate, which say how its system is to be
// read. The error is that of JSON that is none.
func CertificateOptions(r io.Reader) (map[string][]string, error) {
	f, _, err := source.JSON[certificateFile]("certificate", r)
	if err != nil {
		return nil, err
	}
	return f.Options, nil
}

// ReadCertificate reads a certificate for a system. Errors: JSON that is none, a
// location or variable that does not fit, formulas that cannot be read; most of them a source list with
// places, in a file with the reader's Name, if it has one.
func ReadCertificate(r io.Reader, sys *program.System) (*Certificate, error) {
	f, at, err := source.JSON[certificateFile]("certificate", r)
	if err != nil {
		return nil, err
	}
	if f.Invariant == nil && (f.Format == enumerationFormat || f.Format == executionFormat) {
		enumeration := f.Format == enumerationFormat
		return &Certificate{Enumeration: enumeration, Execution: !enumeration, Options: f.Options, text: at}, f.sameVariables(sys, at)
	}
	syntax, scope, err := f.reader(sys, at)
	if err != nil {
		return nil, err
	}
	if err := f.sameVariables(sys, at); err != nil {
		return nil, err
	}
	c := &Certificate{Invariant: make([]*logic.Term, len(sys.Locations)), Options: f.Options, text: at}
	for i, l := range sys.Locations {
		text, ok := f.Invariant[l.Name]
		if !ok {
			return nil, at.Errorf([]any{"invariant"}, "certificate", "the certificate says nothing of location %s", l.Name)
		}
		inv, err := logic.Parse(source.NewFile("<invariant of "+l.Name+">", text), syntax, scope)
		if err != nil {
			return nil, at.Within([]any{"invariant", l.Name}, err)
		}
		if inv.Sort() != logic.Bool {
			return nil, at.Errorf([]any{"invariant", l.Name}, "certificate", "the invariant of %s is not a formula", l.Name)
		}
		c.Invariant[i] = inv
	}
	return c, nil
}
