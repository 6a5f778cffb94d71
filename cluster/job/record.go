// Package job runs distributed searches as jobs: a coordinator gives them to workers,
// notices who is lost, and begins again at the last checkpoint. What must outlive every
// process is in JetStream: jobs, tasks, answers, the coordinator's lease, the ledger of
// checkpoints. What is only of the moment goes over core NATS: heartbeats and commands.
//
//	record       what is kept of a job, and where
//	message      what processes tell each other
//	build        who may work together
//	worker       a process that takes part in attempts
//	attempt      a worker's part in one
//	lease        who coordinates
//	coordinator  what it knows, and its loop
//	schedule     attempts: begun, ended, given up
//	standstill   attempts that stand still, because messages were forged
//	history      jobs that have ended, as who coordinates knows them
//	retention    they go, and what is left behind
//	status       all of it, for people and for Prometheus
package job

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/seltl/seltl/cluster/checkpoint"
	"github.com/seltl/seltl/cluster/fabric"
	"github.com/seltl/seltl/cluster/search"
	"github.com/seltl/seltl/lks/explore"
	output "github.com/seltl/seltl/report"
)

// State is where a job stands.
type State string

const (
	Queued  State = "queued"
	Running State = "running"
	Done    State = "done"
)

// Options are those of a job, chosen when it is submitted.
type Options struct {
	Workers int `json:"workers"`
	// Memory, Store and CheckpointEvery are those of search.Options.
	Memory          int64         `json:"memory,omitempty"`
	Store           explore.Store `json:"store"`
	CheckpointEvery int           `json:"checkpoint_every,omitempty"`
	// Folder is where workers keep checkpoints, one that all of them share; "" for
	// JetStream's object store.
	Folder string `json:"folder,omitempty"`
	// Wait is how long a job waits for its workers before it begins; 0: for ever.
	Wait time.Duration `json:"wait,omitempty"`
	// Replace is how long a job waits for replacements of workers that were lost; 0: it ends.
	Replace time.Duration `json:"replace,omitempty"`
	// Attempts is how many may end one after the other without a new checkpoint.
	Attempts int `json:"attempts"`
}

// Record is what is kept of a job.
type Record struct {
	ID        string    `json:"id"`
	Name      string    `json:"name"`
	Digest    string    `json:"digest"` // of the task
	Options   Options   `json:"options"`
	Submitted time.Time `json:"submitted"`
	State     State     `json:"state"`
	Cancel    bool      `json:"cancel,omitempty"`
	// Coordinator is who wrote this last.
	Coordinator string    `json:"coordinator,omitempty"`
	Epoch       uint32    `json:"epoch"`           // of the last attempt, from 1
	Ranks       []string  `json:"ranks,omitempty"` // its workers
	Started     time.Time `json:"started,omitzero"`
	Ended       time.Time `json:"ended,omitzero"`
	// Fruitless is how many attempts ended since the last checkpoint, and Round that one.
	Fruitless int      `json:"fruitless,omitempty"`
	Round     int      `json:"round"`
	Faults    []Fault  `json:"faults,omitempty"`
	Outcome   *Outcome `json:"outcome,omitempty"`

	revision uint64
}

// Fault is why an attempt ended before its time.
type Fault struct {
	Time  time.Time `json:"time"`
	Epoch uint32    `json:"epoch"`
	Text  string    `json:"text"`
}

// maxFaults is how many are kept: the first ones and the last.
const maxFaults = 100

func (r *Record) fault(text string) {
	if len(r.Faults) >= maxFaults {
		r.Faults = append(r.Faults[:maxFaults/2], r.Faults[maxFaults/2+1:]...)
	}
	r.Faults = append(r.Faults, Fault{time.Now().UTC(), r.Epoch, text})
}

// Ending is how a job ended.
type Ending string

const (
	Answered  Ending = "answered"  // the result says what
	GaveUp    Ending = "gave up"   // too few workers, or too many faults
	Cancelled Ending = "cancelled" // before there was an answer
	Refused   Ending = "refused"   // the task makes no sense
	Failed    Ending = "failed"    // a bug
)

// Outcome is what came of a job.
type Outcome struct {
	Ending Ending `json:"ending"`
	Reason string `json:"reason,omitempty"`
	// Explored is what was, where there is no result.
	Explored Explored `json:"explored,omitzero"`
	// Workers are those of the last attempt, by rank.
	Workers []Part `json:"workers,omitempty"`
}

// Explored says how far a search came.
type Explored struct {
	States      int64 `json:"states"`
	Transitions int64 `json:"transitions"`
	Round       int64 `json:"round"`
}

// Part is a worker's part in an attempt, as the fabric saw it.
type Part struct {
	Worker string       `json:"worker"`
	Host   string       `json:"host"`
	PID    int          `json:"pid"`
	Fabric fabric.Stats `json:"fabric"`
}

// Store is where jobs are kept.
type Store struct {
	conn    *nats.Conn
	js      jetstream.JetStream
	jobs    jetstream.KeyValue
	ledgers jetstream.KeyValue
	lease   jetstream.KeyValue
	objects *checkpoint.Bucket
}

// LeaseTime is how long a coordinator that says nothing keeps its office.
const LeaseTime = 5 * time.Second

// objectBucket has tasks, results and checkpoints. What a coordinator writes while it works is
// in other buckets, so that there is room for it when this one is full.
const objectBucket = "seltl-objects"

// OpenStore opens the store, and makes it if it is not there. Tasks, results and checkpoints may
// take so many bytes; 0: what was said before, or else what the server has.
func OpenStore(ctx context.Context, nc *nats.Conn, room int64) (*Store, error) {
	js, err := jetstream.New(nc)
	if err != nil {
		return nil, err
	}
	s := &Store{conn: nc, js: js}
	bucket := func(name string, ttl time.Duration) jetstream.KeyValue {
		kv, e := js.KeyValue(ctx, name)
		if errors.Is(e, jetstream.ErrBucketNotFound) {
			kv, e = js.CreateKeyValue(ctx, jetstream.KeyValueConfig{Bucket: name, History: 1, TTL: ttl})
			if errors.Is(e, jetstream.ErrBucketExists) { // by another process, meanwhile
				kv, e = js.KeyValue(ctx, name)
			}
		}
		err = errors.Join(err, e)
		return kv
	}
	s.jobs = bucket("seltl-jobs", 0)
	s.ledgers = bucket("seltl-ledgers", 0)
	s.lease = bucket("seltl-lease", LeaseTime)
	if err == nil {
		s.objects, err = checkpoint.OpenBucket(ctx, js, objectBucket, room)
	}
	if err != nil {
		return nil, fmt.Errorf("the server's JetStream does not answer as it should: %w", err)
	}
	return s, nil
}

// openPatiently opens the store for a process that is to stay, and says if that takes long.
func openPatiently(ctx context.Context, nc *nats.Conn, room int64, log func(string)) (*Store, error) {
	slow := time.AfterFunc(5*time.Second, func() { log("the server's JetStream does not answer yet") })
	defer slow.Stop()
	return OpenPatiently(ctx, nc, room, time.Minute)
}

// OpenPatiently opens the store of a server that may be starting, or away for a while.
func OpenPatiently(ctx context.Context, nc *nats.Conn, room int64, patience time.Duration) (s *Store, err error) {
	err = patiently(ctx, patience, func() (err error) {
		s, err = OpenStore(ctx, nc, room)
		return err
	})
	return s, err
}

// patiently does something until it succeeds, or never can, or has taken long.
func patiently(ctx context.Context, patience time.Duration, do func() error) error {
	for until := time.Now().Add(patience); ; {
		err := do()
		never := errors.Is(err, checkpoint.ErrFull) || errors.Is(err, jetstream.ErrJetStreamNotEnabled) || errors.Is(err, jetstream.ErrJetStreamNotEnabledForAccount)
		if err == nil || never || ctx.Err() != nil || time.Now().After(until) {
			return err
		}
		select {
		case <-ctx.Done():
		case <-time.After(Beat):
		}
	}
}

// Away is how long who asks bears with a server that does not answer.
const Away = 20 * time.Second

// Submit adds a job, patiently. The error is a checkpoint.ErrFull where there is no room for it.
func (s *Store) Submit(ctx context.Context, name string, task *search.Task, o Options) (*Record, error) {
	text, err := json.Marshal(task)
	if err != nil {
		return nil, err
	}
	r := &Record{ID: newID(), Name: name, Digest: task.Digest(), Options: o,
		Submitted: time.Now().UTC(), State: Queued, Round: -1}
	err = patiently(ctx, Away, func() error {
		if _, err := s.objects.PutBytes(ctx, taskName(r.ID), text); err != nil {
			return err
		}
		err := s.put(ctx, r)
		if errors.Is(err, checkpoint.ErrStale) { // it was written, and only the answer was lost
			return nil
		}
		return err
	})
	return r, err
}

// newID returns a name that nobody else has.
func newID() string { return strings.ToLower(rand.Text()[:12]) }

// put writes a record, if nobody else wrote it since it was read.
func (s *Store) put(ctx context.Context, r *Record) error {
	text, err := json.Marshal(r)
	if err != nil {
		return err
	}
	var revision uint64
	if r.revision == 0 {
		revision, err = s.jobs.Create(ctx, r.ID, text)
	} else {
		revision, err = s.jobs.Update(ctx, r.ID, text, r.revision)
	}
	if errors.Is(err, jetstream.ErrKeyExists) || errors.Is(err, jetstream.ErrKeyRevisionMismatch) {
		return checkpoint.ErrStale
	}
	if err == nil {
		r.revision = revision
	}
	return err
}

func decodeRecord(e jetstream.KeyValueEntry) (*Record, error) {
	r := &Record{}
	if err := json.Unmarshal(e.Value(), r); err != nil {
		return nil, fmt.Errorf("job %s: %w", e.Key(), err)
	}
	if r.ID != e.Key() || r.State == Done && r.Outcome == nil {
		return nil, fmt.Errorf("job %s: what is kept of it makes no sense", e.Key())
	}
	r.revision = e.Revision()
	return r, nil
}

// ErrNoJob says that there is no job of that name.
var ErrNoJob = errors.New("there is no such job")

// Job reads the record of a job.
func (s *Store) Job(ctx context.Context, id string) (*Record, error) {
	e, err := s.jobs.Get(ctx, id)
	if errors.Is(err, jetstream.ErrKeyNotFound) || errors.Is(err, jetstream.ErrInvalidKey) {
		return nil, fmt.Errorf("%s: %w", id, ErrNoJob)
	}
	if err != nil {
		return nil, err
	}
	return decodeRecord(e)
}

// Cancel asks for the end of a job; who coordinates sees to it.
func (s *Store) Cancel(ctx context.Context, id string) error {
	for {
		r, err := s.Job(ctx, id)
		if err != nil || r.State == Done || r.Cancel {
			return err
		}
		r.Cancel = true
		if err := s.put(ctx, r); !errors.Is(err, checkpoint.ErrStale) {
			return err
		}
	}
}

// Task reads what a job asks.
func (s *Store) Task(ctx context.Context, id string) (*search.Task, error) {
	text, err := s.objects.GetBytes(ctx, taskName(id))
	if err != nil {
		return nil, fmt.Errorf("the task of job %s: %w", id, err)
	}
	t := &search.Task{}
	return t, json.Unmarshal(text, t)
}

// Names of objects. The second part is the job, see jobOf.
func taskName(id string) string { return "task/" + id }

func checkpointPrefix(id string) string { return "checkpoint/" + id }

func resultName(id string, epoch uint32) string { return fmt.Sprintf("result/%s/%d", id, epoch) }

// Result reads the answer of a job that has one.
func (s *Store) Result(ctx context.Context, r *Record) (*search.Result, error) {
	text, err := s.objects.GetBytes(ctx, resultName(r.ID, r.Epoch))
	if err != nil {
		return nil, err
	}
	res := &search.Result{}
	return res, json.Unmarshal(text, res)
}

func (s *Store) putResult(ctx context.Context, id string, epoch uint32, r *search.Result) error {
	text, err := json.Marshal(r)
	if err != nil {
		return err
	}
	_, err = s.objects.PutBytes(ctx, resultName(id, epoch), text)
	return err
}

// parts are where a job keeps its checkpoints.
func (s *Store) parts(id string, o *Options) checkpoint.Parts {
	if o.Folder != "" {
		return checkpoint.Folder(o.Folder + "/" + id)
	}
	return checkpoint.Objects(s.objects, checkpointPrefix(id))
}

func (s *Store) ledger(id string) checkpoint.Ledger { return checkpoint.BucketLedger(s.ledgers, id) }

// Await waits for the end of a job.
func (s *Store) Await(ctx context.Context, id string) (*Record, error) {
	if _, err := s.Job(ctx, id); err != nil {
		return nil, err
	}
	w, err := s.jobs.Watch(ctx, id)
	if err != nil {
		return nil, err
	}
	defer func() { _ = w.Stop() }()
	for {
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case e, ok := <-w.Updates():
			if !ok {
				return nil, errors.New("the record of the job is no longer to be watched")
			}
			if e == nil {
				continue
			}
			if e.Operation() != jetstream.KeyValuePut {
				return nil, fmt.Errorf("%s: %w any more", id, ErrNoJob)
			}
			if r, err := decodeRecord(e); err != nil || r.State == Done {
				return r, err
			}
		}
	}
}

// Jobs reads all records, the latest first.
func (s *Store) Jobs(ctx context.Context) (all []*Record, err error) {
	w, err := s.jobs.WatchAll(ctx, jetstream.IgnoreDeletes())
	if err != nil {
		return nil, err
	}
	defer func() { _ = w.Stop() }()
	silent := time.NewTimer(Away)
	defer silent.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-silent.C:
			return nil, fmt.Errorf("after %d records of jobs: %w", len(all), nats.ErrTimeout)
		case e, ok := <-w.Updates():
			silent.Reset(Away)
			if !ok {
				return nil, errors.New("the records of jobs cannot be read to their end")
			}
			if e == nil { // these were all that there are
				SortLatest(all)
				return all, nil
			}
			r, err := decodeRecord(e)
			if err != nil {
				return nil, err
			}
			all = append(all, r)
		}
	}
}

// fewRecords is up to how many records are read one by one.
const fewRecords = 200

// Records reads those of some jobs, the latest first. Jobs that are forgotten have none.
func (s *Store) Records(ctx context.Context, ids []string) (some []*Record, err error) {
	if len(ids) > fewRecords {
		some, err = s.Jobs(ctx)
		wanted := map[string]bool{}
		for _, id := range ids {
			wanted[id] = true
		}
		return slices.DeleteFunc(some, func(r *Record) bool { return !wanted[r.ID] }), err
	}
	for _, id := range ids {
		r, err := s.Job(ctx, id)
		if errors.Is(err, ErrNoJob) {
			continue
		}
		if err != nil {
			return nil, err
		}
		some = append(some, r)
	}
	SortLatest(some)
	return some, nil
}

// counted writes a number of things.
func counted(n int, what string) string { return output.Counted(int64(n), what) }

// SortLatest sorts records, those of jobs that were submitted last first.
func SortLatest(list []*Record) {
	slices.SortFunc(list, func(a, b *Record) int { return b.Submitted.Compare(a.Submitted) })
}
