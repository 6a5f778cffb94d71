package conform

import (
	"fmt"
	"strings"
)

// Format writes the tree as an indented game for people, at most so many lines.
// It is meant for small trees, logs and tests; the command line has a richer one.
func (r *Result) Format(t *Tree, lines int) string {
	var out strings.Builder
	type item struct{ node, depth int32 }
	stack := []item{{0, 0}}
	for n := 0; len(stack) > 0; n++ {
		if n == lines {
			out.WriteString("...\n")
			break
		}
		at := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		node := t.Nodes[at.node]
		out.WriteString(strings.Repeat("  ", int(at.depth)))
		if at.node != 0 {
			fmt.Fprintf(&out, "in %s: ", r.SpecName(node.Spec))
			fmt.Fprintf(&out, "%s to %s", r.Alphabet[node.Action], r.ImplName(node.Next))
		} else {
			fmt.Fprintf(&out, "start in %s", r.ImplName(node.Next))
		}
		if len(node.Children) == 0 {
			out.WriteString(": no answer")
		}
		out.WriteString("\n")
		for i := len(node.Children) - 1; i >= 0; i-- {
			stack = append(stack, item{node.Children[i], at.depth + 1})
		}
	}
	return out.String()
}
