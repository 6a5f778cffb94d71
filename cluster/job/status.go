package job

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
)

// Status is all that who coordinates knows.
type Status struct {
	Coordinator string         `json:"coordinator"`
	Build       Build          `json:"build"`
	Jobs        []JobStatus    `json:"jobs"`
	Workers     []WorkerStatus `json:"workers"`
	// Past are jobs that have ended, the last one first, and Ended says how many are kept.
	Past  []*Past `json:"past,omitempty"`
	Ended int     `json:"jobs_ended"`
	// Left says how many jobs that have not ended are not listed: it would be too much for a
	// message.
	Left int   `json:"jobs_left_out,omitempty"`
	Lost int64 `json:"workers_lost"`
	// Refused counts workers of another build, and those that had something else to search.
	Refused int64 `json:"workers_refused"`
	// Garbage counts messages to the coordinator and the workers that were none.
	Garbage int64 `json:"garbage"`
}

// JobStatus is a job that has not ended.
type JobStatus struct {
	ID      string    `json:"id"`
	Name    string    `json:"name"`
	State   State     `json:"state"`
	Since   time.Time `json:"since"` // it was submitted, or began
	Workers int       `json:"workers"`
	Epoch   uint32    `json:"epoch"`
	Faults  int       `json:"faults"`
	Explored
	// There is how many workers it could begin with, Waiting whether it waits for more of
	// them, and Unsuited which ones it refused, and why.
	There    int      `json:"there"`
	Waiting  bool     `json:"waiting"`
	Unsuited []string `json:"unsuited,omitempty"`
	// Imbalance is how many states the worker with the most has, divided by the mean.
	Imbalance float64 `json:"imbalance,omitempty"`
	Rate      float64 `json:"states_per_second"`
	SentBytes int64   `json:"sent_bytes"`
}

// WorkerStatus is a worker.
type WorkerStatus struct {
	ID      string  `json:"id"`
	Host    string  `json:"host"`
	PID     int     `json:"pid"`
	Refused string  `json:"refused,omitempty"`
	Job     string  `json:"job,omitempty"`
	Rank    int     `json:"rank"`
	Phase   string  `json:"phase,omitempty"`
	Round   int64   `json:"round"`
	States  int64   `json:"states"`
	Rate    float64 `json:"states_per_second"`
	Sent    int64   `json:"sent_states"`
	// SentBytes and Batches went out; Resent and FramesRefused are what the network did.
	SentBytes     int64   `json:"sent_bytes"`
	Batches       int64   `json:"batches"`
	Resent        int64   `json:"resent"`
	FramesRefused int64   `json:"frames_refused"`
	Memory        int64   `json:"memory"`
	Waiting       float64 `json:"waiting"` // share of its time: the slowest waits least
	Silent        float64 `json:"silent_seconds"`
}

// statusQuestion is what is to be known beside the workers: all jobs that have not ended, or
// one, and so many of the others.
type statusQuestion struct {
	Job  string `json:"job,omitempty"`
	Past int    `json:"past,omitempty"`
}

func readStatusQuestion(text []byte) (q statusQuestion, err error) {
	if len(text) > 0 {
		err = json.Unmarshal(text, &q)
	}
	if err == nil && q.Past < 0 {
		err = errors.New("a negative number of jobs")
	}
	return q, err
}

// fit writes a status as a message of at most so many bytes. Of jobs that wait the last ones are
// left out, if need be.
func (s *Status) fit(most int) []byte {
	for {
		text := mustJSON(s)
		if len(text) <= most || len(s.Past)+len(s.Jobs) == 0 {
			return text
		}
		s.Past = s.Past[:len(s.Past)/2]
		if n := len(s.Jobs) / 2; len(s.Past) == 0 {
			s.Left += len(s.Jobs) - n
			s.Jobs = s.Jobs[:n]
		}
	}
}

// status describes everything. It runs on the loop's goroutine.
func (c *Coordinator) status(q statusQuestion) Status {
	s := Status{Coordinator: c.lease.holder, Build: c.Build, Lost: c.lost, Refused: c.refused, Garbage: c.garbage.Load(), Past: c.past.latest(q.Past), Ended: len(c.past.order)}
	perJob := map[string][]WorkerStatus{}
	for _, id := range slices.Sorted(maps.Keys(c.members)) {
		w := c.members[id].status(time.Now())
		s.Garbage += c.members[id].beat.Garbage
		s.Workers = append(s.Workers, w)
		if w.Job != "" {
			perJob[w.Job] = append(perJob[w.Job], w)
		}
	}
	free := c.free()
	for _, j := range c.queue {
		id := j.record.ID
		if j.record.State == Done || q.Job != "" && q.Job != id {
			continue
		}
		js := JobStatus{ID: id, Name: j.record.Name, State: j.record.State, Since: j.record.Submitted, Workers: j.record.Options.Workers,
			Epoch: j.record.Epoch, Faults: len(j.record.Faults), Explored: j.explored}
		if !j.record.Started.IsZero() {
			js.Since = j.record.Started
		}
		if js.There = len(j.record.Ranks); j.attempt == nil {
			js.There = len(j.choose(free))
			js.Waiting = js.There < js.Workers
		}
		for _, w := range slices.Sorted(maps.Keys(j.unsuited)) {
			js.Unsuited = append(js.Unsuited, c.describe(w)+": "+j.unsuited[w])
		}
		most, sum := int64(0), int64(0)
		for _, w := range perJob[id] {
			most, sum = max(most, w.States), sum+w.States
			js.Rate += w.Rate
			js.SentBytes += w.SentBytes
		}
		if sum > 0 {
			js.Imbalance = float64(most) * float64(len(perJob[id])) / float64(sum)
			// What all workers know is what was at the end of the round before.
			js.States = max(js.States, sum)
		}
		s.Jobs = append(s.Jobs, js)
	}
	return s
}

func (m *member) status(now time.Time) WorkerStatus {
	b := &m.beat
	w := WorkerStatus{ID: b.ID, Host: b.Host, PID: b.PID, Refused: m.refused, Rate: m.rate, Silent: now.Sub(m.heard).Seconds()}
	if b.Post == nil {
		return w
	}
	w.Job, w.Rank, w.Phase = b.Post.Job, b.Post.Rank, "preparing"
	if p := b.Progress; p != nil {
		w.Phase, w.Round, w.States, w.Sent, w.Memory = p.Phase, p.Round, p.Worker.States, p.Worker.Sent, p.Worker.Memory
		if p.Worker.Elapsed > 0 {
			w.Waiting = p.Worker.Phases.Wait.Seconds() / p.Worker.Elapsed.Seconds()
		}
	}
	if f := b.Fabric; f != nil {
		w.SentBytes, w.Batches, w.Resent = f.Bytes, f.Batches, f.Resent
		for _, n := range f.Refused {
			w.FramesRefused += n
		}
	}
	return w
}

// ErrNobody says that nobody coordinates.
var ErrNobody = errors.New("nobody coordinates: start seltl-cluster serve")

// AskStatus asks whoever coordinates: for all jobs that have not ended or, unless that is "", one
// of them, and for so many of those that ended last.
func AskStatus(ctx context.Context, nc *nats.Conn, job string, past int) (s Status, err error) {
	within, cancel := context.WithTimeout(ctx, 2*LeaseTime)
	defer cancel()
	m, err := nc.RequestWithContext(within, statusRequests, mustJSON(statusQuestion{job, past}))
	if errors.Is(err, nats.ErrNoResponders) || errors.Is(err, context.DeadlineExceeded) {
		err = ErrNobody
	}
	if err != nil {
		return s, err
	}
	return s, json.Unmarshal(m.Data, &s)
}

// Metrics writes a status in Prometheus' text format, version 0.0.4.
func (s *Status) Metrics(w io.Writer) error {
	e := &exposition{w: w}
	e.family("seltl_cluster_jobs", "gauge", "Jobs that have not ended, by state.")
	states := map[State]int{Queued: 0, Running: 0}
	for _, j := range s.Jobs {
		states[j.State]++
	}
	for _, st := range slices.Sorted(maps.Keys(states)) {
		e.sample("seltl_cluster_jobs", float64(states[st]), "state", string(st))
	}
	e.family("seltl_cluster_jobs_ended", "gauge", "Jobs that have ended and are kept.")
	e.sample("seltl_cluster_jobs_ended", float64(s.Ended))
	e.family("seltl_cluster_workers_lost_total", "counter", "Workers that were lost since this process coordinates.")
	e.sample("seltl_cluster_workers_lost_total", float64(s.Lost))
	e.family("seltl_cluster_workers_refused_total", "counter", "Workers that were refused since this process coordinates: of another build, or with something else to search.")
	e.sample("seltl_cluster_workers_refused_total", float64(s.Refused))
	e.family("seltl_cluster_garbage", "gauge", "Messages to coordinator and workers that were none.")
	e.sample("seltl_cluster_garbage", float64(s.Garbage))
	perJob := []struct {
		name, kind, help string
		value            func(j *JobStatus) float64
	}{
		{"seltl_cluster_job_states", "gauge", "States found.", func(j *JobStatus) float64 { return float64(j.States) }},
		{"seltl_cluster_job_states_per_second", "gauge", "States found per second.", func(j *JobStatus) float64 { return j.Rate }},
		{"seltl_cluster_job_round", "gauge", "Round, which is the level of a breadth-first search.", func(j *JobStatus) float64 { return float64(j.Round) }},
		{"seltl_cluster_job_attempt", "gauge", "Number of the attempt.", func(j *JobStatus) float64 { return float64(j.Epoch) }},
		{"seltl_cluster_job_imbalance", "gauge", "States of the fullest worker divided by the mean.", func(j *JobStatus) float64 { return j.Imbalance }},
	}
	for _, f := range perJob {
		e.family(f.name, f.kind, f.help)
		for i := range s.Jobs {
			e.sample(f.name, f.value(&s.Jobs[i]), "job", s.Jobs[i].ID)
		}
	}
	perWorker := []struct {
		name, kind, help string
		value            func(w *WorkerStatus) float64
	}{
		{"seltl_cluster_worker_states", "gauge", "States that a worker owns.", func(w *WorkerStatus) float64 { return float64(w.States) }},
		{"seltl_cluster_worker_states_per_second", "gauge", "States that a worker finds per second.", func(w *WorkerStatus) float64 { return w.Rate }},
		{"seltl_cluster_worker_sent_bytes", "gauge", "Bytes of payloads sent in this attempt.", func(w *WorkerStatus) float64 { return float64(w.SentBytes) }},
		{"seltl_cluster_worker_batches", "gauge", "Payloads sent in this attempt.", func(w *WorkerStatus) float64 { return float64(w.Batches) }},
		{"seltl_cluster_worker_resent", "gauge", "Payloads sent again in this attempt.", func(w *WorkerStatus) float64 { return float64(w.Resent) }},
		{"seltl_cluster_worker_frames_refused", "gauge", "Messages refused in this attempt.", func(w *WorkerStatus) float64 { return float64(w.FramesRefused) }},
		{"seltl_cluster_worker_memory_bytes", "gauge", "Bytes of states, queues and buffers, at most.", func(w *WorkerStatus) float64 { return float64(w.Memory) }},
		{"seltl_cluster_worker_waiting_ratio", "gauge", "Share of its time that a worker waits for others.", func(w *WorkerStatus) float64 { return w.Waiting }},
		{"seltl_cluster_worker_silent_seconds", "gauge", "Time since the last heartbeat.", func(w *WorkerStatus) float64 { return w.Silent }},
	}
	for _, f := range perWorker {
		e.family(f.name, f.kind, f.help)
		for i := range s.Workers {
			w := &s.Workers[i]
			e.sample(f.name, f.value(w), "worker", w.ID, "host", w.Host, "job", w.Job)
		}
	}
	return e.err
}

// exposition writes samples.
type exposition struct {
	w   io.Writer
	err error
}

func (e *exposition) printf(format string, v ...any) {
	if e.err == nil {
		_, e.err = fmt.Fprintf(e.w, format, v...)
	}
}

func (e *exposition) family(name, kind, help string) {
	e.printf("# HELP %s %s\n# TYPE %s %s\n", name, help, name, kind)
}

// sample writes one value; labels are names and values in turn.
func (e *exposition) sample(name string, value float64, labels ...string) {
	e.printf("%s", name)
	for i := 0; i < len(labels); i += 2 {
		open := ","
		if i == 0 {
			open = "{"
		}
		e.printf("%s%s=%s", open, labels[i], quoteLabel(labels[i+1]))
	}
	if len(labels) > 0 {
		e.printf("}")
	}
	e.printf(" %v\n", value)
}

var labelEscapes = strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`)

func quoteLabel(text string) string { return `"` + labelEscapes.Replace(text) + `"` }
