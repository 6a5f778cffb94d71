package programcmds

import (
	"maps"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/seltl/seltl/armc"
	"github.com/seltl/seltl/c/encode"
	"github.com/seltl/seltl/check"
	"github.com/seltl/seltl/check/programs"
	"github.com/seltl/seltl/cmd/seltl/internal/ask"
	"github.com/seltl/seltl/internal/cegar/certificate"
	"github.com/seltl/seltl/internal/cmdline"
	"github.com/seltl/seltl/internal/source"
	"github.com/seltl/seltl/program"
	"github.com/seltl/seltl/report"
	"github.com/seltl/seltl/safety"
	"github.com/seltl/seltl/smt"
)

func CheckCertificateCommand(s cmdline.Streams) *cli.Command {
	return &cli.Command{
		Name:        "check-certificate",
		Usage:       "check a proof that another command wrote",
		ArgsUsage:   "FILE.. CERTIFICATE",
		Description: "Of reach: checks that the invariant holds initially, is kept by every command,\nand excludes all error states. Of C programs with a specification: that the\nabstractions of the components have all that these do, and that together they\nare what was asked; of systems with formulas likewise. It uses nothing of what\nfound the proof.\n\nEXAMPLES\n   seltl check-certificate specs/armc/ticket.gcl ticket.inv\n   seltl check-certificate specs/c/my_proc.c specs/c/my_proc.spec lock.proof",
		Flags:       cmdline.Concat([]cli.Flag{checkFlag(), rulesFlag()}, cFlags(), certifiedSpecFlags(), cmdline.LimitFlags(), cmdline.OutputFlags()),
		Action:      func(c *cli.Context) error { return checkCertificate(c, s) },
	}
}

// systemOptions are the options that say which system a file is, by their names: those of
// certifiedFlags.
type systemOptions map[string][]string

// certifiedFlags are options without which a certificate is one of another system.
var certifiedFlags = append([]string{"check", "rules", "property", "D", "entry", "data-model"}, EnvironmentChoices...)

// ChosenOptions are those that the command line has.
func ChosenOptions(c *cli.Context) systemOptions { return chosenFor(c, certifiedFlags) }

// chosenFor are some options that the command line has.
func chosenFor(c *cli.Context, names []string) systemOptions {
	o := systemOptions{}
	for _, name := range names {
		switch {
		case !c.IsSet(name):
		case name == "D" || name == "abstraction":
			o[name] = c.StringSlice(name)
		default:
			o[name] = []string{c.String(name)}
		}
	}
	return o
}

// One is the value of an option, "" if it is not chosen.
func (o systemOptions) One(name string) string {
	if len(o[name]) == 0 {
		return ""
	}
	return o[name][0]
}

func (o systemOptions) text(name string) string {
	if name == "D" {
		return "-D " + strings.Join(o[name], " -D ")
	}
	return "--" + name + "=" + o.One(name)
}

// agree returns the options of a certificate, which those of the command line may repeat, and
// may not contradict. Of a certificate that has none, written by hand, those of the command
// line count. It may have also, which are not said again.
func (o systemOptions) agree(c *cli.Context, made systemOptions, names []string, also ...string) (systemOptions, error) {
	if made == nil {
		return o, nil
	}
	known := slices.Concat(names, also)
	for _, name := range slices.Sorted(maps.Keys(made)) {
		switch several := name == "D" || name == "abstraction"; {
		case !slices.Contains(known, name):
			return nil, cmdline.Usagef(c, "the certificate has an option that has no meaning for it: %q", name)
		case len(made[name]) > 1 && !several:
			return nil, cmdline.Usagef(c, "the certificate has the option %q more than once", name)
		}
	}
	for _, name := range names {
		if len(o[name]) == 0 || slices.Equal(o[name], made[name]) {
			continue
		}
		with := "without it"
		if len(made[name]) > 0 {
			with = "with " + made.text(name)
		}
		return nil, cmdline.Usagef(c, "%s: the certificate was made %s; leave the option out", o.text(name), with)
	}
	return made, nil
}

// String lists the options as one writes them.
func (o systemOptions) String() string {
	var all []string
	for _, name := range slices.Compact(slices.Sorted(slices.Values(slices.Concat(certifiedFlags, specifiedChoices, formulaChoices[1:])))) {
		if len(o[name]) > 0 {
			all = append(all, o.text(name))
		}
	}
	return strings.Join(all, " ")
}

func checkCertificate(c *cli.Context, s cmdline.Streams) error {
	files := c.Args().Slice()
	if n := len(files); n < 2 || n > 2 && slices.ContainsFunc(files[:n-1], func(f string) bool { return !check.IsC(f) && !check.IsSpec(f) }) {
		return cmdline.Usagef(c, "a system and a certificate are needed, not %s", report.Counted(int64(n), "argument"))
	}
	if slices.ContainsFunc(files[:len(files)-1], check.IsSpec) {
		return checkCertificateC(c, s, files)
	}
	if err := cmdline.OnlyFor(c, specifiedOnly, ForCSpecified); err != nil {
		return err
	}
	opts, done, err := ask.Options(c, s)
	if err != nil {
		return err
	}
	defer done()
	files, name := files[:len(files)-1], files[len(files)-1]
	src, err := check.ReadSource(name, s.Open)
	if err != nil {
		return err
	}
	if len(files) == 1 && !strings.HasPrefix(src.Text(), summariesMark) && source.KindOf(files[0]).Query() && isModel(src.Text()) {
		return checkSolution(c, s, files[0], src, opts)
	}
	if strings.HasPrefix(src.Text(), summariesMark) {
		return checkSummaries(c, s, files, name, src.Text(), opts)
	}
	if header, err := certificate.ReadHeader(src.Reader()); err == nil && header != nil {
		if len(files) == 1 && IsSystem(files[0]) && header.Question == certificate.Satisfaction {
			return checkCertificateSystem(c, s, files[0], src, header, opts)
		}
		if header.Question == certificate.Satisfaction && !slices.ContainsFunc(files, func(f string) bool { return !check.IsC(f) }) {
			return checkCertificateC(c, s, c.Args().Slice())
		}
		return cmdline.Usagef(c, "%s is about components: the specification (.spec) is needed, too", name)
	}
	made, err := armc.CertificateOptions(src.Reader())
	if err != nil {
		return err
	}
	chosen, err := ChosenOptions(c).agree(c, made, certifiedFlags)
	if err != nil {
		return err
	}
	sys, enc, err := certified(c, s, files, chosen)
	if err != nil {
		return err
	}
	cert, err := armc.ReadCertificate(src.Reader(), sys)
	if err != nil {
		return err
	}
	pool := smt.Z3Pool(1, smt.Options{})
	defer pool.Close()
	solver, err := pool.Acquire(c.Context)
	if err != nil {
		return err
	}
	r := programs.Certificate(c.Context, sys, cert, solver, opts)
	pool.Release(solver)
	if enc != nil {
		if err := sayNoRun(c, &r.Results[0], enc, pool, opts); err != nil {
			return err
		}
		programs.RestsOn(r, enc, opts)
	}
	sayOptions(&r.Results[0], chosen)
	return cmdline.Finish(c, s, r)
}

// isModel reports a text that begins as a solution does, or the answer of a solver.
func isModel(text string) bool {
	text = strings.TrimSpace(text)
	return strings.HasPrefix(text, "(") || strings.HasPrefix(text, "sat") || strings.HasPrefix(text, ";")
}

// checkSolution checks a solution of clauses.
func checkSolution(c *cli.Context, s cmdline.Streams, name string, solution *source.File, opts check.Options) error {
	q, err := programs.LoadQuery(name, s.Open)
	if err != nil {
		return ask.OtherKind(c, err)
	}
	solver, err := smt.NewZ3(smt.Options{})
	if err != nil {
		return err
	}
	defer solver.Close()
	r, err := programs.Solution(c.Context, q, solution, solver, opts)
	if err != nil {
		return err
	}
	return cmdline.Finish(c, s, r)
}

// sayOptions says with which options a certificate was made: it is about the program that they make.
func sayOptions(result *report.Result, chosen systemOptions) {
	if text := chosen.String(); text != "" {
		result.Assumptions = append(result.Assumptions, "the options "+text)
	}
}

// sayNoRun says of an accepted proof if it rests on there being no run.
func sayNoRun(c *cli.Context, result *report.Result, enc *encode.Encoding, pool *smt.Pool, opts check.Options) (err error) {
	if result.Verdict == report.Holds {
		result.NoRun, err = safety.NoRun(c.Context, enc, pool, armc.Options{Limits: opts.Limits})
	}
	return err
}

// certified is the system that a certificate is about: of a C program, the one over
// machine words, and its encoding.
func certified(c *cli.Context, s cmdline.Streams, files []string, chosen systemOptions) (*program.System, *encode.Encoding, error) {
	if !check.IsC(files[0]) {
		sys, err := loadSystemAs(c, s, chosen)
		return sys, nil, err
	}
	prog, err := LoadCAs(c, s, files, chosen)
	if err != nil {
		return nil, nil, err
	}
	enc, err := encode.EncodeContext(c.Context, prog, chosen.One("entry"))
	if err != nil {
		return nil, nil, err
	}
	return enc.Words, enc, nil
}
