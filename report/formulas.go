package report

// Formulas are what `seltl formula` has listed.
type Formulas struct {
	Count int             `json:"count"`
	List  []ListedFormula `json:"list,omitempty"` // none if only their number was asked for
}

// ListedFormula is a formula with where it comes from.
type ListedFormula struct {
	Formula string `json:"formula"` // as asked for
	Source  string `json:"source"`  // as it was read, before any transformation
	// File and Line are those of a formula file; Family and Arguments those of a scalable
	// family.
	File      string `json:"file,omitempty"`
	Line      int    `json:"line,omitempty"`
	Family    string `json:"family,omitempty"`
	Arguments string `json:"arguments,omitempty"`
	Length    int    `json:"length"`
	Atoms     int    `json:"atoms"`
}
