package report

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// A unit of each kind.
func sampleBatch() *Batch {
	yes, no := true, false
	one := func(v Verdict, exit int) *Report {
		return &Report{Schema: Schema, Version: "v", Command: "verify", Results: []Result{{Kind: "ltl", Formula: "G p", Verdict: v}}, Exit: exit}
	}
	lossy := one(Unknown, ExitUnknown)
	lossy.Results[0].Lossy, lossy.Results[0].Reason = &Lossy{Store: "bitstate", Coverage: 0.75}, "it can miss states"
	several := one(Holds, ExitHolds)
	several.Results = append(several.Results, Result{Kind: "deadlock", Verdict: Violated, Expected: Violated, AsExpected: &yes})
	b := &Batch{Version: "v", Command: "batch", Lists: []string{"work.list"}, Exit: ExitInternal, Redo: "seltl batch work.list", Units: []BatchUnit{
		{Unit: "a", Key: "0", Report: one(Holds, ExitHolds)},
		{Unit: "b", Key: "1", At: "work.list:7", Missing: true, Exit: ExitUnknown},
		{Unit: "c", Key: "2", Report: one(Violated, ExitViolated), Expected: Violated, AsExpected: &yes},
		{Unit: "d", Key: "3", Report: one(Holds, ExitHolds), Exit: ExitViolated, Expected: Violated, AsExpected: &no, Group: "g"},
		{Unit: "e", Key: "4", Report: lossy, Exit: ExitUnknown, Group: "g"},
		{Unit: "f", Key: "5", Report: several},
		{Unit: "g", Key: "6", Report: &Report{Results: []Result{}, Exit: ExitInput, Messages: []Message{{Severity: "error", Text: "no", File: "m.lks", Line: 2, Column: 3}, {Severity: "warning", Text: "aside"}}}, Exit: ExitInput},
		{Unit: "h", Key: "7", Report: &Report{Results: []Result{}, Exit: ExitInternal}, Exit: ExitInternal},
		{Unit: "i", Key: "8", Report: &Report{Results: []Result{}, Exit: ExitUnknown}, Exit: ExitUnknown},
	}, Groups: []BatchGroup{{Name: "g", Units: 2, Exit: ExitViolated, First: -1, Coverage: &[2]float64{0.5, 0.75}}},
		Messages: []Message{{Severity: "warning", Text: "damaged"}}}
	for i := range b.Units {
		b.Counts.Count(&b.Units[i])
	}
	return b
}

func TestBatchText(t *testing.T) {
	var out bytes.Buffer
	if err := sampleBatch().Text(&out, TextOptions{}, false); err != nil {
		t.Fatal(err)
	}
	want := `HOLDS              a
MISSING            b   (work.list:7)
FAILS              c   [as expected]
HOLDS              d   [expected: FAILS]
NO VIOLATION FOUND e
        because: it can miss states
DEADLOCK           f   [as expected]
        HOLDS    ltl       G p
        DEADLOCK deadlock     [as expected]
WRONG              g
        m.lks:2:3: no
BUG                h
UNKNOWN            i

group g: 2 units, not as it should be; each explored 50.0000 to 75.0000 % of the states that it met
what is missing is done by: seltl batch work.list
warning: damaged
9 units, 3 as it should be, 1 not as it should be, 2 unknown, 1 with wrong input, 1 with an internal error, 1 without a result
`
	if d := cmp.Diff(want, out.String()); d != "" {
		t.Error(d)
	}
	out.Reset()
	if err := sampleBatch().Text(&out, TextOptions{Quiet: true}, false); err != nil || strings.Count(out.String(), "\n") != 3 {
		t.Errorf("%v: %s", err, out.String())
	}
	out.Reset()
	if err := sampleBatch().Text(&out, TextOptions{Color: true}, true); err != nil || !strings.Contains(out.String(), "\x1b[1;33mMISSING") || !strings.Contains(out.String(), "\x1b[1;31mHOLDS             \x1b[0m d") || strings.Count(out.String(), "G p") != 3 {
		t.Errorf("%v: %q", err, out.String())
	}
}

func TestBatchJSON(t *testing.T) {
	var out bytes.Buffer
	b := sampleBatch()
	if err := b.JSON(&out); err != nil {
		t.Fatal(err)
	}
	var back Batch
	if err := json.Unmarshal(out.Bytes(), &back); err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(b, &back); d != "" {
		t.Error(d)
	}
}
