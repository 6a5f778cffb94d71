// Package formulas works on formulas without a model: formulas come from
// files, whose columns they may be, at random, or from families; they are changed, filtered, and asked
// about one by one. It knows no flag and prints nothing.
//
//	formulafile.go      files of formulas, a line or a column each
//	generated.go        random formulas, and those of families
//	formulas.go         what changes formulas, and what filters them
//	unique.go           which ones were there before, by their text or their language
//	formula.go          questions about one formula or two, with a word that shows the answer
package formulas
