package report

import (
	"bytes"
	"fmt"
	"math/big"
)

// Count is a number of states or transitions: any natural number, since what is not
// looked at one by one can have more of them than an int64 holds. The zero value is 0. In
// JSON it is a number with all digits.
type Count struct {
	small int64
	large *big.Int // nil unless the number is larger than an int64
}

// NewCount returns a number that is not negative.
func NewCount(n int64) Count { return Count{small: n} }

// BigCount returns a number that is not negative, of which it keeps a copy.
func BigCount(n *big.Int) Count {
	if n.IsInt64() {
		return NewCount(n.Int64())
	}
	return Count{large: new(big.Int).Set(n)}
}

// IsZero reports whether c is 0; JSON leaves out some fields then.
func (c Count) IsZero() bool { return c.large == nil && c.small == 0 }

// Equal reports whether two numbers are the same.
func (c Count) Equal(d Count) bool { return c.digits() == d.digits() }

// Float returns the number, rounded.
func (c Count) Float() float64 {
	if c.large != nil {
		f, _ := new(big.Float).SetInt(c.large).Float64()
		return f
	}
	return float64(c.small)
}

func (c Count) digits() string {
	if c.large != nil {
		return c.large.String()
	}
	return fmt.Sprint(c.small)
}

// String groups the digits: 1,684,802.
func (c Count) String() string { return groupDigits(c.digits()) }

// Of is the number with what is counted: "1 state", "2,048 states".
func (c Count) Of(what string) string {
	if c.large == nil && c.small == 1 {
		return "1 " + what
	}
	return c.String() + " " + what + "s"
}

// MarshalJSON writes a JSON number.
func (c Count) MarshalJSON() ([]byte, error) { return []byte(c.digits()), nil }

// UnmarshalJSON reads what MarshalJSON writes.
func (c *Count) UnmarshalJSON(text []byte) error {
	n, ok := new(big.Int).SetString(string(bytes.TrimSpace(text)), 10)
	if !ok || n.Sign() < 0 {
		return fmt.Errorf("%s is no number of states or transitions", text)
	}
	*c = BigCount(n)
	return nil
}

// Counted is a number with what is counted: "1 worker", "2,048 workers".
func Counted(n int64, what string) string { return NewCount(n).Of(what) }

// Group writes a number with commas: 1,684,802.
func Group(n int64) string { return NewCount(n).String() }

func groupDigits(s string) string {
	for i := len(s) - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}
