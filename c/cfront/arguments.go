package cfront

import (
	"maps"
	"slices"
	"strings"
)

// ofCharacters are the routines whose argument is an unsigned char or EOF, by C11 7.4; others are
// indices out of the tables of a library.
var ofCharacters = []string{"isalnum", "isalpha", "isblank", "iscntrl", "isdigit", "isgraph", "islower", "isprint", "ispunct", "isspace", "isupper", "isxdigit", "tolower", "toupper"}

// TrustedArguments are the library's routines, in order, in what runs from a routine come to, whose
// arguments are not looked at though C says what they have to be: characters of <ctype.h>, and, where
// null pointers or bounds are checked, pointers that are given to what has no body here.
func (p *Program) TrustedArguments(entry *Func) (all []string) {
	found, pointed := map[string]bool{}, p.pointed()
	pointers := p.Checks(CheckNull) || p.Checks(CheckBounds) || p.Checks(CheckMemory)
	trust := func(g *Func, args []Expr) {
		if name := plainNameOf(g); slices.Contains(ofCharacters, name) && len(args) == 1 && !character(args[0]) || pointers && g.trusts(args) {
			found[name] = true
		}
	}
	for _, f := range reachedFrom(entry, pointed) {
		for _, b := range f.Blocks {
			for _, i := range b.Instrs {
				c, ok := i.(*Call)
				switch {
				case !ok:
				case c.Callee != nil && c.Callee.sorting != nil: // that the comparison orders the elements
					name, _, _ := strings.Cut(plainName(c.Callee.Name), "@")
					found[name] = true
				case c.Callee == nil: // others have stand-ins
					for g := range pointed {
						if g.Extern() && g.Known != nil {
							trust(g, c.Args)
						}
					}
				case (!f.Library || f.standsIn) && c.Callee.isLibrary():
					trust(c.Callee, c.Args)
				}
			}
		}
	}
	return slices.Sorted(maps.Keys(found))
}

// misused takes down that a routine of the library is given what it is not for: a character that is none, or null as a
// stream or a text to be written. C does not say what it does then.
func (m *Machine) misused(f *Func, args []uint64, of []label, span Span) {
	if m.guess != "" || !f.Library && !f.Extern() {
		return
	}
	name := plainName(f.Name)
	if m.usesClosed(f, args) {
		m.decided(m.guesses.label(guess{why: "what " + name + "() does with a stream that is closed" + placeIn(span)}))
	}
	if f.Known == nil || len(args) == 0 {
		return
	}
	stream, is := streamArguments[strings.TrimSuffix(name, "_unlocked")]
	null := func(n int) bool { return n < len(args) && args[n] == 0 && of[n] == 0 }
	bad := slices.Contains(ofCharacters, name) && of[0] == 0 && (int32(args[0]) < -1 || int32(args[0]) > 255)
	bad = bad || is && null(stream) && !strings.HasPrefix(name, "fflush")
	bad = bad || (name == "fclose" || name == "puts" || strings.HasPrefix(name, "fputs")) && null(0)
	if bad {
		m.decided(m.guesses.label(guess{why: "what " + name + "() does with what it is given" + placeIn(span)}))
	}
}

// character reports a value that is one of unsigned char, or EOF, whatever the program does.
func character(e Expr) bool {
	switch e := e.(type) {
	case *Const:
		return int32(e.Bits) >= -1 && int32(e.Bits) <= 255
	case *Convert:
		from := e.X.Type()
		return from.Kind == Integer && !from.Signed && from.Size == 1
	}
	return false
}

// trusts reports that a routine without a body is given pointers that are not only string literals.
func (f *Func) trusts(args []Expr) bool {
	if !f.Extern() || f.Known == nil || f.Known.Meaning == AsOwn || f.Known.Meaning == AsFormat || f.Known.Meaning == AsRefused {
		return false
	}
	return slices.ContainsFunc(args, func(a Expr) bool {
		if a.Type().Kind != Pointer {
			return false
		}
		for {
			c, converted := a.(*Convert)
			if !converted {
				break
			}
			a = c.X
		}
		addr, is := a.(*Addr)
		return !is || addr.Of.Var == nil || addr.Of.Var.Literal == ""
	})
}
