package report

import "strings"

// inWords are the kinds of results whose formula is a sentence.
var inWords = map[string]bool{"reach": true, "deadlock": true, "conform": true, "clp": true, "livelock": true, "certificate": true}

// positive says what a sentence denies.
var positive = strings.NewReplacer("no failure is", "a failure is", "no cycle of", "there is a cycle of", "model could not be", "model can be")

// Asked is the formula as it stands behind a verdict. Of a sentence that is not decided it is what
// was asked, since "UNKNOWN: no failure is reachable" reads like a proof.
func (res *Result) Asked() string {
	if res.Verdict != Unknown || !inWords[res.Kind] || res.Formula == "" {
		return res.Formula
	}
	return "whether " + positive.Replace(res.Formula)
}
