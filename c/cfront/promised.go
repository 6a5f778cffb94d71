package cfront

import (
	"maps"
	"regexp"
	"slices"
	"sync"

	"modernc.org/cc/v4"

	"github.com/seltl/seltl/c/ir"
)

// promising are attributes of routines which say something about pointers that compilers may rely on.
var promising = map[string]bool{"nonnull": true, "returns_nonnull": true, "malloc": true, "alloc_align": true, "assume_aligned": true}

// staticLength tells parameters that are said to point to so many elements at least (C11 6.7.6.3, 7).
var staticLength = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\[[^\]]*\bstatic\b`) })

// promises notes the routines that the declaration around an attribute declares, l.path leading to that.
func (l *linker) promises(m *module, attribute string) {
	if !promising[attribute] {
		return
	}
	for _, n := range l.path {
		switch n := n.(type) {
		case *cc.Declaration:
			for _, d := range initDeclarators(n) {
				if d.Declarator != nil && m.span(n) != (ir.Span{}) {
					l.promised[d.Declarator.Name()] = true
				}
			}
		case *cc.FunctionDefinition:
			l.promised[n.Declarator.Name()] = true
		}
	}
}

// takePromises leaves those of the program's own routines.
func (l *linker) takePromises() {
	for name := range maps.Keys(l.promised) {
		if f := l.funcs[name]; f == nil || f.Library || f.Known != nil {
			delete(l.promised, name)
		}
	}
	l.prog.Promised = slices.Sorted(maps.Keys(l.promised))
}
