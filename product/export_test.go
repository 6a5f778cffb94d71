package product

import "github.com/seltl/seltl/product/internal/meet"

// SetStages makes several workers begin after so many states of one, and lets the search
// of the smaller network of AutoReduce expand so many; 0: as always.
func (o *Options) SetStages(workersAfter, smallerMost int64) {
	o.workersAfter, o.smallerMost = workersAfter, smallerMost
}

// Constraints is what translations are told about atoms.
var Constraints = meet.Constraints
