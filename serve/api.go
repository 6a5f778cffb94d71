package serve

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"mime"
	"net/http"
	"path"

	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/bug"
	"github.com/seltl/seltl/check"
	"github.com/seltl/seltl/check/sim"
	"github.com/seltl/seltl/internal/diagram"
	"github.com/seltl/seltl/internal/source"
	"github.com/seltl/seltl/report/html"
)

// failure is an error as pages get it.
type failure struct {
	Code string `json:"code"`
	Text string `json:"text"`
	Help string `json:"help,omitempty"`
	// Messages are about places in the model, or in a formula.
	Messages []message `json:"messages,omitempty"`
	status   int
}

func (f *failure) Error() string { return f.Text }

func failed(status int, code, text, help string) *failure {
	return &failure{Code: code, Text: text, Help: help, status: status}
}

// routes are all requests that are answered.
func (s *Server) routes() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /{$}", s.page)
	mux.HandleFunc("GET /assets/{file}", s.asset)
	handle(s, mux, "GET /api/alive", s.alive)
	handle(s, mux, "GET /api/start", s.start)
	handle(s, mux, "GET /api/text", s.text)
	handle(s, mux, "POST /api/save", s.save)
	handle(s, mux, "POST /api/read", s.read)
	handle(s, mux, "POST /api/formula", s.formula)
	handle(s, mux, "POST /api/picture", s.picture)
	handle(s, mux, "POST /api/automaton", s.automaton)
	handle(s, mux, "POST /api/checks", s.check)
	handle(s, mux, "GET /api/checks/{id}", s.checked)
	handle(s, mux, "POST /api/checks/{id}/cancel", s.cancel)
	mux.HandleFunc("GET /api/checks/{id}/report", s.download)
	handle(s, mux, "POST /api/simulations", s.simulate)
	handle(s, mux, "GET /api/simulations/{id}", s.simulation)
	handle(s, mux, "POST /api/simulations/{id}", s.step)
	handle(s, mux, "POST /api/simulations/{id}/copy", s.copy)
	handle(s, mux, "GET /api/simulations/{id}/graph", s.graph)
	handle(s, mux, "GET /api/simulations/{id}/run", s.run)
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		s.refuse(w, r, http.StatusNotFound, &failure{Code: "not-found", Text: "there is nothing at " + r.URL.Path})
	})
	return mux
}

// handle answers with what a function returns, as JSON.
func handle[Q, A any](s *Server, mux *http.ServeMux, pattern string, f func(ctx context.Context, r *http.Request, q *Q) (A, error)) {
	mux.HandleFunc(pattern, func(w http.ResponseWriter, r *http.Request) {
		q := new(Q)
		if r.Method == http.MethodPost {
			if err := s.body(w, r, q); err != nil {
				fail(w, err)
				return
			}
		}
		a, err := f(r.Context(), r, q)
		if err != nil {
			fail(w, err)
			return
		}
		answer(w, http.StatusOK, a)
	})
}

// none is the body of requests that have none.
type none struct{}

// body reads the JSON of a request.
func (s *Server) body(w http.ResponseWriter, r *http.Request, to any) error {
	if kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); err != nil || kind != "application/json" {
		return failed(http.StatusUnsupportedMediaType, "content-type", "the body of a request is application/json", "")
	}
	d := json.NewDecoder(http.MaxBytesReader(w, r.Body, s.opts.Body))
	d.DisallowUnknownFields()
	err := d.Decode(to)
	if err == nil {
		if _, more := d.Token(); more != io.EOF {
			err = errors.New("there is something behind it")
		}
	}
	var large *http.MaxBytesError
	switch {
	case errors.As(err, &large):
		return failed(http.StatusRequestEntityTooLarge, "too-large", "the request is larger than "+budget.FormatBytes(large.Limit), "")
	case err != nil:
		return failed(http.StatusBadRequest, "bad-request", "the request is not as it should be: "+err.Error(), "")
	}
	return nil
}

// answer writes JSON, in which <, > and & are escaped.
func answer(w http.ResponseWriter, status int, a any) {
	text, err := json.Marshal(a)
	if err != nil {
		panic(bug.Errorf("serve", "an answer that is no JSON: %v", err))
	}
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.WriteHeader(status)
	_, _ = w.Write(append(text, '\n')) // whoever asked may be gone
}

// fail answers with an error. Nothing is wrong with a request about a model that has mistakes, or is
// too large: then the error is its answer.
func fail(w http.ResponseWriter, err error) {
	f := failureOf(err)
	status := f.status
	if status == http.StatusUnprocessableEntity {
		status = http.StatusOK
	}
	answer(w, status, map[string]any{"error": f})
}

// failureOf says an error to a page.
func failureOf(err error) *failure {
	var f *failure
	var list source.List
	var input *check.InputError
	var other *check.OtherKind
	var not *sim.NotPossible
	var ambiguous *sim.Ambiguous
	var internal *bug.Error
	var exhausted *budget.Exhausted
	switch {
	case errors.As(err, &f):
		return f
	case errors.As(err, &list):
		f = failed(http.StatusUnprocessableEntity, "mistakes", list[0].Message, list[0].Help)
		f.Messages = messagesOf(list)
		return f
	case errors.As(err, &internal):
		return failed(http.StatusInternalServerError, "bug", internal.Error(), "this is a bug in seltl; please report it with the model")
	case errors.As(err, &exhausted):
		return failed(http.StatusUnprocessableEntity, "limit", err.Error(), exhausted.Advice)
	case check.Limited(err), errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return failed(http.StatusUnprocessableEntity, "limit", err.Error(), "")
	case errors.As(err, &input):
		return failed(http.StatusUnprocessableEntity, input.Code, input.Text, input.Help)
	case errors.As(err, &other):
		return failed(http.StatusUnprocessableEntity, "other-kind", other.Error(), "")
	case errors.As(err, &not):
		return failed(http.StatusUnprocessableEntity, "not-possible", not.Text, not.Help)
	case errors.As(err, &ambiguous):
		return failed(http.StatusUnprocessableEntity, "ambiguous", ambiguous.Error(), "")
	case errors.Is(err, fs.ErrNotExist):
		return failed(http.StatusNotFound, "no-such-file", err.Error(), "")
	}
	return failed(http.StatusUnprocessableEntity, "input", err.Error(), "")
}

// quickly runs what a request waits for: not too much at the same time, and not for too long.
func (s *Server) quickly(ctx context.Context, f func(ctx context.Context) error) error {
	select {
	case s.quick <- struct{}{}:
		defer func() { <-s.quick }()
	case <-ctx.Done():
		return budget.ErrInterrupted
	}
	ctx, cancel := context.WithTimeout(ctx, s.opts.Quick)
	defer cancel()
	return f(ctx)
}

// quickLimits are those of what a request waits for.
func (s *Server) quickLimits() budget.Limits {
	return budget.Limits{Memory: s.opts.Memory, Time: s.opts.Quick}
}

// page is the page itself. The token stays in the address until its script has removed it.
func (s *Server) page(w http.ResponseWriter, r *http.Request) {
	s.serveAsset(w, r, "index.html")
}

func (s *Server) asset(w http.ResponseWriter, r *http.Request) {
	s.serveAsset(w, r, r.PathValue("file"))
}

// serveAsset sends a file of the page: of here, of reports, or of pictures.
func (s *Server) serveAsset(w http.ResponseWriter, r *http.Request, name string) {
	text, err := assets.ReadFile(path.Join("assets", path.Base(name)))
	if err != nil {
		text, err = html.Assets.ReadFile(path.Join("assets", path.Base(name)))
	}
	if name == "diagram.css" {
		text, err = []byte(diagram.StyleSheet), nil
	}
	kind, known := map[string]string{".html": "text/html", ".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml"}[path.Ext(name)]
	if err != nil || !known || name == "page.html" {
		s.refuse(w, r, http.StatusNotFound, &failure{Code: "not-found", Text: fmt.Sprintf("there is no file %s", name)})
		return
	}
	w.Header().Set("Content-Type", kind+"; charset=utf-8")
	_, _ = io.Copy(w, bytes.NewReader(text)) // whoever asked may be gone
}
