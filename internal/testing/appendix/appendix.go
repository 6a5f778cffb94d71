// Package appendix reads the listings of [Chaki05] from its text, which is not part of the
// repository but may lie beside it, for tests: the specifications of 6.4 and the OpenSSL
// benchmark of appendix A. What the conversion to text has done to them is undone by tables.
package appendix

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// Listings returns the texts between lines of three backquotes, and between lines with $$,
// in the lines first to last of the thesis, or skips the test. root is the folder of the
// repository.
func Listings(t testing.TB, root string, first, last int) (all []string) {
	t.Helper()
	all, err := listings(root, first, last)
	skipOrFail(t, err)
	return all
}

func skipOrFail(t testing.TB, err error) {
	t.Helper()
	if errors.Is(err, fs.ErrNotExist) {
		t.Skip("SKIPPED: the text of the thesis is not beside the repository")
	}
	if err != nil {
		t.Fatal(err)
	}
}

// listings is Listings; the error is fs.ErrNotExist where the text is not there.
func listings(root string, first, last int) (all []string, err error) {
	text, err := os.ReadFile(filepath.Join(root, "..", "shared", "seeds", "001_c8412e47ba7e7d9d.txt"))
	if err != nil {
		return nil, err
	}
	lines := strings.Split(string(text), "\n")[first-1 : last]
	var b strings.Builder
	inside := false
	for _, line := range lines {
		switch {
		case strings.HasPrefix(line, "```"):
			if inside {
				all = append(all, b.String())
				b.Reset()
			}
			inside = !inside
		case inside:
			b.WriteString(line + "\n")
		case strings.HasPrefix(line, "$$") || b.Len() > 0: // a formula, perhaps over several lines
			if b.WriteString(line + "\n"); strings.HasSuffix(line, ".$ ") {
				all = append(all, b.String())
				b.Reset()
			}
		}
	}
	return all, nil
}

// Repair undoes one thing that the conversion to text has done. Times is how often it is to
// be found in the part that it is for, so that none stands in a table in vain and none does
// more than it says.
type Repair struct {
	Why      string
	From, To string // From is a regular expression
	Times    int
}

// Restore applies repairs in their order; the error says which is not found as often as it
// is to be.
func Restore(text string, repairs []Repair) (string, error) {
	var errs []error
	for _, r := range repairs {
		pattern := regexp.MustCompile(r.From)
		if found := len(pattern.FindAllString(text, -1)); found != r.Times {
			errs = append(errs, fmt.Errorf("%s: %d times, want %d", r.Why, found, r.Times))
		}
		text = pattern.ReplaceAllString(text, r.To)
	}
	return text, errors.Join(errs...)
}

// Mathematics are what is typeset as mathematics.
func Mathematics(braces, arrows int) []Repair {
	return []Repair{
		{"braces typeset as mathematics", `\\\{\\\$0 == -1\\\}`, `{$$0 == -1}`, braces},
		{"arrows typeset as mathematics", `\\rightarrow`, `->`, arrows},
	}
}

// lostParenthesis is for equations whose body began with "(" on a line of its own: only
// "NAME =" and the alternatives are left.
func lostParenthesis(times int) Repair {
	return Repair{`a lost "(" behind "="`, `(?m)^(\w+ =\n)( *[a-z])`, "$1(\n$2", times}
}

// Part is a part of appendix A.
type Part struct {
	Name        string
	first, last int
	skip        int // listings in it that are not of it
	repairs     []Repair
}

// The parts of appendix A: sources and libraries of server and client, and what they are to
// do together.
var (
	Server        = Part{"A.1", 3831, 4248, 0, append(append([]Repair{{"> read as )", `-\)`, `->`, 3}}, source(8, 6, 9, 2, 10)...), serverRepairs...)}
	ServerLibrary = Part{"A.2", 4249, 4381, 1, append(Mathematics(11, 11), lostParenthesis(10))}
	Client        = Part{"A.3", 4382, 4732, 0, append(source(5, 7, 7, 3, 9), clientRepairs...)}
	ClientLibrary = Part{"A.4", 4733, 4829, 0, append(Mathematics(6, 6), lostParenthesis(12))}
	Specification = Part{"A.5", 4830, 4971, 0, append(Mathematics(14, 16), lostParenthesis(23),
		Repair{"a dollar typeset as mathematics", `\\\{\\\$1->`, `{$$1->`, 1},
		Repair{"a lost $", `(?m)^( +)1-> state`, `$1$$1->state`, 1},
		Repair{"l read as 1", `Ss13`, `Ssl3`, 2},
		Repair{"a lost } behind the guards", `0x2000\)\), Ssl3;`, `0x2000))}, Ssl3;`, 1},
	)}
)

// Text is a part with repairs, or skips the test.
func (p Part) Text(t testing.TB, root string) string {
	t.Helper()
	text, err := p.read(root)
	skipOrFail(t, err)
	return text
}

// read returns a part with repairs; the error is fs.ErrNotExist where the thesis is not there.
func (p Part) read(root string) (string, error) {
	all, err := listings(root, p.first, p.last)
	if err != nil {
		return "", err
	}
	text, err := Restore(strings.Join(all[p.skip:], ""), p.repairs)
	if err != nil {
		return "", fmt.Errorf("%s: %w", p.Name, err)
	}
	return text, nil
}

// BioCtrl closes what A.2 and A.4 leave open: they are said to be complete, but BIO_ctrl,
// which both sides call, is not in them. With s->debug a result of 0 is returned, and A.5
// knows 1 and -1 only.
const BioCtrl = `
cproc BIO_ctrl { abstract {BIO_ctrl_abs, 1, BioCtrl}; }
BioCtrl = (return {$0 == 1} -> STOP | return {$0 == -1} -> STOP).
`

// Handshake returns the sources of server and client, and properties of them with the library
// specifications behind, each for its side. The error is fs.ErrNotExist where the thesis is not
// there.
func Handshake(root, properties string) (sources, spec string, err error) {
	texts := make([]string, 4)
	for i, p := range []Part{Server, Client, ServerLibrary, ClientLibrary} {
		if texts[i], err = p.read(root); err != nil {
			return "", "", err
		}
	}
	spec = properties
	for i, component := range []string{"ssl3_accept", "ssl3_connect"} {
		spec += strings.ReplaceAll(texts[2+i], "cproc ", "cproc "+component+"::")
	}
	return Prelude + texts[0] + texts[1], spec + BioCtrl, nil
}

// source are repairs of C.
func source(subscripts, arrows, escapes, names, braces int) []Repair {
	return []Repair{
		{"underscores typeset as subscripts", `tmp_\{-*(\d*)\}(\d*)`, `tmp___$1$2`, subscripts},
		{"arrows typeset as mathematics", ` *\\rightarrow *`, `->`, arrows},
		{"escaped characters", `\\([_&])`, `$1`, escapes},
		{"0 read as O", `\bOL\b`, `0L`, 3},
		{"l read as 1", `ss13_`, `ssl3_`, names},
		{"l read as 1", `(?m)^1 = `, `l = `, 1},
		{"a lost ( where a routine is called by its address", `\(\(\*\(\(s`, `((*(((s`, 2},
		{"a lost } behind goto end", `goto end;\n( *)([^ }d])`, "goto end;\n$1}\n$1$2", braces},
		{"a lost } where the buffer was written", `(s->rwstate = 1;\n)( *s->state)`, "$1}\n$2", 1},
		{"a lost } where a buffer was made", `(s->init_buf = buf;\n)`, "$1}\n", 1},
	}
}

var serverRepairs = []Repair{
	{"l read as 1", `\(1 & `, `(l & `, 2},
	{"a lost _", `_L__2:`, `_L___2:`, 1},
	{"; read as :", `break:`, `break;`, 1},
	{"a lost } of hit", `(s->state = 8512;\n)`, "$1}\n", 1},
	{"a lost } of use_rsa_tmp", `(tmp\.use_rsa_tmp = 0;\n)`, "$1}\n", 1},
	{"a lost } of the size of keys", `(skip = 1;\n)(        \} else)`, "$1}\n$2", 1},
	{"a lost } of peer", `(s->init_num = 0;\n    \}\n)(\} else)`, "$1}\n$2", 1},
	{"a lost } of got_new_session", `(\(s, 32, 1\);\n  \}\n)`, "$1}\n", 1},
	{"a lost } of debug", `(goto end;\n      \}\n)(    if)`, "$1}\n$2", 1},
	{"two lost } of skip and reuse_message", `(    skip = 0;\n  \}\n  end)`, "}}\n$1", 1},
}

var clientRepairs = []Repair{
	{"a lost } of algorithms", `(goto end;\n  \}\n)(s->state = 4416)`, "$1}\n$2", 1},
	{"a lost } of cert_req", `(s->state = 4480;\n)(s->init_num = 0;\nbreak;\ncase 4464)`, "$1}\n$2", 1},
	{"a lost } of cert_req", `(change_cipher_spec = 0;\n)(s->init_num)`, "$1}\n$2", 1},
	{"a lost } of hit", `(next_state = 4560;\n)`, "$1}\n", 1},
	{"a lost } of cb", `(\(s, 32, 1\);\n)`, "$1}\n", 1},
	{"a lost } of reuse_message", `(   skip = 0;\n  \}\n  end)`, "}\n$1", 1},
}
