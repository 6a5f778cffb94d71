package programcmds

import (
	"fmt"
	"io"
	"slices"

	"github.com/urfave/cli/v2"

	"github.com/seltl/seltl/check"
	"github.com/seltl/seltl/check/programs"
	"github.com/seltl/seltl/cmd/seltl/internal/ask"
	"github.com/seltl/seltl/internal/cegar/certificate"
	"github.com/seltl/seltl/internal/cmdline"
	"github.com/seltl/seltl/internal/lists"
	"github.com/seltl/seltl/internal/source"
	"github.com/seltl/seltl/ltl"
	"github.com/seltl/seltl/program"
	"github.com/seltl/seltl/report"
	"github.com/seltl/seltl/smt"
)

// IsSystem reports whether a file is, by its name, a system that reach reads.
func IsSystem(name string) bool {
	return source.KindOf(name).System()
}

// ForSystems is what the flags of refinement are for, beside C.
const ForSystems = "models and C programs, not for systems (.gcl, .pl, .armc, .smt2)"

// verifyNotForSystems are the flags of verify that mean nothing for systems.
var verifyNotForSystems = slices.Concat(verifyNotForC, []string{"D", "I", "process", "data-model", "globals"}, EnvironmentChoices)

// VerifiesSystem is verify of a system.
func VerifiesSystem(c *cli.Context, s cmdline.Streams) error {
	if err := cmdline.OnlyFor(c, verifyNotForSystems, ForSystems); err != nil {
		return err
	}
	engine, err := cegarOptions(c)
	if err != nil {
		return err
	}
	opts, err := ask.VerifyOptions(c)
	if err != nil {
		return err
	}
	switch opts.Fair {
	case check.FairTransitions, check.FairChoice:
		return cmdline.Usagef(c, "--fair=%v is for models: of systems, commands can be fair (--fair=action, strong-action)", opts.Fair)
	}
	common, done, err := ask.Options(c, s)
	if err != nil {
		return err
	}
	defer done()
	sys, err := programs.LoadSystem(c.Args().First(), s.Open)
	if err != nil {
		return err
	}
	formulas, err := systemFormulas(c, s, sys)
	if err != nil {
		return err
	}
	if c.IsSet("certificate") && len(formulas) > 1 {
		return cmdline.Usagef(c, "--certificate is of one formula, not of %d (--property NAME chooses)", len(formulas))
	}
	pool := smt.Z3Pool(1, smt.Options{})
	defer pool.Close()
	opts.Options = common
	r, results, err := programs.VerifySystem(c.Context, sys, formulas, pool, opts, engine)
	done()
	if err != nil {
		return err
	}
	if err = ask.DrawFirst(c, r); err == nil && c.IsSet("draw-models") {
		err = drawModels(c.String("draw-models"), r, lists.Append(nil, results, (*programs.VerifiedSystem).Answer))
	}
	if err == nil {
		err = certifiesSystem(c, r, results)
	}
	if err != nil {
		return ask.Unwritten(c, s, r, err)
	}
	ShowMessages(c, s, r.Messages)
	return cmdline.Finish(c, s, r)
}

// systemFormulas are the formulas of the command line and of files, or those that the system declares.
func systemFormulas(c *cli.Context, s cmdline.Streams, sys *program.System) (all []programs.SystemFormula, err error) {
	given, err := formulasGiven(c, s, c.Args().Tail())
	if err != nil {
		return nil, err
	}
	for _, at := range given {
		all = append(all, programs.SystemFormula{At: at})
	}
	if names := c.StringSlice("property"); len(all) == 0 || len(names) > 0 {
		declared, err := programs.SystemFormulas(sys, names...)
		if err != nil {
			return nil, err
		}
		all = append(all, declared...)
	}
	if len(all) == 0 {
		return nil, &check.InputError{Code: "no-property", File: sys.Name,
			Text: fmt.Sprintf("%s: no property to verify: give a formula, such as \"F deadlock\", or declare one (ltl ENDS = F deadlock;)", sys.Name)}
	}
	return all, nil
}

// formulasGiven are the places of formulas of the command line and of files, whose syntax is right.
func formulasGiven(c *cli.Context, s cmdline.Streams, texts []string) (all []source.Span, err error) {
	var bad source.List
	for i, text := range texts {
		name := "<formula>"
		if len(texts) > 1 {
			name = fmt.Sprintf("<formula %d>", i+1)
		}
		src := source.NewFile(name, text)
		whole := src.Span(0, len(text))
		if err := ltl.CheckSyntax(whole, nil); err != nil {
			if err := ask.Collect(&bad, err); err != nil {
				return nil, err
			}
		}
		all = append(all, whole)
	}
	for _, name := range c.StringSlice("formula-file") {
		src, err := check.ReadSource(name, s.Open)
		if err != nil {
			return nil, err
		}
		located, err := ltl.ParseAll(src, ltl.ParseOptions{})
		if err != nil {
			if err := ask.Collect(&bad, err); err != nil {
				return nil, err
			}
		}
		for _, l := range located {
			all = append(all, l.Span)
		}
	}
	if len(bad) > 0 {
		return nil, bad
	}
	return all, nil
}

// systemChoices are what a certificate about a system says.
var systemChoices = append(slices.Clone(formulaChoices), "commands")

// allCommands is the choice that every command is an action.
const allCommands = "all"

// certifiesSystem writes the certificate that is asked for.
func certifiesSystem(c *cli.Context, r *report.Report, results []*programs.VerifiedSystem) error {
	name := c.String("certificate")
	if name == "" || len(r.Results) != 1 || r.Results[0].Verdict != report.Holds || results[0].Result == nil {
		return nil
	}
	chosen := systemOptions{"formula": {r.Results[0].Formula}}
	for _, name := range []string{"finite", "fair"} {
		if value := c.String(name); value != "" {
			chosen[name] = []string{value}
		}
	}
	if results[0].Visible {
		chosen["commands"] = []string{allCommands}
	}
	return cmdline.WriteFile(name, func(w io.Writer) error {
		return programs.WriteCertificate(w, &results[0].Result.Answer, certificate.Satisfaction, chosen)
	})
}

// checkCertificateSystem checks a certificate about a formula and a system.
func checkCertificateSystem(c *cli.Context, s cmdline.Streams, file string, src *source.File, header *certificate.Header, opts check.Options) error {
	if err := cmdline.OnlyFor(c, certifiedFlags, "certificates about errors and about C programs"); err != nil {
		return err
	}
	chosen, err := systemOptions{}.agree(c, header.Options, nil, systemChoices...)
	if err != nil {
		return err
	}
	q := &programs.CertifiedSystem{Visible: chosen.One("commands") == allCommands}
	if q.System, err = programs.LoadSystem(file, s.Open); err != nil {
		return err
	}
	if q.Formula, err = certifiedFormula(src.Name(), chosen, &q.Finite, &q.Fair); err != nil {
		return err
	}
	pool := smt.Z3Pool(1, smt.Options{})
	defer pool.Close()
	r, err := programs.CertificateSystem(c.Context, q, src.Reader(), pool, opts)
	if err != nil {
		return err
	}
	sayOptions(&r.Results[0], chosen)
	return cmdline.Finish(c, s, r)
}
