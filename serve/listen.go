package serve

import (
	"errors"
	"fmt"
	"net"
	"sync"

	"github.com/seltl/seltl/check"
)

// DefaultAddress is where a server listens if it can: the same address each time, so that
// browsers find what they have kept for it.
const DefaultAddress = "127.0.0.1:8373"

// Listen opens an address, HOST:PORT; "" is DefaultAddress or, if that is in use, another port.
// An address that others can reach is refused unless remote is set.
func Listen(address string, remote bool) (net.Listener, error) {
	if address == "" {
		if l, err := net.Listen("tcp", DefaultAddress); err == nil {
			return l, nil
		}
		return net.Listen("tcp", "127.0.0.1:0")
	}
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		return nil, &check.InputError{Code: "address", Text: fmt.Sprintf("--addr %s: %s", address, reasonOf(err)), Help: "HOST:PORT is needed, such as " + DefaultAddress + "; port 0 is any that is free"}
	}
	if !remote && !loopback(host) {
		return nil, &check.InputError{Code: "address", Text: fmt.Sprintf("--addr %s: others in the network could reach this address", address),
			Help: "--remote allows it, without encryption; ssh -L 8373:localhost:8373 reaches a server on 127.0.0.1 from elsewhere"}
	}
	l, err := net.Listen("tcp", address)
	if err != nil {
		return nil, &check.InputError{Code: "address", Text: fmt.Sprintf("--addr %s: %s", address, reasonOf(err)), Help: "port 0 is any that is free", Err: err}
	}
	return l, nil
}

// reasonOf is an error of package net without the address.
func reasonOf(err error) string {
	var address *net.AddrError
	var operation *net.OpError
	switch {
	case errors.As(err, &address):
		return address.Err
	case errors.As(err, &operation):
		return operation.Err.Error()
	}
	return err.Error()
}

// loopback reports whether a host is this machine for itself alone.
func loopback(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

// bounded is a listener with so many connections at the same time at most: others wait.
func bounded(l net.Listener, most int) net.Listener {
	return &boundedListener{Listener: l, room: make(chan struct{}, most), closed: make(chan struct{})}
}

type boundedListener struct {
	net.Listener
	room   chan struct{}
	once   sync.Once
	closed chan struct{}
}

func (l *boundedListener) Accept() (net.Conn, error) {
	select {
	case l.room <- struct{}{}:
	case <-l.closed:
		return nil, net.ErrClosed
	}
	c, err := l.Listener.Accept()
	if err != nil {
		<-l.room
		return nil, err
	}
	return &boundedConn{Conn: c, done: func() { <-l.room }}, nil
}

func (l *boundedListener) Close() error {
	l.once.Do(func() { close(l.closed) })
	return l.Listener.Close()
}

// boundedConn makes room when it is closed, once.
type boundedConn struct {
	net.Conn
	once sync.Once
	done func()
}

func (c *boundedConn) Close() error {
	err := c.Conn.Close()
	c.once.Do(c.done)
	return err
}
