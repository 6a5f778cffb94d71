// Package aut reads and writes labelled transition systems in the Aldebaran
// format, which CADP, mCRL2, LTSmin and LTSA exchange:
//
//	des (0, 2, 2)
//	(0, "press", 1)
//	(1, i, 0)
//
// The header gives the initial state and the numbers of transitions and states;
// every other line is a transition. A label is everything between the first and
// the last comma of its line, without surrounding blanks and quotes; "i" and
// "tau" are the silent action.
//
// The format knows no propositions, no special states and one initial state.
package aut

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"github.com/seltl/seltl/internal/source"
	"github.com/seltl/seltl/lks"
)

// maxErrors is how many errors are reported before reading stops.
const maxErrors = 10

// maxIdleStates is how many states a file may declare beyond those that its
// transitions can mention: a short file must not ask for gigabytes.
const maxIdleStates = 1 << 20

// Diagnostics is the error of texts that cannot be read: messages with positions, which
// Render prints with the lines they are about.
type Diagnostics = source.List

// ParseText is Parse of a text; file is what messages call it, such as the file's name.
func ParseText(file, text, name string) (*lks.LKS, error) {
	return Parse(source.NewFile(file, text), name)
}

// Parse reads a model; the LKS's name is given. The error is a source.List.
// Time is linear in the text.
func Parse(file *source.File, name string) (*lks.LKS, error) {
	p := &parser{file: file, text: file.Text(), builder: lks.NewBuilder(name), actions: map[string]int32{}}
	p.parse()
	if err := p.errs.Err(); err != nil {
		return nil, err
	}
	m, err := p.builder.Build()
	if err != nil {
		p.errs.Errorf(file.Span(0, 0), "aut-model", "%v", err)
		return nil, p.errs.Err()
	}
	return m, nil
}

type parser struct {
	file    *source.File
	text    string
	errs    source.List
	builder *lks.Builder
	actions map[string]int32 // by label as written
	states  int32
	failed  int32 // the number of ERROR, 0: there is none
}

func (p *parser) errorf(from, to int, format string, args ...any) *source.Diagnostic {
	return p.errs.Errorf(p.file.Span(from, to), "aut-syntax", format, args...)
}

func (p *parser) parse() {
	at, end := p.nextLine(0)
	if at < 0 {
		p.errorf(0, 0, "the file is empty").Help = `an Aldebaran file begins with: des (initial, transitions, states)`
		return
	}
	transitions, headerAt, ok := p.header(at, end)
	if !ok {
		return
	}
	count := int64(0)
	for len(p.errs) < maxErrors {
		if at, end = p.nextLine(end); at < 0 {
			break
		}
		p.transition(at, end)
		count++
	}
	if len(p.errs) == 0 && count != transitions {
		p.errs.Errorf(headerAt, "aut-count", "the header announces %d transitions, but there are %d", transitions, count).Help = "the file may be cut off"
	}
}

// nextLine returns the next line that is not blank, without surrounding blanks,
// from offset; at is -1 at the end of the text.
func (p *parser) nextLine(offset int) (at, end int) {
	for offset < len(p.text) {
		if c := p.text[offset]; c == '\n' || blank(c) {
			offset++
			continue
		}
		end = len(p.text)
		if i := strings.IndexByte(p.text[offset:], '\n'); i >= 0 {
			end = offset + i
		}
		for end > offset && blank(p.text[end-1]) {
			end--
		}
		return offset, end
	}
	return -1, offset
}

func blank(c byte) bool { return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f' }

// header reads "des (initial, transitions, states)" and makes the states.
func (p *parser) header(at, end int) (transitions int64, span source.Span, ok bool) {
	span = p.file.Span(at, end)
	rest, found := strings.CutPrefix(p.text[at:end], "des")
	if !found {
		p.errorf(at, end, "expected the header").Help = `an Aldebaran file begins with: des (initial, transitions, states)`
		return 0, span, false
	}
	open := end - len(strings.TrimLeft(rest, " \t"))
	if open == end || p.text[open] != '(' || p.text[end-1] != ')' {
		p.errorf(open, end, "expected (initial, transitions, states) after des")
		return 0, span, false
	}
	fields := strings.Split(p.text[open+1:end-1], ",")
	if len(fields) != 3 {
		p.errorf(open, end, "expected three numbers (initial, transitions, states), found %d", len(fields))
		return 0, span, false
	}
	var numbers [3]int64
	offset := open + 1
	for i, f := range fields {
		n, good := p.number(offset, offset+len(f), math.MaxInt32-1)
		if !good {
			return 0, span, false
		}
		numbers[i] = n
		offset += len(f) + 1
	}
	initial, transitions, states := numbers[0], numbers[1], numbers[2]
	switch {
	case states == 0:
		p.errorf(at, end, "a model has at least one state")
	case initial >= states:
		p.errorf(at, end, "the initial state %d is not one of the %d states", initial, states).Help = "states are numbered from 0"
	case states > 2*int64(len(p.text))+maxIdleStates:
		p.errorf(at, end, "the header announces %d states, more than a file of this size can connect", states)
	}
	if len(p.errs) > 0 {
		return 0, span, false
	}
	p.states = int32(states)
	for range states {
		p.builder.StateID(lks.Normal, nil)
	}
	p.builder.Initial(int32(initial))
	return transitions, span, true
}

// number reads a number with blanks around it.
func (p *parser) number(from, to int, most int64) (int64, bool) {
	for from < to && blank(p.text[from]) {
		from++
	}
	for to > from && blank(p.text[to-1]) {
		to--
	}
	n := int64(0)
	for i := from; i < to; i++ {
		c := p.text[i]
		if c < '0' || c > '9' {
			p.errorf(from, to, "expected a number")
			return 0, false
		}
		if n = n*10 + int64(c-'0'); n > most {
			p.errorf(from, to, "the number is too large: at most %d", most)
			return 0, false
		}
	}
	if from == to {
		p.errorf(from, from+1, "expected a number")
		return 0, false
	}
	return n, true
}

// transition reads "(from, label, to)".
func (p *parser) transition(at, end int) {
	line := p.text[at:end]
	if line[0] != '(' || line[len(line)-1] != ')' {
		p.errorf(at, end, "expected a transition").Help = "a transition is written (from, label, to)"
		return
	}
	first, last := strings.IndexByte(line, ','), strings.LastIndexByte(line, ',')
	if first == last {
		p.errorf(at, end, "a transition has three parts").Help = "a transition is written (from, label, to)"
		return
	}
	from, ok1 := p.state(at+1, at+first)
	to, ok2 := p.target(at+last+1, end-1)
	action, ok3 := p.action(at+first+1, at+last)
	if ok1 && ok2 && ok3 {
		p.builder.TransitionID(from, action, to)
	}
}

// target is a state, or -1 for ERROR, as LTSA has it, which the header does not count.
func (p *parser) target(from, to int) (int32, bool) {
	if strings.Trim(p.text[from:to], " \t\r\v\f") != "-1" {
		return p.state(from, to)
	}
	if p.failed == 0 {
		p.failed = p.builder.StateID(lks.Error, nil)
	}
	return p.failed, true
}

func (p *parser) state(from, to int) (int32, bool) {
	n, ok := p.number(from, to, math.MaxInt32)
	if ok && n >= int64(p.states) {
		p.errorf(from, to, "there is no state %d: the header announces %d, numbered from 0", n, p.states)
		return 0, false
	}
	return int32(n), ok
}

// action returns the number of a label, quoted or not.
func (p *parser) action(from, to int) (int32, bool) {
	written := strings.Trim(p.text[from:to], " \t\r\v\f")
	if id, ok := p.actions[written]; ok {
		return id, true
	}
	label := written
	if len(label) >= 2 && label[0] == '"' && label[len(label)-1] == '"' {
		label = label[1 : len(label)-1]
	}
	if label == "" {
		p.errorf(from, to, "the label is empty")
		return 0, false
	}
	if label == "i" || label == lks.TauName {
		label = lks.TauName
	}
	id := p.builder.Action(label)
	p.actions[strings.Clone(written)] = id
	return id, true
}

// ErrInitial is returned by Write for an LKS with several initial states, or one that begins in ERROR.
var ErrInitial = errors.New("the Aldebaran format has one initial state, which is not ERROR")

// Write writes m, with quoted labels, "i" for the silent action, and -1 for ERROR, as LTSA does; the
// states behind ERROR are numbered without it. Propositions, which states are END, and actions of the
// alphabet without transitions are lost. The error is ErrInitial, the writer's, or says that the format
// would take some action for something else.
func Write(w io.Writer, m *lks.LKS) error {
	if len(m.Initial()) > 1 || m.Kind(m.Initial()[0]) == lks.Error {
		return ErrInitial
	}
	number, states := make([]int64, m.NumStates()), int64(0)
	for s := range number {
		if number[s] = -1; m.Kind(int32(s)) != lks.Error {
			number[s] = states
			states++
		}
	}
	labels := make([]string, len(m.Alphabet()))
	for a, name := range m.Alphabet() {
		switch {
		case a == int(lks.TauID):
			labels[a] = ", i, "
		case name == "i" || name == lks.TauName || name == "" || strings.ContainsAny(name, "\n\r"):
			return fmt.Errorf("an action with the name %q cannot be written in the Aldebaran format", name)
		default:
			labels[a] = `, "` + name + `", `
		}
	}
	out := bufio.NewWriterSize(w, 1<<16)
	fmt.Fprintf(out, "des (%d, %d, %d)\n", number[m.Initial()[0]], m.NumTransitions(), states)
	var line []byte
	for s := range int32(m.NumStates()) {
		for _, e := range m.Edges(s) {
			line = append(line[:0], '(')
			line = strconv.AppendInt(line, number[s], 10)
			line = append(line, labels[e.Action]...)
			line = strconv.AppendInt(line, number[e.Target], 10)
			line = append(line, ")\n"...)
			out.Write(line)
		}
	}
	return out.Flush()
}
