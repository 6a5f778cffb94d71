package armc

import (
	"encoding/binary"
	"math/big"
	"slices"

	"github.com/seltl/seltl/internal/lists"
	"github.com/seltl/seltl/internal/predabs"
	"github.com/seltl/seltl/logic"
	"github.com/seltl/seltl/program"
	"github.com/seltl/seltl/smt"
)

// Loops that have a closed form are taken in one leap (program.Accelerate): by bounded
// search, as one more way from a location to itself, and along spurious paths
// ([Hojjat12]). A path that goes round a loop some times is tried with any number of
// times instead: if an error can be met so, the run is found however long it is, and if
// not, what excludes it excludes all the paths at once.

// leap is a step of a path: blocks one after the other, done once, or as often as count
// says.
type leap struct {
	blocks  []int
	command *program.Command
	count   *logic.Term // an input of the command; nil: once
	exact   bool        // two of them are one
}

// leaps are a path from a location.
type leaps struct {
	*run
	start int
	steps []leap
}

// leapMost bounds the solver's work on a question about leaps, to about a second: there is
// a way without them, and the number of times may make a product nonlinear.
const leapMost = 300_000

// within bounds the work of questions until the function that it returns is called.
func (r *run) within(work uint64) (done func()) {
	r.solver.Limit(work)
	return func() { r.solver.Limit(r.each) }
}

// maxUnfolded bounds the edges of a run that is unfolded: its states take half a gigabyte.
const maxUnfolded = 500_000

// accelerations are the leaps that do a cycle of blocks several times; all as of
// program.Accelerate.
type accelerations struct {
	leaps []leap
	all   bool
}

func (r *run) accelerations(cycle []int) accelerations {
	if r.options.NoAcceleration {
		return accelerations{}
	}
	var room [4 * maxCycle]byte
	key := room[:0]
	for _, b := range cycle {
		key = binary.AppendUvarint(key, uint64(b))
	}
	if out, ok := r.accelerated[string(key)]; ok {
		return out
	}
	c := r.blocks.All[cycle[0]].Command
	if len(cycle) > 1 {
		all := lists.Append(nil, cycle, func(b int) *program.Command { return r.blocks.All[b].Command })
		c = program.Join(all...)
	}
	var out accelerations
	var found []*program.Acceleration
	found, out.all = program.Accelerate(c)
	for _, a := range found {
		out.leaps = append(out.leaps, leap{cycle, a.Command, a.Count, a.Exact})
	}
	r.accelerated[string(key)] = out
	return out
}

// path returns the path of leaps. known says whether facts are put into its guards.
func (l *leaps) path(known bool) *program.Path {
	p := &program.Path{Vars: l.sys.Vars, Init: l.blocks.Init[l.start]}
	end := l.start
	for _, s := range l.steps {
		c := s.command
		if f := l.known.linear[end]; known && !f.IsTrue() {
			with := *c
			with.Guard = logic.And(f, c.Guard)
			c = &with
		}
		p.Steps = append(p.Steps, c)
		end = l.blocks.All[s.blocks[len(s.blocks)-1]].To
	}
	p.Error = l.blocks.Error[end]
	return p
}

// try asks whether the path can be run. done says that a run was found and is the result.
func (l *leaps) try() (status smt.Status, done bool, err error) {
	defer l.within(leapMost)()
	status, m, err := smt.ModelOf(l.ctx, l.solver, l.path(false).Unroll().Conditions...)
	if err != nil || status != smt.Sat {
		return status, false, err
	}
	done, err = l.shortest(m)
	return status, done, err
}

// shortest makes the loops of a run, given by a model of the unrolled path, as short as the
// path lets them be, all together, and unfolds it.
func (l *leaps) shortest(m logic.Model) (done bool, err error) {
	var counts []*logic.Term
	for i, s := range l.steps {
		if s.count != nil {
			edges := big.NewRat(int64(l.blocks.Length(s.blocks)), 1)
			counts = append(counts, logic.Scale(edges, program.InputAt(s.count, i)))
		}
	}
	total := logic.Add(append(counts, logic.IntConst(0))...)
	length := func(m logic.Model) *big.Int {
		v, err := logic.Eval(total, m)
		if err != nil {
			return nil
		}
		return v.Num().Num()
	}
	// Between low, below which there is no run, and the best one.
	low, most, u := big.NewInt(0), length(m), l.path(false).Unroll()
	one := big.NewInt(1)
	next := func() *big.Int { return new(big.Int).Sub(most, one) } // often it is as short as can be
	for most != nil && low.Cmp(most) < 0 {
		bound := next()
		next = func() *big.Int { return new(big.Int).Rsh(new(big.Int).Add(low, most), 1) }
		shorter := logic.Le(total, logic.Number(new(big.Rat).SetInt(bound), logic.Int))
		l.asked++
		status, better, err := smt.ModelOf(l.ctx, l.solver, append(slices.Clone(u.Conditions), shorter)...)
		if err != nil {
			return false, err
		}
		if status == smt.Unknown {
			break
		}
		if status == smt.Unsat {
			low = bound.Add(bound, one)
			continue
		}
		m, most = better, length(better)
	}
	if most == nil || most.Cmp(big.NewInt(maxUnfolded)) > 0 {
		return false, nil
	}
	return l.unfold(m), nil
}

// unfold makes a run of edges and replays it, which succeeds unless it divides by zero
// somewhere. The values of counts are small enough.
func (l *leaps) unfold(m logic.Model) (done bool) {
	first := logic.Model{}
	for _, v := range l.sys.Vars {
		first[v.Name()] = valueOr0(m, v)
	}
	var blocks []int
	var inputs []logic.Model
	for i, s := range l.steps {
		values := logic.Model{}
		for _, in := range s.command.Inputs {
			if in != s.count {
				values[in.Name()] = valueOr0(m, program.InputAt(in, i))
			}
		}
		times := int64(1)
		if s.count != nil {
			times = valueOr0(m, program.InputAt(s.count, i)).Num().Num().Int64()
		}
		each := l.inputsOf(s.blocks, values)
		room := int(max(times, 0)) * len(each)
		blocks, inputs = slices.Grow(blocks, room), slices.Grow(inputs, room)
		for range times {
			blocks, inputs = append(blocks, s.blocks...), append(inputs, each...)
		}
	}
	return l.unsafe(l.start, blocks, &program.Execution{States: []logic.Model{first}, Inputs: inputs}) == nil
}

// inputsOf gives each block of a cycle its inputs: program.Join has told those of one name
// apart.
func (l *leaps) inputsOf(cycle []int, values logic.Model) []logic.Model {
	out := make([]logic.Model, len(cycle))
	taken := map[string]bool{}
	for i, b := range cycle {
		out[i] = logic.Model{}
		for _, in := range l.blocks.All[b].Command.Inputs {
			name := program.FreshInput(in.Name(), taken)
			taken[name] = true
			out[i][in.Name()] = values[name]
		}
	}
	return out
}

// maxCycle bounds the blocks of a loop that is looked for in a path.
const maxCycle = 4

// compress puts leaps into a path of blocks, each for a loop that the path goes round. at
// says how many blocks come before each leap, and last, in all. nil without any.
func (r *run) compress(start int, blocks []int) (l *leaps, at []int) {
	l = &leaps{run: r, start: start}
	leapt := false
	once := func(i int) {
		at, l.steps = append(at, i), append(l.steps, leap{blocks: blocks[i : i+1], command: r.blocks.All[blocks[i]].Command})
	}
	for i := 0; i < len(blocks); {
		cycle, times := r.cycle(blocks[i:])
		if times == 0 {
			once(i)
			i++
			continue
		}
		leapt = true
		// What goes round twice takes two leaps, so that what holds between them must hold
		// however often it is gone round before, and again. Where several blocks are one
		// time, the last one is done step by step: it tells what holds in between.
		end, by := i+times*len(cycle), r.accelerations(cycle).leaps[0]
		last := end
		if len(cycle) > 1 {
			last -= len(cycle)
		}
		for range min(2, (last-i)/len(cycle)) {
			at, l.steps = append(at, i), append(l.steps, by)
			i += len(cycle)
		}
		for i = last; i < end; i++ {
			once(i)
		}
	}
	if !leapt {
		return nil, nil
	}
	return l, append(at, len(blocks))
}

// cycle returns the shortest loop with one acceleration that the path begins with, and
// how often it goes round it; 0 times if there is none. One of several blocks must be
// there twice.
func (r *run) cycle(blocks []int) (cycle []int, times int) {
	from := r.blocks.All[blocks[0]].From
	for n := 1; n <= min(maxCycle, len(blocks)); n++ {
		if r.blocks.All[blocks[n-1]].To != from {
			continue
		}
		cycle, times = blocks[:n], 1
		for (times+1)*n <= len(blocks) && slices.Equal(cycle, blocks[times*n:(times+1)*n]) {
			times++
		}
		if (n == 1 || times > 1) && len(r.accelerations(cycle).leaps) == 1 {
			return cycle, times
		}
	}
	return nil, 0
}

// accelerated is a spurious path with its loops taken any number of times, which is
// spurious, too.
type accelerated struct {
	path *program.Path
	at   []int
}

// accelerate tries the path of an abstract counterexample with its loops taken any number
// of times. done says that it can be run, and the run is the result.
func (l *abstRefineLoop) accelerate(e *errorPath, info *Round) (done bool, err error) {
	if l.how != predabs.Interpolation && l.how != predabs.Farkas && l.how != predabs.Spacer {
		return false, nil
	}
	c, at := l.compress(e.start, e.blocks)
	if c == nil {
		return false, nil
	}
	l.asked++
	status, done, err := c.try()
	switch {
	case err != nil:
	case done:
		info.Feasible, info.Accelerated = smt.Sat, true
	case status == smt.Unsat:
		e.accelerated = &accelerated{c.path(true), at}
	}
	return done, err
}

// refineAccelerated tracks what excludes the path with its loops taken any number of
// times. It need not exclude the path itself under the abstraction: if there is nothing
// new, the path is refined as it is.
func (l *abstRefineLoop) refineAccelerated(e *errorPath, known []*logic.Term, info *Round) (progress bool, err error) {
	a := e.accelerated
	l.refined(len(a.path.Steps))
	defer l.within(leapMost)()
	found, err := predabs.Refine(l.ctx, l.solver, a.path, l.how, known)
	if err != nil {
		return false, err
	}
	if found.Method == predabs.Farkas || found.Method == predabs.Spacer {
		if progress, err = l.spread(e, found, info); progress || err != nil {
			return progress, err
		}
	}
	if found.Method != predabs.Farkas || l.how != predabs.Interpolation || l.vain == maxVain {
		return false, nil
	}
	// Farkas coefficients know no remainders.
	if found, err = predabs.BySpacer(l.ctx, l.solver, a.path); err != nil {
		return false, err
	}
	if found != nil {
		progress, err = l.spread(e, found, info)
	}
	if !progress {
		l.vain++
	}
	return progress, err
}

// maxVain bounds how often Spacer is asked in vain where Farkas coefficients give nothing new.
const maxVain = 3

// spread tracks predicates of a path with leaps.
func (l *abstRefineLoop) spread(e *errorPath, found *predabs.Predicates, info *Round) (progress bool, err error) {
	a := e.accelerated
	at := make([][]*logic.Term, len(found.At))
	for j, ps := range found.At {
		at[j] = slices.Clone(ps)
		for _, p := range ps {
			if p.Size() <= largestSplit && remainder(p) { // what is so after every other round is mostly not so in between
				at[j] = append(at[j], logic.Not(p))
			}
		}
	}
	spread := &predabs.Predicates{Method: found.Method, At: make([][]*logic.Term, len(e.nodes))}
	for j, i := range a.at {
		spread.At[i] = append(spread.At[i], at[j]...)
		if j+1 == len(a.at) {
			break
		}
		// Where the loop is left after fewer times, what holds in the end may hold, too.
		for k := i + 1; k < a.at[j+1]; k++ {
			if e.nodes[k].location == e.nodes[i].location {
				spread.At[k] = slices.Concat(at[j], at[j+1])
			}
		}
	}
	info.Accelerated, err = l.track(e.nodes, spread, info)
	return info.Accelerated, err
}

// largestSplit bounds the size of predicates that are looked through for remainders.
const largestSplit = 200

// remainder reports that a formula speaks of a remainder.
func remainder(f *logic.Term) bool {
	return f.Op() == logic.OpIntMod || slices.ContainsFunc(f.Args(), remainder)
}
