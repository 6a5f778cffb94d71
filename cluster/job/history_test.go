package job

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/seltl/seltl/internal/testing/soak"
)

// The history says the same as a list of all that is looked through each time.
func TestHistory(t *testing.T) {
	begin := time.Unix(1000, 0)
	for seed := range soak.Cases(uint64(200)) {
		r := rand.New(rand.NewPCG(seed, 22))
		h, all := newHistory(), map[string]*Past{}
		for range 1 + r.IntN(60) {
			id := fmt.Sprint(r.IntN(30))
			if r.IntN(4) == 0 {
				h.drop(id)
				delete(all, id)
				continue
			}
			p := &Past{ID: id, Ended: begin.Add(time.Duration(r.IntN(20)) * time.Second)}
			h.add(p)
			all[id] = p
		}
		var list []*Past
		for _, p := range all {
			list = append(list, p)
			if !h.has(p.ID) {
				t.Fatalf("seed %d: job %s is not there", seed, p.ID)
			}
		}
		slices.SortFunc(list, (*Past).compare)
		keep, most, n := time.Duration(r.IntN(3)*5)*time.Second, r.IntN(3)*7, r.IntN(40)
		now := begin.Add(20 * time.Second)
		var due []string
		for i, p := range list {
			if keep > 0 && now.Sub(p.Ended) >= keep || most > 0 && len(list)-i > most {
				due = append(due, p.ID)
			}
		}
		if got := h.due(now, keep, most); !slices.Equal(got, due) {
			t.Errorf("seed %d: due are %v, want %v", seed, got, due)
		}
		slices.Reverse(list)
		if got := h.latest(n); !slices.Equal(got, list[:min(n, len(list))]) {
			t.Errorf("seed %d: the last %d of %d: %v", seed, n, len(list), got)
		}
	}
}

// A status that is too large for a message leaves out jobs that ended, then those that wait last.
func TestStatusFits(t *testing.T) {
	s := Status{Ended: 500}
	for n := range 500 {
		s.Jobs = append(s.Jobs, JobStatus{ID: fmt.Sprint(n)})
		s.Past = append(s.Past, &Past{ID: fmt.Sprint(n)})
	}
	whole := len(mustJSON(s))
	for _, most := range []int{whole, whole - 1, whole / 3, 2000, 10} {
		s := s
		text := s.fit(most)
		var got Status
		if err := json.Unmarshal(text, &got); err != nil {
			t.Fatal(err)
		}
		if len(text) > most && len(got.Jobs) > 0 || got.Left+len(got.Jobs) != 500 || got.Ended != 500 || len(got.Jobs) > 0 && got.Jobs[0].ID != "0" || got.Left > 0 && len(got.Past) > 0 || most == whole && got.Left+500-len(got.Past) != 0 {
			t.Errorf("%d of %d bytes: %d jobs, %d left out, %d that ended", len(text), most, len(got.Jobs), got.Left, len(got.Past))
		}
	}
}

// Workers that come go to the job that was submitted first, unless it needs more than there are.
func TestFirstComeFirstServed(t *testing.T) {
	s := newStore(t)
	c := &Coordinator{CoordinatorOptions: CoordinatorOptions{Log: func(string) {}, Lost: LeaseTime}, store: s, conn: s.conn, events: make(chan any, 99),
		ctx: t.Context(), lease: &lease{}, members: map[string]*member{}, jobs: map[string]*jobState{}, past: newHistory(), echo: time.Now()}
	for n, workers := range []int{3, 2, 1, 1} {
		r := &Record{ID: fmt.Sprint("job", n), State: Queued, Round: -1, Options: Options{Workers: workers, Attempts: 1}, Submitted: time.Unix(int64(n), 0)}
		if err := s.put(t.Context(), r); err != nil {
			t.Fatal(err)
		}
		c.enqueue(&jobState{record: r, unsuited: map[string]string{}, since: time.Now(), seen: time.Now()})
	}
	slices.Reverse(c.queue)
	queue := c.queue
	c.queue = nil
	for _, j := range queue { // whatever order they come in
		c.enqueue(j)
	}
	running := func() (ids []string) {
		if err := c.tick(time.Now()); err != nil {
			t.Fatal(err)
		}
		for _, j := range c.queue {
			if j.attempt != nil {
				ids = append(ids, j.record.ID)
			}
		}
		return ids
	}
	for _, step := range []struct {
		workers int
		want    string
	}{{0, "[]"}, {2, "[job1]"}, {1, "[job1 job2]"}, {3, "[job0 job1 job2]"}, {1, "[job0 job1 job2 job3]"}} {
		for range step.workers {
			c.members[fmt.Sprint("w", len(c.members))] = &member{heard: time.Now()}
		}
		if got := fmt.Sprint(running()); got != step.want {
			t.Errorf("%d workers come: %s, want %s", step.workers, got, step.want)
		}
	}
}
