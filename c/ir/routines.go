package ir

import (
	"regexp"
	"slices"
	"strings"
	"sync"
)

// InputRoutine stands in the library's text for a byte that is read, or -1 at the end.
const InputRoutine = OwnPrefix + "input"

// LibraryInputs are what that text asks for, in words.
var LibraryInputs = map[string]string{InputRoutine: "byte read", OwnPrefix + "failed": "reading fails", LetterRoutine: "letter read", OwnPrefix + "more": "the word goes on",
	OwnPrefix + "cause": "errno", OwnPrefix + "count": "number of bytes", OwnPrefix + "index": "optind"}

// OwnPrefix begins the names that routines have in the text that is parsed: one text may be the
// body of several, and none is taken for what the parser knows.
const OwnPrefix = "__seltl_"

// PlainName is a name without what compilers put before it.
func PlainName(name string) string { return strings.TrimPrefix(name, BuiltinPrefix) }

// UncheckedName is the plain name of a routine that gcc calls in place of it where sources are fortified: strcpy for
// __builtin___strcpy_chk. What stands behind an @, which tells copies of one routine apart, is left out.
func UncheckedName(name string) string {
	name, _, _ = strings.Cut(PlainName(name), "@")
	if plain, checked := strings.CutSuffix(name, "_chk"); checked {
		return strings.TrimPrefix(plain, "__")
	}
	return name
}

// Routines with a meaning of their own where no source defines them.
var (
	FailRoutines   = map[string]bool{"reach_error": true, "__VERIFIER_error": true}
	AssertRoutines = map[string]bool{"__assert_fail": true, "__assert_perror_fail": true, "__assert": true}
	StopRoutines   = map[string]bool{"exit": true, "abort": true, "_exit": true, "_Exit": true, "quick_exit": true, "__builtin_unreachable": true, "__builtin_trap": true, "__builtin_debugtrap": true,
		"err": true, "errx": true, "verr": true, "verrx": true, "pthread_exit": true, "thrd_exit": true, "__stack_chk_fail": true, "__chk_fail": true}
	CheckRoutines  = map[string]bool{"assert": true, "__VERIFIER_assert": true}
	AssumeRoutines = map[string]bool{"__VERIFIER_assume": true, "assume": true}
)

// GivesAgain are routines whose results a program can have again by another one, which is not computed:
// what they return is not known where that is called.
var GivesAgain = map[string]string{
	"getchar": "ungetc", "getc": "ungetc", "fgetc": "ungetc", "getchar_unlocked": "ungetc", "getc_unlocked": "ungetc", "fgetc_unlocked": "ungetc",
	InputRoutine: "ungetc", "rand": "srand", "random": "srandom", "lrand48": "srand48",
}

// ReadsCharacter reports a routine that reads one.
func ReadsCharacter(f *Func) bool {
	return f.Name == InputRoutine || GivesAgain[PlainName(f.Name)] == "ungetc"
}

// AsksEnd and asksError are the routines that ask for indicators, but for their variants.
const (
	AsksEnd   = "feof"
	AsksError = "ferror"
)

// Indicator is the name of a routine of the library that asks for an indicator; "" of others.
func Indicator(f *Func) string {
	if f == nil || f.Known == nil || !f.Extern() {
		return ""
	}
	if name := strings.TrimSuffix(PlainName(f.Name), "_unlocked"); name == AsksEnd || name == AsksError {
		return name
	}
	return ""
}

// ClosesStream reports a routine behind which a stream is not to be used (C17 7.21.3, 4).
func ClosesStream(name string) bool { return name == "fclose" || name == "pclose" }

// ScanRoutines are the routines that read as a format says, which is the argument of that index.
var ScanRoutines = map[string]int{"scanf": 0, "__isoc99_scanf": 0, "__isoc23_scanf": 0, "fscanf": 1, "__isoc99_fscanf": 1, "__isoc23_fscanf": 1}

// ReadsByFormat reports one of ScanRoutines.
func ReadsByFormat(name string) bool { _, ok := ScanRoutines[PlainName(name)]; return ok }

// Scanned is what a routine reads that stands for scanf.
type Scanned struct {
	Character bool   // what comes next
	On        string // how a number would have gone on
}

// ResultOf begins the name of how many values a routine has read.
const ResultOf = "result of "

// PrintfConversion is one of a format of printf.
var PrintfConversion = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`%[-+ #0-9.*hljztLq]*[a-zA-Z%]`) })

// White are the characters of white space.
const White = " \t\n\v\f\r"

// IsSpace is isspace in the C locale.
func IsSpace(c byte) bool { return strings.IndexByte(White, c) >= 0 }

// WordRoutine stands in the library's text for reading a word, letterRoutine for a character of it.
const (
	WordRoutine   = OwnPrefix + "word"
	LetterRoutine = OwnPrefix + "letter"
)

// SpeaksOf notes that a condition speaks of something volatile.
func (p *Program) SpeaksOf(name string) {
	if !slices.Contains(p.VolatileConditions, name) {
		p.VolatileConditions = append(p.VolatileConditions, name)
	}
}

// MemoryFor begins the name of whether there is memory for a call.
const MemoryFor = "memory for "

// Stream reports stdin, stdout or stderr.
func (v *Var) Stream() bool {
	return v.Extern && v.Type.Kind == Pointer && (v.Name == "stdin" || v.Name == "stdout" || v.Name == "stderr")
}

// Errno is the variable that a program calls so, nil if it has none.
func (p *Program) Errno() *Var {
	for _, v := range p.Globals {
		if v.Name == "errno" || strings.HasSuffix(v.Name, errnoVariable) {
			return v
		}
	}
	return nil
}

// errnoVariable is where the library's __errno_location points to: its static variable.
const errnoVariable = "__errno_location.value"

// ErrnoAfter begins the name of the number that a routine leaves in errno, which is as it was where that is not positive.
const ErrnoAfter = "errno after "

// OfCharacters are the routines whose argument is an unsigned char or EOF, by C11 7.4; others are
// indices out of the tables of a library.
var OfCharacters = []string{"isalnum", "isalpha", "isblank", "iscntrl", "isdigit", "isgraph", "islower", "isprint", "ispunct", "isspace", "isupper", "isxdigit", "tolower", "toupper"}
