package svcomp

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"go.yaml.in/yaml/v3"

	"github.com/seltl/seltl/internal/source"
)

// maxDepth bounds how deep these texts are nested, maxNodes how many values they have.
const (
	maxDepth = 32
	maxNodes = 1_000_000
)

// reader reads the nodes of a text; the first mistake counts.
type reader struct {
	src  *source.File
	code string // of messages
	list source.List
}

// parse reads a text of one document.
func (r *reader) parse() (root *yaml.Node) {
	defer func() {
		if bad := recover(); bad != nil { // the parser's mistakes are not the user's
			root = nil
			r.fail(r.src.Span(0, 0), "the YAML parser failed: %v", bad)
		}
	}()
	if at := deeper(r.src.Text()); at >= 0 {
		return r.fail(r.src.Span(at, at+1), "nested more than %d deep", maxDepth)
	}
	var doc yaml.Node
	if err := yaml.Unmarshal([]byte(r.src.Text()), &doc); err != nil {
		text, at := strings.TrimPrefix(err.Error(), "yaml: "), 0
		if m := parserLine().FindStringSubmatch(text); m != nil {
			n, _ := strconv.Atoi(m[1])
			text, at = m[2], r.offset(n, 1)
		}
		return r.fail(r.src.Span(at, at), "this is no YAML: %s", text)
	}
	if doc.Kind != yaml.DocumentNode || len(doc.Content) != 1 {
		return r.fail(r.src.Span(0, 0), "the file is empty")
	}
	left := maxNodes
	if !r.plain(doc.Content[0], 0, &left) {
		return nil
	}
	return doc.Content[0]
}

var parserLine = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^line (\d+): (.*)$`) })

// deeper is where brackets are nested too deep, in a text whose strings do not matter; -1 if they are not.
func deeper(text string) int {
	depth := 0
	for i := range len(text) {
		switch text[i] {
		case '[', '{':
			if depth++; depth > 1000 {
				return i
			}
		case ']', '}':
			depth = max(0, depth-1)
		case '\n':
			depth = 0 // within strings these need not match; a list over several lines is short
		}
	}
	return -1
}

// plain refuses aliases, which make a short text a long one, and what is nested too deep.
func (r *reader) plain(n *yaml.Node, depth int, left *int) bool {
	*left--
	switch {
	case n.Kind == yaml.AliasNode || n.Anchor != "":
		r.fail(r.at(n), "anchors and aliases are not read here")
		return false
	case depth > maxDepth:
		r.fail(r.at(n), "nested more than %d deep", maxDepth)
		return false
	case *left < 0:
		r.fail(r.at(n), "there are more than %d values, which is the most that is read", maxNodes)
		return false
	}
	return !slices.ContainsFunc(n.Content, func(c *yaml.Node) bool { return !r.plain(c, depth+1, left) })
}

func (r *reader) fail(at source.Span, format string, args ...any) *yaml.Node {
	if len(r.list) == 0 {
		r.list.Errorf(at, r.code, "%s", fmt.Sprintf(format, args...))
	}
	return nil
}

// offset is that of a line and a column, which counts characters, from 1.
func (r *reader) offset(line, column int) int {
	text, at := r.src.Text(), 0
	for range line - 1 {
		next := strings.IndexByte(text[at:], '\n')
		if next < 0 {
			break
		}
		at += next + 1
	}
	for range text[at:] {
		if column--; column <= 0 {
			break
		}
		at++
		for at < len(text) && text[at]&0xc0 == 0x80 {
			at++
		}
	}
	return min(at, len(text))
}

// at is where a node begins.
func (r *reader) at(n *yaml.Node) source.Span {
	at := r.offset(n.Line, n.Column)
	return r.src.Span(at, min(at+1, len(r.src.Text())))
}

// fields are the values of a mapping by name; what is none is a mistake.
func (r *reader) fields(n *yaml.Node, what string) map[string]*yaml.Node {
	all := map[string]*yaml.Node{}
	if n == nil {
		return all
	}
	if n.Kind != yaml.MappingNode {
		r.fail(r.at(n), "%s has fields, as in NAME: VALUE", what)
		return all
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key := n.Content[i]
		if all[key.Value] != nil {
			r.fail(r.at(key), "%s is there twice", source.Shown(key.Value))
		}
		all[key.Value] = n.Content[i+1]
	}
	return all
}

// items are the values of a list; a single value is a list of one where that is allowed.
func (r *reader) items(n *yaml.Node, what string, single bool) []*yaml.Node {
	switch {
	case n == nil || n.Kind == yaml.ScalarNode && n.Tag == "!!null":
		return nil
	case n.Kind == yaml.SequenceNode:
		return n.Content
	case single:
		return []*yaml.Node{n}
	}
	r.fail(r.at(n), "%s is a list", what)
	return nil
}

// text is a value that is a text, "" for none.
func (r *reader) text(n *yaml.Node, what string) string {
	switch {
	case n == nil:
		return ""
	case n.Kind != yaml.ScalarNode:
		r.fail(r.at(n), "%s is a text", what)
		return ""
	case n.Tag == "!!null":
		return ""
	}
	return n.Value
}

// number is a value that is a positive number, 0 for none.
func (r *reader) number(n *yaml.Node, what string) int {
	text := r.text(n, what)
	if text == "" {
		return 0
	}
	k, err := strconv.Atoi(text)
	if err != nil || k < 1 || k > source.MaxText {
		r.fail(r.at(n), "%s is a number from 1 on", what)
		return 0
	}
	return k
}

// needed is a field that must be there.
func (r *reader) needed(all map[string]*yaml.Node, at *yaml.Node, name string) *yaml.Node {
	if all[name] == nil && at != nil {
		r.fail(r.at(at), "there is no %s here", name)
	}
	return all[name]
}
