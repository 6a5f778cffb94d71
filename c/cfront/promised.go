package cfront

import (
	"maps"
	"regexp"
	"slices"
	"strings"
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

// takePromises leaves those of the program's own routines, static ones, too, that have a body, or are called or pointed to.
func (l *linker) takePromises() {
	used := l.prog.Pointed()
	for _, f := range l.prog.Funcs {
		for _, b := range f.Blocks {
			for _, i := range b.Instrs {
				if c, ok := i.(*ir.Call); ok && c.Callee != nil {
					used[c.Callee] = true
				}
			}
		}
	}
	for name := range l.promised {
		if !slices.ContainsFunc(l.prog.Funcs, func(f *ir.Func) bool {
			plain, _, _ := strings.Cut(f.Name, "@")
			return plain == name && !f.Library && f.Known == nil && (used[f] || !f.Extern())
		}) {
			delete(l.promised, name)
		}
	}
	l.prog.Promised = slices.Sorted(maps.Keys(l.promised))
}
