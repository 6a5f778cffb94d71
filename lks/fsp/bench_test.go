package fsp_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/internal/source"
	"github.com/seltl/seltl/lks"
	"github.com/seltl/seltl/lks/explore"
	"github.com/seltl/seltl/lks/fsp"
	"github.com/seltl/seltl/lks/fsp/syntax"
)

// BenchmarkCompileMillion compiles a primitive process with a million local
// states and four million transitions.
func BenchmarkCompileMillion(b *testing.B) {
	const text = `
const N = 1000
GRID = AT[0][0],
AT[x:0..N-1][y:0..N-1] =
    ( when (x < N-1) east[x] -> AT[x+1][y]
    | when (x > 0) west -> AT[x-1][y]
    | when (y < N-1) north -> AT[x][y+1]
    | when (y > 0) south -> AT[x][y-1]
    ).
`
	for b.Loop() {
		net := benchNetwork(b, "grid.lks", text, "GRID")
		m := net.Components()[0]
		b.ReportMetric(float64(m.NumStates()), "states")
		b.ReportMetric(float64(m.NumTransitions()), "transitions")
	}
}

func benchNetwork(b *testing.B, name, text, process string) *lks.Network {
	f, err := syntax.Parse(source.NewFile(name, text))
	if err != nil {
		b.Fatal(render(err))
	}
	m, err := fsp.Compile(f, fsp.Options{Meter: budget.New(context.Background(), budget.Limits{}, nil)})
	if err != nil {
		b.Fatal(render(err))
	}
	net, err := m.Composition(process)
	if err != nil {
		b.Fatal(render(err))
	}
	return net
}

// BenchmarkOracle compiles and composes the models on which LTSA took longest;
// its times, in ms, on another machine: GolfClubFifo 690, GolfClubBounded 91,397
// and 3,619, Space_invaders 366.
func BenchmarkOracle(b *testing.B) {
	for _, c := range []struct{ file, process string }{
		{"chapter9_lts/GolfClubFifo.lts", "GOLFCLUB"},
		{"chapter9_lts/GolfClubBounded.lts", "ProgressCheck"},
		{"chapter9_lts/GolfClubBounded.lts", "GOLFCLUB"},
		{"chapter12_lts/Space_invaders.lts", "SPACE_INVADERS"},
	} {
		text, err := os.ReadFile(filepath.Join(oracleDir, "examples", c.file))
		if err != nil {
			b.Skip("the LTSA oracle (../shared/oracle/ltsa) is not here")
		}
		b.Run(c.process, func(b *testing.B) {
			for b.Loop() {
				r, err := explore.Reach(benchNetwork(b, c.file, string(text), c.process), explore.Options{Resources: explore.Resources{Store: explore.Numbered}})
				if err != nil {
					b.Fatal(err)
				}
				b.ReportMetric(float64(r.States), "states")
			}
		})
		b.Run(c.process+"/compile", func(b *testing.B) {
			for b.Loop() {
				benchNetwork(b, c.file, string(text), c.process)
			}
		})
	}
}
