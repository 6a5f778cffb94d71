package programcmds

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/seltl/seltl/check"
	"github.com/seltl/seltl/check/programs"
	"github.com/seltl/seltl/cmd/seltl/internal/ask"
	"github.com/seltl/seltl/internal/c/bind"
	"github.com/seltl/seltl/internal/cegar"
	"github.com/seltl/seltl/internal/cegar/certificate"
	"github.com/seltl/seltl/internal/cmdline"
	"github.com/seltl/seltl/internal/source"
	"github.com/seltl/seltl/ltl"
	"github.com/seltl/seltl/product"
	"github.com/seltl/seltl/report"
	"github.com/seltl/seltl/smt"
)

// certifiedQuestions are the questions about C programs with a specification whose answers
// have certificates, by command.
var certifiedQuestions = map[string]certificate.Question{"conform": certificate.Conformance, "deadlock": certificate.Deadlock, "verify": certificate.Satisfaction}

// specifiedChoices are options without which a certificate about a C program with a
// specification is one of another question.
var specifiedChoices = slices.Concat([]string{"D", "data-model", "entry"}, EnvironmentChoices, specifiedOnly)

// formulaChoices are what a certificate about a formula says beside that; they are not said
// again.
var formulaChoices = []string{"formula", "finite", "fair"}

// specifiedOnly are those of them that no other certificate has.
var specifiedOnly = []string{"process", "abstraction", "by", "globals"}

// certifiedSpecFlags say again what a certificate says already.
func certifiedSpecFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "process", Usage: "C with a specification: the cprog block `NAME`"},
		&cli.StringSliceFlag{Name: "abstraction", Usage: "C with a specification: the abstract statement `NAME`"},
		&cli.StringFlag{Name: "by", Value: "simulation", Usage: "C with a specification: compare by `RELATION`: simulation, traces"},
		&cli.StringFlag{Name: "globals", Value: "shared", Usage: "C with a specification: variables of several components are `WHAT`: shared, private"},
	}
}

// checkCertificateC checks a certificate about C sources with a specification.
func checkCertificateC(c *cli.Context, s cmdline.Streams, files []string) error {
	files, name := files[:len(files)-1], files[len(files)-1]
	if err := cmdline.OnlyFor(c, []string{"check", "rules"}, "certificates of seltl reach"); err != nil {
		return err
	}
	var sources []string
	spec := ""
	for _, f := range files {
		switch {
		case !check.IsSpec(f):
			sources = append(sources, f)
		case spec != "":
			return cmdline.Usagef(c, "one specification is needed, not %s and %s", spec, f)
		default:
			spec = f
		}
	}
	if len(sources) == 0 {
		return cmdline.Usagef(c, "C sources are needed beside %s (.c, .i, .pp)", spec)
	}
	opts, done, err := ask.Options(c, s)
	if err != nil {
		return err
	}
	defer done()
	src, err := check.ReadSource(name, s.Open)
	if err != nil {
		return err
	}
	header, err := certificate.ReadHeader(src.Reader())
	if err != nil {
		return err
	}
	if header == nil {
		return fmt.Errorf("%s: this is no certificate about components; one of seltl reach is checked without %s", name, spec)
	}
	names, also := specifiedChoices, formulaChoices
	if header.Question != certificate.Satisfaction {
		also = nil
	}
	if header.Question != certificate.Conformance {
		names = slices.DeleteFunc(slices.Clone(names), func(n string) bool { return n == "abstraction" })
	}
	chosen, err := chosenFor(c, specifiedChoices).agree(c, header.Options, names, also...)
	if err != nil {
		return err
	}
	task, err := specifiedAs(c, s, sources, spec, chosen)
	if err != nil {
		return err
	}
	q := &programs.CertifiedC{Task: task.Task, Question: header.Question}
	q.Task.Abstraction = chosen.One("abstraction")
	if q.Traces, err = oneOf(c, chosen, "by", "simulation", "traces"); err != nil {
		return err
	}
	if q.Question == certificate.Satisfaction {
		if q.Formula, err = certifiedFormula(name, chosen, &q.Finite, &q.Fair); err != nil {
			return err
		}
	}
	pool := smt.Z3Pool(1, smt.Options{})
	defer pool.Close()
	r, err := programs.CertificateC(c.Context, q, src.Reader(), pool, opts)
	done()
	if err != nil {
		return err
	}
	sayOptions(&r.Results[0], chosen)
	ShowMessages(c, s, r.Messages)
	return cmdline.Finish(c, s, r)
}

// certifiesC writes the certificate that is asked for, which names what was chosen for lack of
// an option.
func certifiesC(c *cli.Context, q *programs.SpecifiedC, r *report.Report, answers []*cegar.Answer) error {
	name := c.String("certificate")
	if name == "" || len(r.Results) != 1 || r.Results[0].Verdict != report.Holds || answers[0] == nil {
		return nil
	}
	chosen := chosenFor(c, specifiedChoices)
	chosen["data-model"] = []string{q.Task.C.Model.String()}
	if q.Task.Program != "" {
		chosen["process"] = []string{q.Task.Program}
	}
	question := certifiedQuestions[c.Command.Name]
	switch question {
	case certificate.Conformance:
		chosen["abstraction"] = []string{r.Results[0].Name}
	case certificate.Satisfaction:
		chosen["formula"] = []string{r.Results[0].Formula}
		for _, name := range []string{"finite", "fair"} {
			if value := c.String(name); value != "" {
				chosen[name] = []string{value}
			}
		}
	}
	if answers[0].Smaller {
		r.Messages = append(r.Messages, report.Message{Severity: "warning", Code: "c-certificate", Text: "--certificate: none is written, since " + programs.ErrNoCertificate.Error()})
		return nil
	}
	return cmdline.WriteFile(name, func(w io.Writer) error {
		return programs.WriteCertificate(w, answers[0], question, chosen)
	})
}

// oneQuestion refuses a certificate of several questions, or of assumptions.
func oneQuestion(c *cli.Context, q *programs.SpecifiedC) error {
	if !c.IsSet("certificate") {
		return nil
	}
	if q.Assumed {
		return cmdline.Usagef(c, "--certificate is of one question, without --check-assumptions")
	}
	if n := len(q.Abstractions); n == 1 {
		return nil
	} else if n > 1 {
		return cmdline.Usagef(c, "--certificate is of one question: name one --abstraction, not %d", n)
	}
	all, err := bind.Abstractions(q.Task.Spec, q.Task.Program)
	if err == nil && len(all) > 1 {
		return cmdline.Usagef(c, "--certificate is of one question, and there are %d: name one (--abstraction %s)", len(all), all[0].Name.Text)
	}
	return err
}

// certifiedFormula reads the formula of a certificate, and which runs count for it.
func certifiedFormula(name string, chosen systemOptions, finite *product.FiniteRuns, fair *check.Fairness) (at source.Span, err error) {
	text := chosen.One("formula")
	src := source.NewFile(name+": formula", text)
	at = src.Span(0, len(text))
	if err := ltl.CheckSyntax(at, nil); err != nil {
		return at, err
	}
	for option, to := range map[string]interface{ UnmarshalText([]byte) error }{"finite": finite, "fair": fair} {
		if value := chosen.One(option); value != "" {
			if err := to.UnmarshalText([]byte(value)); err != nil {
				return at, fmt.Errorf("%s: %w", name, err)
			}
		}
	}
	return at, nil
}

// oneOf reports whether an option has the second of two values; the first is the default.
func oneOf(c *cli.Context, o systemOptions, name string, known ...string) (bool, error) {
	value := o.One(name)
	if value != "" && !slices.Contains(known, value) {
		return false, &cmdline.Error{Command: c.Command.Name, Text: fmt.Sprintf("%s: one of %s is needed", o.text(name), strings.Join(known, ", ")), Help: source.DidYouMean(value, known)}
	}
	return value == known[1], nil
}
