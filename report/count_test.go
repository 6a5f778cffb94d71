package report

import (
	"bytes"
	"encoding/json"
	"math"
	"math/big"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// TestCount: numbers beyond an int64 are printed, written and read with all digits.
func TestCount(t *testing.T) {
	large := new(big.Int).Exp(big.NewInt(10), big.NewInt(100), nil) // 100 components of 10 states
	edge := big.NewInt(math.MaxInt64)
	beyond := new(big.Int).Add(edge, big.NewInt(1))
	for _, c := range []struct {
		count        Count
		text, states string
		digits       string
	}{
		{Count{}, "0", "0 states", "0"},
		{NewCount(1), "1", "1 state", "1"},
		{NewCount(999), "999", "999 states", "999"},
		{NewCount(1684802), "1,684,802", "1,684,802 states", "1684802"},
		{BigCount(big.NewInt(1)), "1", "1 state", "1"},
		{BigCount(edge), "9,223,372,036,854,775,807", "9,223,372,036,854,775,807 states", "9223372036854775807"},
		{BigCount(beyond), "9,223,372,036,854,775,808", "9,223,372,036,854,775,808 states", "9223372036854775808"},
		{BigCount(large), "10" + strings.Repeat(",000", 33), "10" + strings.Repeat(",000", 33) + " states", "1" + strings.Repeat("0", 100)},
	} {
		if c.count.String() != c.text || c.count.Of("state") != c.states {
			t.Errorf("%s, %s; want %s, %s", c.count, c.count.Of("state"), c.text, c.states)
		}
		b, err := json.Marshal(c.count)
		if err != nil || string(b) != c.digits {
			t.Errorf("JSON of %s: %s, %v", c.text, b, err)
		}
		var back Count
		if err := json.Unmarshal(b, &back); err != nil || !back.Equal(c.count) || back.IsZero() != (c.digits == "0") {
			t.Errorf("%s is read as %s, %v", b, back, err)
		}
	}
	if f := BigCount(large).Float(); math.Abs(f/1e100-1) > 1e-9 || NewCount(7).Float() != 7 {
		t.Errorf("rounded to %g", f)
	}
	for _, wrong := range []string{"-1", "1.5", `"1"`, "null"} {
		if err := json.Unmarshal([]byte(wrong), new(Count)); err == nil {
			t.Errorf("%s is read", wrong)
		}
	}
}

// TestLargeReport has a report with as many states as 100 components of 10 states have
// together, in all forms.
func TestLargeReport(t *testing.T) {
	states := BigCount(new(big.Int).Exp(big.NewInt(10), big.NewInt(100), nil))
	r := &Report{Command: "deadlock", Results: []Result{{
		Kind: "deadlock", Verdict: Holds,
		Statistics: &Statistics{States: states, Transitions: states, ModelStates: states, SearchSeconds: time.Second.Seconds()},
		Profile:    &Profile{States: states, Transitions: states, TableBytes: 1000, Phases: []Phase{}},
	}}}
	digits := "10" + strings.Repeat(",000", 33)
	var b bytes.Buffer
	if err := r.Text(&b, TextOptions{}); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{digits + " states, " + digits + " transitions; 1.0 s", digits + ", 1.00 per state", "0.0 bytes per state"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %q in\n%s", want, &b)
		}
	}
	b.Reset()
	if err := r.JSON(&b); err != nil {
		t.Fatal(err)
	}
	if err := compileSchema(t).Validate(decode(t, b.String())); err != nil {
		t.Error(err)
	}
	var back Report
	if err := json.Unmarshal(b.Bytes(), &back); err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(r, &back); d != "" {
		t.Errorf("JSON loses something (-want +got):\n%s", d)
	}
	b.Reset()
	if err := (Figures{{Name: "states", Value: states, Field: "states", JSON: states}}).JSON(&b); err != nil || !strings.Contains(b.String(), "1"+strings.Repeat("0", 100)) {
		t.Errorf("%s, %v", &b, err)
	}
	b.Reset()
	if err := (Figures{{Name: "states", Value: states}}).Text(&b, 0); err != nil || !strings.Contains(b.String(), digits) {
		t.Errorf("%s, %v", &b, err)
	}
}
