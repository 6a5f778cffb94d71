package report

// Picture is a drawing beside a report, in SVG. It is no part of the JSON form.
type Picture struct {
	Title string
	SVG   []byte
	// Result is the number, from 0, of the result that it belongs to; -1: to the model.
	Result int
	// Paths say by the number of a result which states of the picture its counterexample
	// passes, in order; -1 for one that is not there.
	Paths map[int][]int
}
