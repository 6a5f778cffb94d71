package main

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/seltl/seltl/cluster/broker"
	"github.com/seltl/seltl/cluster/job"
	"github.com/seltl/seltl/internal/cmdline"
)

func serveCommand(s streams) *cli.Command {
	return &cli.Command{
		Name:  "serve",
		Usage: "coordinate jobs; with a message server of its own, unless --nats names one",
		Description: `Several processes may serve: one of them coordinates, and if it is lost another
does. What is known of jobs is in the folder --store.

Without --user the server has a user and a password that are made up, and are
written to access.json in that folder, from where the other commands on this
machine read them.

Jobs that have ended are forgotten after --keep, or when there are more than
--keep-jobs of them, with their models and results.

EXAMPLES
   seltl-cluster serve
   SELTL_CLUSTER_PASSWORD=... seltl-cluster serve --listen 0.0.0.0:4222 \
      --user seltl --server-cert server.pem --server-key server.key
   seltl-cluster serve --nats tls://nats.example:4222 --creds seltl.creds`,
		Flags: concat(accessFlags(), []cli.Flag{
			&cli.StringFlag{Name: "listen", Value: "127.0.0.1:4222", Usage: "the message server's `ADDRESS`; one that others reach needs --user"},
			&cli.StringFlag{Name: "store", Value: defaultStore(), Usage: "keep jobs, checkpoints and results in `FOLDER`"},
			&cli.DurationFlag{Name: "keep", Value: 7 * 24 * time.Hour, Usage: "forget jobs that ended `TIME` ago, such as 48h; 0: never"},
			&cli.IntFlag{Name: "keep-jobs", Value: 10_000, Usage: "forget those that ended first where more than `N` have ended; 0: never"},
			&cli.StringFlag{Name: "store-limit", Usage: "keep at most `SIZE` of models, results and checkpoints (default: of its own server nine tenths of what it may use, which is three quarters of what is free)"},
			&cli.StringFlag{Name: "server-cert", Usage: "speak TLS with the certificate in `FILE`"},
			&cli.StringFlag{Name: "server-key", Usage: "whose key is in `FILE`"},
			&cli.StringFlag{Name: "server-ca", Usage: "demand of clients a certificate signed by one in `FILE`"},
			&cli.DurationFlag{Name: "lost", Value: job.LeaseTime, Usage: "take a worker for lost that says nothing for `TIME`"},
			&cli.StringFlag{Name: "metrics", Usage: "serve figures for Prometheus at `ADDRESS` (127.0.0.1:9100), one that others reach with the password in SELTL_CLUSTER_METRICS_PASSWORD"},
		}),
		Action: func(c *cli.Context) error { return serve(c, s) },
	}
}

// leastLost is how soon a worker may be taken for lost: one heartbeat that is late is not enough.
const leastLost = 2 * time.Second

func serve(c *cli.Context, s streams) error {
	if c.Args().Present() {
		return usagef("unexpected argument %q", c.Args().First())
	}
	if c.Duration("keep") < 0 {
		return usagef("--keep %v: a time is needed, such as 48h, or 0", c.Duration("keep"))
	}
	if most := c.Int("keep-jobs"); most < 0 {
		return usagef("--keep-jobs %d: a number is needed, or 0", most)
	}
	if lost := c.Duration("lost"); lost < leastLost {
		return usagef("--lost %v: a time from %v is needed: workers say every %v that they are there", lost, leastLost, job.Beat)
	}
	room, err := size(c, "store-limit")
	if err != nil {
		return err
	}
	a, server, err := serverAccess(c, s)
	if err != nil {
		return err
	}
	if server != nil {
		defer server.Stop()
		if room == 0 {
			room = server.Room()
		}
	}
	log := logger(s)
	nc, err := broker.Connect(c.Context, a, "seltl-cluster serve", 10*time.Second, log)
	if err != nil {
		return err
	}
	defer nc.Close()
	coordinator, err := job.NewCoordinator(c.Context, nc, job.CoordinatorOptions{Build: job.ThisBuild(cmdline.VersionText()), Lost: c.Duration("lost"), Keep: c.Duration("keep"), KeepJobs: c.Int("keep-jobs"), Room: room, Log: log})
	if err != nil {
		return err
	}
	if address := c.String("metrics"); address != "" {
		stop, err := serveMetrics(address, func() (job.Status, bool) {
			s, err := job.AskStatus(c.Context, nc, "", 0)
			return s, err == nil
		})
		if err != nil {
			return err
		}
		defer stop()
	}
	log("connected to " + a.Place())
	if err := coordinator.Run(c.Context); err != nil {
		return err
	}
	return cmdline.ExitError(130)
}

// logger writes lines with the time.
func logger(s streams) func(string) {
	return func(text string) { fmt.Fprintf(s.Err, "%s %s\n", time.Now().Format(time.TimeOnly), text) }
}

// serverAccess starts a message server, unless one is named, and says how to reach it.
func serverAccess(c *cli.Context, s streams) (a broker.Access, server *broker.Server, err error) {
	if c.String("nats") != "" || c.String("access") != "" {
		a, err = access(c)
		return a, nil, err
	}
	o := broker.ServerOptions{Listen: c.String("listen"), User: c.String("user"), Cert: c.String("server-cert"), Key: c.String("server-key"), CA: c.String("server-ca")}
	if o.User != "" {
		if o.Password, err = password(c); err != nil {
			return a, nil, err
		}
		if o.Password == "" {
			return a, nil, errNoPassword
		}
	}
	if o.Store, err = broker.SecureStore(c.String("store")); err != nil {
		return a, nil, err
	}
	if o.User == "" && localOnly(o.Listen) { // elsewhere nobody could know them
		known(&o)
	}
	server, err = broker.Start(o)
	if errors.Is(err, broker.ErrOpen) {
		return a, nil, &cmdline.Error{Text: fmt.Sprintf("--listen %s: %v", o.Listen, err), Help: "--user NAME and SELTL_CLUSTER_PASSWORD; with --server-cert and --server-key nobody reads along"}
	}
	if err != nil {
		return a, nil, err
	}
	a = broker.Access{URL: server.URL(), User: o.User, Password: o.Password, CA: c.String("tls-ca"), Cert: c.String("tls-cert"), Key: c.String("tls-key")}
	text, err := json.Marshal(a)
	if err == nil {
		err = os.WriteFile(filepath.Join(o.Store, accessFile), text, 0o600)
	}
	if err != nil {
		server.Stop()
		return a, nil, err
	}
	fmt.Fprintf(s.Err, "seltl-cluster: message server at %s, access in %s\n", a.URL, filepath.Join(o.Store, accessFile))
	return a, server, nil
}

// known takes user and password from the access that was written before, so that workers
// find back to a server that was started again, or makes them up.
func known(o *broker.ServerOptions) {
	text, err := os.ReadFile(filepath.Join(o.Store, accessFile))
	var before broker.Access
	if err == nil && json.Unmarshal(text, &before) == nil && before.User != "" && before.Password != "" {
		o.User, o.Password = before.User, before.Password
		return
	}
	o.User, o.Password = "seltl", rand.Text()
}

func workCommand(s streams) *cli.Command {
	return &cli.Command{
		Name:  "work",
		Usage: "search in jobs, until this is interrupted",
		Description: `EXAMPLES
   seltl-cluster work
   seltl-cluster work --nats tls://nats.example:4222 --creds seltl.creds --memory 24G`,
		Flags: concat(accessFlags(), []cli.Flag{
			&cli.StringFlag{Name: "memory", Usage: "use at most `SIZE`, also in jobs that allow more"},
			&cli.StringFlag{Name: "checkpoint-folder", Usage: "`FOLDER` for checkpoints of jobs that keep them in a folder, where that is another one here"},
			&cli.DurationFlag{Name: "wait", Usage: "end when the message server has not been there for `TIME`; 0: go on trying"},
			&cli.DurationFlag{Name: "patience", Usage: "leave when nobody has coordinated for `TIME`; 0: stay"},
			profileFlag("write a processor profile (for go tool pprof) to `FILE`"),
			&cli.BoolFlag{Name: "child", Hidden: true},
		}),
		Action: profiled(func(c *cli.Context) error { return work(c, s) }),
	}
}

func work(c *cli.Context, s streams) error {
	if c.Args().Present() {
		return usagef("unexpected argument %q", c.Args().First())
	}
	ctx, leave := context.WithCancel(c.Context)
	defer leave()
	o := job.WorkerOptions{Build: job.ThisBuild(cmdline.VersionText()), Patience: c.Duration("patience"), Folder: c.String("checkpoint-folder"), Log: logger(s)}
	for _, name := range []string{"wait", "patience"} {
		if c.Duration(name) < 0 {
			return usagef("--%s %v: a time is needed, such as 10m, or 0", name, c.Duration(name))
		}
	}
	wait := broker.ForEver
	if c.Duration("wait") > 0 {
		wait = c.Duration("wait")
	}
	var err error
	if o.Memory, err = size(c, "memory"); err != nil {
		return err
	}
	var a broker.Access
	if c.Bool("child") {
		if a, err = parent(s.In, leave); err != nil {
			return err
		}
		o.Log, wait = func(string) {}, time.Minute
		context.AfterFunc(ctx, func() { // whatever it is busy with
			time.Sleep(2 * time.Second)
			os.Exit(3)
		})
	} else if a, err = access(c); err != nil {
		return err
	}
	nc, err := broker.Connect(ctx, a, "seltl-cluster work", wait, o.Log)
	if err != nil {
		return err
	}
	defer nc.Close()
	if err := job.Work(ctx, nc, o); err != nil {
		return err
	}
	if c.Bool("child") {
		return nil
	}
	return cmdline.ExitError(130)
}

func localOnly(listen string) bool {
	host, _, err := net.SplitHostPort(listen)
	return err == nil && broker.Loopback(host)
}
