package check

import (
	"encoding/json"
	"testing"
)

// TestEnumerations: values are written and read as text, the zero value is what a name
// left out means, and what is no name is refused.
func TestEnumerations(t *testing.T) {
	type options struct {
		Fair Fairness
		By   Minimisation
	}
	for _, fair := range append(FairnessNames(), "") {
		for _, by := range MinimisationNames() {
			text := `{"Fair":"` + fair + `","By":"` + by + `"}`
			var o options
			if err := json.Unmarshal([]byte(text), &o); err != nil {
				t.Fatal(err)
			}
			if o.Fair.String() != fair || o.By.String() != by {
				t.Errorf("%s is read as %v", text, o)
			}
			if again, err := json.Marshal(o); err != nil || string(again) != text {
				t.Errorf("%s is written as %s, %v", text, again, err)
			}
		}
	}
	for _, text := range []string{`{"Fair":"any"}`, `{"By":""}`} {
		if json.Unmarshal([]byte(text), &options{}) == nil {
			t.Errorf("%s is accepted", text)
		}
	}
	if FairByKind.String() != "" || Unminimised.String() != "none" {
		t.Error("zero values")
	}
}
