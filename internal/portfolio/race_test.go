package portfolio

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/seltl/seltl/internal/testing/soak"
	"github.com/seltl/seltl/outcome"
)

var errNothing = errors.New("nothing found")

// runner is an attempt that works up to a level, and then has an answer or none.
type runner struct {
	steps  int64
	size   int64 // of a step
	answer bool
}

// tested is an attempt of functions.
type tested struct {
	until  func(turn int) int64
	search func(context.Context, *Lane) error
	rest   func(turn int, ended bool, err error) Rest
}

func (x *tested) Until(turn int) int64                          { return x.until(turn) }
func (x *tested) Search(ctx context.Context, l *Lane) error     { return x.search(ctx, l) }
func (x *tested) Rest(turn int, ended bool, err error) (r Rest) { return x.rest(turn, ended, err) }

// upTo is one step more in each turn.
func upTo(turn int) int64 { return int64(turn + 1) }

// oneByOne is what a Race stands for: one attempt after the other, turn after turn.
func oneByOne(runners []runner, until func(turn, i int) int64) (told []string, winner int) {
	level := make([]int64, len(runners))
	over := make([]bool, len(runners))
	for turn := 0; slices.Contains(over, false); turn++ {
		for i, r := range runners {
			if over[i] {
				continue
			}
			for level[i] < until(turn, i) && level[i] < r.steps*r.size {
				told = append(told, fmt.Sprint("from ", level[i]))
				level[i] += r.size
			}
			over[i] = level[i] >= r.steps*r.size && level[i] < until(turn, i)
			told = append(told, outcome.Turn{Lane: fmt.Sprint(i), Number: turn + 1, Did: level[i]}.String(), fmt.Sprint(turn, i, over[i]))
			if over[i] && r.answer {
				return told, i
			}
		}
	}
	return told, -1
}

// TestRaceIsOneByOne: whatever the attempts, their delays and the number of workers, what is
// told of a race is what one attempt after the other comes to. The clock is that of a bubble:
// nobody waits for delays.
func TestRaceIsOneByOne(t *testing.T) {
	for seed := range soak.Long(uint64(1000)) {
		synctest.Test(t, func(t *testing.T) { raceIsOneByOne(t, seed) })
	}
}

func raceIsOneByOne(t *testing.T, seed uint64) {
	r := rand.New(rand.NewPCG(seed, 1))
	runners := make([]runner, 1+r.IntN(5))
	share := make([]int64, len(runners))
	for i := range runners {
		runners[i] = runner{r.Int64N(40), 1 + r.Int64N(3), r.IntN(3) == 0}
		share[i] = 1 + r.Int64N(2)
	}
	until := func(turn, i int) int64 { return share[i] * (4 + 7*int64(turn)) }
	delay := make([]time.Duration, len(runners))
	for i := range delay {
		delay[i] = time.Duration(r.IntN(3)*r.IntN(40)) * time.Microsecond
	}
	var told []string
	racers := make([]*tested, len(runners))
	for i, x := range runners {
		level := int64(0)
		racers[i] = &tested{until: func(turn int) int64 { return until(turn, i) }, search: func(ctx context.Context, l *Lane) error {
			for range x.steps {
				if err := errors.Join(l.Reach(level), ctx.Err()); err != nil {
					return err
				}
				text := fmt.Sprint("from ", level)
				l.Say(func() { told = append(told, text) })
				time.Sleep(delay[i])
				level += x.size
			}
			if err := l.Reach(level); err != nil || x.answer {
				return err
			}
			return errNothing
		}, rest: func(turn int, ended bool, err error) Rest {
			return Rest{Turn: outcome.Turn{Lane: fmt.Sprint(i), Did: level}, Answer: ended && err == nil,
				Due: func() error { told = append(told, fmt.Sprint(turn, i, ended)); return nil }}
		}}
	}
	race := Race[*tested]{Racers: racers, Workers: 1 + r.IntN(3), Ahead: r.IntN(3), Patience: time.Duration(1+r.IntN(2000)) * time.Microsecond,
		Turned: func(turn outcome.Turn) { told = append(told, turn.String()) }}
	winner, err := race.Run(t.Context())
	if err != nil {
		t.Fatalf("seed %d: %v", seed, err)
	}
	if want, won := oneByOne(runners, until); !slices.Equal(told, want) || slices.Index(racers, winner) != won {
		t.Fatalf("seed %d: winner %d, told\n%s\nwant %d\n%s", seed, slices.Index(racers, winner), strings.Join(told, "\n"), won, strings.Join(want, "\n"))
	}
}

// TestRaceHang: others have their turns while one attempt hangs, but what they find is told
// when that has ended.
func TestRaceHang(t *testing.T) {
	hung := make(chan bool)
	var told []int
	var racers []*tested
	for i := range 3 {
		racers = append(racers, &tested{until: upTo, search: func(_ context.Context, l *Lane) error {
			if i == 0 {
				<-hung
				return errNothing
			}
			err := l.Reach(2)
			if i == 2 && err == nil {
				close(hung) // it has the answer, before the first one has come to anything
			}
			return err
		}, rest: func(_ int, ended bool, _ error) Rest {
			return Rest{Answer: i == 2 && ended, Due: func() error { told = append(told, i); return nil }}
		}})
	}
	race := Race[*tested]{Racers: racers, Workers: 1, Ahead: 2, Patience: time.Millisecond}
	if winner, err := race.Run(t.Context()); err != nil || winner != racers[2] || told[0] != 0 || told[len(told)-1] != 2 {
		t.Errorf("told %v, %v", told, err)
	}
}

// TestRaceTime: when the time is over, an answer counts that another attempt has come to before it was its
// turn; not, if something else went wrong.
func TestRaceTime(t *testing.T) {
	for _, end := range []error{context.DeadlineExceeded, errNothing} {
		answered := make(chan bool)
		told := ""
		first := &tested{until: upTo, search: func(context.Context, *Lane) error { <-answered; return end },
			rest: func(_ int, _ bool, err error) Rest { return Rest{Due: func() error { return err }} }}
		second := &tested{until: upTo, search: func(_ context.Context, l *Lane) error {
			l.Say(func() { told += "said " })
			return nil
		}, rest: func(int, bool, error) Rest {
			close(answered)
			return Rest{Answer: true, Due: func() error { told += "due"; return nil }}
		}}
		race := Race[*tested]{Racers: []*tested{first, second}, Workers: 1, Patience: time.Millisecond}
		switch winner, err := race.Run(t.Context()); {
		case end != errNothing && (err != nil || winner != second || told != "said due"):
			t.Errorf("the time is over: told %q, winner %v, %v", told, winner, err)
		case end == errNothing && (err != errNothing || winner != nil || told != ""):
			t.Errorf("an error: told %q, winner %v, %v", told, winner, err)
		}
	}
}

// TestRaceErrors: an error of what was due ends a race, and so does a panic, with what the
// search panicked with.
func TestRaceErrors(t *testing.T) {
	for _, panics := range []bool{false, true} {
		wrong := errors.New("wrong")
		var racers []*tested
		for i := range 2 {
			racers = append(racers, &tested{until: upTo, search: func(_ context.Context, l *Lane) error {
				if panics && i == 1 {
					panic("a bug")
				}
				return l.Reach(100)
			}, rest: func(int, bool, error) Rest { return Rest{Due: func() error { return wrong }} }})
		}
		func() {
			defer func() {
				if p := recover(); (p != nil) != panics && p != nil || p != nil && !strings.Contains(fmt.Sprint(p), "a bug") {
					t.Errorf("panicked with %v", p)
				}
			}()
			if _, err := (&Race[*tested]{Racers: racers, Workers: 2, Patience: time.Hour}).Run(t.Context()); err != wrong {
				t.Errorf("ended with %v", err)
			}
		}()
	}
}
