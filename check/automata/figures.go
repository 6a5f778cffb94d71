package automata

import (
	"bytes"
	"fmt"
	"io"
	"math/big"
	"regexp"
	"slices"
	"strings"

	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/omega"
)

// Subject is an automaton that is worked on, and where it is from.
type Subject struct {
	*omega.Automaton
	Read      *omega.Automaton // as it was read
	Branches  [2]int           // states and edges with universal branching, as it was read
	File      string
	Line      int
	Number    int // from 0
	Label     string
	Before    string // the columns before it, and those behind it
	After     string
	Work      float64 // seconds
	Processor float64

	counted *omega.Figures
	short   bool
	meter   *budget.Meter
}

// figure is what a sequence stands for, with the letters that may stand in brackets
// before its own.
type figure struct {
	letters string // "" none, "*" also any that is no letter and no digit
	asRead  bool   // the capital letter is about the automaton as it was read
	of      func(a *Subject, letters string) (string, error)
}

// plain is a figure without letters.
func plain(of func(a *Subject) string) figure {
	return figure{asRead: true, of: func(a *Subject, _ string) (string, error) { return of(a), nil }}
}

// once is a plain figure that is about no automaton, or the one that was read.
func once(of func(a *Subject) string) figure {
	f := plain(of)
	f.asRead = false
	return f
}

var figures = map[byte]figure{
	's': {"rua", true, func(a *Subject, letters string) (string, error) {
		f := a.figures()
		return part(letters, f.States, f.AllStates), nil
	}},
	'e': {"rua", true, func(a *Subject, letters string) (string, error) {
		f := a.figures()
		return part(letters, f.Edges, f.AllEdges), nil
	}},
	't': {"rua", true, func(a *Subject, letters string) (string, error) {
		f := a.figures()
		switch letters {
		case "u":
			return new(big.Int).Sub(f.AllTransitions, f.Transitions).String(), nil
		case "a":
			return f.AllTransitions.String(), nil
		}
		return f.Transitions.String(), nil
	}},
	'c': {"aArRcCvVtTwWiI", true, func(a *Subject, letters string) (string, error) {
		return fmt.Sprint(a.figures().CountComponents(func(c omega.ComponentFigures) bool { return componentIs(c, letters) })), nil
	}},
	'a': plain(func(a *Subject) string { return fmt.Sprint(a.NumSets()) }),
	'g': {"0o", true, func(a *Subject, letters string) (string, error) { return conditionText(a, letters), nil }},
	'x': {"nsdcp*", true, func(a *Subject, letters string) (string, error) { return atomsText(a, letters), nil }},
	'd': plain(func(a *Subject) string { return digit(a.figures().Nondeterministic == 0) }),
	'n': plain(func(a *Subject) string { return fmt.Sprint(a.figures().Nondeterministic) }),
	'p': plain(func(a *Subject) string { return digit(a.figures().Complete) }),
	'u': {"se", true, func(a *Subject, letters string) (string, error) { return branchesText(a, letters), nil }},
	'm': plain(func(a *Subject) string { return a.Name() }),
	'w': {"", true, (*Subject).acceptedWord},
	'h': {"", true, func(a *Subject, _ string) (string, error) {
		var text bytes.Buffer
		err := a.WriteHOA(&text)
		return strings.Join(strings.Fields(text.String()), " "), err
	}},
	'F': once(func(a *Subject) string { return a.File }),
	'L': once(func(a *Subject) string { return fmt.Sprint(a.Line) }),
	'l': once(func(a *Subject) string { return fmt.Sprint(a.Number) }),
	'r': once(func(a *Subject) string { return fmt.Sprintf("%.6f", a.Work) }),
	'R': once(func(a *Subject) string { return fmt.Sprintf("%.6f", a.Processor) }),
	'<': once(func(a *Subject) string { return strings.TrimSuffix(a.Before, ",") }),
	'>': once(func(a *Subject) string { return strings.TrimPrefix(a.After, ",") }),
	'%': once(func(*Subject) string { return "%" }),
}

// figures are those of the automaton, counted once.
func (a *Subject) figures() *omega.Figures {
	if a.counted == nil {
		f := a.Figures()
		a.counted = &f
	}
	return a.counted
}

// part is a number of what can be reached, of all, or of the rest.
func part(letters string, reached, all int) string {
	switch letters {
	case "u":
		return fmt.Sprint(all - reached)
	case "a":
		return fmt.Sprint(all)
	}
	return fmt.Sprint(reached)
}

// componentIs reports whether a component is all that the letters say, as autfilt has them; a
// capital letter says that it is not.
func componentIs(c omega.ComponentFigures, letters string) bool {
	for i := 0; i < len(letters); i++ {
		lower, yes := letters[i]|0x20, false
		capital := letters[i] != lower
		switch {
		case lower == 'i': // and w
			yes = c.InherentlyWeak
			i++
		case lower == 'w':
			yes = c.Weak
		case lower == 'a':
			yes = c.Accepting
		case lower == 'r':
			yes = !c.Accepting
		case lower == 'c':
			yes = c.Complete
		case lower == 'v':
			yes = c.Trivial
		case lower == 't':
			yes = c.Terminal
		}
		if yes == capital {
			return false
		}
	}
	return true
}

// conditionText is the condition, or, with brackets, its name.
func conditionText(a *Subject, letters string) string {
	if letters == "" {
		return a.Condition().String()
	}
	name := a.Condition().AccName(a.NumSets())
	if name == "" && strings.Contains(letters, "o") {
		return "other"
	}
	if strings.Contains(letters, "0") {
		name, _, _ = strings.Cut(name, " ")
	}
	return name
}

// atomsText is the number of atoms, or, with letters, their names.
func atomsText(a *Subject, letters string) string {
	if letters == "" {
		return fmt.Sprint(len(a.Atoms()))
	}
	separator := ""
	for _, c := range letters {
		if !strings.ContainsRune("nsdcp", c) {
			separator += string(c)
		}
	}
	plainName := regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_.]*$`)
	var names []string
	for _, at := range a.Atoms() {
		name := at.Name
		c := strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`)
		switch {
		case strings.Contains(letters, "n"):
		case strings.Contains(letters, "c"):
			name = `"` + strings.ReplaceAll(name, `"`, `""`) + `"`
		case strings.Contains(letters, "d"), !plainName.MatchString(name):
			name = `"` + c.Replace(name) + `"`
		}
		if strings.Contains(letters, "p") {
			name = "(" + name + ")"
		}
		names = append(names, name)
	}
	if separator == "" {
		separator = " "
	}
	return strings.Join(names, separator)
}

// branchesText says whether there was universal branching, which nothing has that is printed.
func branchesText(a *Subject, letters string) string {
	switch letters {
	case "s":
		return fmt.Sprint(a.Branches[0])
	case "e":
		return fmt.Sprint(a.Branches[1])
	}
	return digit(a.Branches[1] > 0)
}

// acceptedWord is a word that is accepted, if there is one.
func (a *Subject) acceptedWord(string) (string, error) {
	w, ok := a.AcceptedWord()
	if !ok || !a.short {
		return wordText(w, ok), nil
	}
	w, err := omega.ShortestOutside(a.Automaton, omega.Nothing(), w, a.meter)
	return wordText(w, true), err
}

func wordText(w omega.Word, is bool) string {
	if !is {
		return ""
	}
	return w.String()
}

func digit(yes bool) string {
	if yes {
		return "1"
	}
	return "0"
}

// sequence is a percent sign, letters in brackets, and a letter.
var sequence = regexp.MustCompile(`%(\[[^\]]*\])?(?s:.|$)`)

// figureOf finds what a sequence stands for.
func figureOf(s string) (f figure, asRead bool, letters string, known bool) {
	if s == "%" || strings.HasSuffix(s, "]") {
		return f, false, "", false
	}
	letter := s[len(s)-1]
	if letters = s[1 : len(s)-1]; letters != "" {
		letters = letters[1 : len(letters)-1]
	}
	f, known = figures[letter]
	if !known && letter >= 'A' && letter <= 'Z' {
		f, known = figures[letter|0x20]
		asRead, known = true, known && f.asRead
	}
	if letters == "" && len(s) > 2 { // nothing within brackets
		known = known && strings.Contains("gG", string(letter))
		letters = " "
		return f, asRead, letters, known
	}
	for _, c := range letters {
		symbol := !('a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9')
		known = known && (strings.ContainsRune(f.letters, c) && c != '*' || symbol && strings.HasSuffix(f.letters, "*"))
	}
	if f.letters == "rua" || f.letters == "se" {
		known = known && len(letters) <= 1
	}
	if strings.HasPrefix(f.letters, "aAr") && strings.Contains(strings.NewReplacer("iw", "", "IW", "").Replace(letters), "i") {
		known = false
	}
	return f, asRead, letters, known
}

// CheckFormat returns the first sequence of a format that stands for nothing, "" if there is none, and
// then which there are.
func CheckFormat(format string) (wrong, known string) {
	for _, s := range sequence.FindAllString(format, -1) {
		if _, _, _, known := figureOf(s); known {
			continue
		}
		var all []string
		for letter, f := range figures {
			text := "%" + string(letter)
			if f.letters != "" {
				text = "%[" + f.letters + "]" + string(letter)
			}
			all = append(all, text)
		}
		slices.Sort(all)
		return s, strings.Join(all, " ")
	}
	return "", ""
}

// WriteFigures writes a line of figures in a format of which CheckFormat says nothing; words that
// it shows have as few letters as any, if short. The meter, which may be nil, bounds that.
func (a *Subject) WriteFigures(w io.Writer, format string, short bool, m *budget.Meter) error {
	var failed error
	now := *a
	now.short, now.meter = short, m
	read := now
	now.Branches = [2]int{}
	read.Automaton, read.counted = a.Read, nil
	line := sequence.ReplaceAllStringFunc(format, func(s string) string {
		f, asRead, letters, _ := figureOf(s)
		about := &now
		if asRead {
			about = &read
		}
		text, err := f.of(about, letters)
		if failed == nil {
			failed = err
		}
		return text
	})
	if failed != nil {
		return failed
	}
	_, err := fmt.Fprintln(w, line)
	return err
}
