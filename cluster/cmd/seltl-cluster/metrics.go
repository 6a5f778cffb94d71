package main

import (
	"fmt"
	"net"
	"net/http"
	"time"

	"github.com/seltl/seltl/cluster/broker"
	"github.com/seltl/seltl/cluster/job"
)

// serveMetrics serves figures for Prometheus at /metrics, until stop is called. They tell
// nothing of models, but there is no login: beyond this machine they are only served where
// the address says so in words.
func serveMetrics(address string, status func() (job.Status, bool)) (stop func(), err error) {
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		return nil, usagef("--metrics %s: HOST:PORT is needed, such as 127.0.0.1:9100", address)
	}
	if host == "" || !broker.Loopback(host) {
		return nil, &usageError{fmt.Sprintf("--metrics %s: figures are served without a login, so only on this machine", address),
			"127.0.0.1 and a port; let a scraper or a sidecar on this machine pass them on"}
	}
	l, err := net.Listen("tcp", address)
	if err != nil {
		return nil, err
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /metrics", func(w http.ResponseWriter, _ *http.Request) {
		s, ok := status()
		if !ok {
			http.Error(w, job.ErrNobody.Error(), http.StatusServiceUnavailable)
			return
		}
		w.Header().Set("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
		_ = s.Metrics(w) // who asked is gone
	})
	server := &http.Server{Handler: mux, ReadHeaderTimeout: 5 * time.Second}
	go func() { _ = server.Serve(l) }()
	return func() { _ = server.Close() }, nil
}
