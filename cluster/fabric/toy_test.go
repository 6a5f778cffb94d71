package fabric

import (
	"context"
	"encoding/binary"
	"fmt"
	"math/rand/v2"

	"github.com/seltl/seltl/cluster/exchange"
)

// The toy is the smallest program that needs all of an exchange: breadth-first search of a
// random graph whose vertices belong to workers. Its answer, how many vertices are in each
// level, is known from one process.

type toyGraph struct {
	vertices, degree uint32
	seed             uint64
}

func (g toyGraph) successors(v uint32, out []uint32) []uint32 {
	r := rand.New(rand.NewPCG(g.seed, uint64(v)))
	for range g.degree {
		// Most edges are short, so that there are many levels.
		if r.IntN(50) == 0 {
			out = append(out, r.Uint32N(g.vertices))
		} else {
			out = append(out, (v+r.Uint32N(g.vertices/20+1))%g.vertices)
		}
	}
	return out
}

// levels is the answer by one process.
func (g toyGraph) levels() (sizes []int) {
	seen := make([]bool, g.vertices)
	seen[0] = true
	level := []uint32{0}
	for len(level) > 0 {
		sizes = append(sizes, len(level))
		var next []uint32
		for _, v := range level {
			for _, s := range g.successors(v, nil) {
				if !seen[s] {
					seen[s] = true
					next = append(next, s)
				}
			}
		}
		level = next
	}
	return sizes
}

// search is the same by one worker of several. Batches are small: the fabric is to be
// tried, not the graph.
func (g toyGraph) search(ctx context.Context, ex exchange.Exchange, bytes int, level func(n int)) (sizes []int, err error) {
	rank, size := ex.Rank(), ex.Size()
	owner := func(v uint32) int { return int(v*2654435761>>7) % size }
	seen := map[uint32]bool{}
	var now, next []uint32
	meet := func(v uint32) {
		if !seen[v] {
			seen[v] = true
			next = append(next, v)
		}
	}
	if owner(0) == rank {
		meet(0)
	}
	receive := func(from int, payload []byte) error {
		if len(payload)%4 != 0 || len(payload) == 0 {
			return fmt.Errorf("%d bytes from %d", len(payload), from)
		}
		for ; len(payload) > 0; payload = payload[4:] {
			v := binary.LittleEndian.Uint32(payload)
			if owner(v) != rank {
				return fmt.Errorf("worker %d sent %d to %d", from, v, rank)
			}
			meet(v)
		}
		return nil
	}
	batches := make([][]byte, size)
	for {
		ex.Begin(func(int, []byte) error { return fmt.Errorf("nobody sends in this phase") })
		tallies, err := ex.Finish(ctx, binary.LittleEndian.AppendUint32(nil, uint32(len(next))))
		if err != nil {
			return nil, err
		}
		sum := 0
		for _, t := range tallies {
			sum += int(binary.LittleEndian.Uint32(t))
		}
		if sum == 0 {
			return sizes, nil
		}
		sizes = append(sizes, sum)
		if level != nil {
			level(len(sizes))
		}
		now, next = next, nil
		ex.Begin(receive)
		for _, v := range now {
			for _, s := range g.successors(v, nil) {
				to := owner(s)
				if to == rank {
					meet(s)
					continue
				}
				if batches[to] == nil {
					batches[to] = ex.Buffer()
				}
				if batches[to] = binary.LittleEndian.AppendUint32(batches[to], s); len(batches[to]) >= bytes {
					if err := ex.Send(ctx, to, batches[to]); err != nil {
						return nil, err
					}
					batches[to] = nil
				}
			}
			if err := ex.Poll(ctx); err != nil {
				return nil, err
			}
		}
		for to, b := range batches {
			if len(b) > 0 {
				if err := ex.Send(ctx, to, b); err != nil {
					return nil, err
				}
			}
			batches[to] = nil
		}
		if _, err := ex.Finish(ctx, nil); err != nil {
			return nil, err
		}
	}
}
