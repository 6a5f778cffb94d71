package tokens

// Level are binary operators that bind alike, with what the language calls them.
type Level[O any] []struct {
	Text string
	Op   O
}

// Binary reads a chain of binary operators, from a level on; levels are from the loosest to the tightest. unary
// reads an operand of the tightest, join makes an expression of two.
func Binary[O, E any](c *Cursor, levels []Level[O], unary func() E, join func(op O, left, right E) E) E {
	if len(levels) == 0 {
		return unary()
	}
	left := Binary(c, levels[1:], unary, join)
	chain := 0
	defer func() { c.Depth -= chain }()
next:
	for {
		for _, o := range levels[0] {
			if c.Tok().Is(o.Text) {
				c.Enter() // a long chain is a deep tree, too
				chain++
				c.Advance()
				left = join(o.Op, left, Binary(c, levels[1:], unary, join))
				continue next
			}
		}
		return left
	}
}
