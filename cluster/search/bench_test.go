package search

import (
	"flag"
	"fmt"
	"syscall"
	"testing"
	"time"

	"github.com/seltl/seltl/cluster/exchange/local"
	"github.com/seltl/seltl/internal/testing/gen"
	"github.com/seltl/seltl/lks"
	"github.com/seltl/seltl/lks/explore"
)

var (
	benchFamily  = flag.String("family", "philosophers", "philosophers or ring")
	benchSize    = flag.Int("size", 9, "size of the family's member")
	benchWorkers = flag.Int("workers", 2, "how many search")
)

func benchNetwork() *lks.Network {
	if *benchFamily == "ring" {
		return gen.Ring(*benchSize)
	}
	return gen.Philosophers(*benchSize, false)
}

// BenchmarkShared is the search that workers of one process share memory in.
func BenchmarkShared(b *testing.B) {
	net := benchNetwork()
	for range b.N {
		start := now()
		r, err := explore.Reach(net, explore.Options{Resources: explore.Resources{Store: explore.Exact, Workers: *benchWorkers}})
		if err != nil {
			b.Fatal(err)
		}
		start.report(b, r.States)
		b.ReportMetric(float64(r.Bytes())/float64(r.States), "B/state")
		b.Logf("%+v", r.Phases)
	}
}

// BenchmarkLocal is that of workers that have a part each.
func BenchmarkLocal(b *testing.B) {
	net := benchNetwork()
	for _, store := range stores {
		b.Run(store.String(), func(b *testing.B) {
			for range b.N {
				start := now()
				r, err := runAll(b, *benchWorkers, local.Options{}, nil, asked(net, Question{Kind: Count}, nil), Options{Store: store})
				if err != nil {
					b.Fatal(err)
				}
				start.report(b, r.States)
				reportOn(b, r)
			}
		})
	}
}

// clocks are wall-clock and processor time: the latter says more where others compute, too.
type clocks struct {
	wall time.Time
	used time.Duration
}

func now() clocks {
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		panic(err)
	}
	return clocks{time.Now(), time.Duration(used.Utime.Nano() + used.Stime.Nano())}
}

func (c clocks) report(b *testing.B, states int64) {
	end := now()
	b.ReportMetric(float64(states), "states")
	b.ReportMetric(float64(states)/end.wall.Sub(c.wall).Seconds()/1e6, "Mstates/s")
	b.ReportMetric(float64(end.used-c.used)/float64(states), "cpu-ns/state")
}

func reportOn(b *testing.B, r *Result) {
	var sum Worker
	text := ""
	for _, w := range r.Workers {
		sum.Routed += w.Routed
		sum.Sent += w.Sent
		sum.SentBytes += w.SentBytes
		sum.Payloads += w.Payloads
		sum.Memory += w.Memory
		text += fmt.Sprintf("%d states %+v\n", w.States, w.Phases)
	}
	b.ReportMetric(float64(sum.Memory)/float64(r.States), "B/state")
	b.ReportMetric(float64(sum.Sent)/float64(r.Transitions), "sent/transition")
	b.ReportMetric(float64(sum.SentBytes)/float64(max(1, sum.Sent)), "B/sent")
	b.ReportMetric(float64(sum.SentBytes)/float64(max(1, sum.Payloads)), "B/payload")
	b.ReportMetric(float64(sum.SentBytes)/float64(r.States), "wire-B/state")
	b.Log(text)
}
