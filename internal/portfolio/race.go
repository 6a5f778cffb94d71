package portfolio

import "time"

// Race is attempts that have turns. What comes of it is what comes of one attempt after the
// other, turn after turn, until one has the answer; that several run at a time, and some a few
// turns ahead of one that takes long, is not to be seen in it.
type Race[T any] struct {
	Attempts int
	Workers  int // attempts that run at a time; the first one begins alone
	Ahead    int // turns that attempts may be ahead of the one whose turn it is
	// Patience is after how long without a pause or an end one more attempt runs, since those
	// that run may hang.
	Patience time.Duration
	// Start begins attempt i, which then has its first turn, turn 0.
	Start func(i int) *Attempt[T]
	// Until is how far attempt i may come in a turn after the first.
	Until func(turn, i int) int64
	// Stop is called, once or more often, to have attempt i end soon: it is not needed any more.
	Stop func(i int)
	// Rest is called when attempt i has come to the end of a turn, or has ended. It returns what
	// is to be done when that is due in the order of turns and attempts, and whether it has
	// the answer: then nothing behind it in this order is needed.
	Rest func(i int) (due func() error, answer bool)
}

// place is a turn of an attempt, in the order of the turns.
type place struct{ turn, i int }

func (p place) before(q place) bool { return p.turn < q.turn || p.turn == q.turn && p.i < q.i }

// racing is a Race that runs.
type racing[T any] struct {
	*Race[T]
	attempts []*Attempt[T]
	done     []int          // turns of each attempt
	busy     []bool         // attempts that run
	due      []func() error // of each place that was come to and is not due yet
	places   []place        // of due
	at       place          // the next that is due
	last     *place         // with an answer
	running  int
	back     chan int
}

// Run runs the race. It returns when an attempt has an answer and its turn has come, when
// all have ended, or with the first error of what was due. No attempt runs any more then.
func (r *Race[T]) Run() error {
	n := r.Attempts
	g := &racing[T]{Race: r, attempts: make([]*Attempt[T], n), done: make([]int, n), busy: make([]bool, n), back: make(chan int, n)}
	defer g.stop()
	more := 0
	timer := time.NewTimer(r.Patience)
	defer timer.Stop()
	for {
		if over, err := g.tell(); over || err != nil {
			return err
		}
		most := r.Workers + more
		if g.done[0] == 0 {
			most = 1 + more
		}
		for g.running < most && g.next() {
		}
		select {
		case i := <-g.back:
			g.rest(i)
			more = 0
		case <-timer.C:
			more++
		}
		timer.Reset(r.Patience)
	}
}

// next begins the first turn in order that can begin.
func (g *racing[T]) next() bool {
	best, found := place{}, false
	for i := range g.attempts {
		p := place{g.done[i], i}
		if g.busy[i] || g.ended(i) || p.turn > g.at.turn+g.Ahead || g.last != nil && g.last.before(p) {
			continue
		}
		if !found || p.before(best) {
			best, found = p, true
		}
	}
	if !found {
		return false
	}
	i := best.i
	if g.attempts[i] == nil {
		g.attempts[i] = g.Start(i)
	} else {
		g.attempts[i].Resume(g.Until(best.turn, i))
	}
	g.busy[i] = true
	g.running++
	go func() {
		g.attempts[i].settle()
		g.back <- i
	}()
	return true
}

func (g *racing[T]) ended(i int) bool {
	return g.attempts[i] != nil && !g.busy[i] && g.attempts[i].ended
}

// rest takes down that an attempt has come to the end of its turn.
func (g *racing[T]) rest(i int) {
	g.busy[i] = false
	g.running--
	g.attempts[i].Wait() // panics if the search has
	p := place{g.done[i], i}
	g.done[i]++
	due, answer := g.Rest(i)
	g.due, g.places = append(g.due, due), append(g.places, p)
	if answer && (g.last == nil || p.before(*g.last)) {
		g.last = &p
		for j := range g.attempts {
			if g.busy[j] && p.before(place{g.done[j], j}) {
				g.Stop(j)
			}
		}
	}
}

// tell does what is due.
func (g *racing[T]) tell() (over bool, err error) {
	for {
		if g.last != nil && g.last.before(g.at) {
			return true, nil
		}
		i := g.at.i
		if g.done[i] <= g.at.turn {
			if !g.ended(i) {
				return false, nil
			}
		} else if err := g.take(); err != nil {
			return true, err
		}
		if g.at.i++; g.at.i == g.Attempts {
			g.at = place{g.at.turn + 1, 0}
			if g.over() {
				return true, nil
			}
		}
	}
}

// over reports that all have ended, and nothing is to be told.
func (g *racing[T]) over() bool {
	for i := range g.attempts {
		if !g.ended(i) || g.done[i] > g.at.turn {
			return false
		}
	}
	return true
}

func (g *racing[T]) take() error {
	for k, p := range g.places {
		if p == g.at {
			due := g.due[k]
			g.due, g.places = append(g.due[:k:k], g.due[k+1:]...), append(g.places[:k:k], g.places[k+1:]...)
			return due()
		}
	}
	return nil
}

// stop has all attempts end, and waits for it.
func (g *racing[T]) stop() {
	for i, a := range g.attempts {
		if a != nil {
			g.Stop(i)
		}
	}
	for ; g.running > 0; g.running-- {
		i := <-g.back
		g.busy[i] = false
	}
	for _, a := range g.attempts {
		if a != nil {
			a.Stop()
		}
	}
}
