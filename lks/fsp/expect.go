package fsp

import (
	"cmp"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/seltl/seltl/internal/expectation"
	"github.com/seltl/seltl/internal/source"
	"github.com/seltl/seltl/lks/fsp/syntax"
)

// What an author expects stands in a comment behind a definition, on the line where it
// ends:
//
//	ltl P = G a              // expect: holds
//	ltl Q = G !deadlock      // expect: holds TABLE: fails
//	||TABLE = (A || B).      // expect: deadlock
//	P = (a -> ERROR).        // expect: error
//
// The word behind NAME: is about that process, the one without a name about the default
// process. Whatever follows, such as "because ...", is for people.

// Expectations are the verdicts that are expected of a property, "holds" or "fails", by
// process; "" is the default process.
type Expectations map[string]string

// Expected returns what is expected for a process ("": the default process): "holds",
// "fails", or "" for nothing.
func (m *Model) Expected(e Expectations, process string) string {
	if process == "" || process == m.DefaultProcess() {
		if word := e[""]; word != "" {
			return word
		}
		process = m.DefaultProcess()
	}
	return e[process]
}

// ExpectedDeadlock reports whether a comment behind the definition of a process ("":
// the default process) says that it can deadlock, or cannot; ok is false if it says
// nothing.
func (m *Model) ExpectedDeadlock(process string) (deadlock, ok bool) {
	if process == "" {
		process = m.DefaultProcess()
	}
	word := m.c.expect[m.c.processDefinition(process)][""]
	return word == expectation.Deadlock, word == expectation.Deadlock || word == expectation.DeadlockFree
}

// ExpectsError reports whether a comment behind the definition of a process ("": the
// default process) says that it can reach ERROR, whoever leads there.
func (m *Model) ExpectsError(process string) bool {
	if process == "" {
		process = m.DefaultProcess()
	}
	return m.c.expect[m.c.processDefinition(process)][""] == expectation.Error
}

// ExpectedSafety returns what is expected of the property processes that a process ("":
// the default process) is made of, by name: that it violates them (fails) or not
// (holds). A property of which nothing is expected is left out.
func (m *Model) ExpectedSafety(process string) map[string]string {
	if process == "" {
		process = m.DefaultProcess()
	}
	expected := map[string]string{}
	for _, name := range m.Parts(process) {
		d := m.c.processDefinition(name)
		if word := m.Expected(m.c.expect[d], process); d != nil && marksOf(d).Property && word != "" {
			expected[name] = word
		}
	}
	return expected
}

// ofComponent is the name of a component that is a process of the file as it stands:
// {a,b}::x:NAME(3). That of a composition that was relabelled is in parentheses.
var ofComponent = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(?:\{[^(){}]*\}::|[^(){}:]*:)*(\w+)(?:\([^()]*\))?$`)
})

// OfComponent returns the name of the process that a component of a network is, by the
// name of the component, and whether that is a property; "" if it is none of the file.
func (m *Model) OfComponent(component string) (name string, property bool) {
	found := ofComponent().FindStringSubmatch(component)
	if found == nil {
		return "", false
	}
	d := m.c.processDefinition(found[1])
	if d == nil {
		return "", false
	}
	return found[1], marksOf(d).Property
}

// Parts returns the names of all processes that the definition of a process names, it
// and theirs included, sorted.
func (m *Model) Parts(process string) []string {
	names := []string{process}
	if process == DefaultName && m.c.processDefinition(process) == nil {
		names = m.c.Names.Of(syntax.Process, syntax.Import)
	}
	seen := map[string]bool{}
	for len(names) > 0 {
		name := names[len(names)-1]
		names = names[:len(names)-1]
		d := m.c.processDefinition(name)
		if d == nil || seen[name] {
			continue
		}
		seen[name] = true
		var local []string
		if d, ok := d.(*syntax.ProcessDef); ok {
			for _, l := range d.Locals {
				local = append(local, l.Name.Text)
			}
		}
		// The tokens of a definition have all the names in it.
		for _, t := range m.c.tokens(d) {
			if t.Kind == syntax.Upper && !slices.Contains(local, t.Text) {
				names = append(names, t.Text)
			}
		}
	}
	return slices.Sorted(maps.Keys(seen))
}

// tokens are those of a definition.
func (c *compiler) tokens(d syntax.Definition) []syntax.Token {
	all, span := c.File.Tokens, d.Head().Span
	at := func(end int32) int {
		i, _ := slices.BinarySearchFunc(all, end, func(t syntax.Token, end int32) int { return cmp.Compare(t.Start, end) })
		return i
	}
	return all[at(span.Start):at(span.End)]
}

// processDefinition finds the definition of a process, composite or import; nil if there
// is none.
func (c *compiler) processDefinition(name string) syntax.Definition {
	for _, k := range []syntax.Kind{syntax.Process, syntax.Composite, syntax.Import} {
		if d, ok := c.Names.Defs[k][name]; ok {
			return d
		}
	}
	return nil
}

func marksOf(d syntax.Definition) syntax.Marks {
	switch d := d.(type) {
	case *syntax.ProcessDef:
		return d.Marks
	case *syntax.CompositeDef:
		return d.Marks
	}
	return syntax.Marks{}
}

// Elsewhere returns the processes but the default one of which something is expected, in the
// order of the file.
func (m *Model) Elsewhere() (processes []string) {
	for _, e := range m.AllExpectations() {
		if e.Process != "" && !slices.Contains(processes, e.Process) {
			processes = append(processes, e.Process)
		}
	}
	return processes
}

// Outside is a property process of which something is expected for a process that does not
// contain it: no question about that process is about the property.
type Outside struct {
	Name   string
	Expect string      // "holds" or "fails"
	At     source.Span // the name in the definition
}

// ExpectedOutside returns the properties of which something is expected for a process ("": the
// default process) that does not contain them, in the order of the file.
func (m *Model) ExpectedOutside(process string) (all []Outside) {
	if process == "" {
		process = m.DefaultProcess()
	}
	inside := m.Parts(process)
	for _, d := range m.c.File.Defs {
		name := d.Head().Name
		if word := m.Expected(m.c.expect[d], process); word != "" && marksOf(d).Property && !slices.Contains(inside, name.Text) {
			all = append(all, Outside{Name: name.Text, Expect: word, At: m.c.File.Place(name.Span)})
		}
	}
	return all
}

// UnreadExpectations returns the warnings about comments that say what is expected, but not so
// that it can be asked.
func (m *Model) UnreadExpectations() source.List { return expectation.Unread(m.Warnings()) }

// readExpectations reads the comments of the file. What cannot be read is a warning: it
// would be ignored in silence otherwise.
func (c *compiler) readExpectations() {
	c.expect = map[syntax.Definition]Expectations{}
	byEnd := map[int32]syntax.Definition{}
	for _, d := range c.File.Defs {
		byEnd[d.Head().Span.End] = d
	}
	for _, comment := range c.File.Comments {
		words, near, ok := expectation.Words(comment.Text)
		at := comment.Span
		if !ok {
			if near != "" {
				code := expectation.Like
				if !comment.OwnLine {
					code = expectation.Unknown
				}
				c.Warnf(at, code, fmt.Sprintf("write // %s", near), "this looks like an expectation, and is ignored")
			}
			continue
		}
		var d syntax.Definition
		if !comment.OwnLine && comment.Before > 0 {
			d = byEnd[c.File.Tokens[comment.Before-1].End]
		}
		if d == nil {
			c.Warnf(at, expectation.Stray, "it stands on the line where a property or process is defined, behind it", "this expectation belongs to no definition")
			continue
		}
		c.readExpectation(d, words, at)
	}
}

func (c *compiler) readExpectation(d syntax.Definition, words []string, at syntax.Span) {
	allowed := []string{expectation.Holds, expectation.Fails}
	switch k := syntax.KindOf(d); {
	case k == syntax.Assert, k == syntax.LTL, k == syntax.Progress, marksOf(d).Property:
	case k == syntax.Process, k == syntax.Composite, k == syntax.Import:
		allowed = []string{expectation.Deadlock, expectation.DeadlockFree, expectation.Error}
	default:
		c.Warnf(at, expectation.Stray, "it stands behind an ltl, assert or progress property, a property process, or a process",
			"nothing can be expected of a %s", cmp.Or(k.String(), "definition like this"))
		return
	}
	e := Expectations{}
	process := ""
	for len(words) > 0 {
		if name, ok := strings.CutSuffix(words[0], ":"); ok && name != "" && name[0] >= 'A' && name[0] <= 'Z' {
			if process = name; c.processDefinition(name) == nil && name != DefaultName {
				known := c.Names.Of(syntax.Process, syntax.Composite, syntax.Import)
				c.Warnf(at, expectation.Unknown, source.DidYouMean(name, known), "the expectation is about a process %q, which the file does not define", name)
				return
			}
			words = words[1:]
			continue
		}
		var word string
		word, words = expectation.Next(words)
		if _, again := e[process]; again {
			if c.processDefinition(word) != nil {
				c.Warnf(at, expectation.Unknown, fmt.Sprintf("what is expected for a process is written %s: %s", word, expectation.Fails), "a colon is missing behind %s", word)
			}
			break // the rest is for people
		}
		if !slices.Contains(allowed, word) {
			c.Warnf(at, expectation.Unknown, expectation.Help(word, allowed), "%q cannot be expected here, and is ignored", word)
			return
		}
		e[process] = word
	}
	if len(e) == 0 {
		c.Warnf(at, expectation.Unknown, expectation.Help("", allowed), "nothing is expected here")
		return
	}
	c.expect[d] = e
}

// ExpectedKind is what something is expected of.
type ExpectedKind string

// Kinds of expectations: of an ltl or assert property, of the progress properties, of property
// processes or ERROR, and of deadlock.
const (
	ExpectedProperty ExpectedKind = "property"
	ExpectedProgress ExpectedKind = "progress"
	ExpectedSafe     ExpectedKind = "safety"
	ExpectedStuck    ExpectedKind = "deadlock"
)

// Expectation is what a comment expects of a process, "" for the default process.
type Expectation struct {
	Kind    ExpectedKind
	Name    string // of a property that is decided by itself
	Process string
	At      source.Span // the definition
}

// AllExpectations returns what the comments of the file expect, in their order: each question
// that they are about once for each process.
func (m *Model) AllExpectations() (all []Expectation) {
	seen := map[Expectation]bool{}
	for _, d := range m.c.File.Defs {
		for _, process := range slices.Sorted(maps.Keys(m.c.expect[d])) {
			e := Expectation{Kind: ExpectedProgress, Process: process}
			name := d.Head().Name.Text
			switch k := syntax.KindOf(d); {
			case k == syntax.Assert, k == syntax.LTL:
				e.Kind, e.Name = ExpectedProperty, name
			case k == syntax.Progress:
			case marksOf(d).Property:
				e.Kind = ExpectedSafe
			case m.c.expect[d][process] == expectation.Error:
				e.Kind, e.Process = ExpectedSafe, name
			default:
				e.Kind, e.Process = ExpectedStuck, name
			}
			if e.Process == m.DefaultProcess() {
				e.Process = ""
			}
			if !seen[e] {
				seen[e] = true
				e.At = m.c.File.Place(d.Head().Span)
				all = append(all, e)
			}
		}
	}
	return all
}
