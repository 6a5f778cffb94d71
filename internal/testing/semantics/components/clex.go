package components

import (
	"regexp"
	"strconv"
	"strings"
)

// token is a word of a C text.
type token struct {
	text string
	kind byte // n name, d number, s string, p punctuator, 0 the end
	val  int64
	t    *ctype // of a number
	str  string // of a string, without the final 0
}

var (
	words = regexp.MustCompile(`^(?:[A-Za-z_][A-Za-z_0-9]*|\$[0-9]+)`)
	nums  = regexp.MustCompile(`^[0-9][0-9A-Za-z]*`)
	marks = []string{"<<=", ">>=", "...", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "++", "--", "->", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^="}
)

// lex splits a text into words. Comments and directives are left out.
func lex(text string) (all []token) {
	for text = strings.TrimLeft(text, " \t\r\n"); text != ""; text = strings.TrimLeft(text, " \t\r\n") {
		switch {
		case strings.HasPrefix(text, "//") || text[0] == '#':
			_, text, _ = strings.Cut(text, "\n")
		case strings.HasPrefix(text, "/*"):
			_, text, _ = strings.Cut(text, "*/")
		case words.MatchString(text):
			w := words.FindString(text)
			all, text = append(all, token{text: w, kind: 'n'}), text[len(w):]
		case nums.MatchString(text):
			w := nums.FindString(text)
			all, text = append(all, number(w)), text[len(w):]
		case text[0] == '\'' || text[0] == '"':
			var t token
			t, text = quoted(text)
			all = append(all, t)
		default:
			mark := text[:1]
			for _, m := range marks {
				if strings.HasPrefix(text, m) {
					mark = m
					break
				}
			}
			all, text = append(all, token{text: mark, kind: 'p'}), text[len(mark):]
		}
	}
	return append(all, token{})
}

// number is an integer constant, with the first type of C's list that can hold it.
func number(w string) token {
	digits := strings.TrimRight(w, "uUlL")
	suffix := strings.ToLower(w[len(digits):])
	v, err := strconv.ParseUint(digits, 0, 64)
	if err != nil {
		unsupported("the number %s", w)
	}
	decimal := digits == "0" || digits[0] != '0'
	for _, t := range []*ctype{tInt, tUInt, tLong, tULong} {
		if strings.Contains(suffix, "l") && t.size < 8 || strings.Contains(suffix, "u") && t.signed || !t.signed && decimal && !strings.Contains(suffix, "u") {
			continue
		}
		bits := uint(8 * t.size)
		if t.signed {
			bits--
		}
		if bits == 64 || v < 1<<bits {
			return token{text: w, kind: 'd', val: int64(v), t: t}
		}
	}
	unsupported("the number %s", w)
	return token{}
}

var escapes = map[byte]byte{'n': '\n', 't': '\t', '0': 0, '\\': '\\', '\'': '\'', '"': '"', 'a': 7, 'r': '\r'}

// quoted is a character, which is an int, or a string.
func quoted(text string) (token, string) {
	end, s := text[0], ""
	i := 1
	for ; text[i] != end; i++ {
		c := text[i]
		if c == '\\' {
			i++
			known := false
			if c, known = escapes[text[i]], true; !known {
				unsupported("the escape %q", text[i])
			}
		}
		s += string([]byte{c})
	}
	if end == '\'' {
		return token{text: text[:i+1], kind: 'd', val: int64(int8(s[0])), t: tInt}, text[i+1:]
	}
	return token{text: text[:i+1], kind: 's', str: s}, text[i+1:]
}
