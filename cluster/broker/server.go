// Package broker is how processes of a cluster meet: a NATS server within one of them, and
// connections to it or to a server that is there already.
package broker

import (
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"github.com/nats-io/nats-server/v2/server"
)

// ServerOptions are those of an embedded server.
type ServerOptions struct {
	// Listen is HOST:PORT; port 0 is a free one. A host beyond loopback needs a user.
	Listen         string
	User, Password string
	// Cert and Key are files for TLS; CA demands of clients a certificate signed by it.
	Cert, Key, CA string
	// Store is the folder of JetStream, which outlives the server.
	Store string
}

// Server is an embedded NATS server.
type Server struct {
	nats *server.Server
	lock *os.File // of the store
}

// ErrOpen refuses a server that anybody could use.
var ErrOpen = errors.New("a server that listens beyond this machine needs credentials")

// startWithin is how long a server may take to recover what is in its store.
const startWithin = time.Minute

// Start starts a server. The error is ErrOpen, ErrInUse if another one has the store, or says
// what is wrong with the options, the address or the store.
func Start(o ServerOptions) (*Server, error) {
	host, port, err := net.SplitHostPort(o.Listen)
	if err != nil {
		return nil, fmt.Errorf("--listen %s: HOST:PORT is needed, such as 127.0.0.1:4222", o.Listen)
	}
	number, err := strconv.ParseUint(port, 10, 16)
	if err != nil {
		return nil, fmt.Errorf("--listen %s: %s is no port", o.Listen, port)
	}
	if !Loopback(host) && (o.User == "" || o.Password == "") {
		return nil, ErrOpen
	}
	opts := &server.Options{
		Host: host, Port: int(number), Username: o.User, Password: o.Password,
		ServerName: "seltl-cluster", NoSigs: true, NoLog: true,
		JetStream: true, StoreDir: o.Store,
		MaxPayload: 4 << 20, MaxPending: 256 << 20,
		// Who is half gone is noticed within seconds.
		PingInterval: 3 * time.Second, MaxPingsOut: 3, WriteDeadline: 10 * time.Second,
	}
	if number == 0 {
		opts.Port = server.RANDOM_PORT
	}
	if o.Cert != "" || o.Key != "" || o.CA != "" {
		opts.TLS = true
		opts.TLSVerify = o.CA != ""
		opts.TLSTimeout = 5
		opts.TLSConfig, err = server.GenTLSConfig(&server.TLSConfigOpts{CertFile: o.Cert, KeyFile: o.Key, CaFile: o.CA, Verify: o.CA != ""})
		if err != nil {
			return nil, err
		}
	}
	locked, err := lockStore(o.Store)
	if err != nil {
		return nil, err
	}
	s, err := server.NewServer(opts)
	if err != nil {
		_ = locked.Close()
		return nil, err
	}
	started := &Server{s, locked}
	var log lastError
	s.SetLoggerV2(&log, false, false, false)
	s.Start()
	if !log.awaitReady(s) || !s.JetStreamEnabled() {
		started.Stop()
		return nil, fmt.Errorf("the NATS server does not start at %s: %s", o.Listen, log.text("no reason given"))
	}
	return started, nil
}

// awaitReady waits until a server takes connections, unless it cannot, which it has logged.
func (l *lastError) awaitReady(s *server.Server) bool {
	for until := time.Now().Add(startWithin); time.Now().Before(until); {
		if l.isFatal() {
			return false
		}
		if s.ReadyForConnections(100 * time.Millisecond) {
			return true
		}
	}
	return false
}

// URL is where clients connect.
func (s *Server) URL() string { return s.nats.ClientURL() }

// Room is how many bytes models, results and checkpoints may take, so that the little that
// coordinators write finds room beside them.
func (s *Server) Room() int64 { return s.nats.JetStreamConfig().MaxStore / 10 * 9 }

// Stop ends the server and waits until its store is closed.
func (s *Server) Stop() {
	s.nats.Shutdown()
	s.nats.WaitForShutdown()
	_ = s.lock.Close()
}

// Loopback says whether only this machine can reach a host.
func Loopback(host string) bool {
	if host == "localhost" {
		return true
	}
	ip := net.ParseIP(host)
	return ip != nil && ip.IsLoopback()
}

// SecureStore makes the folder of a store, which nobody else may read: models are in it.
func SecureStore(dir string) (string, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	return dir, os.MkdirAll(dir, 0o700)
}
