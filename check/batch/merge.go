package batch

import (
	"errors"
	"io/fs"

	"github.com/seltl/seltl/report"
)

// Merge makes one report of the results that a folder has of a plan: in the order of the
// plan, so that it does not matter who found them. A unit without a result, or whose result
// is damaged, is missing, and counts as unknown. The error is that of reading.
func (f *Folder) Merge(p *Plan) (*report.Batch, error) {
	b := &report.Batch{Version: p.Build, Command: "batch", Lists: p.Lists, Units: make([]report.BatchUnit, len(p.Units))}
	for i, planned := range p.Units {
		u := &b.Units[i]
		*u = report.BatchUnit{Unit: planned.Text, At: planned.At, Group: planned.Group, Key: planned.Key}
		result, err := f.Result(planned.Key)
		var damaged *Damaged
		switch {
		case err == nil:
			u.Report = result.Report
			judge(u, planned.Expect)
		case errors.Is(err, fs.ErrNotExist):
			u.Missing = true
		case errors.As(err, &damaged):
			u.Missing = true
			b.Messages = append(b.Messages, report.Message{Severity: "warning", Code: "damaged-result", File: damaged.File, Text: damaged.Error() + "; it is not used, and written anew when the unit is done again"})
		default:
			return nil, err
		}
		if u.Missing {
			u.Exit = report.ExitUnknown
		}
		b.Counts.Count(u)
		b.Exit = report.Worst(b.Exit, u.Exit)
	}
	b.Groups = groups(b.Units)
	return b, nil
}

// judge fills in the exit status of a unit: what the list expects of it goes before what
// the question's own status is.
func judge(u *report.BatchUnit, expect string) {
	u.Exit = u.Report.Exit
	u.Expected = report.Expected(expect)
	if u.Expected == "" || u.Exit != report.ExitHolds && u.Exit != report.ExitViolated {
		return
	}
	as := u.Expected.Exit() == u.Exit
	u.AsExpected = &as
	if u.Exit = report.ExitViolated; as {
		u.Exit = report.ExitHolds
	}
}

// groups sums up the groups, in the order of their first units.
func groups(units []report.BatchUnit) (all []report.BatchGroup) {
	at := map[string]int{}
	for i := range units {
		u := &units[i]
		if u.Group == "" {
			continue
		}
		n, ok := at[u.Group]
		if !ok {
			n = len(all)
			at[u.Group] = n
			all = append(all, report.BatchGroup{Name: u.Group, First: -1})
		}
		g := &all[n]
		g.Units++
		g.Exit = report.Worst(g.Exit, u.Exit)
		if u.Missing {
			g.Missing++
			continue
		}
		for _, res := range u.Report.Results {
			if res.Verdict == report.Violated && g.First < 0 {
				g.First = i
			}
			if res.Lossy != nil {
				cover(g, res.Lossy.Coverage)
			}
		}
	}
	return all
}

// cover notes how much a search has explored.
func cover(g *report.BatchGroup, share float64) {
	if g.Coverage == nil {
		g.Coverage = &[2]float64{share, share}
	}
	g.Coverage[0], g.Coverage[1] = min(g.Coverage[0], share), max(g.Coverage[1], share)
}
