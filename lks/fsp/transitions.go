package fsp

import "github.com/seltl/seltl/lks/fsp/syntax"

// The transitions of a process, as LTSA makes them: of all local processes, reachable or
// not, since the labels of all of them are its alphabet. Each is interpreted once for
// every value of its indices.

// rawEdge is a transition between nodes by a provisional action number.
type rawEdge struct{ from, action, to int32 }

// between says how a state between two actions is reached, for its name.
type between struct{ from, action int32 }

// define gives a local instance its behaviour.
func (pc *processCompiler) define(node int32, b *syntax.Body, accept bool) {
	for b.Kind == syntax.BodyIf {
		next := b.No
		if pc.Truth(b.Cond) {
			next = b.Yes
		}
		if next == nil {
			pc.target[node] = nodeStop
			return
		}
		b = next
	}
	pc.target[node] = node
	if b.Kind == syntax.BodyChoice {
		pc.choices(node, b)
		if accept {
			// LTSA marks a state as accepting by a step to itself.
			pc.edge(node, pc.action([]byte("@"+pc.instance)), node)
		}
		return
	}
	if pc.target[node] = pc.reference(b); pc.target[node] == node {
		pc.unguarded(node)
	}
}

// unguarded reports a process like P = P.
func (pc *processCompiler) unguarded(node int32) {
	l, _ := localOf(pc.locals, node)
	pc.Fail(l.def.Body.Span, "unguarded-recursion", "put an action before it: P = (a -> P)", "%s is defined as itself, without any action", pc.nodeName(node))
}

// state returns the node of a body behind an action, which from reaches by it.
func (pc *processCompiler) state(b *syntax.Body, from, action int32) int32 {
	switch b.Kind {
	case syntax.BodyIf:
		switch {
		case pc.Truth(b.Cond):
			return pc.state(b.Yes, from, action)
		case b.No == nil:
			return nodeStop
		}
		return pc.state(b.No, from, action)
	case syntax.BodyRef:
		return pc.reference(b)
	}
	node := pc.newNode(from, action)
	pc.choices(node, b)
	return node
}

func (pc *processCompiler) newNode(from, action int32) int32 {
	node := pc.grow(1)
	pc.between = append(pc.between, between{from, action})
	return node
}

// grow adds n nodes and returns the first.
func (pc *processCompiler) grow(n int) int32 {
	node := pc.nodes
	if int64(node)+int64(n) > int64(pc.c.opts.MaxStates) {
		pc.c.Exceed(pc.def.Name.Span, "process-too-large", "make its ranges smaller", "the process %s has more than %d states", pc.instance, pc.c.opts.MaxStates)
	}
	pc.nodes += int32(n)
	if node>>12 != pc.nodes>>12 {
		pc.c.tick("compiling", int(pc.nodes), len(pc.edges))
	}
	return node
}

func (pc *processCompiler) choices(from int32, b *syntax.Body) {
	for _, ch := range b.Choices {
		if ch.Guard == nil || pc.Truth(ch.Guard) {
			pc.sequence(from, ch, 0)
		}
	}
}

// sequence adds the transitions for the actions of ch from number i on. Each
// label of a set has its own continuation, as in LTSA.
func (pc *processCompiler) sequence(from int32, ch *syntax.Choice, i int) {
	pc.Expand(ch.Actions[i], func(label []byte) {
		a := pc.action(label)
		if i+1 == len(ch.Actions) {
			pc.edge(from, a, pc.state(ch.Body, from, a))
			return
		}
		to := pc.newNode(from, a)
		pc.edge(from, a, to)
		pc.sequence(to, ch, i+1)
	})
}

func (pc *processCompiler) edge(from, action, to int32) {
	if len(pc.edges) >= 8*pc.c.opts.MaxStates {
		pc.c.Exceed(pc.def.Name.Span, "process-too-large", "make its ranges smaller", "the process %s has more than %d transitions", pc.instance, len(pc.edges))
	}
	pc.edges = append(pc.edges, rawEdge{from, action, to})
	if len(pc.edges)%4096 == 0 {
		pc.c.tick("compiling", int(pc.nodes), len(pc.edges))
	}
}

// action returns the provisional number of an action.
func (pc *processCompiler) action(label []byte) int32 {
	a, ok := pc.actions[string(label)]
	if !ok {
		a = int32(len(pc.names))
		name := string(label)
		pc.actions[name] = a
		pc.names = append(pc.names, name)
	}
	return a
}

// reference returns the node of P;Q;NAME[i]...
func (pc *processCompiler) reference(b *syntax.Body) int32 {
	to := pc.localState(b)
	for i := len(b.Sequence) - 1; i >= 0; i-- {
		to = pc.insert(&b.Sequence[i], to)
	}
	return to
}
