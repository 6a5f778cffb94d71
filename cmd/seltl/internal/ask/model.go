package ask

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/seltl/seltl/check"
	"github.com/seltl/seltl/internal/cmdline"
	"github.com/seltl/seltl/internal/source"
)

// TwoModels is the error of a command line with a second model.
func TwoModels(c *cli.Context, second string) error {
	first := c.Args().First()
	return &cmdline.Error{Command: c.Command.Name, Text: fmt.Sprintf("one model at a time: %s and %s are two", first, second),
		Help: fmt.Sprintf("a command for each; to compare them: seltl equivalent %s %s", first, second)}
}

// LoadModel reads the model that the first argument names.
func LoadModel(c *cli.Context, s cmdline.Streams) (*check.Model, error) {
	name := c.Args().First()
	if name == "" {
		return nil, cmdline.Usagef(c, "no model: name a .lks, .lts, .fsp or .aut file, or - for standard input")
	}
	if name == "-" && slices.Contains(c.StringSlice("formula-file"), "-") {
		return nil, cmdline.Usagef(c, "model and formulas cannot both come from standard input")
	}
	return LoadFile(c, s, name, c.String("process"))
}

// LoadFile reads a model file and compiles a process of it, "" for the default.
func LoadFile(c *cli.Context, s cmdline.Streams, name, process string) (*check.Model, error) {
	params, err := cmdline.Constants(c)
	if err != nil {
		return nil, err
	}
	l, err := cmdline.Limits(c)
	if err != nil {
		return nil, err
	}
	m, err := check.Load(c.Context, name, check.LoadOptions{Process: process, Params: params, Open: s.Open, Limits: l})
	return m, OtherKind(c, err)
}

// OtherKind names the command for a file that this one cannot read.
func OtherKind(c *cli.Context, err error) error {
	var other *check.OtherKind
	switch {
	case !errors.As(err, &other):
		return err
	case other.System && source.KindOf(other.File) == source.Rules:
		return &cmdline.Error{Command: c.Command.Name, Text: other.File + ": this is a query for `seltl clp`, by its name", Help: "seltl clp " + other.File}
	case other.System:
		return &cmdline.Error{Command: c.Command.Name, Text: other.File + ": this is a system for `seltl reach`, by its name", Help: "seltl reach " + other.File}
	}
	return &cmdline.Error{Command: c.Command.Name, Text: other.Error(), Help: "seltl verify " + other.File}
}

// SplitProcess splits FILE:PROCESS. The file is "" if the text is no file but can
// be the name of a process.
func SplitProcess(s cmdline.Streams, text string) (file, process string) {
	if _, err := os.Stat(s.Path(text)); err == nil || text == "-" {
		return text, ""
	}
	if i := strings.LastIndexByte(text, ':'); i > 0 {
		return text[:i], text[i+1:]
	}
	if strings.ContainsAny(text, "./\\") {
		return text, ""
	}
	return "", text
}
