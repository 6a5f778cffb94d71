package check

import (
	"encoding"
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/seltl/seltl/armc"
	"github.com/seltl/seltl/buchi"
	"github.com/seltl/seltl/conform"
	"github.com/seltl/seltl/conform/equivalence"
	"github.com/seltl/seltl/deadlock"
	"github.com/seltl/seltl/internal/predabs"
	"github.com/seltl/seltl/internal/program/facts"
	"github.com/seltl/seltl/lks/explore"
	"github.com/seltl/seltl/ltl"
	"github.com/seltl/seltl/product"
)

// enumerations has an example of everything that is chosen by name.
type enumerations struct {
	Fair         Fairness
	Minimisation Minimisation
	Finite       product.FiniteRuns
	Emptiness    product.Emptiness
	Fairness     product.Fairness
	POR          product.POR
	Reduce       product.Reduce
	Store        explore.Store
	Deadlock     deadlock.Method
	Conform      conform.Method
	Preorder     conform.Preorder
	Silent       conform.Silent
	Relation     equivalence.Relation
	Armc         armc.Method
	Abstraction  armc.Abstraction
	Refinement   predabs.Refinement
	Facts        facts.Domain
	Acceptance   buchi.Acceptance
	Preference   buchi.Preference
	Level        buchi.Level
	Syntax       ltl.Syntax
}

// enumeration is a pointer to a field of enumerations.
type enumeration interface {
	encoding.TextMarshaler
	encoding.TextUnmarshaler
	String() string
	Names() []string
}

// TestEnumerations: values are written and read as text, all names are those of different
// values, what is no name is refused with a list of all, and where the tool can choose, it
// does so unless it is told.
func TestEnumerations(t *testing.T) {
	var all enumerations
	for i := range reflect.TypeFor[enumerations]().NumField() {
		field := reflect.TypeFor[enumerations]().Field(i).Name
		value := reflect.ValueOf(&all).Elem().Field(i).Addr().Interface().(enumeration)
		if at := slices.Index(value.Names(), "auto"); at > 0 {
			t.Errorf("%s: auto is number %d", field, at)
		}
		if value.String() != value.Names()[0] {
			t.Errorf("%s: zero is %v, not %s", field, value, value.Names()[0])
		}
		for _, name := range value.Names() {
			text := `"` + name + `"`
			if err := json.Unmarshal([]byte(text), value); err != nil {
				t.Fatal(err)
			}
			if again, err := json.Marshal(value); value.String() != name || string(again) != text || err != nil {
				t.Errorf("%s: %s is read as %v, and written as %s, %v", field, text, value, again, err)
			}
		}
		for _, name := range []string{"", "any"} {
			err := value.UnmarshalText([]byte(name))
			if err == nil || !strings.Contains(err.Error(), strings.Join(value.Names(), ", ")) {
				t.Errorf("%s: %q: %v", field, name, err)
			}
		}
	}
}
