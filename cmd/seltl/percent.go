package main

import (
	"fmt"
	"slices"
	"strings"
)

// percent is a format with sequences such as %f, or %[W]n with an argument in brackets.
type percent struct {
	texts     []string // what stands before each sequence, and at the end
	sequences []percentSequence
}

type percentSequence struct {
	letter   byte
	argument string // between brackets
}

// parsePercent reads a format. Sequences that are not among the known letters are errors, so
// that nobody takes a misprint for an output; %% is always known.
func parsePercent(format, known string) (*percent, error) {
	p := &percent{}
	var b strings.Builder
	for i := 0; i < len(format); i++ {
		if format[i] != '%' {
			b.WriteByte(format[i])
			continue
		}
		begin := i
		i++
		argument := ""
		if i < len(format) && format[i] == '[' {
			end := strings.IndexByte(format[i:], ']')
			if end < 0 {
				return nil, fmt.Errorf("%q: a closing ] is missing", format[begin:])
			}
			argument = format[i+1 : i+end]
			i += end + 1
		}
		switch {
		case i >= len(format):
			return nil, fmt.Errorf("%q ends in the middle of a sequence; %%%% is a percent sign", format)
		case format[i] == '%':
			b.WriteByte('%')
		case strings.IndexByte(known, format[i]) >= 0:
			p.texts = append(p.texts, b.String())
			b.Reset()
			p.sequences = append(p.sequences, percentSequence{format[i], argument})
		default:
			letters := strings.Split(known, "")
			slices.Sort(letters)
			return nil, fmt.Errorf("unknown sequence %q: there are %%%s and %%%%", format[begin:i+1], strings.Join(letters, " %"))
		}
	}
	p.texts = append(p.texts, b.String())
	return p, nil
}

// expand writes the format with what value says for each sequence.
func (p *percent) expand(value func(letter byte, argument string) (string, error)) (string, error) {
	var b strings.Builder
	for i, s := range p.sequences {
		text, err := value(s.letter, s.argument)
		if err != nil {
			return "", err
		}
		b.WriteString(p.texts[i])
		b.WriteString(text)
	}
	b.WriteString(p.texts[len(p.texts)-1])
	return b.String(), nil
}
