package lks_test

import (
	"testing"

	"github.com/seltl/seltl/internal/testing/gen"
	"github.com/seltl/seltl/lks"
)

// TestFingerprint: networks that are built alike have the same, others do not.
func TestFingerprint(t *testing.T) {
	seen := map[[32]byte]string{}
	for name, build := range map[string]func() *lks.Network{
		"philosophers": func() *lks.Network { return gen.Philosophers(4, false) },
		"one right":    func() *lks.Network { return gen.Philosophers(4, true) },
		"five":         func() *lks.Network { return gen.Philosophers(5, false) },
		"ring":         func() *lks.Network { return gen.Ring(4) },
		"Milner":       func() *lks.Network { return gen.Milner(4) },
		"low": func() *lks.Network {
			return gen.Milner(4).Yield(func(action string) bool { return action == "a0" })
		},
	} {
		f := build().Fingerprint()
		if build().Fingerprint() != f {
			t.Errorf("%s: it depends on more than the network", name)
		}
		if other, ok := seen[f]; ok {
			t.Errorf("%s and %s have the same", name, other)
		}
		seen[f] = name
	}
}
