//go:build !race

package buchi

// closeStops: a solver is stopped by closing its channel.
const closeStops = true
