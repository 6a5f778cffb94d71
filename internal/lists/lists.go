// Package lists makes slices of slices, where package slices has nothing for it.
package lists

// Map returns f of each element, in their order; it is never nil.
func Map[T, U any](list []T, f func(T) U) []U {
	out := make([]U, len(list))
	for i, x := range list {
		out[i] = f(x)
	}
	return out
}

// Filter returns the elements that are wanted, in their order; nil if there are none. The list stays as it is.
func Filter[T any](list []T, wanted func(T) bool) (out []T) {
	for _, x := range list {
		if wanted(x) {
			out = append(out, x)
		}
	}
	return out
}

// Append appends f of each element to a list, in their order: to nil, nil if there are none.
func Append[T, U any](to []U, list []T, f func(T) U) []U {
	for _, x := range list {
		to = append(to, f(x))
	}
	return to
}
