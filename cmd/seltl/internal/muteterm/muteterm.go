// Package muteterm keeps bubbletea from asking the terminal for its colours when the
// program starts. Its init function does so, whether or not anything is to be drawn: it
// would cost every command a round trip to the terminal, and swallow what was typed ahead.
// A terminal of the kind "dumb" is not asked.
//
// Packages are initialised in the order of their paths, each as soon as those that it
// imports are (the language specification, "Program initialization"). This one imports
// syscall only, so it comes before os ("g" is before "o"), which bubbletea needs.
package muteterm

import "syscall"

var term, known = syscall.Getenv("TERM")

func init() {
	if known {
		_ = syscall.Setenv("TERM", "dumb")
	}
}

// Restore sets TERM to what it was. It is called when bubbletea has been initialised.
func Restore() {
	if known {
		_ = syscall.Setenv("TERM", term)
	}
}
