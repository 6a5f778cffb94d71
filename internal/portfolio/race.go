package portfolio

import (
	"context"
	"errors"
	"runtime"
	"time"

	"github.com/seltl/seltl/outcome"
)

// Race is attempts that have turns. What comes of it is what comes of one attempt after the
// other, turn after turn, until one has the answer; that several run at a time, and some a few
// turns ahead of one that takes long, is not to be seen in it.
type Race[R Racer] struct {
	Racers  []R
	Workers int // attempts that run at a time, if there are as many processors; the first one begins alone
	Ahead   int // turns that attempts may be ahead of the one whose turn it is
	// Patience is after how long without a pause or an end one more attempt runs, since those
	// that run may hang.
	Patience time.Duration
	// Turned is told of every turn when it is due, behind what was said in it; nil: nobody is.
	Turned func(outcome.Turn)
}

// Racer is an attempt in a race. Turns count from 0.
type Racer interface {
	// Until is how far it may come by the end of a turn.
	Until(turn int) int64
	// Search is the attempt. Its context ends when it is not needed any more.
	Search(ctx context.Context, l *Lane) error
	// Rest is called when it has come to the end of a turn, or has ended, with the error of Search then.
	Rest(turn int, ended bool, err error) Rest
}

// Rest is what an attempt has come to by the end of a turn.
type Rest struct {
	Turn   outcome.Turn // but for its number
	Quiet  bool         // the turn is not to be told
	Answer bool         // then nothing behind it in the order of turns and attempts is needed
	// Due is done when the turn is due in this order; an error of it ends the race.
	Due func() error
}

// Say keeps what is to be said until the turn is due in which a lane of a race says it.
func (l *Lane) Say(say func()) { l.said = append(l.said, say) }

// place is a turn of an attempt, in the order of the turns.
type place struct{ turn, i int }

func (p place) before(q place) bool { return p.turn < q.turn || p.turn == q.turn && p.i < q.i }

// racing is a Race that runs.
type racing[R Racer] struct {
	*Race[R]
	ctx      context.Context
	attempts []*Attempt[struct{}]
	cancel   []context.CancelFunc
	done     []int                  // turns of each attempt
	busy     []bool                 // attempts that run
	due      map[place]func() error // what was come to and is not due yet
	at       place                  // the next that is due
	last     *place                 // with an answer
	running  int
	back     chan int
}

// Run runs the race. It returns when an attempt has an answer and its turn has come, when
// all have ended, or with the first error of what was due. No attempt runs any more then.
// The winner is the attempt with the answer; without one it is zero. If the time is over, an
// answer that has come too early is due at once.
func (r *Race[R]) Run(ctx context.Context) (winner R, err error) {
	n := len(r.Racers)
	g := &racing[R]{Race: r, ctx: ctx, attempts: make([]*Attempt[struct{}], n), cancel: make([]context.CancelFunc, n),
		done: make([]int, n), busy: make([]bool, n), due: map[place]func() error{}, back: make(chan int, n)}
	err = g.run()
	if g.last != nil && g.at.before(*g.last) && errors.Is(err, context.DeadlineExceeded) {
		g.at = *g.last
		err = g.take()
	}
	if g.last != nil && err == nil {
		winner = r.Racers[g.last.i]
	}
	return winner, err
}

func (g *racing[R]) run() error {
	defer g.stop()
	more := 0
	timer := time.NewTimer(g.Patience)
	defer timer.Stop()
	for {
		if over, err := g.tell(); over || err != nil {
			return err
		}
		most := min(g.Workers, runtime.GOMAXPROCS(0)) + more
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
		timer.Reset(g.Patience)
	}
}

// next begins the first turn in order that can begin.
func (g *racing[R]) next() bool {
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
		g.start(i)
	} else {
		g.attempts[i].Resume(g.Racers[i].Until(best.turn))
	}
	g.busy[i] = true
	g.running++
	go func() {
		g.attempts[i].settle()
		g.back <- i
	}()
	return true
}

func (g *racing[R]) start(i int) {
	x := g.Racers[i]
	var ctx context.Context
	ctx, g.cancel[i] = context.WithCancel(g.ctx)
	g.attempts[i] = Start(x.Until(0), func(l *Lane) (struct{}, error) { return struct{}{}, x.Search(ctx, l) })
}

func (g *racing[R]) ended(i int) bool {
	return g.attempts[i] != nil && !g.busy[i] && g.attempts[i].ended
}

// rest takes down that an attempt has come to the end of its turn.
func (g *racing[R]) rest(i int) {
	g.busy[i] = false
	g.running--
	a := g.attempts[i]
	a.Wait() // panics if the search has
	p := place{g.done[i], i}
	g.done[i]++
	rest, said := g.Racers[i].Rest(p.turn, a.ended, a.err), a.lane.said
	a.lane.said, rest.Turn.Number = nil, p.turn+1
	g.due[p] = func() error {
		for _, say := range said {
			say()
		}
		if g.Turned != nil && !rest.Quiet {
			g.Turned(rest.Turn)
		}
		return rest.Due()
	}
	if rest.Answer && (g.last == nil || p.before(*g.last)) {
		g.last = &p
		for j := range g.attempts {
			if g.busy[j] && p.before(place{g.done[j], j}) {
				g.cancel[j]()
			}
		}
	}
}

// tell does what is due.
func (g *racing[R]) tell() (over bool, err error) {
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
		if g.at.i++; g.at.i == len(g.Racers) {
			g.at = place{g.at.turn + 1, 0}
			if g.over() {
				return true, nil
			}
		}
	}
}

// over reports that all have ended, and nothing is to be told.
func (g *racing[R]) over() bool {
	for i := range g.attempts {
		if !g.ended(i) || g.done[i] > g.at.turn {
			return false
		}
	}
	return true
}

func (g *racing[R]) take() error {
	due := g.due[g.at]
	delete(g.due, g.at)
	return due()
}

// stop has all attempts end, and waits for it.
func (g *racing[R]) stop() {
	for i, a := range g.attempts {
		if a != nil {
			g.cancel[i]()
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
