package main

import (
	"crypto/subtle"
	"fmt"
	"net"
	"net/http"
	"os"
	"time"

	"github.com/seltl/seltl/cluster/broker"
	"github.com/seltl/seltl/cluster/job"
	"github.com/seltl/seltl/internal/cmdline"
)

// metricsUser logs in for figures; the password is metricsVariable.
const (
	metricsUser     = "metrics"
	metricsVariable = "SELTL_CLUSTER_METRICS_PASSWORD"
)

// serveMetrics serves figures for Prometheus at /metrics, until stop is called. Beyond this
// machine they need a password.
func serveMetrics(address string, status func() (job.Status, bool)) (stop func(), err error) {
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		return nil, usagef("--metrics %s: HOST:PORT is needed, such as 127.0.0.1:9100", address)
	}
	password := os.Getenv(metricsVariable)
	if password == "" && !broker.Loopback(host) {
		return nil, &cmdline.Error{Text: fmt.Sprintf("--metrics %s: what others than this machine can read needs a password", address), Help: fmt.Sprintf("%s, for the user %s; or an address of this machine, such as 127.0.0.1:9100", metricsVariable, metricsUser)}
	}
	l, err := net.Listen("tcp", address)
	if err != nil {
		return nil, err
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /metrics", func(w http.ResponseWriter, r *http.Request) {
		user, given, _ := r.BasicAuth()
		if password != "" && (user != metricsUser || subtle.ConstantTimeCompare([]byte(given), []byte(password)) != 1) {
			w.Header().Set("WWW-Authenticate", "Basic")
			http.Error(w, "who are you?", http.StatusUnauthorized)
			return
		}
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
