package programcmds

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/seltl/seltl/cmd/seltl/internal/ask"

	"github.com/seltl/seltl/internal/cmdline"

	"github.com/urfave/cli/v2"

	"github.com/seltl/seltl/c/cfront"
	"github.com/seltl/seltl/c/encode"
	"github.com/seltl/seltl/check"
	"github.com/seltl/seltl/check/programs"
	"github.com/seltl/seltl/clp"
	"github.com/seltl/seltl/internal/c/relations"
	"github.com/seltl/seltl/report"
	"github.com/seltl/seltl/safety"
	"github.com/seltl/seltl/smt"
)

// calls is how routines that a program calls are seen.
type calls uint8

const (
	autoCalls   calls = iota // inlined, or by relations where that is not possible
	inlineCalls              // inlined
	relateCalls              // by relations
)

// callsOf reads --calls and --method.
func callsOf(c *cli.Context) (how calls, m clp.Method, err error) {
	names := []string{"auto", "inline", "relations"}
	how = calls(len(names))
	for i, name := range names {
		if c.String("calls") == name {
			how = calls(i)
		}
	}
	if int(how) == len(names) {
		return how, m, cmdline.NoChoice(c, "calls", names)
	}
	return how, m, cmdline.Choose(c, "method", &m, clp.ARMC.String())
}

// encodedC encodes a program with its calls inlined, or by routines.
func encodedC(c *cli.Context, p *cfront.Program, how calls) (*encode.Encoding, error) {
	if how == relateCalls {
		return encode.EncodeApart(c.Context, p, c.String("entry"), true)
	}
	enc, err := encode.EncodeContext(c.Context, p, c.String("entry"))
	if how == autoCalls && (encode.IsRecursive(err) || encode.IsTooLarge(err)) {
		return encode.EncodeApart(c.Context, p, c.String("entry"), false)
	}
	return enc, err
}

// reachRoutines is reach of a C program whose routines are not all inlined.
func reachRoutines(c *cli.Context, s cmdline.Streams, done func(), enc *encode.Encoding, opts check.Options, m clp.Method, how safety.Integers) error {
	rounds, err := maxRounds(c)
	if err != nil {
		done()
		return err
	}
	pool := smt.Z3Pool(2, smt.Options{})
	defer pool.Close()
	r, res, err := programs.ReachRoutines(c.Context, enc, pool, opts, clp.Options{Method: m, Rounds: rounds}, how)
	done()
	if err != nil {
		return err
	}
	if name := c.String("certificate"); name != "" && r.Exit == report.ExitHolds {
		if res.Summaries == nil {
			r.Messages = append(r.Messages, report.Message{Severity: "warning", Code: "c-certificate", Text: "--certificate: none is written, since the proof is not one for machine words"})
		} else {
			chosen := ChosenOptions(c)
			chosen["data-model"] = []string{enc.Program.Model.String()}
			if err := cmdline.WriteFile(name, func(w io.Writer) error { return writeSummaries(w, res, chosen, c.String("calls") == "relations") }); err != nil {
				return ask.Unwritten(c, s, r, err)
			}
		}
	}
	if name := c.String("harness"); name != "" && res.Run != nil {
		var no *cfront.NoHarness
		if err := cmdline.WriteFile(name, res.Run.WriteHarness); errors.As(err, &no) {
			r.Messages = append(r.Messages, report.Message{Severity: "warning", Code: "c-harness", Text: "--harness: " + no.Error()})
		} else if err != nil {
			return ask.Unwritten(c, s, r, err)
		}
	}
	ShowMessages(c, s, r.Messages)
	return cmdline.Finish(c, s, r)
}

// summariesMark begins a certificate that has relations for routines; the options with which
// it was made follow.
const summariesMark = "; seltl relations "

type summariesHeader struct {
	Options systemOptions `json:"options"`
	All     bool          `json:"all"` // what --calls=relations keeps apart
}

// writeSummaries writes what a proof says of each routine, over machine words.
func writeSummaries(w io.Writer, res *safety.RoutinesAnswer, chosen systemOptions, all bool) error {
	header, err := json.Marshal(summariesHeader{chosen, all})
	if err != nil {
		return err
	}
	if _, err := fmt.Fprintf(w, "%s%s\n", summariesMark, header); err != nil {
		return err
	}
	return res.Relations.Words.WriteSolution(w, res.Summaries)
}

// checkSummaries checks a certificate that has relations for routines: the clauses are made
// of the program again, and each is checked.
func checkSummaries(c *cli.Context, s cmdline.Streams, files []string, name, text string, opts check.Options) error {
	line, err := bufio.NewReader(strings.NewReader(text)).ReadString('\n')
	var header summariesHeader
	if err != nil || json.Unmarshal([]byte(strings.TrimPrefix(line, summariesMark)), &header) != nil {
		return cmdline.Usagef(c, "%s: its first line is not that of a certificate", name)
	}
	chosen, err := ChosenOptions(c).agree(c, header.Options, certifiedFlags)
	if err != nil {
		return err
	}
	prog, err := LoadCAs(c, s, files, chosen)
	if err != nil {
		return err
	}
	enc, err := encode.EncodeApart(c.Context, prog, chosen.One("entry"), header.All)
	if err != nil {
		return err
	}
	rel, err := relations.Of(c.Context, enc, true)
	if err != nil {
		return err
	}
	solution, err := rel.Words.ParseSolutionText(name, text)
	if err != nil {
		return err
	}
	solver, err := smt.NewZ3(smt.Options{})
	if err != nil {
		return err
	}
	defer solver.Close()
	r := programs.Summaries(c.Context, rel, solution, solver, opts)
	pool := smt.Z3Pool(1, smt.Options{})
	defer pool.Close()
	if err := sayNoRun(c, &r.Results[0], enc, pool, opts); err != nil {
		return err
	}
	sayOptions(&r.Results[0], chosen)
	return cmdline.Finish(c, s, r)
}
