package programcmds

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/seltl/seltl/c/encode"
	"github.com/seltl/seltl/check"
	"github.com/seltl/seltl/check/programs"
	"github.com/seltl/seltl/clp"
	"github.com/seltl/seltl/internal/c/relations"
	"github.com/seltl/seltl/internal/cmdline"
	"github.com/seltl/seltl/report"
	"github.com/seltl/seltl/safety"
	"github.com/seltl/seltl/smt"
)

// routines decides a program whose routines are not all inlined.
func (a *askedC) routines(found *foundC) (*report.Report, error) {
	c := a.c
	rounds, err := maxRounds(c)
	if err != nil {
		return nil, err
	}
	pool := smt.Z3Pool(2, smt.Options{})
	defer pool.Close()
	r, res, err := programs.ReachRoutines(c.Context, found.enc, pool, a.opts, clp.Options{Method: a.method, Rounds: rounds}, a.integers)
	a.done()
	if err != nil {
		return nil, err
	}
	found.run = res.Run
	if name := c.String("certificate"); name != "" && r.Exit == report.ExitHolds {
		if res.Summaries == nil {
			r.Messages = append(r.Messages, numbersOnly)
		} else {
			chosen := a.certified(found.enc)
			return r, cmdline.WriteFile(name, func(w io.Writer) error { return writeSummaries(w, res, chosen, c.String("calls") == "relations") })
		}
	}
	return r, nil
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
