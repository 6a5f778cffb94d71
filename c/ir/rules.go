package ir

import "strings"

// Rule is a rule for the order in which routines of the library are called on one object, a mutex, say. It is
// code in the program itself, as SLIC has it ([BallRajamani01]): a variable for an object that is followed, which may be any of
// those that the program comes to, one for the state that it is in, and failures where a call does not fit.
type Rule uint8

const (
	RuleLocks  Rule = iota // mutexes of POSIX threads
	RuleStdio              // streams
	RuleMalloc             // memory is freed once
)

// RuleNames are what rules are called in options, by their numbers.
var RuleNames = []string{"pthread-locks", "stdio", "malloc"}

func (r Rule) String() string { return RuleNames[r] }

// Standing is the state of the object that is followed.
type Standing uint8

const (
	Unfollowed Standing = iota // no object is
	Usable                     // a mutex that is not held, a stream that is open
	Locked                     // of a mutex
	Gone                       // destroyed, closed, freed
)

// Ruled is what a routine means for a rule.
type Ruled struct {
	Rule Rule
	Arg  int // the object, -1: the result
	// bad says what is wrong in a state, "" nothing.
	Bad [Gone + 1]string
	// null says what is wrong about a null pointer.
	Null string
	// to is the state behind the call, in which an object may begin to be followed; unfollowed: the one before.
	To Standing
	// zero: it is so only if the routine returns 0.
	Zero bool
	// succeeds: the result is 0 where nothing is wrong, which the verdict lists.
	Succeeds bool
	// again: what is wrong if the object is held may be right of a mutex that may be held several times.
	Again bool
	// opens: the result is a new object, or null.
	Opens bool
}

// RuledAs is what a routine of the library means.
func RuledAs(name string) *Ruled {
	states := func(free, held, gone string) [4]string { return [4]string{"", free, held, gone} }
	if does, is := strings.CutPrefix(name, "pthread_mutex_"); is {
		destroyed := name + "() of a mutex that was destroyed"
		switch does {
		case "lock":
			return &Ruled{Rule: RuleLocks, Bad: states("", name+"() of a mutex that is held", destroyed), To: Locked, Succeeds: true, Again: true}
		case "trylock", "timedlock", "clocklock":
			return &Ruled{Rule: RuleLocks, Bad: states("", "", destroyed), To: Locked, Zero: true}
		case "unlock":
			return &Ruled{Rule: RuleLocks, Bad: states(name+"() of a mutex that is not held", "", destroyed), To: Usable, Succeeds: true}
		case "init":
			return &Ruled{Rule: RuleLocks, Bad: states("", name+"() of a mutex that is held", ""), To: Usable}
		case "destroy":
			return &Ruled{Rule: RuleLocks, Bad: states("", name+"() of a mutex that is held", destroyed), To: Gone}
		}
		return nil
	}
	switch name {
	case "pthread_cond_wait", "pthread_cond_timedwait", "pthread_cond_clockwait":
		return &Ruled{Rule: RuleLocks, Arg: 1, Bad: states(name+"() with a mutex that is not held", "", name+"() with a mutex that was destroyed")}
	case "fopen", "fopen64", "tmpfile", "tmpfile64", "fdopen", "popen":
		return &Ruled{Rule: RuleStdio, Arg: -1, Opens: true}
	case "fclose", "pclose":
		return &Ruled{Rule: RuleStdio, Bad: states("", "", name+"() of a stream that was closed"), Null: name + "() of a null pointer", To: Gone}
	case "free":
		return &Ruled{Rule: RuleMalloc, Bad: states("", "", "memory is freed twice"), To: Gone}
	}
	if arg, is := StreamArguments[strings.TrimSuffix(strings.TrimPrefix(name, "_IO_"), "_unlocked")]; is {
		r := &Ruled{Rule: RuleStdio, Arg: arg, Bad: states("", "", name+"() of a stream that was closed"), Null: name + "() of a null pointer"}
		if strings.HasPrefix(name, "fflush") {
			r.Null = "" // of all streams
		}
		return r
	}
	return nil
}

// StreamArguments are the routines that use a stream, with which argument that is.
var StreamArguments = map[string]int{"fprintf": 0, "vfprintf": 0, "fscanf": 0, "vfscanf": 0, "fgetc": 0, "getc": 0, "getw": 0, "fgetwc": 0, "fputs": 1, "fputc": 1, "putc": 1, "putw": 1, "ungetc": 1, "fgets": 2, "getline": 2,
	"getdelim": 3, "fread": 3, "fwrite": 3, "fseek": 0, "fseeko": 0, "ftell": 0, "ftello": 0, "rewind": 0, "feof": 0, "ferror": 0, "clearerr": 0, "fflush": 0, "fileno": 0, "setbuf": 0, "setvbuf": 0, "fgetpos": 0, "fsetpos": 0, "freopen": 2,
	"__isoc99_fscanf": 0, "__isoc23_fscanf": 0}

// FollowedInput is what a run is asked where an object may begin to be followed.
const FollowedInput = "is followed from here"

// OtherInput is what a run is asked where a stream is opened that is not followed.
const OtherInput = "which of the other streams it is"
