package lks

import (
	"fmt"
	"strings"

	"github.com/seltl/seltl/internal/names"
)

// maxShown bounds the names that String lists.
const maxShown = 8

// String describes the LKS in one line, for logs and debuggers; WriteJSON,
// WriteDOT and package lks/aut write all of it.
func (m *LKS) String() string {
	if len(m.first) == 0 {
		return "LKS without states"
	}
	var b strings.Builder
	fmt.Fprintf(&b, "LKS %s: %s, %s", named(m.name), names.Counted(m.NumStates(), "state"), names.Counted(m.NumTransitions(), "transition"))
	writeNames(&b, m.alphabet, m.props)
	return b.String()
}

// String describes the network in one line, for logs and debuggers: its
// components, actions and propositions. It explores nothing.
func (n *Network) String() string {
	if len(n.components) == 0 {
		return "network without components"
	}
	var b strings.Builder
	fmt.Fprintf(&b, "network %s = %s: %s", named(n.name), list(n.names, " || "), names.Counted(len(n.components), "component"))
	writeNames(&b, n.alphabet, n.Props())
	return b.String()
}

// writeNames writes an alphabet, which begins with tau, and propositions.
func writeNames(b *strings.Builder, alphabet, props []string) {
	fmt.Fprintf(b, ", actions {%s}", list(alphabet[1:], ", "))
	if len(props) > 0 {
		fmt.Fprintf(b, ", propositions {%s}", list(props, ", "))
	}
}

func named(name string) string {
	if name == "" {
		return "(unnamed)"
	}
	return name
}

// list joins names, of many the first.
func list(names []string, separator string) string {
	var shown []string
	for i, name := range names {
		if i == maxShown {
			shown = append(shown, fmt.Sprintf("%d more", len(names)-i))
			break
		}
		shown = append(shown, named(name))
	}
	return strings.Join(shown, separator)
}
