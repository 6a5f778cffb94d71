package components

import (
	"strconv"
	"strings"
)

// A random case is a text with choices in it: what was drawn, and something else that could stand
// there. Where the other text changes an answer, the construct mattered.

const (
	opening, dividing, closing = "\x01", "\x02", "\x03"
)

// choice is what a construct drew, and something else.
func (g *generator) choice(construct, drawn, other string) string {
	g.used[construct]++
	g.names = append(g.names, construct)
	return opening + strconv.Itoa(len(g.names)-1) + dividing + drawn + dividing + other + closing
}

// resolved is a text with the choices that were drawn, but for one (-1: none).
func resolved(text string, but int) string {
	var out strings.Builder
	for text != "" {
		i := strings.Index(text, opening)
		if i < 0 {
			out.WriteString(text)
			break
		}
		out.WriteString(text[:i])
		depth, divided := 0, []int{}
		end := 0
		for k := i; k < len(text); k++ {
			switch text[k : k+1] {
			case opening:
				depth++
			case dividing:
				if depth == 1 {
					divided = append(divided, k)
				}
			case closing:
				if depth--; depth == 0 {
					end = k
				}
			}
			if end > 0 {
				break
			}
		}
		n, _ := strconv.Atoi(text[i+1 : divided[0]])
		taken := text[divided[0]+1 : divided[1]]
		if n == but {
			taken = text[divided[1]+1 : end]
		}
		out.WriteString(resolved(taken, but))
		text = text[end+1:]
	}
	return out.String()
}
