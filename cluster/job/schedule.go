package job

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/seltl/seltl/cluster/checkpoint"
)

// jobState is a job as the coordinator sees it.
type jobState struct {
	record   *Record
	attempt  *live
	unsuited map[string]string // workers that refused it, and why
	since    time.Time         // it has been waiting for workers
	seen     time.Time         // this coordinator knows of it
	searched bool              // some attempt came as far as that
	explored Explored          // at most, in any attempt
	// unreadable is how often the last checkpoint could not be read; the second time it is
	// given up.
	unreadable int
	cancel     time.Time // when the workers were asked to come to an end
	// Of the record as it is stored: who wrote it, and for which attempt.
	writer string
	epoch  uint32
}

// live is an attempt that counts.
type live struct {
	epoch   uint32
	ranks   []string
	ready   int
	adopted time.Time // when this coordinator found it; zero if it began it
	// astray, by rank, is since when a worker has not been where it should be; zero: it is there.
	astray []time.Time
	// stood is since when the attempt has stood still, by what its workers said last.
	stood      time.Time
	completing bool
	ctx        context.Context
	end        context.CancelFunc
}

func (j *jobState) forget() {
	if j.attempt != nil {
		j.attempt.end()
	}
}

// merge takes in what a client wrote into the record.
func (j *jobState) merge(stored *Record) error {
	if stored.revision <= j.record.revision {
		return nil
	}
	if stored.Coordinator != j.writer || stored.Epoch != j.epoch {
		return errDeposed
	}
	j.record.Cancel = stored.Cancel
	j.record.revision = stored.revision
	return nil
}

// enqueue takes in a job that has not ended.
func (c *Coordinator) enqueue(j *jobState) {
	c.jobs[j.record.ID] = j
	at, _ := slices.BinarySearchFunc(c.queue, j, func(a, b *jobState) int {
		return cmp.Or(a.record.Submitted.Compare(b.record.Submitted), cmp.Compare(a.record.ID, b.record.ID))
	})
	c.queue = slices.Insert(c.queue, at, j)
}

// tick looks at all workers and jobs. Of two jobs that wait for the same workers the one gets
// them that was submitted first.
func (c *Coordinator) tick(now time.Time) error {
	free := c.free()
	for _, j := range c.queue {
		if j.record.State == Done {
			continue
		}
		before := j.attempt
		if err := c.attend(j, now, free); err != nil {
			return err
		}
		if j.attempt != before {
			free = c.free()
		}
	}
	c.queue = slices.DeleteFunc(c.queue, func(j *jobState) bool {
		if j.record.State == Done {
			delete(c.jobs, j.record.ID)
		}
		return j.record.State == Done
	})
	for id, m := range c.members {
		if why := c.lostReason(m); why != "" {
			if m.refused == "" {
				c.Log(fmt.Sprintf("worker %s is lost: %s", c.describe(id), why))
				c.lost++
			}
			delete(c.members, id)
		}
	}
	return nil
}

// attend does what a job needs next. Some workers are free.
func (c *Coordinator) attend(j *jobState, now time.Time, free []string) error {
	r := j.record
	if a := j.attempt; a != nil {
		if a.completing {
			return nil
		}
		if fault := c.inspect(j, now); fault != "" {
			return c.giveUp(j, fault)
		}
		switch {
		case r.Cancel && j.cancel.IsZero():
			j.cancel = now
			for _, w := range a.ranks {
				c.order(w, command{Do: "interrupt", Post: c.post(j, 0, w)})
			}
		case r.Cancel && now.Sub(j.cancel) > 3*LeaseTime:
			if err := c.giveUp(j, "it did not come to an end when it was asked to"); err != nil {
				return err
			}
		}
		return nil
	}
	switch {
	case r.Cancel:
		return c.finish(j, Outcome{Ending: Cancelled, Reason: "the job was cancelled", Explored: j.explored})
	case r.Fruitless >= max(1, r.Options.Attempts):
		return c.finish(j, Outcome{Ending: GaveUp, Explored: j.explored,
			Reason: fmt.Sprintf("%s ended without a new checkpoint, the last one because: %s", counted(r.Fruitless, "attempt"), r.Faults[len(r.Faults)-1].Text)})
	}
	chosen := j.choose(free)
	switch {
	case len(chosen) == r.Options.Workers:
		return c.begin(j, chosen)
	case r.State == Running && now.Sub(j.since) > r.Options.Replace:
		return c.finish(j, Outcome{Ending: GaveUp, Explored: j.explored, Reason: c.short(j, len(chosen))})
	case r.State == Queued && r.Options.Wait > 0 && now.Sub(j.seen) > r.Options.Wait:
		return c.finish(j, Outcome{Ending: GaveUp, Reason: c.unattended(j, len(chosen))})
	}
	return nil
}

// unattended says why a job never began.
func (c *Coordinator) unattended(j *jobState, there int) string {
	o := &j.record.Options
	return fmt.Sprintf("there were %d of %s within %s%s; start more (seltl-cluster work), ask for fewer (--workers), or wait longer (--wait)", there, counted(o.Workers, "worker"), o.Wait, c.unsuitedText(j))
}

// unsuitedText says which workers may not take part in a job, and why.
func (c *Coordinator) unsuitedText(j *jobState) (text string) {
	for _, w := range slices.Sorted(maps.Keys(j.unsuited)) {
		text += fmt.Sprintf("; worker %s was refused: %s", c.describe(w), j.unsuited[w])
	}
	return text
}

// short says why a job that had begun cannot go on.
func (c *Coordinator) short(j *jobState, there int) string {
	text := "the attempt ended"
	if n := len(j.record.Faults); n > 0 {
		text = j.record.Faults[n-1].Text
	}
	return text + fmt.Sprintf("; there were %d of %s after %s", there, counted(j.record.Options.Workers, "worker"), j.record.Options.Replace) + c.unsuitedText(j)
}

// free returns the workers that could begin with a job, in order.
func (c *Coordinator) free() (free []string) {
	for id, m := range c.members {
		if c.idle(m) {
			free = append(free, id)
		}
	}
	slices.Sort(free)
	return free
}

// choose picks workers for a job of those that are free, as many as it needs if there are so
// many.
func (j *jobState) choose(free []string) []string {
	if len(j.unsuited) > 0 {
		free = slices.DeleteFunc(slices.Clone(free), func(id string) bool {
			_, unsuited := j.unsuited[id]
			return unsuited
		})
	}
	return slices.Clone(free[:min(len(free), j.record.Options.Workers)])
}

// begin begins an attempt: from now on the ones before it cannot commit a checkpoint.
func (c *Coordinator) begin(j *jobState, ranks []string) error {
	r := j.record
	r.Epoch++
	r.Ranks, r.State = ranks, Running
	if r.Started.IsZero() {
		r.Started = time.Now().UTC()
	}
	within, cancel := context.WithTimeout(c.ctx, LeaseTime/2)
	defer cancel()
	round, err := checkpoint.Fence(within, c.store.ledger(r.ID), r.Epoch, j.unreadable > 1)
	if err != nil {
		r.Epoch--
		c.Log(fmt.Sprintf("job %s: %v", r.ID, err))
		return nil // the server is away: later
	}
	if j.unreadable > 1 {
		j.unreadable, r.Round = 0, -1
	}
	c.progressed(r, round)
	if err := c.save(j); err != nil {
		return err
	}
	c.Log(fmt.Sprintf("job %s: attempt %d begins with %s, after round %d", r.ID, r.Epoch, counted(len(ranks), "worker"), round))
	j.attempt = c.newLive(r)
	for rank, w := range ranks {
		c.members[w].reserved = r.ID
		go c.ready(j.attempt.ctx, c.post(j, rank, w), w, command{Do: "prepare", Digest: r.Digest, Options: r.Options, Term: c.lease.term, Beat: c.beats})
	}
	c.beat()
	return nil
}

func (c *Coordinator) newLive(r *Record) *live {
	a := &live{epoch: r.Epoch, ranks: r.Ranks, astray: make([]time.Time, len(r.Ranks))}
	a.ctx, a.end = context.WithCancel(c.ctx)
	return a
}

// progressed notes the round of the last checkpoint; attempts that led to one were not
// fruitless.
func (c *Coordinator) progressed(r *Record, round int) {
	if round > r.Round {
		r.Round, r.Fruitless = round, 0
	}
}

// post is the place of a worker in a job's attempt; rank is looked for if w is not there.
func (c *Coordinator) post(j *jobState, rank int, w string) Post {
	if j.attempt.ranks[rank] != w {
		rank = slices.Index(j.attempt.ranks, w)
	}
	return Post{j.record.ID, j.attempt.epoch, rank, len(j.attempt.ranks)}
}

// ask sends a command until it is answered or the attempt ends.
func (c *Coordinator) ask(ctx context.Context, worker string, o command) (r reply, err error) {
	for {
		within, cancel := context.WithTimeout(ctx, 2*LeaseTime)
		m, err := c.conn.RequestWithContext(within, commands(worker), mustJSON(o))
		cancel()
		if err == nil {
			return r, json.Unmarshal(m.Data, &r)
		}
		select {
		case <-ctx.Done():
			return r, ctx.Err()
		case <-time.After(Beat / 2): // no connection, or the worker is not yet there
		}
	}
}

// ready has a worker prepare itself, and tells the loop.
func (c *Coordinator) ready(ctx context.Context, post Post, worker string, o command) {
	o.Post = post
	r, err := c.ask(ctx, worker, o)
	if ctx.Err() != nil {
		return
	}
	if err != nil {
		r = reply{Reason: err.Error()}
	}
	c.tell(ctx, prepared{post, r})
}

// prepared takes in that a worker is ready, or why not; when all are, they start.
func (c *Coordinator) prepared(e prepared) error {
	j := c.jobs[e.post.Job]
	if j == nil || j.attempt == nil || j.attempt.epoch != e.post.Epoch {
		return nil
	}
	a := j.attempt
	w := a.ranks[e.post.Rank]
	switch {
	case e.reply.Refused:
		if err := c.giveUp(j, e.reply.Reason); err != nil {
			return err
		}
		return c.finish(j, Outcome{Ending: Refused, Reason: e.reply.Reason})
	case e.reply.Unfit:
		return c.unfit(j, w, e.reply.Reason)
	case !e.reply.OK:
		return c.giveUp(j, fmt.Sprintf("worker %s is not ready: %s", c.describe(w), e.reply.Reason))
	}
	if a.ready++; a.ready == len(a.ranks) {
		j.searched = true
		for rank, w := range a.ranks {
			go func() { _, _ = c.ask(a.ctx, w, command{Do: "start", Post: c.postIn(e.post, rank)}) }()
		}
	}
	return nil
}

// unfit refuses a worker for a job, which goes on with others, or waits for them: that there
// are such workers is no fault of the attempt.
func (c *Coordinator) unfit(j *jobState, worker, why string) error {
	j.unsuited[worker] = why
	c.refused++
	c.Log(fmt.Sprintf("worker %s is refused for job %s: %s", c.describe(worker), j.record.ID, why))
	if !j.searched {
		j.record.State = Queued
	}
	return c.endAttempt(j, fmt.Sprintf("worker %s was refused: %s", c.describe(worker), why))
}

func (c *Coordinator) postIn(p Post, rank int) Post {
	p.Rank = rank
	return p
}

// adopt takes over an attempt of the coordinator before: if all of its workers are still at
// it, it goes on. It may have had its answer already.
func (c *Coordinator) adopt(j *jobState) {
	if len(j.record.Ranks) != j.record.Options.Workers || len(j.record.Ranks) == 0 {
		return // there is nothing to go on with
	}
	a := c.newLive(j.record)
	a.adopted, a.ready = time.Now(), len(a.ranks)
	j.attempt = a
	post := Post{j.record.ID, a.epoch, 0, len(a.ranks)}
	c.Log(fmt.Sprintf("job %s: attempt %d is taken over", j.record.ID, a.epoch))
	go func() {
		_, err := c.store.objects.GetInfo(a.ctx, resultName(post.Job, post.Epoch))
		if err == nil {
			c.tell(a.ctx, reported{report: report{Post: post, Worker: a.ranks[0], How: "result"}})
		} else if !errors.Is(err, jetstream.ErrObjectNotFound) {
			c.Log(fmt.Sprintf("job %s: %v", post.Job, err)) // its worker says it again
		}
	}()
}

// inspect says what is wrong with a job's attempt, "" for nothing.
func (c *Coordinator) inspect(j *jobState, now time.Time) string {
	a := j.attempt
	grace := !a.adopted.IsZero() && now.Sub(a.adopted) < c.Lost
	for _, w := range a.ranks { // also what the lost one said before
		if m := c.members[w]; m != nil {
			j.saw(m.beat)
		}
	}
	for rank, w := range a.ranks {
		m := c.members[w]
		switch {
		case m == nil && grace:
			continue
		case m == nil:
			return fmt.Sprintf("worker %d, %s, is lost", rank, w)
		}
		if why := c.lostReason(m); why != "" {
			return fmt.Sprintf("worker %d, %s, is lost: %s", rank, c.describe(w), why)
		}
		there := m.beat.Post != nil && *m.beat.Post == c.post(j, rank, w) && m.beat.Started
		switch {
		case there || a.ready < len(a.ranks):
			a.astray[rank] = time.Time{}
		case a.astray[rank].IsZero():
			a.astray[rank] = now
		case now.Sub(a.astray[rank]) > c.Lost:
			return fmt.Sprintf("worker %d, %s, has left the attempt", rank, c.describe(w))
		}
	}
	return c.stands(j, now)
}

// saw notes how far a worker's attempt has come.
func (j *jobState) saw(b workerBeat) {
	if p := b.Progress; p != nil && b.Post != nil && b.Post.Job == j.record.ID && p.States >= j.explored.States {
		j.explored = Explored{p.States, p.Transitions, p.Round}
	}
}

// giveUp ends an attempt that went wrong; another may follow.
func (c *Coordinator) giveUp(j *jobState, fault string) error {
	j.record.Fruitless++
	return c.endAttempt(j, fault)
}

// endAttempt ends an attempt without an answer, and has its workers stop.
func (c *Coordinator) endAttempt(j *jobState, fault string) error {
	a, ctx := j.attempt, c.ctx
	c.Log(fmt.Sprintf("job %s: attempt %d ends: %s", j.record.ID, a.epoch, fault))
	a.end()
	for rank, w := range a.ranks {
		m := c.members[w]
		if m == nil {
			continue
		}
		m.reserved, m.stopping = "", true
		stop := command{Do: "stop", Post: c.post(j, rank, w), Why: fault}
		go func() {
			within, cancel := context.WithTimeout(ctx, 4*LeaseTime)
			defer cancel()
			_, _ = c.ask(within, w, stop) // who never answers is lost soon
			c.tell(ctx, stopped{w})
		}()
	}
	j.attempt, j.since = nil, time.Now()
	j.record.fault(fault)
	return c.save(j)
}

// reported takes in how a worker's part ended.
func (c *Coordinator) reported(e reported) error {
	j := c.jobs[e.Post.Job]
	tell := func(r receipt) {
		if e.message != nil {
			answer(e.message, r)
		}
	}
	if j == nil || j.attempt == nil || j.attempt.epoch != e.Post.Epoch || e.Post.Rank < 0 || e.Post.Rank >= len(j.attempt.ranks) || j.attempt.ranks[e.Post.Rank] != e.Worker {
		tell(receipt{Stale: true})
		return nil
	}
	tell(receipt{OK: true})
	a := j.attempt
	switch {
	case a.completing:
	case e.How == "result" && e.Post.Rank == 0:
		a.completing = true
		go c.complete(a, e.Post)
	case e.How == "result":
	case e.How == "restart", e.How == "unreadable":
		if e.How == "unreadable" {
			j.unreadable++
		}
		return c.giveUp(j, fmt.Sprintf("worker %d, %s: %s", e.Post.Rank, c.describe(e.Worker), e.Text))
	default:
		ending := Failed
		switch e.How {
		case "refused":
			ending = Refused
		case "unkept":
			ending = GaveUp
		}
		if err := c.giveUp(j, e.Text); err != nil {
			return err
		}
		return c.finish(j, Outcome{Ending: ending, Reason: e.Text, Explored: j.explored})
	}
	return nil
}

// complete ends an attempt that has its answer: the workers stop, and say what they did.
func (c *Coordinator) complete(a *live, post Post) {
	parts := make([]Part, len(a.ranks))
	within, cancel := context.WithTimeout(a.ctx, LeaseTime/2)
	defer cancel()
	var all sync.WaitGroup
	for rank, w := range a.ranks {
		all.Go(func() {
			parts[rank].Worker = w
			if r, err := c.ask(within, w, command{Do: "stop", Post: c.postIn(post, rank), Why: "the job has its answer"}); err == nil && r.Part != nil {
				parts[rank] = *r.Part
			}
		})
	}
	all.Wait()
	var explored Explored
	if r, err := c.store.Result(within, &Record{ID: post.Job, Epoch: post.Epoch}); err == nil {
		explored = Explored{r.States, r.Transitions, r.Rounds}
	}
	c.tell(a.ctx, completed{post, parts, explored})
}

// completed ends a job that has its answer.
func (c *Coordinator) completed(e completed) error {
	j := c.jobs[e.post.Job]
	if j == nil || j.attempt == nil || j.attempt.epoch != e.post.Epoch {
		return nil
	}
	for _, w := range j.attempt.ranks {
		if m := c.members[w]; m != nil {
			m.reserved = ""
		}
	}
	j.attempt.end()
	j.attempt = nil
	o := Outcome{Ending: Answered, Explored: e.explored, Workers: e.parts}
	if j.record.Cancel {
		o.Ending, o.Reason = Cancelled, "the job was cancelled"
	}
	return c.finish(j, o)
}

// finish ends a job. Its checkpoints go.
func (c *Coordinator) finish(j *jobState, o Outcome) error {
	r := j.record
	r.State, r.Outcome, r.Ended = Done, &o, time.Now().UTC()
	within, cancel := context.WithTimeout(c.ctx, LeaseTime/2)
	if e, _, err := c.store.ledger(r.ID).Read(within); err == nil {
		c.progressed(r, e.Round)
	}
	cancel()
	if err := c.save(j); err != nil {
		r.State = Running
		return err
	}
	c.past.add(PastOf(r))
	c.Log(fmt.Sprintf("job %s: %s %s", r.ID, o.Ending, o.Reason))
	if r.Options.CheckpointEvery > 0 {
		ended, ctx := *r, context.WithoutCancel(c.ctx)
		go func() {
			within, cancel := context.WithTimeout(ctx, time.Minute)
			defer cancel()
			if err := c.store.clear(within, &ended); err != nil {
				c.Log(fmt.Sprintf("job %s: its checkpoints remain: %v", ended.ID, err))
			}
		}()
	}
	return nil
}
