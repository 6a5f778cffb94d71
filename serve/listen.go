package serve

import (
	"errors"
	"fmt"
	"net"

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
