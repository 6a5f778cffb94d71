package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/seltl/seltl/lks"
)

// contest is one model or question, with all the ways to run it.
type contest struct {
	*bench
	instance instance
	net      *lks.Network
	ltl      observed
	skip     map[string]bool // rows, by name, that are not wanted
	expected float64         // the most states that a run of ours has reported, for the tables of others
	rows     []*row
	closers  []func()
}

// contest prepares an instance and a formula about it, which may be empty.
func (b *bench) contest(i instance, formula string) (*contest, error) {
	net, err := i.network(b.specs)
	if err != nil {
		return nil, err
	}
	o, err := observe(net, formula)
	if err != nil {
		return nil, err
	}
	return &contest{bench: b, instance: i, net: net, ltl: o}, nil
}

func (c *contest) close() {
	for _, f := range c.closers {
		f()
	}
}

// wants reports whether a row is chosen by -search and not to be skipped.
func (c *contest) wants(name string) bool {
	return strings.Contains(name, c.search) && !c.skip[name]
}

// ours adds a row.
func (c *contest) ours(name string, j job) {
	if !c.wants(name) {
		return
	}
	j.Specs, j.Instance, j.Limit = c.specs, c.instance, c.limit
	c.rows = append(c.rows, &row{name: name, workers: max(1, j.Workers), reduced: j.POR, run: func() (figures, error) {
		f, err := j.start()
		c.expected = max(c.expected, f.States)
		return f, err
	}})
}

// spinRow adds a row for a way to use SPIN, if it is there.
func (c *contest) spinRow(w spinWay) {
	w.ltl = c.ltl
	if !c.spin || !c.wants(w.name()) {
		return
	}
	r := &row{name: w.name(), peer: true, workers: 1, reduced: w.por}
	c.rows = append(c.rows, r)
	v, err := buildSPIN(c.net, w)
	if err != nil {
		r.err = err
		return
	}
	c.closers = append(c.closers, v.close)
	r.run = c.roomy(w.por, v.run)
}

// ltsminWay is a way to run LTSmin.
type ltsminWay struct {
	name    string
	workers int
	reduced bool
	options []string
}

// ltsminRows adds rows for ways to use LTSmin, if it is there.
func (c *contest) ltsminRows(ways ...ltsminWay) {
	ways = slices.DeleteFunc(ways, func(w ltsminWay) bool { return !c.wants("LTSmin " + w.name) })
	if c.ltsmin == "" || len(ways) == 0 {
		return
	}
	m, err := buildLTSmin(c.ltsmin, c.net, c.ltl)
	if err == nil {
		c.closers = append(c.closers, m.close)
	}
	for _, w := range ways {
		options := append([]string{fmt.Sprint("--procs=", w.workers)}, w.options...)
		c.rows = append(c.rows, &row{name: "LTSmin " + w.name, peer: true, workers: w.workers, reduced: w.reduced, err: err,
			run: c.roomy(w.reduced, func(expected float64) (figures, error) { return m.run(expected, options...) })})
	}
}

// errRoom says that a run was not given enough memory.
var errRoom = errors.New("not enough room")

// roomy returns a run with as much room as the states that we have counted need: if
// that is too little, as for reduced searches, where it starts with little, with
// eight times as much. Only the run that had enough is measured.
func (c *contest) roomy(reduced bool, run func(expected float64) (figures, error)) func() (figures, error) {
	room := 0.0
	return func() (figures, error) {
		if room == 0 {
			room = 1 << 16
			if !reduced {
				room = max(room, c.expected)
			}
		}
		f, err := run(room)
		for errors.Is(err, errRoom) && room < 1<<30 {
			room *= 8
			f, err = run(room)
		}
		return f, err
	}
}
