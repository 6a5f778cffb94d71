// Package expectation reads what the author of a model or a specification expects: a
// comment behind what it is about, on the line where that ends.
//
//	ltl P = G a              // expect: holds
//	abstract a, {(1)}, S;    // expect: fails, because ...
//
// What a comment stands behind, and which words may be expected of that, the languages
// know.
package expectation

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/seltl/seltl/internal/source"
)

// Holds and Fails are expected of properties and specifications, the others of what runs.
const (
	Holds        = "holds"
	Fails        = "fails"
	Deadlock     = "deadlock"
	DeadlockFree = "no deadlock"
	Error        = "error"
)

// Codes of warnings about comments: one whose words cannot be read, one that stands behind nothing
// of which something can be expected, and one on a line of its own that only looks like an
// expectation.
const (
	Unknown = "unknown-expectation"
	Stray   = "stray-expectation"
	Like    = "like-expectation"
)

// Unread returns the warnings about expectations that are not asked: an author who reads the
// verdicts believes that they were.
func Unread(warnings source.List) (unread source.List) {
	for _, w := range warnings {
		if w.Code == Unknown || w.Code == Stray {
			unread = append(unread, w)
		}
	}
	return unread
}

// Prefix is what the text of the comment begins with.
const Prefix = "expect:"

// otherWords are what people write for these.
var otherWords = map[string]string{
	"true": Holds, "ok": Holds, "pass": Holds, "passes": Holds, "yes": Holds, "satisfied": Holds, "safe": Holds, "conforms": Holds, "valid": Holds,
	"false": Fails, "violated": Fails, "violation": Fails, "error": Fails, "no": Fails, "unsafe": Fails, "invalid": Fails,
}

// Words returns the words of a comment that says what is expected; ok reports whether it
// does. near is how it is spelled if it only looks like one, "" if it is about something
// else.
func Words(comment string) (words []string, near string, ok bool) {
	text := strings.Trim(comment, "/* \t")
	rest, ok := strings.CutPrefix(text, Prefix)
	if !ok {
		return nil, misspelled(text), false
	}
	return strings.Fields(rest), "", true
}

// like is what people write for an expectation: expects HOLDS, or expected: holds
// somewhere in a comment.
var like = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)(?:^expect(?:s|ed|ation)?\s*(:?)|\bexpect(?:s|ed|ation)?\s*(:))\s*((?:[a-z]\w*:\s*)?)(holds?|fails?|no\s+deadlock|deadlock|error)\b[.,;]?(?:\s|$)`)
})

func misspelled(text string) string {
	found := like().FindStringSubmatch(text)
	if found == nil {
		return ""
	}
	word := strings.Join(strings.Fields(strings.ToLower(found[4])), " ")
	if word == Error && found[1]+found[2] == "" { // an error is expected in prose, too
		return ""
	}
	if word == "hold" || word == "fail" {
		word += "s"
	}
	if process := strings.TrimSpace(found[3]); process != "" {
		word = process + " " + word
	}
	return Prefix + " " + word
}

// Next returns what is expected by the first words, and those behind it: "no deadlock" is
// one. Punctuation behind it is left out.
func Next(words []string) (word string, rest []string) {
	word = strings.TrimRight(words[0], ".,;")
	if word == "no" && len(words) > 1 && strings.TrimRight(words[1], ".,;") == Deadlock {
		return DeadlockFree, words[2:]
	}
	return word, words[1:]
}

// Help says what to write in the place of a word that is none of those allowed; "" for
// one that is missing.
func Help(word string, allowed []string) string {
	if near := cmp.Or(otherWords[strings.ToLower(word)], source.Suggest(word, allowed)); word != "" && slices.Contains(allowed, near) {
		return fmt.Sprintf("did you mean %q?", near)
	}
	return "write " + Prefix + " " + strings.Join(allowed, ", or "+Prefix+" ")
}
