package fabric

import (
	"fmt"
	"strconv"

	"github.com/nats-io/nats.go"
)

// carrier is what the fabric needs of a network. Frames may be lost, doubled and reordered.
type carrier interface {
	// Publish sends a frame to a worker. It keeps nothing of it.
	Publish(to int, frame []byte) error
	// Listen calls take with each frame that comes, which belongs to take then.
	Listen(take func(frame []byte)) error
	MaxPayload() int
	Close()
}

// Join makes a worker of an attempt, over a connection that it leaves open. Subjects begin
// with prefix, which is the same for all workers of a job; the number of the attempt and
// the rank come behind it.
func Join(nc *nats.Conn, prefix string, config Config) (*Worker, error) {
	n := &natsCarrier{conn: nc, rank: config.Rank, subjects: make([]string, max(0, config.Size))}
	for rank := range n.subjects {
		n.subjects[rank] = Subject(prefix, config.Epoch, rank)
	}
	return join(n, config)
}

// Subject is where a worker listens in an attempt.
func Subject(prefix string, epoch uint32, rank int) string {
	return fmt.Sprintf("%s.%d.%s", prefix, epoch, strconv.Itoa(rank))
}

type natsCarrier struct {
	conn     *nats.Conn
	rank     int
	subjects []string
	sub      *nats.Subscription
}

func (n *natsCarrier) Publish(to int, frame []byte) error {
	return n.conn.Publish(n.subjects[to], frame)
}

func (n *natsCarrier) Listen(take func([]byte)) error {
	sub, err := n.conn.Subscribe(n.subjects[n.rank], func(m *nats.Msg) { take(m.Data) })
	if err != nil {
		return err
	}
	n.sub = sub
	// The fabric bounds what is under way; what is not its own is refused at once.
	if err := sub.SetPendingLimits(1<<20, 1<<30); err != nil {
		return err
	}
	return n.conn.Flush()
}

func (n *natsCarrier) MaxPayload() int { return int(n.conn.MaxPayload()) }

// Close ends the subscription. Without a connection there is none to end.
func (n *natsCarrier) Close() { _ = n.sub.Unsubscribe() }
