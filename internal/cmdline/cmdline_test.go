package cmdline

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/urfave/cli/v2"
)

var grammar = Grammar{Program: "tool", Check: "run", Words: []string{"->"}, Optional: map[[2]string]string{{"run", "stats"}: "%s"}}

func app() *cli.App {
	return &cli.App{Commands: []*cli.Command{{Name: "run", Flags: []cli.Flag{
		&cli.BoolFlag{Name: "json"}, &cli.StringFlag{Name: "process", Aliases: []string{"p"}},
		&cli.StringSliceFlag{Name: "D"}, &cli.StringFlag{Name: "stats"}, &cli.IntFlag{Name: "jobs", Aliases: []string{"j"}},
	}}}}
}

func TestOrder(t *testing.T) {
	for _, c := range []struct{ line, want string }{
		{"", "tool"},
		{"tool", "tool"},
		{"tool run m --json", "tool run --json -- m"},
		{"tool --json run m", "tool run --json -- m"},
		{"tool run m -DN=3 -j4 -> x", "tool run -D N=3 -j 4 -- m -> x"},
		{"tool run --stats m", "tool run --stats=%s -- m"},
		{"tool run m --stats %e", "tool run --stats=%e -- m"},
		{"tool run -p7 m -j=3", "tool run -p 7 -j=3 -- m"},
		{"tool run - -- --json", "tool run -- - --json"},
		{"tool run m --help", "tool help run"},
		{"tool --help", "tool help"},
		{"tool help run", "tool help run"},
		{"tool -v run", "tool --version"},
	} {
		got, err := grammar.Order(app(), strings.Fields(c.line))
		if err != nil || !slices.Equal(got, strings.Fields(c.want)) {
			t.Errorf("%q: %q, %v, want %q", c.line, got, err, c.want)
		}
	}
	for _, c := range []struct{ line, want, help string }{
		{"tool rum m", `unknown command "rum"`, "run"},
		{"tool m.lks", `unknown command "m.lks"`, "tool run m.lks"},
		{"tool run --jsn m", "unknown flag --jsn of `tool run`", "--json"},
		{"tool run m -D", "flag -D needs a value", ""},
		{"tool run -p A m --process B", "--process is given twice", "one process"},
		{"tool run -j4 m --jobs 5", "-j and --jobs are two forms of one flag", "one of them"},
		{"tool run --jobs=4 m -j 5", "--jobs and -j are two forms of one flag", "one of them"},
	} {
		_, err := grammar.Order(app(), strings.Fields(c.line))
		var wrong *Error
		if !errors.As(err, &wrong) || wrong.Text != c.want || !strings.Contains(wrong.Help, c.help) {
			t.Errorf("%q: %#v", c.line, err)
		}
	}
}

// Values that package flag cannot read.
func TestUsage(t *testing.T) {
	command := &cli.Command{Name: "run", Flags: []cli.Flag{&cli.IntFlag{Name: "jobs", Aliases: []string{"j"}}, &cli.DurationFlag{Name: "time"}, &cli.BoolFlag{Name: "json"}}}
	for _, c := range []struct{ args, want string }{
		{"-j x", "-j x: a number is needed"}, {"--jobs x", "--jobs x: a number is needed"},
		{"--time 5", "--time 5: a time is needed, such as 30s or 5m"}, {"--json=perhaps", "--json=perhaps: true or false is needed"},
	} {
		var got string
		command.OnUsageError = func(c *cli.Context, err error, _ bool) error { got = Usage(c.Command, err).Text; return err }
		tool := &cli.App{Commands: []*cli.Command{command}, ExitErrHandler: func(*cli.Context, error) {}}
		if err := tool.Run(append([]string{"tool", "run"}, strings.Fields(c.args)...)); err == nil || got != c.want {
			t.Errorf("%s: %q, %v, want %q", c.args, got, err, c.want)
		}
	}
}

func TestNumber(t *testing.T) {
	for _, c := range []struct {
		text string
		unit float64
		want int64 // 0: none
	}{
		{"1", 1000, 1}, {"20M", 1000, 20_000_000}, {"1e6", 1000, 1_000_000}, {"2GiB", 1024, 2 << 30}, {"1.5k", 1024, 1536}, {"3tb", 1000, 3_000_000_000_000},
		{"", 1000, 0}, {"K", 1000, 0}, {"0", 1000, 0}, {"-5", 1000, 0}, {"NaN", 1000, 0}, {"1e300", 1000, 0}, {"9999999T", 1024, 0}, {"5X", 1000, 0},
	} {
		if got, ok := Number(c.text, c.unit); got != c.want || ok != (c.want > 0) {
			t.Errorf("%q: %d, %v", c.text, got, ok)
		}
	}
}

func TestDefinitions(t *testing.T) {
	got, err := Definitions([]string{"N=3", " M = 0x10", "N=4"})
	if err != nil || len(got) != 2 || got["N"] != 4 || got["M"] != 16 {
		t.Errorf("%v, %v", got, err)
	}
	for _, bad := range []string{"N", "=3", "N=", "N=x", "N=99999999999"} {
		var wrong *Error
		if _, err := Definitions([]string{bad}); !errors.As(err, &wrong) {
			t.Errorf("%q: %v", bad, err)
		}
	}
}
