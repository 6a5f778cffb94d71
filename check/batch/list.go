package batch

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/seltl/seltl/internal/expectation"
	"github.com/seltl/seltl/internal/source"
)

// A work list has a unit a line, as it would be typed behind "seltl":
//
//	# the ring, for several sizes
//	[ring]
//	check ring.lks -D N={2..8}
//	verify ring.lks "G(c1 -> F r)"   # expect: holds
//	deadlock big.lks --store=bitstate --swarm 16
//	{"words": ["verify", "ring.lks", "G !b"], "expect": "fails"}
//
// Braces make several units of a line; [NAME] begins a group, of which the report gives the
// meet; --swarm N makes N units with the seeds 1 to N, which are a group.

// Unit is one question of a list.
type Unit struct {
	Words  []string    // the command line, without the name of the program
	At     source.Span `json:"-"` // its line
	Group  string      // the group that it belongs to, "" for none
	Expect string      // "holds" or "fails" if the list says so, else ""
}

// Place is where a unit stands: FILE:LINE.
func (u *Unit) Place() string {
	if !u.At.Valid() {
		return ""
	}
	return fmt.Sprintf("%s:%d", u.At.File.Name(), u.At.Pos().Line)
}

// mostUnits bounds a list, after its braces have been expanded.
const mostUnits = 1 << 20

// ReadList reads a work list. The error is diagnostics: what cannot be read, and a list
// that stands for more than a million units.
func ReadList(src *source.File) ([]Unit, error) { return readList(src, mostUnits) }

// readList is ReadList with another bound.
func readList(src *source.File, most int) ([]Unit, error) {
	r := &listReader{src: src, most: most}
	text := src.Text()
	for at := 0; at < len(text); {
		end := at
		for end < len(text) && text[end] != '\n' {
			if text[end] == '\\' && end+1 < len(text) && text[end+1] == '\n' {
				end++ // the line goes on
			}
			end++
		}
		r.line(at, strings.ReplaceAll(text[at:end], "\\\n", "  "))
		if len(r.units) > r.most {
			r.errs.Errorf(src.Span(at, end), "too-many", "the list stands for more than %d units", r.most).Help = "split it into several lists"
			break
		}
		at = end + 1
	}
	return r.units, r.errs.Err()
}

type listReader struct {
	src   *source.File
	most  int // units
	group string
	units []Unit
	errs  source.List
}

// line reads a line that begins at a place of the list.
func (r *listReader) line(at int, line string) {
	trimmed := strings.TrimSpace(line)
	whole := r.src.Span(at+strings.Index(line, trimmed), at+strings.Index(line, trimmed)+len(trimmed))
	switch {
	case trimmed == "":
		return
	case strings.HasPrefix(trimmed, "[") && strings.HasSuffix(trimmed, "]"):
		r.group = strings.TrimSpace(trimmed[1 : len(trimmed)-1])
		return
	case strings.HasPrefix(trimmed, `{"`):
		r.object(whole, trimmed)
		return
	}
	before := len(r.errs)
	words, comment := splitWords(r.src, at, line, &r.errs)
	if len(r.errs) > before || len(words) == 0 {
		return
	}
	u := Unit{At: r.src.Span(words[0].start, words[len(words)-1].end), Group: r.group}
	u.Expect = r.expected(whole, comment)
	choices := make([][]string, len(words))
	units := 1
	for i, w := range words {
		if len(w.text) > longestChoice && w.chooses() {
			r.errs.Errorf(r.src.Span(w.start, w.end), "too-long", "a word with braces has at most %d bytes", longestChoice).Help = "quote it, if it is to be taken as it is"
			return
		}
		choices[i] = w.expand(r.most)
		if units *= len(choices[i]); units > r.most {
			r.errs.Errorf(r.src.Span(w.start, w.end), "too-many", "this line stands for more than %d units", r.most).Help = "write smaller ranges, on several lines"
			return
		}
	}
	for n := range units {
		u.Words = make([]string, len(words))
		for i, rest := len(words)-1, n; i >= 0; i-- { // the last range is the fastest
			u.Words[i] = choices[i][rest%len(choices[i])]
			rest /= len(choices[i])
		}
		r.add(u, 0)
	}
}

// expected reads what a comment behind a unit expects.
func (r *listReader) expected(at source.Span, comment string) string {
	words, near, ok := expectation.Words(comment)
	switch {
	case !ok && near != "":
		r.errs.Errorf(at, "unknown-expectation", "this looks like an expectation, and is none").Help = "write # " + near
		return ""
	case !ok:
		return ""
	case len(words) == 0:
		words = []string{""}
	}
	word, _ := expectation.Next(words)
	return r.allowed(at, word)
}

// allowed refuses what cannot be expected of a unit.
func (r *listReader) allowed(at source.Span, word string) string {
	known := []string{expectation.Holds, expectation.Fails}
	if !slices.Contains(known, word) {
		r.errs.Errorf(at, "unknown-expectation", "%q cannot be expected of a unit", word).Help = expectation.Help(word, known)
		return ""
	}
	return word
}

// listed is a line of a list that is an object.
type listed struct {
	Words  []string `json:"words"`
	Group  string   `json:"group"`
	Expect string   `json:"expect"`
	Swarm  int      `json:"swarm"`
}

// object reads a line that is a JSON object. Its words are taken as they are.
func (r *listReader) object(at source.Span, text string) {
	decoder := json.NewDecoder(strings.NewReader(text))
	decoder.DisallowUnknownFields()
	var l listed
	err := decoder.Decode(&l)
	if err == nil && decoder.More() {
		err = fmt.Errorf("something stands behind the object")
	}
	switch {
	case err != nil:
		r.errs.Errorf(at, "syntax", "this object cannot be read: %v", err).Help = `write {"words": ["verify", "model.lks", "G p"]}, on one line, and beside words only group, expect, swarm`
	case len(l.Words) == 0:
		r.errs.Errorf(at, "syntax", "there are no words").Help = `write {"words": ["verify", "model.lks", "G p"]}`
	case l.Swarm < 0 || l.Swarm > r.most:
		r.errs.Errorf(at, "syntax", "a swarm has from 1 to %d units", r.most)
	default:
		u := Unit{Words: l.Words, At: at, Group: l.Group}
		if u.Group == "" {
			u.Group = r.group
		}
		if l.Expect != "" {
			u.Expect = r.allowed(at, l.Expect)
		}
		r.add(u, l.Swarm)
	}
}

// add adds a unit, or those of a swarm.
func (r *listReader) add(u Unit, swarm int) {
	if u.Words[0] == "seltl" {
		u.Words = u.Words[1:]
	}
	words := make([]string, 0, len(u.Words))
	for i := 0; i < len(u.Words); i++ {
		w := u.Words[i]
		if w == "--" {
			words = append(words, u.Words[i:]...)
			break
		}
		value, given := strings.CutPrefix(w, "--swarm=")
		if w == "--swarm" && i+1 < len(u.Words) {
			i++
			value, given = u.Words[i], true
		} else if w == "--swarm" {
			value, given = "", true
		}
		if !given {
			words = append(words, w)
			continue
		}
		n, err := strconv.Atoi(value)
		if err != nil || n < 1 || n > r.most {
			r.errs.Errorf(u.At, "syntax", "--swarm %s: a number from 1 to %d is needed", value, r.most).Help = "write how many searches there are to be: --swarm 16"
			return
		}
		swarm = n
	}
	if u.Words = words; len(words) == 0 || words[0] == "" {
		r.errs.Errorf(u.At, "syntax", "a command is missing").Help = "write what stands behind seltl: verify model.lks \"G p\""
		return
	}
	if swarm == 0 {
		r.units = append(r.units, u)
		return
	}
	u.Group = strings.TrimSpace(u.Group + " swarm: " + Quote(words))
	behind := len(words)
	if i := slices.Index(words, "--"); i >= 0 {
		behind = i
	}
	for seed := 1; seed <= swarm && len(r.units) <= r.most; seed++ {
		one := u
		one.Words = slices.Insert(slices.Clone(words), behind, fmt.Sprintf("--seed=%d", seed))
		r.units = append(r.units, one)
	}
}
