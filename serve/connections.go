package serve

import (
	"net"
	"net/http"
	"slices"
	"sync"
)

// connections is a listener with a bound on open connections: a new one takes the place of the
// oldest that asks nothing. Connections that only wait so cannot keep others out.
type connections struct {
	net.Listener
	most int
	mu   sync.Mutex
	open []*connection // the oldest first
}

type connection struct {
	net.Conn
	of   *connections
	asks bool // it has sent a part of a request that is not answered
}

func (l *connections) Accept() (net.Conn, error) {
	for {
		c, err := l.Listener.Accept()
		if err != nil {
			return nil, err
		}
		added, victim := l.add(c)
		if victim != nil {
			victim.Close()
		}
		if added != nil {
			return added, nil
		}
	}
}

// add makes room for a connection: victim is one to be closed, itself if all others ask something.
func (l *connections) add(c net.Conn) (added *connection, victim net.Conn) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.open) >= l.most {
		i := slices.IndexFunc(l.open, func(o *connection) bool { return !o.asks })
		if i < 0 {
			return nil, c
		}
		victim = l.open[i].Conn
		l.open = slices.Delete(l.open, i, i+1)
	}
	added = &connection{Conn: c, of: l}
	l.open = append(l.open, added)
	return added, victim
}

// state is told by package http what a connection does.
func (l *connections) state(c net.Conn, state http.ConnState) {
	if k, ok := c.(*connection); ok {
		l.mu.Lock()
		k.asks = state == http.StateActive
		l.mu.Unlock()
	}
}

// closeSilent closes the connections that ask nothing.
func (l *connections) closeSilent() {
	l.mu.Lock()
	silent := slices.DeleteFunc(slices.Clone(l.open), func(o *connection) bool { return o.asks })
	l.mu.Unlock()
	for _, c := range silent {
		c.Close()
	}
}

func (c *connection) Close() error {
	c.of.mu.Lock()
	c.of.open = slices.DeleteFunc(c.of.open, func(o *connection) bool { return o == c })
	c.of.mu.Unlock()
	return c.Conn.Close()
}
