package cmdline

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Number reads a positive number with an optional unit K, M, G or T (powers of unit, 1000 or
// 1024), and an optional B or iB behind that; false if it is none.
func Number(text string, unit float64) (int64, bool) {
	number := strings.TrimSuffix(strings.TrimSuffix(strings.ToUpper(text), "B"), "I")
	factor := 1.0
	if n := len(number); n > 0 {
		if i := strings.IndexByte("KMGT", number[n-1]); i >= 0 {
			factor, number = math.Pow(unit, float64(i+1)), number[:n-1]
		}
	}
	value, err := strconv.ParseFloat(number, 64)
	if err != nil || !(value*factor >= 1) || value*factor > math.MaxInt64/2 {
		return 0, false
	}
	return int64(value * factor), true
}

// Definitions reads what stands behind flags -D: NAME=NUMBER, the last one of a name counts. The
// map is not nil. The error is an *Error.
func Definitions(flags []string) (map[string]int, error) {
	values := map[string]int{}
	for _, d := range flags {
		name, text, ok := strings.Cut(d, "=")
		value, err := strconv.ParseInt(strings.TrimSpace(text), 0, 32)
		if !ok || err != nil || name == "" {
			return nil, &Error{Text: fmt.Sprintf("-D %s: NAME=NUMBER is needed, such as -D N=9", d)}
		}
		values[strings.TrimSpace(name)] = int(value)
	}
	return values, nil
}
