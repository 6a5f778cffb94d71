package witnessed

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// tokens are those of an expression: names and numbers, characters, operators.
var tokens = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(?:[A-Za-z_]\w*|(?:\.?\d(?:[eEpP][+-]|[\w.])*)|'(?:\\.|[^\\'\n])+'|<<=|>>=|\.\.\.|->|\+\+|--|<<|>>|<=|>=|==|!=|&&|\|\||[-+*/%&|^]=|[-+*/%&|^~!<>=?:,.()\[\]])`)
})

// changing are operators with effects.
var changing = []string{"=", "++", "--", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>="}

// Expression is a text that is an expression of C without effects, as far as its words say: it ends where it
// ends, whatever stands around it, calls nothing, and changes nothing. On one line, since lines are to stay.
func Expression(text string) (string, error) {
	text = strings.Join(strings.Fields(text), " ")
	if text == "" {
		return "", errors.New("there is no expression")
	}
	var open []string
	var begins []int
	before, group := "", "" // what stands before, and in the brackets that were closed last
	for rest := text; rest != ""; {
		if rest[0] == ' ' {
			rest = rest[1:]
			continue
		}
		t := tokens().FindString(rest)
		switch {
		case t == "":
			return "", fmt.Errorf("%q has no place in an expression", firstRune(rest))
		case slices.Contains(changing, t):
			return "", fmt.Errorf("%s changes something", t)
		case strings.HasPrefix(rest, "//"), strings.HasPrefix(rest, "/*"):
			return "", errors.New("comments are not read in expressions")
		case t == "(" && isName(before) && before != "sizeof":
			return "", fmt.Errorf("%s() is called", before)
		case t == "(" && (before == "]" || before == ")" && !isType(group)): // (*f)(x), or a cast to a name
			return "", errors.New("a bracket behind another one may be a call: leave one out")
		}
		switch t {
		case "(", "[":
			open, begins = append(open, t), append(begins, len(text)-len(rest)+1)
		case ")", "]":
			last := len(open) - 1
			if last < 0 || (open[last] == "(") != (t == ")") {
				return "", fmt.Errorf("%s closes nothing", t)
			}
			group = text[begins[last] : len(text)-len(rest)]
			open, begins = open[:last], begins[:last]
		}
		before, rest = t, rest[len(t):]
	}
	if len(open) > 0 {
		return "", fmt.Errorf("%s is not closed", open[len(open)-1])
	}
	return text, nil
}

// isType reports the name of a type that is made of the language's own words.
func isType(text string) bool { return typeName().MatchString(text) }

var typeName = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(?:\s*(?:const|volatile|signed|unsigned|char|short|int|long|_Bool|float|double|void|(?:struct|union|enum)\s+\w+)\b)+[\s*]*$`)
})

func isName(t string) bool {
	return t != "" && (t[0] == '_' || t[0] >= 'a' && t[0] <= 'z' || t[0] >= 'A' && t[0] <= 'Z')
}

func firstRune(s string) string {
	for i := range s {
		if i > 0 {
			return s[:i]
		}
	}
	return s
}

// resultIs takes a constraint on what a call returns apart: `\result == 3`.
var resultIs = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^\(?\s*\\result\s*(==|!=|<=|>=|<|>)\s*(.+?)\s*$`) })

// Result is a constraint on what a call returns, about a variable.
func Result(text, variable string) (string, error) {
	m := resultIs().FindStringSubmatch(text)
	if m == nil {
		return "", errors.New(`what a call returns is said as \result OPERATOR NUMBER`)
	}
	if strings.HasPrefix(text, "(") {
		m[2] = strings.TrimSuffix(m[2], ")")
	}
	value, err := Expression(m[2])
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("%s %s (%s)", variable, m[1], value), nil
}
