package tokens

// Name is an identifier at its place. Where it is missing, the text is empty.
type Name struct {
	Text string
	Span
}

// Definition is one top-level definition of a file.
type Definition interface {
	Node
	Head() *DefHead
}

// DefHead is what all definitions have. Their span is that of the whole text, including what could
// not be read.
type DefHead struct {
	Name Name
	// Bad: the definition has a mistake, and nodes of it are bad or missing.
	Bad bool
	Span
}

// Head returns the head itself.
func (d *DefHead) Head() *DefHead { return d }

// BadDef is text that begins no definition.
type BadDef struct{ DefHead }
