// Package radix counts in mixed radixes: it makes one choice of each of several lists
// after the other.
package radix

// Next makes the next choice, the last digit fastest; digit i is below sizes(i). It
// returns false after the last one, and begins again with all digits 0. At most two
// digits change on average where no size is 1.
func Next(digits []int, sizes func(i int) int) bool {
	for i := len(digits) - 1; i >= 0; i-- {
		if digits[i]++; digits[i] < sizes(i) {
			return true
		}
		digits[i] = 0
	}
	return false
}
