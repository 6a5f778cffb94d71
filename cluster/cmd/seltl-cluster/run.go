package main

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/urfave/cli/v2"

	"github.com/seltl/seltl/cluster/broker"
	"github.com/seltl/seltl/cluster/job"
	"github.com/seltl/seltl/internal/cmdline"
	"github.com/seltl/seltl/report"
)

func runCommand(s streams) *cli.Command {
	return &cli.Command{
		Name:      "run",
		Usage:     "ask on this machine: starts a message server, workers and a coordinator, and ends them",
		ArgsUsage: "MODEL [FORMULA]",
		Description: `EXAMPLES
   seltl-cluster run specs/families/philosophers.lks -D N=9 --workers 4 --deadlock
   seltl-cluster run model.lks --workers 8 --memory 2G --checkpoint 10 --count
   seltl-cluster run specs/first.lks "G(press & dark -> X lit)" --stats`,
		Flags: concat(questionFlags(), jobFlags(), outputFlags(), []cli.Flag{
			&cli.StringFlag{Name: "metrics", Usage: "serve figures for Prometheus at `ADDRESS` (127.0.0.1:9100), one that others reach with the password in SELTL_CLUSTER_METRICS_PASSWORD"},
			&cli.BoolFlag{Name: "no-replace", Usage: "do not start another worker in place of one that was lost"},
			profileFlag("write processor profiles (for go tool pprof) to `FILE` and, of the workers, to FILE.1, FILE.2, ..."),
			&cli.StringFlag{Name: "work-folder", Usage: "keep the message server's files in `FOLDER` while it runs (default: a temporary one)"},
		}),
		Action: profiled(func(c *cli.Context) error { return runAll(c, s) }),
	}
}

func concat[T any](lists ...[]T) (all []T) {
	for _, l := range lists {
		all = append(all, l...)
	}
	return all
}

// mostHere is how many workers run starts at most. More than processors make nothing faster; each
// is a process that needs memory, and thousands stop the machine.
func mostHere() int { return max(64, 8*runtime.NumCPU()) }

// machine is everything that run starts.
type machine struct {
	server      *broker.Server
	access      broker.Access
	conn        *nats.Conn
	folder      string
	coordinator *job.Coordinator
	store       *job.Store
	children    *children
	coordinates chan struct{} // closed when there is a coordinator
	// failed is closed with a reason when no worker can be started any more.
	failed context.CancelCauseFunc
}

func runAll(c *cli.Context, s streams) error {
	o, err := options(c)
	if err != nil {
		return err
	}
	if most := mostHere(); o.Workers > most {
		return &cmdline.Error{Text: fmt.Sprintf("--workers %d: this machine has %s, and run starts at most %d workers on it", o.Workers, report.Counted(int64(runtime.NumCPU()), "processor"), most), Help: "`seltl-cluster serve` here, and `seltl-cluster work` on each of several machines"}
	}
	t, err := task(c, s)
	if err != nil {
		return err
	}
	// What is started here outlives the first interruption, for as long as it takes to
	// answer with what was explored.
	ctx, failed := context.WithCancelCause(context.WithoutCancel(c.Context))
	defer failed(nil)
	m := &machine{failed: failed, coordinates: make(chan struct{})}
	defer m.stop()
	if c.Bool("no-replace") {
		o.Replace = 0
	}
	if err := m.serve(ctx, c.String("work-folder")); err != nil {
		return err
	}
	// Processes take a while to start: meanwhile the rest is.
	if err := m.startWorkers(ctx, o, m.access, c.String("cpuprofile")); err != nil {
		return err
	}
	if err := m.coordinate(ctx); err != nil {
		return err
	}
	if address := c.String("metrics"); address != "" {
		stop, err := serveMetrics(address, func() (job.Status, bool) { return m.coordinator.Status(ctx) })
		if err != nil {
			return err
		}
		defer stop()
	}
	r, err := m.store.Submit(ctx, describe(c, t), t, o)
	if err != nil {
		return err
	}
	w := &waiter{c: c, s: s, store: m.store, notice: 3 * time.Second, status: func() (job.Status, bool) {
		within, cancel := context.WithTimeout(ctx, 2*time.Second)
		defer cancel()
		return m.coordinator.Status(within)
	}}
	return w.wait(ctx, c.Context.Done(), r.ID, t)
}

// serve starts the message server, with its files in a new folder below one.
func (m *machine) serve(ctx context.Context, below string) (err error) {
	if m.folder, err = os.MkdirTemp(below, "seltl-cluster-*"); err != nil {
		return err
	}
	m.access = broker.Access{User: "run-" + rand.Text()[:8], Password: rand.Text()}
	m.server, err = broker.Start(broker.ServerOptions{Listen: "127.0.0.1:0", User: m.access.User, Password: m.access.Password, Store: filepath.Join(m.folder, "jetstream")})
	if err != nil {
		return err
	}
	m.access.URL = m.server.URL()
	if m.conn, err = broker.Connect(ctx, m.access, "seltl-cluster run", 10*time.Second, nil); err != nil {
		return err
	}
	context.AfterFunc(ctx, m.conn.Close)
	m.store, err = job.OpenStore(ctx, m.conn, m.server.Room())
	return err
}

// coordinate starts the coordinator.
func (m *machine) coordinate(ctx context.Context) (err error) {
	m.coordinator, err = job.NewCoordinator(ctx, m.conn, job.CoordinatorOptions{Build: job.ThisBuild(cmdline.VersionText()), Log: func(string) {}})
	if err != nil {
		return err
	}
	close(m.coordinates)
	go func() {
		if err := m.coordinator.Run(ctx); err != nil {
			m.failed(err)
		}
	}()
	return nil
}

// startWorkers starts the worker processes, as many as a job needs, which connect by access,
// and others in place of those that end. Their processor profiles go to files that begin with
// profile, unless that is "".
func (m *machine) startWorkers(ctx context.Context, o job.Options, access broker.Access, profile string) error {
	m.children = &children{access: access, running: map[int]*child{}, profile: profile}
	if o.Memory > 0 {
		// The collector works harder before the limit is passed; what is not states is small.
		m.children.env = append(m.children.env, fmt.Sprintf("GOMEMLIMIT=%d", o.Memory+64<<20))
	}
	host, err := os.Hostname()
	if err != nil {
		host = "unknown"
	}
	var young atomic.Int32 // workers in a row that ended at once
	m.children.gone = func(pid int, lived time.Duration, why string) {
		select {
		case <-m.coordinates:
		case <-ctx.Done():
			return
		}
		m.coordinator.Gone(ctx, host, pid, why)
		if o.Replace == 0 || ctx.Err() != nil {
			return
		}
		// One that cannot live would be started for ever.
		if lived > time.Second {
			young.Store(0)
		}
		if young.Add(1) > maxYoung {
			m.failed(fmt.Errorf("workers end again and again, the last one because: %s", why))
			return
		}
		if err := m.children.start(); err != nil {
			m.failed(err)
		}
	}
	for range o.Workers {
		if err := m.children.start(); err != nil {
			return err
		}
	}
	return nil
}

// maxYoung is how many workers may end within a second of their start, one after the other.
const maxYoung = 20

// stop ends all that was started.
func (m *machine) stop() {
	if m.children != nil {
		m.children.stop(3 * time.Second)
	}
	m.failed(errors.New("everything is over"))
	if m.server != nil {
		m.server.Stop()
	}
	if m.folder != "" {
		_ = os.RemoveAll(m.folder) // of a temporary folder
	}
}
