package deadlock

import (
	"slices"

	"github.com/seltl/seltl/internal/lists"
)

// absRefine is AbsRefine ([Chaki05], Procedure 10.2) for a component that a spurious
// abstract deadlock convicts: it follows the component's projection of the
// abstract path, actions and classes, staying within the classes, and returns
// where to split so that the refinement is proper, and the number of actions
// followed.
//
// One departure. The thesis starts from all states of the first class; only the
// initial ones among them make its second case go through (a state of the last
// class reached from another state may well refuse F, and then the split need not
// be proper).
func absRefine(c *component, q *quotient, id int32, actions, classes, refusal []int32) (cut, int) {
	x := lists.Filter(c.m.Initial(), func(s int32) bool { return q.Class[s] == classes[0] })
	for i, a := range actions {
		next := image(c.m, x, a)
		next = slices.DeleteFunc(next, func(s int32) bool { return q.Class[s] != classes[i+1] })
		if len(next) == 0 {
			// Some member of classes[i] has an a-transition into classes[i+1], since
			// the abstract path does, and no state of x (not empty) has.
			return cut{component: id, class: classes[i], actions: []int32{a}}, i
		}
		x = next
	}
	// No state of x refuses all of the abstract refusal: else the trace would be a
	// failure. So a state of x offers an action that another member of the class
	// refuses.
	last := classes[len(classes)-1]
	return cut{component: id, class: last, actions: refusal}, len(actions)
}
