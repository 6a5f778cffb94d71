package witnessed

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"

	"github.com/seltl/seltl/c/cfront"
	"github.com/seltl/seltl/internal/source"
	"github.com/seltl/seltl/internal/svcomp"
)

// Names of what is put into programs.
const (
	names    = "__seltl_"
	passed   = names + "passed" // how many waypoints were
	broken   = names + "broken" // is called where an invariant does not hold
	result   = names + "result"
	endOfRun = "_Exit(0)"
)

// Hash is the SHA-256 of a source, as witnesses have it.
func Hash(f *source.File) string {
	sum := sha256.Sum256([]byte(f.Text()))
	return hex.EncodeToString(sum[:])
}

// Program is one with a witness in its text.
type Program struct {
	witness *svcomp.Witness
	files   []*file
}

// New reads a program into which a witness is to be put, which says that it is about these files. The error is a source.List, or of a
// context that has ended.
func New(w *svcomp.Witness, sources []*source.File, o cfront.Options) (*Program, error) {
	p := &Program{witness: w}
	for _, src := range sources {
		if !about(w, src) {
			return nil, wrong(w.Span, "the witness is about another program: none of its input_file_hashes is that of %s (%s)", src.Name(), Hash(src))
		}
		if strings.Contains(src.Text(), names) {
			return nil, wrong(src.Span(0, 0), "the program has names that begin with %s, which stand for the witness", names)
		}
		f, err := newFile(src, o)
		if err != nil {
			return nil, err
		}
		p.files = append(p.files, f)
	}
	if len(w.Meta.Hashes) > len(sources) {
		return nil, wrong(w.Span, "the witness is about %d files, and here are %d", len(w.Meta.Hashes), len(sources))
	}
	return p, nil
}

func about(w *svcomp.Witness, src *source.File) bool {
	hash := Hash(src)
	for _, h := range w.Meta.Hashes {
		if h == hash {
			return true
		}
	}
	return false
}

// finish puts all text into the sources: in each, what it speaks of is declared first.
func (p *Program) finish(declared, defined string) (all []*source.File) {
	for i, f := range p.files {
		first := declared
		if i == 0 {
			first += defined
		}
		f.woven = weave(f.src, append([]insertion{{from: f.First, to: f.First, open: first, mark: -1}}, f.adds...))
		all = append(all, f.woven.new)
	}
	return all
}

// of is a file by its new source, nil for others.
func (p *Program) of(src *source.File) *file {
	for _, f := range p.files {
		if f.woven != nil && f.woven.new == src {
			return f
		}
	}
	return nil
}

// Mark is the number of the invariant, or of the waypoint, in whose text a place lies; -1 if it is in none.
func (p *Program) Mark(at source.Span) int {
	if f := p.of(at.File); f != nil {
		return f.woven.marked(at.Start)
	}
	return -1
}

// Back is where a place of the new sources is in those that the user has.
func (p *Program) Back(at source.Span) source.Span {
	if f := p.of(at.File); f != nil {
		return f.src.Span(f.woven.back(at.Start), f.woven.back(at.End))
	}
	return at
}

// Own reports a name that stands for the witness.
func Own(name string) bool { return strings.Contains(name, names) }

// Passed is how many waypoints a run has passed, of what is said of its variables; false: that says nothing of it.
func Passed(text string) (n int, ok bool) {
	_, err := fmt.Sscanf(text, passed+" = %d", &n)
	return n, err == nil
}

// At says of messages about inserted text where that stands in the witness.
func (p *Program) At(list source.List) source.List {
	for i, d := range list {
		mark := p.Mark(d.Span)
		if mark < 0 {
			list[i].Span = p.Back(d.Span)
			continue
		}
		list[i].Span = p.span(mark)
		list[i].Code, list[i].Message = "svcomp-witness", "in this expression: "+d.Message
	}
	return list
}

// span is where an invariant, or a waypoint, stands in the witness.
func (p *Program) span(mark int) source.Span {
	if !p.witness.Violation {
		return p.witness.Invariants[mark].Span
	}
	return p.witness.Segments[mark].Follow.Span
}
