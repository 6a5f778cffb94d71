// Package specs holds the models that a browser offers to somebody who has none at hand.
package specs

import "embed"

// Examples are models of this folder, by their paths in it.
//
//go:embed first.lks classics/*.lks fairness/*.lks thesis/8-4-surge.lks thesis/10-2-deadlock.lks deadlock/rw.lks
var Examples embed.FS
