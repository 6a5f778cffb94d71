package safety

import "github.com/seltl/seltl/internal/names"

// Integers says how a question about a C program is decided.
type Integers uint8

const (
	// AutoIntegers looks for a proof over unbounded integers, confirms it over machine
	// words, and begins with words where that fails.
	AutoIntegers Integers = iota
	// MathIntegers reports what holds for unbounded integers, as such.
	MathIntegers
	// MachineIntegers begins with machine words.
	MachineIntegers
)

var integers = names.Of[Integers]("integers", "auto", "math", "machine")

func (i Integers) String() string { return integers.String(i) }

// Names lists the values of Integers.
func (Integers) Names() []string { return integers.List() }

// MarshalText implements encoding.TextMarshaler.
func (i Integers) MarshalText() ([]byte, error) { return integers.Marshal(i) }

// UnmarshalText implements encoding.TextUnmarshaler.
func (i *Integers) UnmarshalText(text []byte) error { return integers.Unmarshal(text, i) }
