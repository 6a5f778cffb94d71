package main

import (
	"encoding/json"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/rogpeppe/go-internal/testscript"

	"github.com/seltl/seltl/internal/cmdline"
	"github.com/seltl/seltl/internal/testing/soak"
	"github.com/seltl/seltl/report"
)

var update = flag.Bool("update", false, "rewrite the expected output in testdata/script")

func TestMain(m *testing.M) {
	cmdline.Version = "v0.0.0-test" // a build without one is known by its hash: each start would read all of itself
	testscript.Main(m, map[string]func(){"seltl": main})
}

// TestScripts runs testdata/script/*.txtar: files, commands, and what they must
// print. Beside testscript's own commands there are
//
//	status N seltl ...   runs seltl and wants exit status N
//	validjson FILE       wants FILE (or stdout) to follow the report schema
//	nostack              wants no Go stack trace on the last standard error
//	garbage FILE KIND    makes the big bad inputs
//
// But in a soak run, status calls main's function within this process where it can.
func TestScripts(t *testing.T) {
	t.Setenv("NO_COLOR", "1")
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	testscript.Run(t, testscript.Params{
		Dir:           filepath.Join(here, "testdata/script"), // other scripts change the working directory
		UpdateScripts: *update,
		Setup: func(env *testscript.Env) error {
			env.Setenv("SPECS", here+"/../../specs")
			seltl, err := exec.LookPath("seltl") // for scripts that take the PATH away
			if err != nil {
				return err
			}
			env.Setenv("SELTL", seltl)
			env.Setenv("NO_COLOR", "1")
			return nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"status":    cmdStatus,
			"validjson": cmdValidJSON,
			"nostack":   cmdNoStack,
			"garbage":   cmdGarbage,
		},
	})
}

// cmdStatus: `status N command...`. Exec refuses every status but 0 without "!",
// so the number is compared here.
func cmdStatus(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: status N command...")
	}
	got := 0
	if !soak.On() && runsInside(ts, args[1:]) {
		got = runInside(ts, args[1:])
	} else if err := ts.Exec(args[1], args[2:]...); err != nil {
		exit, ok := err.(*exec.ExitError)
		if !ok {
			ts.Fatalf("%v", err)
		}
		got = exit.ExitCode()
	}
	if strconv.Itoa(got) != args[0] {
		ts.Fatalf("exit status %d, want %s", got, args[0])
	}
}

// runsInside reports whether a command can be called in this process: it is seltl in the
// environment of this process, and does not read standard input.
func runsInside(ts *testscript.TestScript, command []string) bool {
	reads := func(arg string) bool {
		return arg == "sim" || arg == "unit" || arg == "-" || strings.HasPrefix(arg, "-/")
	}
	differs := func(name string) bool { return ts.Getenv(name) != os.Getenv(name) }
	return command[0] == "seltl" && !slices.ContainsFunc(command, reads) && !slices.ContainsFunc(environment, differs)
}

// environment names what seltl reads of it.
var environment = []string{"PATH", "NO_COLOR", "CLICOLOR_FORCE", "JOB_COMPLETION_INDEX", "SLURM_ARRAY_TASK_ID", "SLURM_ARRAY_TASK_COUNT", "SLURM_ARRAY_TASK_MIN", "SLURM_ARRAY_TASK_MAX"}

// inside is held by who has changed the working directory of this process.
var inside sync.Mutex

// runInside calls seltl in the directory of a script. To start it as a process takes longer than most
// of what scripts ask for.
func runInside(ts *testscript.TestScript, command []string) int {
	inside.Lock()
	defer inside.Unlock()
	back, err := os.Getwd()
	ts.Check(err)
	ts.Check(os.Chdir(ts.MkAbs(".")))
	defer os.Chdir(back)
	return run(command, unread{}, ts.Stdout(), ts.Stderr())
}

// unread is the standard input of commands that do not read it.
type unread struct{}

func (unread) Read([]byte) (int, error) { panic("standard input is read") }

// reportSchema is compiled once. Every command of a script is a start of this test
// program, so nothing large may be made when it starts.
var reportSchema = sync.OnceValues(func() (*jsonschema.Resolved, error) {
	var schema jsonschema.Schema
	if err := json.Unmarshal(report.SchemaJSON, &schema); err != nil {
		return nil, err
	}
	return schema.Resolve(&jsonschema.ResolveOptions{BaseURI: "file:///"})
})

func cmdValidJSON(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) != 1 {
		ts.Fatalf("usage: validjson FILE")
	}
	schema, err := reportSchema()
	ts.Check(err)
	var value any
	ts.Check(json.Unmarshal([]byte(ts.ReadFile(args[0])), &value))
	if err := schema.Validate(value); (err == nil) == neg {
		ts.Fatalf("schema says: %v", err)
	}
}

func cmdNoStack(ts *testscript.TestScript, neg bool, args []string) {
	text := ts.ReadFile("stderr")
	for _, sign := range []string{"goroutine ", "panic:", "runtime error", "internal error"} {
		if strings.Contains(text, sign) {
			ts.Fatalf("a stack trace or panic on stderr: %s", text)
		}
	}
}

// cmdGarbage makes inputs that are too large or too ugly for a script.
func cmdGarbage(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) != 2 {
		ts.Fatalf("usage: garbage FILE KIND")
	}
	var data []byte
	switch args[1] {
	case "megabyte":
		data = make([]byte, 1<<20)
		x := uint32(1)
		for i := range data {
			x = x*1664525 + 1013904223
			data[i] = byte(x >> 24)
		}
	case "latin1":
		data = []byte("P = (\xe4->P).\n")
	case "printable":
		data = make([]byte, 1<<20)
		x := uint32(7)
		for i := range data {
			x = x*1664525 + 1013904223
			data[i] = ' ' + byte(x>>24)%95
		}
	case "parentheses":
		data = []byte(strings.Repeat("(", 100_000) + "p" + strings.Repeat(")", 100_000))
	case "nested-process":
		data = []byte("P = " + strings.Repeat("(a -> ", 100_000) + "STOP" + strings.Repeat(")", 100_000) + ".")
	case "five-megabytes":
		data = append([]byte(strings.Repeat("int f(int x) { return x; }\n", 5<<20/27)), "int main(void) { return f(1); }\n"...)
	case "defined-twice":
		data = append([]byte(strings.Repeat("int f(int x) { return x; }\n", 10_000)), "int main(void) { return f(1); }\n"...)
	case "utf8":
		data = []byte("P = (a\xff\xfe -> P).")
	default:
		ts.Fatalf("unknown kind %s", args[1])
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), data, 0o644))
}
