package steps

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/seltl/seltl/c/ir"
	"github.com/seltl/seltl/c/machine"
)

// Line is a step of a run: what is done on one line of one activation of a routine, without
// coming to a place twice.
type Line struct {
	Span  ir.Span // where it begins; not valid at what the sources do not have
	Func  *ir.Func
	Depth int // how many calls it is inside of
	// Action is what it performs, Ways how abstractions of routines went on.
	Action string
	Ways   []string
	// Given are the values that it asked for, "input() = 3", Found those of variables that were
	// not initialised beside them.
	Given, Found []string
	// Returned is what routines of the sources have returned to others on it, if that is a scalar.
	Returned []string
	// Moves is how many moves it is, Choices which values and ways these took: Repeat does them
	// again.
	Moves   int
	Choices []string
	To      *Point
}

// maxMoves bounds those of one line.
const maxMoves = 1_000_000

// Stops says where a line stops before it ends: before an action, say, that others take part
// in. It may be nil.
type Stops func([]Move) bool

// Line does a move, and what follows on the line. What the sources have nothing of at its place
// is done before. seen is told of every move and of the point that it leads to, which changes
// then; it may be nil.
// The error is the source's, or a *Refused.
func (at *Point) Line(move Move, source Source, stops Stops, seen func(Move, *Point)) (*Line, error) {
	w := &walk{at: at.fork(), source: source, line: &Line{}, seen: seen}
	been := map[spot]bool{}
	for {
		loud, err := w.group(move, stops)
		if err != nil {
			return nil, err
		}
		moves := w.at.Moves()
		if here := w.at.place(); !loud && been[here.at] { // nothing that the sources have comes any more
			w.line.Span, w.line.Func, loud = here.frame.Func.Span, here.frame.Func, true
		} else {
			been[here.at] = true
		}
		if loud || len(moves) != 1 || stops != nil && stops(moves) || moves[0].Action != "" && w.line.Action != "" || w.line.Moves > maxMoves {
			w.line.To = w.at
			return w.line, nil
		}
		move = moves[0]
	}
}

// walk is a line that is being made.
type walk struct {
	at     *Point // its own: it changes
	source Source
	line   *Line
	seen   func(Move, *Point)
}

// place is where a point is: on which line, in which activation, at which place of that.
type place struct {
	span  ir.Span
	frame machine.Activation // of a routine of the sources
	at    spot
}

// spot tells places apart.
type spot struct {
	inner  int // the innermost activation
	at     machine.Position
	inside string
}

func (at *Point) place() place {
	frame, ok := at.Innermost()
	if !ok {
		return place{span: at.p.Entry.Span, frame: machine.Activation{Func: at.p.Entry}}
	}
	p := place{frame: frame, span: frame.At}
	if at.value != nil {
		p.span = at.p.Entry.Span
	}
	p.at = spot{at.m.Activation(at.m.Depth() - 1).Began, at.m.Position(), at.Inside()}
	return p
}

// group does what is on one line; loud reports that the sources have something there.
func (w *walk) group(move Move, stops Stops) (loud bool, err error) {
	first := w.at.place()
	been := map[spot]bool{}
	depth := w.at.Depth() - 1
	for {
		here := w.at.place()
		been[here.at] = true
		if quiet, err := w.do(move); err != nil {
			return false, err
		} else if loud = loud || !quiet; w.at.end != nil {
			break
		}
		next := w.at.place()
		if next.span.Valid() && (!first.span.Valid() || lineOf(next.span) != lineOf(first.span)) || next.frame.Began != first.frame.Began || been[next.at] && next.at.inner == next.frame.Began || w.line.Moves > maxMoves {
			break
		}
		moves := w.at.Moves()
		if len(moves) != 1 || stops != nil && stops(moves) || moves[0].Action != "" && w.line.Action != "" {
			break
		}
		move = moves[0]
	}
	loud = loud && first.span.Valid() || w.line.Action != ""
	if loud || w.at.end != nil {
		w.line.Span, w.line.Func, w.line.Depth = first.span, first.frame.Func, max(depth, 0)
	}
	return loud || w.at.end != nil, nil
}

func lineOf(s ir.Span) string { return fmt.Sprintf("%s:%d", s.File.Name(), s.Pos().Line) }

// do makes a move and takes note of it.
func (w *walk) do(move Move) (quiet bool, err error) {
	if move.Kind == Node {
		quiet = move.Action == "" && machine.Quiet(w.at.m.At())
	} else {
		w.line.Choices = append(w.line.Choices, WayText(move.Way))
		if move.Text != "" {
			w.line.Ways = append(w.line.Ways, move.Text)
		}
	}
	returns := w.returns(move)
	err = w.at.do(move, func(a *Ask) (uint64, error) {
		bits, err := w.source(a)
		if err != nil {
			return 0, err
		}
		bits = ir.Canonical(a.Type, bits)
		w.line.Choices = append(w.line.Choices, strconv.FormatUint(bits, 10))
		text := a.What() + " = " + w.at.m.Shown(a.Type, bits)
		switch {
		case a.Lazy:
		case !a.Garbage():
			w.line.Given = append(w.line.Given, text)
			fallthrough
		default:
			w.line.Found = append(w.line.Found, text)
		}
		return bits, nil
	})
	if err != nil {
		return false, err
	}
	if returns != nil && w.at.end == nil {
		w.line.Returned = append(w.line.Returned, w.at.m.Result(returns))
	}
	w.line.Moves++
	if move.Action != "" {
		w.line.Action = move.Action
	}
	if w.seen != nil {
		w.seen(move, w.at)
	}
	return quiet, nil
}

// returns is the type of what a move has a routine of the sources return to another one, nil if it
// is no such move, or returns no scalar.
func (w *walk) returns(move Move) *ir.Type {
	if move.Kind != Node || w.at.Depth() < 2 || w.at.Depth() < w.at.m.Depth() {
		return nil
	}
	r, ok := w.at.m.At().(*ir.Return)
	if !ok || r.Value == nil || !r.Value.Type().Scalar() {
		return nil
	}
	return r.Value.Type()
}

// wayPrefix is what a choice of a way begins with, in Line.Choices; others are values.
const wayPrefix = "way "

// WayText is a way as Line.Choices has it.
func WayText(way int) string { return wayPrefix + strconv.Itoa(way) }

// IsWay reports a way, in Line.Choices.
func IsWay(choice string) bool { return strings.HasPrefix(choice, wayPrefix) }

// Done are moves that were done: how many, and which values and ways they took, as in Line.
type Done struct {
	Moves   int
	Choices []string
}

// Again does moves again that led from here to another point, which it returns. It is Repeat for
// callers that know what was done, and quicker. The error is a *Refused if they are others.
func (at *Point) Again(all []Done) (*Point, error) {
	w := &walk{at: at.fork(), line: &Line{}}
	for _, d := range all {
		if err := w.repeat(d.Moves, d.Choices, nil); err != nil {
			return nil, err
		}
	}
	return w.at, nil
}

// Part is one of the groups of a Repeat.
type Part struct {
	Span  ir.Span
	Func  *ir.Func
	Depth int
}

// Repeat does so many moves again with the choices that they took. The parts are the lines that
// they are on, one after the other. The error says what is not as it was.
func (at *Point) Repeat(moves int, choices []string, seen func(Move, *Point)) (*Line, []Part, error) {
	w := &walk{at: at.fork(), line: &Line{}, seen: seen}
	var parts []Part
	err := w.repeat(moves, choices, func() {
		p := w.at.place()
		part := Part{p.span, p.frame.Func, max(w.at.Depth()-1, 0)}
		if n := len(parts); part.Span.Valid() && (n == 0 || parts[n-1].Func != part.Func || lineOf(parts[n-1].Span) != lineOf(part.Span)) {
			parts = append(parts, part)
		}
	})
	if err != nil {
		return nil, nil, err
	}
	w.line.To = w.at
	return w.line, parts, nil
}

// repeat does so many moves with such choices; before is told of each, and may be nil.
func (w *walk) repeat(moves int, choices []string, before func()) error {
	w.source = func(a *Ask) (uint64, error) {
		if len(choices) == 0 {
			return 0, &Refused{"a value is asked for that is not there: " + a.What()}
		}
		bits, err := strconv.ParseUint(choices[0], 10, 64)
		if err != nil {
			return 0, &Refused{fmt.Sprintf("%q is no value, and one is asked for: %s", choices[0], a.What())}
		}
		choices = choices[1:]
		return bits, nil
	}
	for n := range moves {
		possible := w.at.Moves()
		if len(possible) == 0 {
			return &Refused{fmt.Sprintf("the run has ended after %d of %d moves", n, moves)}
		}
		move := possible[0]
		if move.Kind != Node {
			if len(choices) == 0 || !IsWay(choices[0]) {
				return &Refused{"a routine is abstracted there, and no way is said"}
			}
			k := slices.IndexFunc(possible, func(m Move) bool { return WayText(m.Way) == choices[0] })
			if k < 0 {
				return &Refused{choices[0] + " of an abstraction is not possible there"}
			}
			move, choices = possible[k], choices[1:]
		}
		if before != nil {
			before()
		}
		if _, err := w.do(move); err != nil {
			return err
		}
	}
	if len(choices) > 0 {
		return &Refused{fmt.Sprintf("%d choices are left over", len(choices))}
	}
	return nil
}
