package logic

import "fmt"

// PlainName makes of a name one of letters, digits and underscores, which all syntaxes of
// this package can read: what is no such character becomes an underscore.
func PlainName(name string) string {
	text := []byte(name)
	for i, c := range text {
		if !(c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_' || c >= '0' && c <= '9' && i > 0) {
			text[i] = '_'
		}
	}
	return string(text)
}

// UnusedName returns a name like the given one that is not taken and has no meaning of
// its own, and takes it.
func UnusedName(taken map[string]bool, name string) string {
	if name == "" {
		name = "v"
	}
	free := name
	for n := 2; taken[free] || Reserved(free); n++ {
		free = fmt.Sprintf("%s_%d", name, n)
	}
	taken[free] = true
	return free
}
