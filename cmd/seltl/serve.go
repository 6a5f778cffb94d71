package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/internal/cmdline"
	"github.com/seltl/seltl/serve"
)

func serveCommand(s cmdline.Streams) *cli.Command {
	d := serve.Defaults
	return &cli.Command{
		Name:      "serve",
		Usage:     "edit, check, draw and step through models in a browser",
		ArgsUsage: "[MODEL... | FOLDER]",
		Description: `Prints an address to open in a browser, and answers there until Ctrl-C. The page
has an editor that underlines mistakes while one types, the questions of verify,
check, deadlock and progress, counterexamples that can be stepped through, the
simulator, and pictures of compositions and automata. Examples are built in.

Without an argument the models in the current folder are offered. No file
outside the folder can be read, and none is written without --write.

The address has a random token: only who knows it is answered. The server
listens on 127.0.0.1, where nobody else in the network can reach it; --remote
allows other addresses, without encryption. For a server on another machine it
is better to write, here:

   ssh -L 8373:localhost:8373 machine seltl serve

EXAMPLES
   seltl serve
   seltl serve specs/classics
   seltl serve specs/first.lks specs/classics/mutex.lks --write
   seltl serve --addr 127.0.0.1:9000 --timeout 1h --max-memory 16G --checks 4`,
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "addr", Usage: "listen on `HOST:PORT`; port 0 is any that is free (default: " + serve.DefaultAddress + ", if that is in use another port)"},
			&cli.BoolFlag{Name: "remote", Usage: "allow --addr to be one that others in the network can reach"},
			&cli.StringSliceFlag{Name: "host", Usage: "answer also to the `NAME` of this machine; may be repeated"},
			&cli.BoolFlag{Name: "write", Usage: "let models in the folder be saved"},
			&cli.IntFlag{Name: "checks", Usage: fmt.Sprintf("decide `N` questions at the same time; others wait (default: %d)", d.Checks)},
			&cli.DurationFlag{Name: "timeout", Usage: fmt.Sprintf("end a check with unknown after `TIME` (default: %v)", d.Time)},
			&cli.StringFlag{Name: "max-memory", Usage: "end checks with unknown when `SIZE` of memory is in use (default: " + budget.FormatBytes(d.Memory) + ")"},
			&cli.StringFlag{Name: "max-states", Usage: "end a check with unknown soon after `N` states (default: any number)"},
			&cli.StringFlag{Name: "max-model", Usage: "refuse models of more than `SIZE` (default: " + budget.FormatBytes(int64(d.Model)) + ")"},
		},
		Action: func(c *cli.Context) error { return serveModels(c, s) },
	}
}

func serveModels(c *cli.Context, s cmdline.Streams) error {
	opts := serve.Options{Write: c.Bool("write"), Hosts: c.StringSlice("host"), Version: cmdline.VersionText(), Log: func(text string) { fmt.Fprintf(s.Err, "seltl: %s\n", strings.TrimSpace(text)) }}
	l, err := cmdline.Limits(c)
	if err != nil {
		return err
	}
	opts.Limits = serve.Limits{Time: l.Time, States: l.States, Memory: l.Memory, Checks: c.Int("checks")}
	if c.IsSet("checks") && (opts.Checks < 1 || opts.Checks > cmdline.MaxWorkers) {
		return cmdline.Usagef(c, "--checks %d: a number from 1 to %d is needed", opts.Checks, cmdline.MaxWorkers)
	}
	model, err := cmdline.ParseCount(c, "max-model", 1024)
	if err != nil {
		return err
	}
	if model > serve.MaxModel {
		return cmdline.Usagef(c, "--max-model %s: %s at most", c.String("max-model"), budget.FormatBytes(serve.MaxModel))
	}
	opts.Model = int(model)
	if opts.Folder, opts.Models, err = served(c.Args().Slice()); err != nil {
		return err
	}
	listener, err := serve.Listen(c.String("addr"), c.Bool("remote"))
	if err != nil {
		return err
	}
	server, err := serve.New(opts)
	if err != nil {
		listener.Close()
		return err
	}
	how := "nothing is written there without --write"
	if opts.Write {
		how = "which can be changed there"
	}
	fmt.Fprintf(s.Out, "Open %s\nModels in %s, %s. Ctrl-C ends.\n", server.Address(listener.Addr()), opts.Folder, how)
	return server.Serve(c.Context, listener)
}

// served returns the folder of what the arguments name, and the models in it that they name;
// none for all.
func served(args []string) (folder string, models []string, err error) {
	if len(args) == 0 {
		return ".", nil, nil
	}
	if info, err := os.Stat(args[0]); err == nil && info.IsDir() && len(args) == 1 {
		return args[0], nil, nil
	}
	var paths []string
	for _, name := range args {
		path, err := filepath.Abs(name)
		if err != nil {
			return "", nil, err
		}
		if paths = append(paths, path); folder == "" {
			folder = filepath.Dir(path)
		}
		for !inFolder(path, folder) {
			folder = filepath.Dir(folder)
		}
	}
	for _, path := range paths {
		name, err := filepath.Rel(folder, path)
		if err != nil {
			return "", nil, err
		}
		models = append(models, name)
	}
	return folder, models, nil
}

func inFolder(path, folder string) bool {
	name, err := filepath.Rel(folder, path)
	return err != nil || filepath.IsLocal(name)
}
