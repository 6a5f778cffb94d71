package broker

import (
	"context"
	"fmt"
	"time"

	"github.com/nats-io/nats.go"
)

// Access is where a server is and how to get in. It is handed to workers as JSON.
type Access struct {
	URL      string `json:"url"` // or several, separated by commas
	User     string `json:"user,omitempty"`
	Password string `json:"password,omitempty"`
	Creds    string `json:"creds,omitempty"` // file of a user of NATS's decentralised accounts
	CA       string `json:"ca,omitempty"`    // file of certificates to trust
	Cert     string `json:"cert,omitempty"`  // files of the client's own
	Key      string `json:"key,omitempty"`
}

// Connect connects, and goes on trying for a while if the server is not there yet, unless the
// context ends, whose error it returns then. The connection comes back after an interruption.
// What is published meanwhile is lost: who needs it delivered has to see to that.
func Connect(ctx context.Context, a Access, name string, patience time.Duration) (*nats.Conn, error) {
	opts := []nats.Option{
		nats.Name(name), nats.MaxReconnects(-1), nats.ReconnectWait(200 * time.Millisecond),
		nats.ReconnectJitter(100*time.Millisecond, 100*time.Millisecond),
		nats.ReconnectBufSize(-1), nats.PingInterval(3 * time.Second), nats.MaxPingsOutstanding(3),
		nats.FlusherTimeout(10 * time.Second), nats.Timeout(5 * time.Second),
		nats.IgnoreAuthErrorAbort(), // a server may come up before its users
	}
	if a.User != "" {
		opts = append(opts, nats.UserInfo(a.User, a.Password))
	}
	if a.Creds != "" {
		opts = append(opts, nats.UserCredentials(a.Creds))
	}
	if a.CA != "" {
		opts = append(opts, nats.RootCAs(a.CA))
	}
	if a.Cert != "" {
		opts = append(opts, nats.ClientCert(a.Cert, a.Key))
	}
	until := time.Now().Add(patience)
	for {
		nc, err := nats.Connect(a.URL, opts...)
		if err == nil {
			return nc, nil
		}
		if time.Now().After(until) {
			return nil, fmt.Errorf("no connection to the NATS server at %s: %w", a.URL, err)
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(200 * time.Millisecond):
		}
	}
}
