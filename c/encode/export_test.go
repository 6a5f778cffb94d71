package encode

import (
	"math/rand"

	"github.com/seltl/seltl/internal/testing/gen"
	"github.com/seltl/seltl/program"
)

// RandomWalk walks at random through the component of a random procedure, with random
// abstractions of the routines that it calls: nil if there is none.
func RandomWalk(seed int64) (text string, e *Encoding, t *program.Trace) {
	rng := rand.New(rand.NewSource(seed))
	text, routines := gen.CProcedure(rng)
	e, err := encodedComponent(text, "proc", randomContext(rng, routines))
	if err != nil {
		return text, nil, nil
	}
	return text, e, walkComponent(rng, e, e.Words, 1+rng.Intn(200))
}
