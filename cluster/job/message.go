package job

import (
	"encoding/json"
	"time"

	"github.com/nats-io/nats.go"

	"github.com/seltl/seltl/cluster/fabric"
	"github.com/seltl/seltl/cluster/search"
)

// Subjects. All are below one word, so that an account can be allowed just that and
// JetStream.
const (
	workerBeats      = "seltl.beat.worker"
	coordinatorBeats = "seltl.beat.coordinator"
	reports          = "seltl.report"
	statusRequests   = "seltl.status"
)

func commands(worker string) string { return "seltl.worker." + worker }
func frames(id string) string       { return "seltl.frames." + id }

// Beat is the time between two heartbeats.
const Beat = 500 * time.Millisecond

// Post is a place in an attempt.
type Post struct {
	Job   string `json:"job"`
	Epoch uint32 `json:"epoch"`
	Rank  int    `json:"rank"`
	Size  int    `json:"size"`
}

// sound says whether there can be such a place.
func (p *Post) sound() bool {
	return p.Job != "" && p.Epoch > 0 && 0 <= p.Rank && p.Rank < p.Size
}

// workerBeat is a worker's heartbeat.
type workerBeat struct {
	ID    string `json:"id"`
	Host  string `json:"host"`
	PID   int    `json:"pid"`
	Build Build  `json:"build"`
	// Post is where it works, nil if it has nothing to do.
	Post     *Post            `json:"post,omitempty"`
	Started  bool             `json:"started,omitempty"` // the search there
	Progress *search.Progress `json:"progress,omitempty"`
	Fabric   *fabric.Stats    `json:"fabric,omitempty"`
	Leaving  bool             `json:"leaving,omitempty"`
	Garbage  int64            `json:"garbage,omitempty"` // messages to it that were none
}

// coordinatorBeat is the heartbeat of who coordinates. A worker whose attempt is not among
// the ones that count ends it.
type coordinatorBeat struct {
	ID       string            `json:"id"`
	Term     uint64            `json:"term"`   // later ones are larger
	Number   uint64            `json:"number"` // in the term
	Attempts map[string]uint32 `json:"attempts"`
}

// command is what a worker is to do.
type command struct {
	Do string `json:"do"` // prepare, start, stop, interrupt, refuse
	// Post says where; for prepare Digest and Options say what.
	Post    Post    `json:"post"`
	Digest  string  `json:"digest,omitempty"`
	Options Options `json:"options,omitzero"`
	Why     string  `json:"why,omitempty"`
	// Term and Beat are, for prepare, the last heartbeat of the coordinator that cannot know
	// of the attempt.
	Term uint64 `json:"term,omitempty"`
	Beat uint64 `json:"beat,omitempty"`
}

// reply is what a worker answers. Part is what the fabric counted, of one that stopped.
type reply struct {
	OK      bool   `json:"ok"`
	Reason  string `json:"reason,omitempty"`
	Refused bool   `json:"refused,omitempty"` // the task makes no sense
	Unfit   bool   `json:"unfit,omitempty"`   // this worker is not for this job
	Part    *Part  `json:"part,omitempty"`
}

// report is how a worker's part in an attempt ended.
type report struct {
	Worker string `json:"worker"`
	Post   Post   `json:"post"`
	How    string `json:"how"` // result, restart, unreadable (a checkpoint), unkept (an answer), refused, failed
	Text   string `json:"text,omitempty"`
}

// receipt acknowledges a report; Stale says that the attempt does not count any more.
type receipt struct {
	OK    bool `json:"ok"`
	Stale bool `json:"stale,omitempty"`
}

// mustJSON encodes messages of this file, which can be.
func mustJSON(v any) []byte {
	text, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return text
}

// answer replies to a request. If that is lost, the other side asks again.
func answer(m *nats.Msg, v any) {
	if m.Reply != "" {
		_ = m.Respond(mustJSON(v))
	}
}
