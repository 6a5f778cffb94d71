package portfolio

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/seltl/seltl/internal/testing/soak"
)

var errNothing = errors.New("nothing found")

// runner is an attempt that works up to a level, and then has an answer or none.
type runner struct {
	steps  int64
	size   int64 // of a step
	answer bool
}

// oneByOne is what a Race stands for: one attempt after the other, turn after turn.
func oneByOne(runners []runner, until func(turn, i int) int64) (told []string) {
	level := make([]int64, len(runners))
	over := make([]bool, len(runners))
	for turn := 0; slices.Contains(over, false); turn++ {
		for i, r := range runners {
			if over[i] {
				continue
			}
			for level[i] < until(turn, i) && level[i] < r.steps*r.size {
				level[i] += r.size
			}
			over[i] = level[i] >= r.steps*r.size && level[i] < until(turn, i)
			told = append(told, fmt.Sprint(turn, i, level[i], over[i]))
			if over[i] && r.answer {
				return told
			}
		}
	}
	return told
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
	attempts := make([]*Attempt[int], len(runners))
	levels, stopped := make([]int64, len(runners)), make([]chan bool, len(runners))
	turns := make([]int, len(runners))
	race := Race[int]{Attempts: len(runners), Workers: 1 + r.IntN(3), Ahead: r.IntN(3), Patience: time.Duration(1+r.IntN(2000)) * time.Microsecond,
		Until: until,
		Start: func(i int) *Attempt[int] {
			stopped[i] = make(chan bool, 1000)
			attempts[i] = Start(until(0, i), func(l *Lane) (int, error) {
				for range runners[i].steps {
					if err := l.Reach(levels[i]); err != nil {
						return 0, err
					}
					select {
					case <-stopped[i]:
						return 0, errors.New("stopped")
					default:
					}
					time.Sleep(delay[i])
					levels[i] += runners[i].size
				}
				if err := l.Reach(levels[i]); err != nil {
					return 0, err
				}
				if !runners[i].answer {
					return 0, errNothing
				}
				return i, nil
			})
			return attempts[i]
		},
		Stop: func(i int) {
			if stopped[i] != nil {
				stopped[i] <- true
			}
		},
		Rest: func(i int) (func() error, bool) {
			text := fmt.Sprint(turns[i], i, levels[i], attempts[i].Ended())
			turns[i]++
			return func() error { told = append(told, text); return nil }, attempts[i].Ended() && runners[i].answer
		}}
	if err := race.Run(); err != nil {
		t.Fatalf("seed %d: %v", seed, err)
	}
	if want := oneByOne(runners, until); !slices.Equal(told, want) {
		t.Fatalf("seed %d: told\n%s\nwant\n%s", seed, strings.Join(told, "\n"), strings.Join(want, "\n"))
	}
}

// TestRaceHang: others have their turns while one attempt hangs, but what they find is told
// when that has ended.
func TestRaceHang(t *testing.T) {
	hung := make(chan bool)
	var attempts [3]*Attempt[int]
	var told []int
	race := Race[int]{Attempts: 3, Workers: 1, Ahead: 2, Patience: time.Millisecond, Until: func(turn, _ int) int64 { return int64(turn + 1) },
		Start: func(i int) *Attempt[int] {
			attempts[i] = Start(1, func(l *Lane) (int, error) {
				if i == 0 {
					<-hung
					return 0, errNothing
				}
				err := l.Reach(2)
				if i == 2 && err == nil {
					close(hung) // it has the answer, before the first one has come to anything
				}
				return i, err
			})
			return attempts[i]
		},
		Stop: func(int) {},
		Rest: func(i int) (func() error, bool) {
			ended := attempts[i].Ended()
			return func() error { told = append(told, i); return nil }, i == 2 && ended
		}}
	if err := race.Run(); err != nil || told[0] != 0 || told[len(told)-1] != 2 {
		t.Errorf("told %v, %v", told, err)
	}
}

// TestRaceErrors: an error of what was due ends a race, and so does a panic, with what the
// search panicked with.
func TestRaceErrors(t *testing.T) {
	for _, panics := range []bool{false, true} {
		wrong := errors.New("wrong")
		var attempts [2]*Attempt[int]
		race := Race[int]{Attempts: 2, Workers: 2, Patience: time.Hour, Until: func(turn, _ int) int64 { return int64(turn + 1) },
			Start: func(i int) *Attempt[int] {
				attempts[i] = Start(1, func(l *Lane) (int, error) {
					if panics && i == 1 {
						panic("a bug")
					}
					return 0, l.Reach(100)
				})
				return attempts[i]
			},
			Stop: func(int) {},
			Rest: func(i int) (func() error, bool) { return func() error { return wrong }, false }}
		func() {
			defer func() {
				if p := recover(); (p != nil) != panics && p != nil || p != nil && !strings.Contains(fmt.Sprint(p), "a bug") {
					t.Errorf("panicked with %v", p)
				}
			}()
			if err := race.Run(); err != wrong {
				t.Errorf("ended with %v", err)
			}
		}()
	}
}
