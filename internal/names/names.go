// Package names gives the values of enumerations their texts: an enumeration has a Table
// beside its constants, and its String, MarshalText, UnmarshalText and Names ask that.
//
// # Decisions
//
// Options speak one dialect. What is chosen by name is an enumeration with a table of texts beside its
// constants (internal/names), which is all that its String, MarshalText, UnmarshalText and Names use: what
// flags, JSON and messages call a value is written once, and a wrong name is answered with all right ones.
// The zero value is the automatic choice where there is one: Auto, no workers said, no size said. What one
// would pass on as a whole is a group, embedded (product.Search, product.Reductions, explore.Resources):
// fields are set as before, check hands groups on, and no struct has fields that its function does not
// read. armc.Options and deadlock.Options stay flat: their groups would be of three fields. What only tests
// change is an argument of the function below the exported one.
package names

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/seltl/seltl/internal/source"
)

// Table has the texts of the values 0, 1, ... of an enumeration.
type Table[T ~int | ~uint8] struct {
	what  string
	texts []string
}

// Of returns a table; what is what messages call a value: "method".
func Of[T ~int | ~uint8](what string, texts ...string) Table[T] { return Table[T]{what, texts} }

// String returns the text of a value; of a number that is none, such as 7, "method 7".
func (t Table[T]) String(value T) string {
	if value < 0 || int(value) >= len(t.texts) {
		return fmt.Sprintf("%s %d", t.what, value)
	}
	return t.texts[value]
}

// Marshal returns the text of a value, for encoding.TextMarshaler.
func (t Table[T]) Marshal(value T) ([]byte, error) {
	if value < 0 || int(value) >= len(t.texts) {
		return nil, fmt.Errorf("there is no %s %d", t.what, value)
	}
	return []byte(t.texts[value]), nil
}

// Unmarshal sets *to to the value with that text, for encoding.TextUnmarshaler. If there is
// none the error lists all.
func (t Table[T]) Unmarshal(text []byte, to *T) error {
	i := slices.Index(t.texts, string(text))
	if i < 0 {
		message := fmt.Sprintf("unknown %s %q: one of %s is needed", t.what, text, strings.Join(t.texts, ", "))
		if help := source.DidYouMean(string(text), t.texts); help != "" {
			message += "; " + help
		}
		return errors.New(message)
	}
	*to = T(i)
	return nil
}

// List returns all texts, by value.
func (t Table[T]) List() []string { return slices.Clone(t.texts) }
