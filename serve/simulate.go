package serve

import (
	"bytes"
	"cmp"
	"context"
	"math/rand/v2"
	"net/http"
	"slices"
	"strconv"
	"sync"

	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/check/sim"
	"github.com/seltl/seltl/internal/diagram"
	"github.com/seltl/seltl/report"
)

// beginning is where a simulation begins.
type beginning struct {
	document
	// Check and Result are a check and the number of a result of it, whose run is to lie
	// ahead; "" for none.
	Check  string `json:"check"`
	Result int    `json:"result"`
}

// simulation is a session that a page steps through.
type simulation struct {
	id       string
	of       document
	mu       sync.Mutex // of what follows
	session  *sim.Session
	revision int // how many commands there were
	graph    *sim.Graph
}

// simulations are those that were used last.
type simulations struct {
	mu    sync.Mutex
	most  int
	known []*simulation // the one that was used last is the last
}

func newSimulations(most int) *simulations { return &simulations{most: most} }

func (c *simulations) add(k *simulation) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.known) >= c.most {
		c.known = slices.Delete(c.known, 0, 1)
	}
	c.known = append(c.known, k)
}

func (c *simulations) find(id string) (*simulation, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	i := slices.IndexFunc(c.known, func(k *simulation) bool { return k.id == id })
	if i < 0 {
		return nil, failed(http.StatusNotFound, "forgotten", "the server does not know this simulation any more", "begin again")
	}
	k := c.known[i]
	c.known = append(slices.Delete(c.known, i, i+1), k)
	return k, nil
}

// component is one of a simulation.
type component struct {
	Name     string `json:"name"`
	Watching bool   `json:"watching,omitempty"`
}

// view is what a page shows of a simulation.
type view struct {
	ID         string        `json:"id"`
	Name       string        `json:"name"`
	Components []component   `json:"components"`
	Menus      []string      `json:"menus,omitempty"`
	Starts     int           `json:"starts"` // initial states
	Revision   int           `json:"revision"`
	Position   *sim.Position `json:"position"`
	History    []string      `json:"history"`
	// Now is the number of the state in the graph, Next those that choices lead to.
	States   int    `json:"states"` // all that there are, 0: too many to draw
	Now      int    `json:"now"`
	Next     []int  `json:"next"`
	Said     string `json:"said,omitempty"`
	HowOften int    `json:"taken"` // steps that the command made
}

func (s *Server) simulate(ctx context.Context, _ *http.Request, q *beginning) (*view, error) {
	var trace *report.Counterexample
	if q.Check != "" {
		var err error
		if trace, err = s.runOf(q); err != nil {
			return nil, err
		}
	}
	return s.begin(ctx, &q.document, trace, nil)
}

// begin begins a simulation of a document, with a run ahead if there is one, and does what is
// to be done first.
func (s *Server) begin(ctx context.Context, d *document, trace *report.Counterexample, first func(session *sim.Session) error) (*view, error) {
	var a *view
	err := s.quickly(ctx, func(ctx context.Context) error {
		m, err := s.load(ctx, d, s.quickLimits())
		if err != nil {
			return inModel(err)
		}
		questions, err := m.Declared()
		if err != nil {
			return inModel(err)
		}
		session, err := sim.New(ctx, m, questions, sim.Options{Seed: rand.Uint64(), Limits: s.quickLimits(), Untold: true})
		if err != nil {
			return inModel(err)
		}
		if trace != nil {
			if err := session.Load(trace); budget.Stopped(err) {
				return err
			} else if err != nil {
				return failed(http.StatusConflict, "mismatch", err.Error(), "the model was changed since it was checked: check it again")
			}
		}
		if first != nil {
			if err := first(session); err != nil {
				return err
			}
		}
		k := &simulation{id: randomName(8), of: *d, session: session}
		if k.graph, err = session.Graph(ctx, s.opts.Drawn); err != nil {
			return err
		}
		s.sims.add(k)
		a, err = k.view(nil)
		return err
	})
	return a, err
}

// copy begins a simulation that is where another one is: that of another page.
func (s *Server) copy(ctx context.Context, r *http.Request, _ *none) (*view, error) {
	k, err := s.sims.find(r.PathValue("id"))
	if err != nil {
		return nil, err
	}
	k.mu.Lock()
	at, menu := k.session.At(), k.session.Now().Menu
	whole, err := k.whole()
	k.mu.Unlock()
	if err != nil {
		return nil, err
	}
	return s.begin(ctx, &k.of, whole, func(session *sim.Session) error {
		if err := session.SetMenu(cmp.Or(menu, sim.NoMenu)); err != nil {
			return err
		}
		known := min(at, len(session.History()))
		if err := session.Jump(known); err != nil {
			return err
		}
		for range at - known { // more than once round a loop
			if err := session.Redo(); err != nil {
				return err
			}
		}
		return nil
	})
}

// whole is the run with what lies ahead. The caller has locked it.
func (k *simulation) whole() (*report.Counterexample, error) {
	at := k.session.At()
	if err := k.session.Jump(len(k.session.History())); err != nil {
		return nil, err
	}
	found := k.session.Report()
	return found.Results[0].Counterexample, k.session.Jump(at)
}

// runOf is the run of a result of a check, which may be about another process than the document means.
func (s *Server) runOf(q *beginning) (*report.Counterexample, error) {
	k, err := s.checks.find(q.Check)
	if err != nil {
		return nil, err
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.report == nil || q.Result < 0 || q.Result >= len(k.report.Results) || k.report.Results[q.Result].Counterexample == nil {
		return nil, failed(http.StatusConflict, "no-run", "there is no run to step through", "")
	}
	found := &k.report.Results[q.Result]
	q.Process = cmp.Or(found.Process, q.Process)
	return found.Counterexample, nil
}

// view says where a simulation is. The caller has locked it, unless nobody else knows it.
func (k *simulation) view(done *sim.Answer) (*view, error) {
	s := k.session
	a := &view{ID: k.id, Revision: k.revision, Name: k.of.Name, Menus: s.Menus(), Position: s.Now(), History: s.History()}
	for i, name := range s.Components() {
		a.Components = append(a.Components, component{name, s.Watching(i)})
	}
	starts, err := s.Starts()
	if err != nil {
		return nil, err
	}
	a.Starts = len(starts)
	if a.Now, a.Next = k.graph.Where(s, a.Position.Choices); k.graph.Whole() {
		a.States = k.graph.States()
	}
	if done != nil {
		a.Said, a.HowOften = done.Text, done.Made
	}
	return a, nil
}

func (s *Server) simulation(_ context.Context, r *http.Request, _ *none) (*view, error) {
	k, err := s.sims.find(r.PathValue("id"))
	if err != nil {
		return nil, err
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.view(nil)
}

// stepping is a command to a simulation: a line as seltl sim reads it, or a state of the graph
// to go to.
type stepping struct {
	Command string `json:"command"`
	State   *int   `json:"state"`
	// Revision is that of the view that was seen when the command was given, nil for any.
	Revision *int `json:"revision"`
}

// mostSteps bounds the steps of one command.
const mostSteps = 10_000

func (s *Server) step(ctx context.Context, r *http.Request, q *stepping) (*view, error) {
	k, err := s.sims.find(r.PathValue("id"))
	if err != nil {
		return nil, err
	}
	var a *view
	err = s.quickly(ctx, func(ctx context.Context) error {
		k.mu.Lock()
		defer k.mu.Unlock()
		if q.Revision != nil && *q.Revision != k.revision {
			return failed(http.StatusConflict, "moved", "the simulation is not where it was any more", "")
		}
		done, err := k.do(ctx, q)
		if err != nil {
			return err
		}
		k.revision++
		a, err = k.view(done)
		return err
	})
	return a, err
}

// do carries a command out.
func (k *simulation) do(ctx context.Context, q *stepping) (*sim.Answer, error) {
	if q.State != nil {
		_, err := k.session.GotoState(ctx, k.graph, *q.State)
		return nil, err
	}
	c := sim.ParseCommand(q.Command)
	switch c.Verb {
	case "load", "save", "quit", "help":
		return nil, &sim.NotPossible{Text: c.Verb + " is a command of seltl sim, and not of the browser"}
	case "random", "run":
		if c.Number > mostSteps {
			return nil, &sim.NotPossible{Text: "that are too many steps at once", Help: "at most " + report.Group(mostSteps)}
		}
	}
	return k.session.Do(ctx, c)
}

// drawing is a picture.
type drawing struct {
	SVG  string `json:"svg"`
	Text string `json:"text,omitempty"` // what is to be said about it
}

func (s *Server) graph(ctx context.Context, r *http.Request, _ *none) (*drawing, error) {
	k, err := s.sims.find(r.PathValue("id"))
	if err != nil {
		return nil, err
	}
	a := &drawing{}
	return a, s.quickly(ctx, func(context.Context) error {
		p, err := k.picture(r.URL.Query().Get("near"))
		if err != nil {
			return err
		}
		var b bytes.Buffer
		err = diagram.WriteSVG(&b, p)
		a.SVG = b.String()
		return err
	})
}

// nearStates is how many states are drawn around one.
const nearStates = 12

// picture has all states, or those around the one with that number.
func (k *simulation) picture(near string) (*diagram.Graph, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if near == "" && k.graph.Whole() {
		return k.graph.Picture(), nil
	}
	number, err := strconv.Atoi(near)
	if err != nil {
		return nil, failed(http.StatusUnprocessableEntity, "limit", "these are too many states for a picture", "those around one can be drawn")
	}
	return k.graph.Near(number, nearStates)
}

// run is the run so far as a report, which seltl sim --trace reads.
func (s *Server) run(_ context.Context, r *http.Request, _ *none) (*report.Report, error) {
	k, err := s.sims.find(r.PathValue("id"))
	if err != nil {
		return nil, err
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	found := k.session.Report()
	found.Version, found.Schema = s.opts.Version, report.Schema
	return found, nil
}
