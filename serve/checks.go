package serve

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/check"
	"github.com/seltl/seltl/lks/explore"
	"github.com/seltl/seltl/product"
	"github.com/seltl/seltl/report"
	"github.com/seltl/seltl/report/html"
)

// question is what a page asks about a document.
type question struct {
	document
	// Ask is "all", "deadlock" (and errors), "progress", or "verify": Formulas and declared
	// Properties, all of them if neither is named.
	Ask        string   `json:"ask"`
	Formulas   []string `json:"formulas"`
	Properties []string `json:"properties"`
	Fair       string   `json:"fair"`   // "": as the command line does without --fair
	Finite     string   `json:"finite"` // the same
	Shortest   bool     `json:"shortest"`
	Vacuity    bool     `json:"vacuity"` // ask of each part of what holds whether it has an effect
	// Key is of the page's making: a question that is asked again with it, since the answer was
	// lost, is the same one. "" is no key.
	Key string `json:"key"`
}

// Bounds of a question.
const (
	mostFormulas = 100
	longestKey   = 64
)

// fairness and finite are what Fair and Finite are read into.
func (q *question) fairness() check.Fairness   { return check.AutoFair }
func (q *question) finite() product.FiniteRuns { return product.StutterRuns }

// verification says how a question is to be decided.
func (q *question) verification() (v check.Verification, err error) {
	fair, finite := q.fairness(), q.finite()
	if q.Fair != "" {
		err = fair.UnmarshalText([]byte(q.Fair))
	}
	if q.Finite != "" && err == nil {
		err = finite.UnmarshalText([]byte(q.Finite))
	}
	if err == nil && !slices.Contains([]string{"all", "deadlock", "progress", "verify"}, q.Ask) {
		err = fmt.Errorf("there is no question %q", q.Ask)
	}
	if err == nil && len(q.Formulas) > mostFormulas {
		err = fmt.Errorf("there are more than %d formulas", mostFormulas)
	}
	if err == nil && len(q.Key) > longestKey {
		err = errors.New("the key is too long")
	}
	if err != nil {
		return v, failed(http.StatusBadRequest, "bad-request", err.Error(), "")
	}
	// One worker: several checks share the processors, and a panic in another goroutine would
	// end the server.
	return check.Verification{Fair: fair, Finite: finite, Shortest: q.Shortest, Vacuity: q.Vacuity, Explain: true, Search: product.Search{Workers: 1}}, nil
}

// States of a check.
const (
	waits    = "waiting"
	runs     = "running"
	finished = "finished"
	stopped  = "cancelled"
	wrong    = "failed"
)

// checking is a question that is being answered, or was.
type checking struct {
	id       string
	question *question
	how      check.Verification
	ctx      context.Context
	end      context.CancelFunc

	mu       sync.Mutex // of what follows
	state    string
	progress budget.Progress
	began    time.Time
	took     time.Duration
	report   *report.Report
	failure  *failure
}

// checks are those that a server knows.
type checks struct {
	s      *Server
	room   chan struct{} // how many are decided at the same time
	mu     sync.Mutex
	known  []*checking // the oldest first
	number int
	closed bool
}

func newChecks(s *Server) *checks {
	return &checks{s: s, room: make(chan struct{}, s.opts.Checks)}
}

// close cancels all checks and allows no more.
func (c *checks) close() {
	c.mu.Lock()
	c.closed = true
	c.mu.Unlock()
}

// open counts those that are not decided yet.
func (c *checks) open() (n int) {
	for _, k := range c.known {
		if k.is(waits, runs) {
			n++
		}
	}
	return n
}

func (k *checking) is(states ...string) bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	return slices.Contains(states, k.state)
}

// add begins a check, or says why there is no room for it. Old ones are forgotten.
func (c *checks) add(q *question, how check.Verification) (*checking, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed {
		return nil, failed(http.StatusServiceUnavailable, "closed", "the server is ending", "")
	}
	if i := slices.IndexFunc(c.known, func(k *checking) bool { return q.Key != "" && k.question.Key == q.Key }); i >= 0 {
		return c.known[i], nil
	}
	if c.open() >= c.s.opts.Checks+c.s.opts.Waiting {
		return nil, failed(http.StatusTooManyRequests, "busy", fmt.Sprintf("%d checks are waiting already", c.s.opts.Waiting), "cancel some, or wait for them")
	}
	for i := 0; len(c.known) >= max(c.s.opts.Kept, c.s.opts.Checks+c.s.opts.Waiting) && i < len(c.known); {
		if c.known[i].is(waits, runs) {
			i++
			continue
		}
		c.known = slices.Delete(c.known, i, i+1)
	}
	c.number++
	k := &checking{id: strconv.Itoa(c.number) + "-" + randomName(4), question: q, how: how, state: waits, began: time.Now()}
	k.ctx, k.end = context.WithCancel(c.s.ctx)
	c.known = append(c.known, k)
	c.s.busy.Add(1)
	go func() {
		defer c.s.busy.Done()
		c.decide(k)
	}()
	return k, nil
}

func (c *checks) find(id string) (*checking, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, k := range c.known {
		if k.id == id {
			return k, nil
		}
	}
	return nil, failed(http.StatusNotFound, "forgotten", "the server does not know this check any more", "ask again")
}

// decide waits for its turn and decides a question.
func (c *checks) decide(k *checking) {
	defer k.end()
	select {
	case c.room <- struct{}{}:
		defer func() { <-c.room }()
	case <-k.ctx.Done():
	}
	if k.ctx.Err() != nil {
		k.done(nil, nil)
		return
	}
	k.mu.Lock()
	k.state, k.began = runs, time.Now()
	k.mu.Unlock()
	defer func() {
		if p := recover(); p == nil {
			return
		} else if err := budget.Aborted(p); err != nil {
			k.done(nil, err)
		} else {
			k.done(nil, c.s.bug("check of "+k.question.Name, p))
		}
	}()
	ctx, cancel := context.WithTimeout(k.ctx, c.s.opts.Time)
	defer cancel()
	r, err := c.s.answer(ctx, k)
	if r != nil {
		r.Version = c.s.opts.Version
	}
	k.done(r, err)
}

// done keeps what has come out.
func (k *checking) done(r *report.Report, err error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.took, k.report = time.Since(k.began), r
	switch {
	case err == nil && r != nil && k.ctx.Err() == nil:
		k.state = finished
	case k.ctx.Err() != nil:
		k.state = stopped // r has what was found before
	default:
		k.state, k.failure = wrong, failureOf(err)
	}
}

// answer decides a question.
func (s *Server) answer(ctx context.Context, k *checking) (*report.Report, error) {
	q, v := k.question, k.how
	v.Limits = budget.Limits{States: s.opts.States, Memory: s.opts.Memory, Time: s.opts.Time}
	v.Advise, v.Illustrate = advice, true
	v.Progress = func(p budget.Progress) {
		k.mu.Lock()
		k.progress = p
		k.mu.Unlock()
	}
	m, err := s.load(ctx, &q.document, v.Limits)
	if check.Limited(err) {
		return check.NotLoaded(q.Ask, err, v.Options), nil
	}
	if err != nil {
		return nil, inModel(err)
	}
	search := explore.Resources{Workers: 1}
	switch q.Ask {
	case "all":
		return check.All(ctx, m, check.Everything{Verification: v, Search: search, Elsewhere: q.Process == ""})
	case "deadlock":
		return check.All(ctx, m, check.Everything{Verification: v, Kinds: []string{"deadlock", "safety"}, Search: search})
	case "progress":
		return check.Progress(ctx, m, v.Options)
	}
	questions, err := asked(m, q)
	if err != nil {
		return nil, err
	}
	return check.Verify(ctx, m, questions, v)
}

// asked are the formulas and properties of a question.
func asked(m *check.Model, q *question) (all []check.Question, err error) {
	for _, f := range q.Formulas {
		one, err := m.Ask(f)
		if err != nil {
			return nil, err
		}
		all = append(all, one)
	}
	if len(q.Properties) > 0 || len(all) == 0 {
		declared, err := m.Declared(q.Properties...)
		if err != nil {
			return nil, err
		}
		all = append(all, declared...)
	}
	if len(all) == 0 {
		err = failed(http.StatusUnprocessableEntity, "no-property", "there is no property to verify", "declare one in the model, as in: ltl NAME = G F event; or write a formula above")
	}
	return all, err
}

// advice says what to try where a limit was reached.
func advice(reason error) string {
	var exhausted *budget.Exhausted
	if !errors.As(reason, &exhausted) {
		return ""
	}
	if exhausted.Advice != "" {
		return exhausted.Advice
	}
	switch exhausted.What {
	case "time":
		return "smaller constants, or seltl serve --timeout TIME"
	case "memory":
		return "smaller constants, or seltl serve --max-memory SIZE"
	case "states":
		return "smaller constants, or seltl serve --max-states N"
	}
	return ""
}

// standing is what a page is told about a check.
type standing struct {
	ID      string  `json:"id"`
	Name    string  `json:"name"`
	Ask     string  `json:"ask"`
	State   string  `json:"state"`
	Seconds float64 `json:"seconds"`
	Limit   float64 `json:"limit"` // of seconds
	// What it is at.
	Phase       string     `json:"phase,omitempty"`
	States      int64      `json:"states,omitempty"`
	Transitions int64      `json:"transitions,omitempty"`
	Depth       int64      `json:"depth,omitempty"`
	Memory      int64      `json:"memory,omitempty"`
	Result      *html.Part `json:"result,omitempty"`
	Failure     *failure   `json:"failure,omitempty"`
}

func (s *Server) check(_ context.Context, _ *http.Request, q *question) (*standing, error) {
	how, err := q.verification()
	if err == nil {
		err = s.usable(&q.document)
	}
	if err != nil {
		return nil, err
	}
	k, err := s.checks.add(q, how)
	if err != nil {
		return nil, err
	}
	return s.stands(k)
}

func (s *Server) checked(_ context.Context, r *http.Request, _ *none) (*standing, error) {
	k, err := s.checks.find(r.PathValue("id"))
	if err != nil {
		return nil, err
	}
	return s.stands(k)
}

func (s *Server) cancel(_ context.Context, r *http.Request, _ *none) (*standing, error) {
	k, err := s.checks.find(r.PathValue("id"))
	if err != nil {
		return nil, err
	}
	k.end()
	return s.stands(k)
}

// stands says how a check stands.
func (s *Server) stands(k *checking) (*standing, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	a := &standing{ID: k.id, Name: k.question.Name, Ask: k.question.Ask, State: k.state, Limit: s.opts.Time.Seconds(), Failure: k.failure,
		Phase: k.progress.Phase, States: k.progress.States, Transitions: k.progress.Transitions, Depth: k.progress.Depth, Memory: k.progress.Memory}
	if a.Seconds = k.took.Seconds(); k.state == waits || k.state == runs {
		a.Seconds = time.Since(k.began).Seconds()
		return a, nil
	}
	if k.report == nil {
		return a, nil
	}
	var err error
	a.Result, err = (&html.Page{Report: k.report}).Part()
	return a, err
}

// download is the report of a check as a file of its own.
func (s *Server) download(w http.ResponseWriter, r *http.Request) {
	k, err := s.checks.find(r.PathValue("id"))
	if err != nil {
		fail(w, err)
		return
	}
	k.mu.Lock()
	found := k.report
	k.mu.Unlock()
	if found == nil {
		fail(w, failed(http.StatusConflict, "not-finished", "the check has no report yet", ""))
		return
	}
	h := w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Content-Disposition", `attachment; filename="seltl-report.html"`)
	page := &html.Page{Report: found, Sources: []html.Source{{Name: k.question.Name, Text: k.question.Text}}}
	_ = page.Write(w) // whoever asked may be gone
}
