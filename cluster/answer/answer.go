// Package answer turns what a distributed search found into the report that the tool
// prints of every search.
package answer

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/seltl/seltl/check"
	"github.com/seltl/seltl/cluster/job"
	"github.com/seltl/seltl/cluster/search"
	"github.com/seltl/seltl/lks"
	"github.com/seltl/seltl/report"
)

// Report makes the report of a job that has ended. The result is nil if there is none. An
// error is one of seltl's own: a run that cannot be shown.
func Report(c *search.Compiled, r *job.Record, res *search.Result) (*report.Report, error) {
	q := c.Task.Question
	one := report.Result{Kind: kindOf(q.Kind), Name: q.Property, Formula: q.Formula, Verdict: report.Unknown}
	if c.Formula != nil && one.Formula == "" {
		one.Formula = c.Formula.String()
	}
	if q.Kind == search.Reach { // what holds where it is not, in the words of seltl reach
		one.Formula = fmt.Sprintf("no state with %s is reachable", one.Formula)
	}
	out := &report.Report{Schema: report.Schema, Command: "cluster", Model: c.Model.Describe(), Exit: report.ExitUnknown}
	out.Messages = check.Messages(c.Model.Warnings())
	switch {
	case r.Outcome.Ending == job.Refused: // nothing was asked
		out.Messages = append(out.Messages, report.Message{Severity: "error", Code: "refused", Text: r.Outcome.Reason})
		out.Results, out.Exit = []report.Result{}, report.ExitInput
		return out, nil
	case res != nil:
		if err := fill(&one, c, res); err != nil {
			return nil, err
		}
		if one.Expected = c.Expect; q.Kind == search.Deadlock {
			c.Model.ExpectReached(&one)
		}
		if r.Outcome.Ending == job.Cancelled && one.Verdict == report.Unknown {
			one.Reason = r.Outcome.Reason
		}
		out.Exit = check.Judge(&one, one.Verdict.Exit())
	default:
		o := r.Outcome
		one.Reason = o.Reason
		one.Statistics = &report.Statistics{States: report.NewCount(o.Explored.States), Transitions: report.NewCount(o.Explored.Transitions), Depth: o.Explored.Round,
			Method: "distributed, " + report.Counted(int64(r.Options.Workers), "worker"), SearchSeconds: seconds(r)}
		if o.Ending == job.Failed {
			out.Exit = report.ExitInternal
		}
	}
	if one.Statistics != nil {
		one.Statistics.SearchSeconds = seconds(r)
	}
	if n := len(r.Faults); n > 0 && one.Verdict != report.Unknown {
		if one.Note != "" {
			one.Note += "; "
		}
		one.Note += fmt.Sprintf("%s ended before, the last one because: %s", report.Counted(int64(n), "attempt"), r.Faults[n-1].Text)
	}
	out.Results = []report.Result{one}
	return out, nil
}

func seconds(r *job.Record) float64 {
	if r.Started.IsZero() || r.Ended.Before(r.Started) {
		return 0
	}
	return r.Ended.Sub(r.Started).Seconds()
}

// kindOf is what reports call a question.
func kindOf(k search.Kind) string {
	if k == search.Error {
		return "safety"
	}
	return k.String()
}

// fill says what was found.
func fill(one *report.Result, c *search.Compiled, res *search.Result) error {
	one.Verdict, one.Reason = res.Verdict, res.Reason
	one.Statistics = &report.Statistics{States: report.NewCount(res.States), Transitions: report.NewCount(res.Transitions), Depth: res.Depth,
		Method: "distributed, " + report.Counted(int64(len(res.Workers)), "worker")}
	if c.Task.Question.Kind == search.LTL && res.FiniteMet {
		one.Assumptions = append(one.Assumptions, check.FiniteText(c.Task.Question.Finite))
	}
	if c.Task.Question.Kind == search.Count {
		one.Note = fmt.Sprintf("%s, %s, %s, %s", report.Counted(res.Deadlocks, "deadlock"), report.Counted(res.Ends, "END state"),
			report.Counted(res.Errors, "state")+" in error", report.Counted(res.Depth, "level"))
	}
	if res.Run == nil {
		return nil
	}
	switch c.Task.Question.Kind {
	case search.Deadlock:
		ce, err := check.ExplainDeadlock(c.Net, res.Run)
		if err != nil {
			return err
		}
		one.Counterexample = ce
	default:
		run := res.Run
		if res.Prefix != nil {
			run = res.Prefix.Run
		}
		one.Counterexample = c.Model.Shown(c.Net, run)
		if last := &run.Last; len(run.Loop) == 0 && last.Kind != lks.Normal {
			one.Counterexample.End = check.EndOf(last.Kind)
		}
		if res.Prefix != nil {
			one.Counterexample.Bad = &report.Bad{State: run.Len(), Why: res.Prefix.Why.String()}
		}
	}
	return nil
}

// Table writes what each worker did, for people: of a job that has ended, with its result.
func Table(w io.Writer, r *job.Record, res *search.Result) error {
	var b strings.Builder
	total := time.Duration(0)
	fmt.Fprintf(&b, "%6s %12s %14s %12s %10s %9s %8s %8s  %s\n", "worker", "states", "expanded", "sent", "sent MB", "batches", "waiting", "memory", "where")
	slowest, least, most, sum, sentBytes, sentStates, routed, transitions := -1, 2.0, int64(0), int64(0), int64(0), int64(0), int64(0), int64(0)
	for i := range res.Workers {
		k := &res.Workers[i]
		waiting := 0.0
		if k.Elapsed > 0 {
			waiting = k.Phases.Wait.Seconds() / k.Elapsed.Seconds()
		}
		if waiting < least {
			slowest, least = i, waiting
		}
		where := ""
		if i < len(r.Outcome.Workers) {
			p := r.Outcome.Workers[i]
			where = fmt.Sprintf("%s, process %d%s", p.Host, p.PID, troubles(p))
		}
		most, sum, sentBytes, sentStates = max(most, k.States), sum+k.States, sentBytes+k.SentBytes, sentStates+k.Sent
		routed, transitions = routed+k.Routed, transitions+k.Transitions
		total = max(total, k.Elapsed)
		fmt.Fprintf(&b, "%6d %12d %14d %12d %10.1f %9d %7.0f%% %7.0fM  %s\n", i, k.States, k.Expanded, k.Sent, float64(k.SentBytes)/1e6, k.Payloads,
			100*waiting, float64(k.Memory)/(1<<20), where)
	}
	if sum > 0 && total > 0 {
		fmt.Fprintf(&b, "imbalance %.2f, %.0f states/s, %.2f bytes sent per state, %.2f states sent per state", float64(most)*float64(len(res.Workers))/float64(sum),
			float64(sum)/total.Seconds(), float64(sentBytes)/float64(sum), float64(sentStates)/float64(sum))
		if transitions > 0 {
			fmt.Fprintf(&b, ", %.0f%% of successors sent", 100*float64(sentStates)/float64(transitions))
		}
		b.WriteString("\n")
	}
	phases(&b, res)
	if len(res.Workers) > 1 && slowest >= 0 {
		fmt.Fprintf(&b, "worker %d waits least: the others wait for it\n", slowest)
	}
	for _, f := range r.Faults {
		fmt.Fprintf(&b, "attempt %d ended: %s\n", f.Epoch, f.Text)
	}
	if res.Resumed >= 0 {
		fmt.Fprintf(&b, "the last attempt went on from round %d\n", res.Resumed)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// phases says where the time of all workers went.
func phases(b *strings.Builder, res *search.Result) {
	var sum search.Phases
	for i := range res.Workers {
		p := &res.Workers[i].Phases
		sum.Expand += p.Expand
		sum.Route += p.Route
		sum.Store += p.Store
		sum.Encode += p.Encode
		sum.Take += p.Take
		sum.Wait += p.Wait
		sum.Checkpoint += p.Checkpoint
	}
	parts := []struct {
		name string
		time time.Duration
	}{{"expand", sum.Expand}, {"route", sum.Route}, {"store", sum.Store}, {"encode", sum.Encode}, {"take", sum.Take}, {"wait", sum.Wait}, {"checkpoint", sum.Checkpoint}}
	var texts []string
	for _, p := range parts {
		if p.time > 0 {
			texts = append(texts, fmt.Sprintf("%s %.2fs", p.name, p.time.Seconds()))
		}
	}
	if len(texts) > 0 {
		fmt.Fprintf(b, "time of all workers: %s\n", strings.Join(texts, ", "))
	}
}

// troubles says what the network did to a worker.
func troubles(p job.Part) string {
	var texts []string
	add := func(n int64, what string) {
		if n > 0 {
			texts = append(texts, fmt.Sprintf("%d %s", n, what))
		}
	}
	add(p.Fabric.Resent, "sent again")
	add(p.Fabric.Duplicates, "received twice")
	refused := int64(0)
	for _, n := range p.Fabric.Refused {
		refused += n
	}
	add(refused, "refused")
	if len(texts) == 0 {
		return ""
	}
	slices.Sort(texts)
	return " (messages: " + strings.Join(texts, ", ") + ")"
}
