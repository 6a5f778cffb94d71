package batch

import (
	"regexp"
	"strconv"
	"strings"
	"sync"

	"github.com/seltl/seltl/internal/lists"
	"github.com/seltl/seltl/internal/source"
)

// A word of a list is read as shells read words: "..." keeps blanks, with \" and \\, '...'
// keeps everything, \ keeps the character behind it. Braces that are not quoted stand for
// several words: {a,b} for two, {2..8} for seven, {2..8..2} for four.

// word is one of a line. plain says of each byte whether braces and commas count there.
type word struct {
	text       string
	plain      []bool
	start, end int // in the list
}

// splitWords splits a line, which begins at start, into words; comment is what stands
// behind #.
func splitWords(src *source.File, start int, line string, errs *source.List) (words []word, comment string) {
	for i := 0; i < len(line); {
		switch c := line[i]; {
		case c == ' ' || c == '\t' || c == '\r' || c == '\n':
			i++
		case c == '#':
			return words, line[i+1:]
		default:
			w, end := oneWord(src, start, line, i, errs)
			words = append(words, w)
			i = end
		}
	}
	return words, ""
}

// oneWord reads the word that begins at line[i], and returns where it ends.
func oneWord(src *source.File, start int, line string, i int, errs *source.List) (w word, end int) {
	var text strings.Builder
	add := func(c byte, plain bool) {
		text.WriteByte(c)
		w.plain = append(w.plain, plain)
	}
	w.start = start + i
	for i < len(line) && !strings.ContainsRune(" \t\r\n", rune(line[i])) {
		c := line[i]
		i++
		switch {
		case c == '\\' && i < len(line):
			add(line[i], false)
			i++
		case c == '"' || c == '\'':
			closing := i
			for closing < len(line) && line[closing] != c {
				if c == '"' && line[closing] == '\\' && closing+1 < len(line) && strings.IndexByte(`"\`, line[closing+1]) >= 0 {
					closing++
				}
				add(line[closing], false)
				closing++
			}
			if closing >= len(line) {
				errs.Errorf(src.Span(start+i-1, start+len(line)), "syntax", "this quote is not closed on its line").Help = `close it by ` + string(c)
			}
			i = min(closing+1, len(line))
		default:
			add(c, true)
		}
	}
	w.text, w.end = text.String(), start+i
	return w, i
}

// numberRange is what {2..8} and {2..8..2} have in braces.
var numberRange = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(-?\d{1,9})\.\.(-?\d{1,9})(?:\.\.(\d{1,9}))?$`)
})

// longestChoice is how long a word with braces may be: to read it takes quadratic time.
const longestChoice = 4096

// chooses reports whether a word may stand for several.
func (w word) chooses() bool {
	for i := range len(w.text) {
		if w.text[i] == '{' && w.plain[i] {
			return true
		}
	}
	return false
}

// expand returns the words that a word stands for, at most most+1 of them, or more if it
// is clear before that there are too many.
func (w word) expand(most int) []string {
	for open := range len(w.text) {
		if w.text[open] != '{' || !w.plain[open] {
			continue
		}
		parts, end := w.choices(open, most)
		if parts == nil {
			continue
		}
		// The rest is expanded once for all parts.
		behind := word{text: w.text[end:], plain: w.plain[end:]}.expand(most)
		if len(behind) > most {
			return behind // these are too many already
		}
		var all []string
		for _, part := range parts {
			for _, p := range part.expand(most) {
				for _, b := range behind {
					if len(all) > most {
						return all
					}
					all = append(all, w.text[:open]+p+b)
				}
			}
		}
		return all
	}
	return []string{w.text}
}

// choices returns what the braces that open there stand for, and where they end; nil if
// they stand for themselves.
func (w word) choices(open, most int) (parts []word, end int) {
	depth, from := 0, open+1
	part := func(to int) { parts = append(parts, word{text: w.text[from:to], plain: w.plain[from:to]}) }
	for i := open; i < len(w.text); i++ {
		if !w.plain[i] {
			continue
		}
		switch c := w.text[i]; {
		case c == '{':
			depth++
		case c == ',' && depth == 1:
			part(i)
			from = i + 1
		case c == '}':
			if depth--; depth > 0 {
				continue
			}
			if len(parts) == 0 {
				return numbers(w.text[open+1:i], most), i + 1
			}
			part(i)
			return parts, i + 1
		}
	}
	return nil, 0
}

// numbers are those of a range, nil if the text is none.
func numbers(text string, most int) (parts []word) {
	m := numberRange().FindStringSubmatch(text)
	if m == nil {
		return nil
	}
	from, _ := strconv.Atoi(m[1])
	to, _ := strconv.Atoi(m[2])
	step, _ := strconv.Atoi(m[3])
	step = max(step, 1)
	if to < from {
		step = -step
	}
	for n := from; (step > 0 && n <= to || step < 0 && n >= to) && len(parts) <= most; n += step {
		t := strconv.Itoa(n)
		parts = append(parts, word{text: t, plain: make([]bool, len(t))})
	}
	return parts
}

// Quote writes words so that a list, and a shell, reads them again.
func Quote(words []string) string {
	quoted := lists.Map(words, quoteWord)
	return strings.Join(quoted, " ")
}

func quoteWord(w string) string {
	plain := strings.Trim(w, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=.,:/@%") == ""
	switch {
	case plain && w != "":
		return w
	case !strings.ContainsAny(w, "\"\\$`!\n\r"):
		return `"` + w + `"`
	}
	return "'" + strings.ReplaceAll(w, "'", `'\''`) + "'"
}
