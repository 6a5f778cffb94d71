package serve

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"log"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"time"
)

// Options of a server. Zero fields have good values, those of Defaults.
type Options struct {
	// Folder is the only folder that files are read from; Models are those files in it that
	// are offered, nil: all models in it.
	Folder string
	Models []string
	// Write allows models in the folder to be written.
	Write bool
	// Hosts are names that the server is reached by, beside its address and localhost.
	Hosts   []string
	Version string
	Limits
	// Log is told what went wrong inside; nil: nobody is.
	Log func(text string)
}

// Limits of a server.
type Limits struct {
	Body        int64         // bytes of a request
	Model       int           // bytes of a model
	Time        time.Duration // of a check
	Quick       time.Duration // of what is waited for: mistakes, pictures, steps
	Patience    time.Duration // that a page has until it doubts that the server is there
	States      int64         // of a check, 0: any number
	Memory      int64         // bytes in use of the whole server
	Checks      int           // at the same time
	Waiting     int           // checks that wait for others
	Kept        int           // checks that are remembered
	Simulations int           // that are remembered
	Connections int
	Drawn       int // states of an automaton, and of a simulation's graph, that are drawn
}

// MaxModel bounds Limits.Model: a request has a model twice at most, in JSON.
const MaxModel = 16 << 20

// Defaults are the limits where none are given.
var Defaults = Limits{
	Body: 4 << 20, Model: 1 << 20, Time: 10 * time.Minute, Quick: 10 * time.Second, Patience: 3 * time.Second, Memory: 4 << 30,
	Checks: 2, Waiting: 16, Kept: 64, Simulations: 32, Connections: 128, Drawn: 200,
}

// orDefaults fills in what is not given.
func (l Limits) orDefaults() Limits {
	or(&l.Body, Defaults.Body)
	or(&l.Model, Defaults.Model)
	l.Body = max(l.Body, 3*int64(l.Model))
	or(&l.Time, Defaults.Time)
	or(&l.Quick, Defaults.Quick)
	or(&l.Patience, Defaults.Patience)
	or(&l.Memory, Defaults.Memory)
	or(&l.Checks, Defaults.Checks)
	or(&l.Waiting, Defaults.Waiting)
	or(&l.Kept, Defaults.Kept)
	or(&l.Simulations, Defaults.Simulations)
	or(&l.Connections, Defaults.Connections)
	or(&l.Drawn, Defaults.Drawn)
	return l
}

func or[T int | int64 | time.Duration](field *T, value T) {
	if *field <= 0 {
		*field = value
	}
}

// Server answers the requests of one page, or several. It is safe for concurrent use.
type Server struct {
	opts   Options
	self   identity
	token  string
	cookie string // its name: cookies are shared by all servers of a machine
	folder *folder
	ctx    context.Context // of everything that goes on
	stop   context.CancelFunc
	busy   sync.WaitGroup // checks
	quick  chan struct{}  // how much is computed for requests at the same time
	checks *checks
	sims   *simulations
	whole  http.Handler
}

// New returns a server, which Close ends. The error is that of the folder.
func New(opts Options) (*Server, error) {
	opts.Limits = opts.Limits.orDefaults()
	f, err := openFolder(opts.Folder, opts.Models, opts.Write, opts.Model)
	if err != nil {
		return nil, err
	}
	s := &Server{opts: opts, self: identify(opts.Folder), token: randomName(32), folder: f, quick: make(chan struct{}, max(2, runtime.NumCPU()))}
	name := sha256.Sum256([]byte(s.token))
	s.cookie = "seltl-" + hex.EncodeToString(name[:6])
	s.ctx, s.stop = context.WithCancel(context.Background())
	s.checks, s.sims = newChecks(s), newSimulations(opts.Simulations)
	s.whole = s.guarded(s.routes())
	return s, nil
}

// identity tells a server from one that had the same address before.
type identity struct {
	Instance string `json:"instance"` // another one each time that it is started
	Place    string `json:"place"`    // of its folder, on whatever machine
	Folder   string `json:"folder"`   // the name of that
}

func identify(folder string) identity {
	path, err := filepath.Abs(folder)
	if err != nil {
		path = folder
	}
	machine, _ := os.Hostname() // without one the path has to do
	sum := sha256.Sum256([]byte(machine + "\x00" + path))
	return identity{Instance: randomName(8), Place: hex.EncodeToString(sum[:8]), Folder: filepath.Base(path)}
}

// alive is asked by a page that doubts that the server is there.
func (s *Server) alive(context.Context, *http.Request, *none) (*identity, error) { return &s.self, nil }

// randomName returns so many random bytes as a text.
func randomName(bytes int) string {
	b := make([]byte, bytes)
	_, _ = rand.Read(b) // it ends the program rather than fail
	return hex.EncodeToString(b)
}

// Close ends all checks, and returns once nothing goes on.
func (s *Server) Close() {
	s.stop()
	s.checks.close()
	s.busy.Wait()
	s.folder.root.Close()
}

// Address is what is to be opened in a browser, for a server at that address.
func (s *Server) Address(at net.Addr) string {
	host, port, err := net.SplitHostPort(at.String())
	if err != nil {
		return at.String()
	}
	if ip := net.ParseIP(host); ip != nil && ip.IsUnspecified() {
		host = "127.0.0.1"
	}
	return "http://" + net.JoinHostPort(host, port) + "/?token=" + s.token
}

// Handler is the server without a network.
func (s *Server) Handler() http.Handler { return s.whole }

// Serve answers requests until the context ends. Then it ends all checks and returns, nil unless
// the network failed. The listener is closed.
func (s *Server) Serve(ctx context.Context, l net.Listener) error {
	open := &connections{Listener: l, most: s.opts.Connections}
	server := &http.Server{
		ConnState: open.state,
		Handler:   s.whole, ReadHeaderTimeout: 5 * time.Second, ReadTimeout: 30 * time.Second,
		WriteTimeout: s.opts.Quick + 30*time.Second, IdleTimeout: time.Minute, MaxHeaderBytes: 32 << 10,
		ErrorLog:    log.New(logWriter(s.log), "", 0),
		BaseContext: func(net.Listener) context.Context { return s.ctx },
	}
	failed := make(chan error, 1)
	go func() { failed <- server.Serve(open) }()
	var err error
	select {
	case err = <-failed:
	case <-ctx.Done():
		s.stop() // so that no request waits
		l.Close()
		open.closeSilent()
		last, cancel := context.WithTimeout(context.Background(), 2*time.Second)
		defer cancel()
		if server.Shutdown(last) != nil {
			server.Close()
		}
		err = <-failed
	}
	s.Close()
	if errors.Is(err, http.ErrServerClosed) || ctx.Err() != nil && errors.Is(err, net.ErrClosed) {
		return nil
	}
	return err
}

func (s *Server) log(text string) {
	if s.opts.Log != nil {
		s.opts.Log(text)
	}
}

// logWriter passes lines on.
type logWriter func(string)

func (w logWriter) Write(p []byte) (int, error) {
	w(string(p))
	return len(p), nil
}
