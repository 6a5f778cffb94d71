package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/urfave/cli/v2"

	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/check"
	"github.com/seltl/seltl/cluster/broker"
	"github.com/seltl/seltl/cluster/job"
	"github.com/seltl/seltl/cluster/search"
	"github.com/seltl/seltl/internal/cmdline"
	"github.com/seltl/seltl/lks/explore"
)

// questionFlags say what is asked, and of what.
func questionFlags() []cli.Flag {
	return []cli.Flag{
		&cli.BoolFlag{Name: "count", Usage: "count states, transitions and deadlocks (the default without a formula)"},
		&cli.BoolFlag{Name: "deadlock", Usage: "can it deadlock?"},
		&cli.BoolFlag{Name: "error", Usage: "can ERROR be reached?"},
		&cli.StringFlag{Name: "reach", Usage: "can a state be reached of which `FORMULA`, which has no temporal operators, is true?"},
		&cli.StringFlag{Name: "property", Usage: "does the property `NAME` hold that the model declares?"},
		&cli.StringFlag{Name: "finite", Value: "stutter", Usage: "`HOW` formulas read runs that end: stutter, ignore, error"},
		&cli.StringFlag{Name: "process", Aliases: []string{"p"}, Usage: "check process `NAME` of the model"},
		&cli.StringSliceFlag{Name: "D", Usage: "set the constant or parameter `NAME=VALUE` of the model; may be repeated"},
	}
}

// jobFlags say how the question is to be answered.
func jobFlags() []cli.Flag {
	return []cli.Flag{
		&cli.IntFlag{Name: "workers", Aliases: []string{"n"}, Value: 2, Usage: "search by `N` workers"},
		&cli.StringFlag{Name: "memory", Usage: "stop with unknown when a worker uses `SIZE` for states, queues and buffers (500M, 8G)"},
		&cli.StringFlag{Name: "store", Value: "auto", Usage: "keep states by `STORE`: auto, numbered, exact, compact"},
		&cli.IntFlag{Name: "checkpoint", Usage: "save a checkpoint every `N` rounds (levels); 0: none, and who loses a worker begins anew"},
		&cli.StringFlag{Name: "checkpoint-folder", Usage: "keep checkpoints in `FOLDER`, which all workers share (default: on the message server)"},
		&cli.DurationFlag{Name: "replace", Value: 30 * time.Second, Usage: "wait `TIME` for a replacement of a worker that was lost, then answer unknown; 0: at once"},
		&cli.IntFlag{Name: "attempts", Value: 5, Usage: "answer unknown after `N` attempts without a new checkpoint"},
	}
}

func outputFlags() []cli.Flag {
	return []cli.Flag{
		&cli.BoolFlag{Name: "json", Usage: "print the report as JSON, as seltl does"},
		&cli.BoolFlag{Name: "quiet", Aliases: []string{"q"}, Usage: "print one line; no progress, no counterexample"},
		&cli.BoolFlag{Name: "stats", Usage: "print what each worker did, and where the time went"},
		&cli.StringFlag{Name: "details", Usage: "write the job and what each worker did to `FILE`, as JSON"},
		&cli.BoolFlag{Name: "progress", Usage: "print a line for each worker every two seconds (on a terminal, one line for all is shown anyway)"},
	}
}

// accessFlags say where the message server is.
func accessFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "nats", Usage: "the NATS server is at `URL` (nats://host:4222, tls://host:4222)", EnvVars: []string{"SELTL_CLUSTER_NATS"}},
		&cli.StringFlag{Name: "user", Usage: "log in as `USER`; the password is read from SELTL_CLUSTER_PASSWORD or --password-file", EnvVars: []string{"SELTL_CLUSTER_USER"}},
		&cli.StringFlag{Name: "password-file", Usage: "read the password from `FILE`"},
		&cli.StringFlag{Name: "creds", Usage: "log in by the credentials in `FILE` (of NATS accounts)"},
		&cli.StringFlag{Name: "tls-ca", Usage: "trust the certificates in `FILE`"},
		&cli.StringFlag{Name: "tls-cert", Usage: "show the certificate in `FILE`"},
		&cli.StringFlag{Name: "tls-key", Usage: "whose key is in `FILE`"},
		&cli.StringFlag{Name: "access", Usage: "read all of this from `FILE`, which serve writes (default: where serve writes it)"},
	}
}

// defaultStore is where serve keeps what must outlive it, unless it is told.
func defaultStore() string {
	dir, err := os.UserCacheDir()
	if err != nil {
		dir = "."
	}
	return filepath.Join(dir, "seltl-cluster")
}

var errNoPassword = &cmdline.Error{Text: "--user needs a password", Help: "SELTL_CLUSTER_PASSWORD, or --password-file FILE"}

const accessFile = "access.json"

// password reads the password of --user.
func password(c *cli.Context) (string, error) {
	if name := c.String("password-file"); name != "" {
		text, err := os.ReadFile(name)
		if err != nil {
			return "", check.FileError(name, err)
		}
		return strings.TrimSpace(string(text)), nil
	}
	return os.Getenv("SELTL_CLUSTER_PASSWORD"), nil
}

// access reads accessFlags.
func access(c *cli.Context) (a broker.Access, err error) {
	if c.String("nats") == "" {
		name := c.String("access")
		if name == "" {
			name = filepath.Join(defaultStore(), accessFile)
		}
		text, err := os.ReadFile(name)
		if errors.Is(err, fs.ErrNotExist) && c.String("access") == "" {
			return a, &cmdline.Error{Text: "no message server is named, and none was started here", Help: "seltl-cluster serve, or --nats URL, or --access FILE"}
		}
		if err != nil {
			return a, check.FileError(name, err)
		}
		if err := json.Unmarshal(text, &a); err != nil || a.URL == "" {
			return a, &cmdline.Error{Text: fmt.Sprintf("--access %s: this is no file that serve has written", name), Help: "--nats URL"}
		}
		return a, a.Check()
	}
	a = broker.Access{URL: c.String("nats"), User: c.String("user"), Creds: c.String("creds"), CA: c.String("tls-ca"), Cert: c.String("tls-cert"), Key: c.String("tls-key")}
	if err := a.Check(); err != nil {
		return a, usagef("--nats %v", err)
	}
	if a.User != "" {
		if a.Password, err = password(c); err != nil {
			return a, err
		}
		if a.Password == "" {
			return a, errNoPassword
		}
	}
	for _, name := range []string{a.Creds, a.CA, a.Cert, a.Key} {
		if _, err := os.Stat(name); name != "" && err != nil {
			return a, check.FileError(name, err)
		}
	}
	if (a.Cert == "") != (a.Key == "") {
		return a, usagef("--tls-cert and --tls-key go together")
	}
	return a, err
}

// open connects by accessFlags and opens the store.
func open(c *cli.Context, s streams, role string) (*nats.Conn, *job.Store, error) {
	a, err := access(c)
	if err != nil {
		return nil, nil, err
	}
	say := func(text string) { fmt.Fprintf(s.Err, "seltl-cluster: %s\n", text) }
	if c.Bool("quiet") {
		say = nil
	}
	nc, err := broker.Connect(c.Context, a, "seltl-cluster "+role, 5*time.Second, say)
	if err != nil {
		return nil, nil, err
	}
	store, err := job.OpenPatiently(c.Context, nc, 0, job.Away)
	if err != nil {
		nc.Close()
		return nil, nil, err
	}
	return nc, store, nil
}

// question reads questionFlags and the formula behind the model.
func question(c *cli.Context) (q search.Question, err error) {
	formula := c.Args().Get(1)
	if c.Args().Len() > 1 && strings.TrimSpace(formula) == "" {
		return q, &cmdline.Error{Text: "the formula is empty", Help: "--count counts states"}
	}
	var asked []string
	choose := func(flag string, set bool, kind search.Kind, text string) {
		if set {
			asked = append(asked, flag)
			q.Kind, q.Formula = kind, text
		}
	}
	choose("--count", c.Bool("count"), search.Count, "")
	choose("--deadlock", c.Bool("deadlock"), search.Deadlock, "")
	choose("--error", c.Bool("error"), search.Error, "")
	choose("--reach", c.IsSet("reach"), search.Reach, c.String("reach"))
	choose("--property", c.IsSet("property"), search.LTL, "")
	choose("the formula", formula != "", search.LTL, formula)
	if len(asked) > 1 {
		return q, usagef("%s are several questions: ask one at a time", strings.Join(asked, ", "))
	}
	q.Property = c.String("property")
	if err := q.Finite.UnmarshalText([]byte(c.String("finite"))); err != nil {
		return q, usagef("--finite: %v", err)
	}
	return q, nil
}

// task reads the model and what is asked of it.
func task(c *cli.Context, s streams) (*search.Task, error) {
	switch {
	case c.Args().Len() == 0:
		return nil, usagef("no model: name a .lks, .lts, .fsp or .aut file, or - for standard input")
	case c.Args().Len() > 2:
		return nil, usagef("unexpected argument %q: a model and at most one formula are needed", c.Args().Get(2))
	}
	q, err := question(c)
	if err != nil {
		return nil, err
	}
	params, err := cmdline.Definitions(c.StringSlice("D"))
	if err != nil {
		return nil, err
	}
	open := func(name string) (io.ReadCloser, error) {
		if name == "-" {
			return io.NopCloser(s.In), nil
		}
		return check.OpenFile(name)
	}
	return search.Read(c.Context, c.Args().First(), check.LoadOptions{Process: c.String("process"), Params: params, Open: open, Limits: budget.Limits{}}, q)
}

// options reads jobFlags.
func options(c *cli.Context) (o job.Options, err error) {
	o = job.Options{Workers: c.Int("workers"), CheckpointEvery: c.Int("checkpoint"), Folder: c.String("checkpoint-folder"), Replace: c.Duration("replace"), Attempts: c.Int("attempts")}
	if o.Memory, err = size(c, "memory"); err != nil {
		return o, err
	}
	if err := o.Store.UnmarshalText([]byte(c.String("store"))); err != nil {
		return o, usagef("--store: %v", err)
	}
	switch o.Store {
	case explore.Auto, explore.Numbered, explore.Exact, explore.Compact:
	default:
		return o, usagef("--store %v: workers have auto, numbered, exact and compact", o.Store)
	}
	if q, err := question(c); err == nil && o.Store == explore.Compact && q.Kind == search.LTL {
		return o, &cmdline.Error{Text: "--store compact: formulas have numbered", Help: "--store numbered; --reach for a formula about one state"}
	}
	for _, n := range []struct {
		flag  string
		value int
		least int
	}{{"workers", o.Workers, 1}, {"checkpoint", o.CheckpointEvery, 0}, {"attempts", o.Attempts, 1}} {
		if n.value < n.least || n.value > 1<<20 {
			return o, usagef("--%s %d: a number from %d to %d is needed", n.flag, n.value, n.least, 1<<20)
		}
	}
	if o.Replace < 0 {
		return o, usagef("--replace %v: a time is needed, such as 30s, or 0", o.Replace)
	}
	if o.Folder != "" {
		if o.CheckpointEvery == 0 {
			return o, usagef("--checkpoint-folder needs --checkpoint ROUNDS, which says when to save")
		}
		o.Folder, err = filepath.Abs(o.Folder)
	}
	return o, err
}

// size reads a number of bytes with an optional unit K, M, G or T; 0 if it is not given.
func size(c *cli.Context, flag string) (int64, error) {
	if !c.IsSet(flag) {
		return 0, nil
	}
	value, ok := cmdline.Number(c.String(flag), 1024)
	if !ok {
		return 0, usagef("--%s %s: a size is needed, such as 500M or 2G", flag, c.String(flag))
	}
	return value, nil
}
