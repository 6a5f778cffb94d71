package ask

import (
	"fmt"
	"slices"
	"strings"

	"github.com/seltl/seltl/internal/cmdline"

	"github.com/urfave/cli/v2"
)

// StatsFormat is a format like that of printf: what is between sequences, and the letters
// of the sequences. It prints literals[0], the first sequence, literals[1], and so on.
type StatsFormat struct {
	literals  []string
	sequences []byte
}

// ParseStatsFormat reads a format whose sequences are a percent sign and one of the given
// letters, or a second percent sign. Others are errors, which say at which character.
func ParseStatsFormat(c *cli.Context, text, letters string) (StatsFormat, error) {
	return ParseFormat(c, "stats", text, letters)
}

// ParseFormat is parseStatsFormat for the format of another flag.
func ParseFormat(c *cli.Context, flag, text, letters string) (StatsFormat, error) {
	var f StatsFormat
	var literal strings.Builder
	for i := 0; i < len(text); i++ {
		if text[i] != '%' {
			literal.WriteByte(text[i])
			continue
		}
		i++
		switch {
		case i < len(text) && text[i] == '%':
			literal.WriteByte('%')
		case i < len(text) && strings.IndexByte(letters, text[i]) >= 0:
			f.literals = append(f.literals, literal.String())
			f.sequences = append(f.sequences, text[i])
			literal.Reset()
		default:
			return f, unknownSequence(c, flag, text, i-1, letters)
		}
	}
	f.literals = append(f.literals, literal.String())
	return f, nil
}

// unknownSequence is the error about the percent sign at a byte of a format.
func unknownSequence(c *cli.Context, flag, text string, at int, letters string) error {
	var known []string
	for _, l := range letters {
		known = append(known, "%"+string(l))
	}
	slices.Sort(known)
	what := "ends with a lone %"
	if rest := []rune(text[at+1:]); len(rest) > 0 {
		what = fmt.Sprintf("has %%%c, which is unknown", rest[0])
	}
	err := cmdline.Usagef(c, "--%s: the format %q %s, at character %d", flag, text, what, len([]rune(text[:at]))+1)
	if usage, ok := err.(*cmdline.Error); ok {
		usage.Help = "known are " + strings.Join(known, " ") + ", and %% for a percent sign"
	}
	return err
}

// Print fills in the values of the sequences.
func (f StatsFormat) Print(value func(letter byte) string) string {
	var b strings.Builder
	for i, letter := range f.sequences {
		b.WriteString(f.literals[i])
		b.WriteString(value(letter))
	}
	b.WriteString(f.literals[len(f.literals)-1])
	return b.String()
}
