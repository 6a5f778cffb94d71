package armc

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/seltl/seltl/internal/source"
	"github.com/seltl/seltl/logic"
	"github.com/seltl/seltl/smt"
)

// Certificate proves safety: a formula over the system's variables for each
// location, by location number, that together are an inductive invariant
// without error states.
type Certificate struct{ Invariant []*logic.Term }

// Refused is the error of CheckCertificate: an obligation that is not proved.
type Refused struct {
	Kind    string // "initial", "inductive" or "safe"
	Where   string // the location or rule
	Status  smt.Status
	Example logic.Model // values that break the obligation, where the solver gave some
}

func (e *Refused) Error() string {
	s := fmt.Sprintf("the certificate is not %s at %s (%s)", e.Kind, e.Where, map[smt.Status]string{smt.Sat: "refuted", smt.Unknown: "not proved"}[e.Status])
	if values := e.Example.String(); values != "" {
		s += ": " + values
	}
	return s
}

// CheckCertificate proves with the solver, one question for each obligation,
// that every initial state is in the invariant, that every step from it stays
// in it, and that no error state is in it. It uses the system as it was read and
// nothing that the methods computed. nil means that the system is safe.
func CheckCertificate(ctx context.Context, sys *System, cert *Certificate, s smt.Solver) error {
	if len(cert.Invariant) != len(sys.Locations) {
		return fmt.Errorf("the certificate has %d locations, the system %d", len(cert.Invariant), len(sys.Locations))
	}
	for _, r := range sys.Init {
		if err := impossible(ctx, s, "initial", sys.Locations[r.Location], r.Where, logic.Not(cert.Invariant[r.Location])); err != nil {
			return err
		}
	}
	for _, r := range sys.Rules {
		after := logic.Substitute(cert.Invariant[r.To], r.Command.Update)
		if err := impossible(ctx, s, "inductive", "rule "+r.Name, cert.Invariant[r.From], r.Command.Guard, logic.Not(after)); err != nil {
			return err
		}
	}
	for _, r := range sys.Error {
		if err := impossible(ctx, s, "safe", sys.Locations[r.Location], cert.Invariant[r.Location], r.Where); err != nil {
			return err
		}
	}
	return nil
}

// impossible proves that some formulas cannot hold together.
func impossible(ctx context.Context, s smt.Solver, kind, where string, fs ...*logic.Term) error {
	status, m, err := smt.ModelOf(ctx, s, fs...)
	switch {
	case err != nil:
		return err
	case status != smt.Unsat:
		return &Refused{Kind: kind, Where: where, Status: status, Example: m}
	}
	return nil
}

// certificateFile is the exported form. Formulas are in the C syntax.
type certificateFile struct {
	Format    string            `json:"format"`
	System    string            `json:"system"`
	Variables []certVariable    `json:"variables"`
	Invariant map[string]string `json:"invariant"`
}

type certVariable struct {
	Name string `json:"name"`
	Sort string `json:"sort"`
}

const certificateFormat = "seltl-armc-certificate-1"

// Write exports a certificate as JSON; ReadCertificate reads it back.
func (c *Certificate) Write(w io.Writer, sys *System) error {
	f := certificateFile{Format: certificateFormat, System: sys.Name, Invariant: map[string]string{}}
	for _, v := range sys.Vars {
		f.Variables = append(f.Variables, certVariable{v.Name(), v.Sort().String()})
	}
	for i, inv := range c.Invariant {
		f.Invariant[sys.Locations[i]] = inv.String()
	}
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	e.SetEscapeHTML(false)
	return e.Encode(f)
}

// sameVariables refuses a certificate that was written for other variables. One that
// names none, written by hand, is judged by its formulas alone.
func (f *certificateFile) sameVariables(sys *System) error {
	if f.Variables == nil {
		return nil
	}
	sorts := map[string]string{}
	for _, v := range f.Variables {
		sorts[v.Name] = v.Sort
	}
	for _, v := range sys.Vars {
		if sorts[v.Name()] != v.Sort().String() {
			return fmt.Errorf("the certificate is of another system: it has no variable %s of sort %s", v.Name(), v.Sort())
		}
	}
	if len(sorts) > len(sys.Vars) {
		return fmt.Errorf("the certificate is of another system: it has %d variables, the system %d", len(sorts), len(sys.Vars))
	}
	return nil
}

// ReadCertificate reads a certificate for a system. Errors: JSON that is none, a
// location or variable that does not fit, formulas that cannot be read.
func ReadCertificate(r io.Reader, sys *System) (*Certificate, error) {
	src, err := source.Read("<certificate>", r, source.MaxText)
	if err != nil {
		return nil, err
	}
	var f certificateFile
	in := json.NewDecoder(strings.NewReader(src.Text()))
	if err := in.Decode(&f); err != nil {
		return nil, fmt.Errorf("not a certificate: %w", err)
	}
	if _, err := in.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("not a certificate: more text follows it")
	}
	if f.Format != certificateFormat {
		return nil, fmt.Errorf("not a certificate of the format %s", certificateFormat)
	}
	if err := f.sameVariables(sys); err != nil {
		return nil, err
	}
	c := &Certificate{Invariant: make([]*logic.Term, len(sys.Locations))}
	scope := logic.NewScope(sys.Vars...)
	for i, name := range sys.Locations {
		text, ok := f.Invariant[name]
		if !ok {
			return nil, fmt.Errorf("the certificate says nothing of location %s", name)
		}
		inv, err := logic.Parse(source.NewFile("<invariant of "+name+">", text), logic.C, scope)
		if err != nil {
			return nil, err
		}
		if inv.Sort() != logic.Bool {
			return nil, fmt.Errorf("the invariant of %s is not a formula", name)
		}
		c.Invariant[i] = inv
	}
	return c, nil
}
