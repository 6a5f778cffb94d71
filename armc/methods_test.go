package armc

import "testing"

// TestTechniques: every method has one, and its name.
func TestTechniques(t *testing.T) {
	if len(techniques) != len(methods.List()) {
		t.Fatalf("%d techniques of %d methods", len(techniques), len(methods.List()))
	}
	for m, technique := range techniques {
		if (technique.run == nil) != (Method(m) == Auto) {
			t.Errorf("%s is run by nothing", Method(m))
		}
	}
}
