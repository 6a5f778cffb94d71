package diagram

import (
	"strings"
	"unicode"
)

// Sizes of text, in pixels.
const (
	textSize  = 12.0
	smallSize = 10.5
	titleSize = 15.0
	lineRatio = 1.25 // of a line to its text
)

// Sans and Mono are fonts: whichever there is. Widths are estimated for the widest of them.
const (
	Sans = "Helvetica, Arial, 'Liberation Sans', 'DejaVu Sans', sans-serif"
	Mono = "'DejaVu Sans Mono', 'Liberation Mono', Menlo, Consolas, monospace"
)

// monoWidth is that of each letter of a monospaced font, as a share of the size.
const monoWidth = 0.605

// sansWidths are those of letters in thousandths of the size, the widest of DejaVu Sans,
// Verdana, Helvetica and Arial, rounded up.
var sansWidths = func() (w [128]int) {
	for i := range w {
		w[i] = 700
	}
	for width, letters := range map[int]string{
		290: "il'", 370: " .,fjI", 420: "t!", 460: ":;()[]-/\\|r\"`", 510: "*J", 540: "szc?", 600: "vxykLF",
		620: "aeoTYP", 645: "0123456789bdghnpqu_${}", 700: "EZKXSBRAVC", 790: "UDGNOHQ&", 845: "+<>=#~^wM",
		990: "mW", 1080: "@%",
	} {
		for i := range len(letters) {
			w[letters[i]] = width
		}
	}
	return w
}()

// Width estimates that of a line of text of some size, rather too much than too little.
func Width(line string, size float64) float64 { return width(line, size, false) }

// width estimates that of a line, rather too much than too little.
func width(line string, size float64, monospaced bool) float64 {
	total := 0.0
	for _, r := range line {
		switch {
		case unicode.Is(unicode.Mn, r):
		case r >= 0x1100 && (r < 0x2000 || r >= 0x2e80):
			total += 1.1
		case monospaced:
			total += monoWidth
		case r < 128:
			total += float64(sansWidths[r]) / 1000
		default:
			total += 0.88
		}
	}
	return total * size
}

// widest is the width of the widest line.
func widest(lines []string, size float64, monospaced bool) float64 {
	most := 0.0
	for _, l := range lines {
		most = max(most, width(l, size, monospaced))
	}
	return most
}

// clip shortens a line to some letters, with dots for the rest.
func clip(line string, letters int) string {
	if r := []rune(line); len(r) > letters {
		return strings.TrimRight(string(r[:letters-1]), " ") + "…"
	}
	return line
}

// wrap breaks a text into lines of some letters, behind commas and blanks where it can.
func wrap(text string, letters int) []string {
	var lines []string
	rest := []rune(text)
	for len(rest) > letters {
		cut := letters
		for i := letters; i > letters/2; i-- {
			if rest[i-1] == ' ' || rest[i-1] == ',' {
				cut = i
				break
			}
		}
		lines = append(lines, strings.TrimRight(string(rest[:cut]), " "))
		rest = []rune(strings.TrimLeft(string(rest[cut:]), " "))
	}
	return append(lines, string(rest))
}

// escape makes text that stands for itself in XML, where no control characters can be.
func escape(text string) string {
	var b strings.Builder
	for _, r := range text {
		switch {
		case r == '&':
			b.WriteString("&amp;")
		case r == '<':
			b.WriteString("&lt;")
		case r == '>':
			b.WriteString("&gt;")
		case r == '"':
			b.WriteString("&#34;")
		case r == '\'':
			b.WriteString("&#39;")
		case r == '\n':
			b.WriteString("&#10;")
		case r == '\t':
			b.WriteString("    ")
		case r < 0x20 || r >= 0x7f && r < 0xa0 || r == 0xfffe || r == 0xffff || unicode.Is(unicode.Cs, r):
			b.WriteRune('\ufffd')
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}
