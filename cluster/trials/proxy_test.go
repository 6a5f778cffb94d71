package trials

import (
	"bytes"
	"io"
	"net"
	"sync"
	"testing"
	"time"
)

// proxy passes connections on, worse than a network should.
type proxy struct {
	listener net.Listener
	to       string

	mu    sync.Mutex
	conns map[net.Conn]bool
	delay time.Duration // of every piece
	rate  int           // bytes in a second and direction; 0: no limit
	still chan struct{} // not nil: nothing passes until it is closed
	swaps [][2][]byte   // what is put in place of what
}

func newProxy(t testing.TB, to string) *proxy {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	p := &proxy{listener: l, to: to, conns: map[net.Conn]bool{}}
	go p.accept()
	t.Cleanup(func() {
		_ = l.Close()
		p.cut()
	})
	return p
}

func (p *proxy) accept() {
	for {
		in, err := p.listener.Accept()
		if err != nil {
			return
		}
		out, err := net.Dial("tcp", p.to)
		if err != nil {
			_ = in.Close()
			continue
		}
		p.mu.Lock()
		p.conns[in], p.conns[out] = true, true
		p.mu.Unlock()
		go p.pass(in, out)
		go p.pass(out, in)
	}
}

// pass passes on what comes from one side.
func (p *proxy) pass(from, to net.Conn) {
	buffer := make([]byte, 1<<16)
	var held []byte
	for {
		n, err := from.Read(buffer)
		p.mu.Lock()
		delay, rate, still, swaps := p.delay, p.rate, p.still, p.swaps
		p.mu.Unlock()
		piece := buffer[:n]
		if swaps != nil {
			piece, held = swap(append(held, piece...), swaps)
		}
		if still != nil {
			<-still
		}
		time.Sleep(delay)
		if rate > 0 {
			time.Sleep(time.Duration(n) * time.Second / time.Duration(rate))
		}
		if len(piece) > 0 {
			if _, failed := to.Write(piece); failed != nil {
				err = failed
			}
		}
		if err != nil {
			if err == io.EOF {
				_ = to.(*net.TCPConn).CloseWrite()
			} else {
				_ = to.Close()
			}
			p.mu.Lock()
			delete(p.conns, from)
			p.mu.Unlock()
			_ = from.Close()
			return
		}
	}
}

// swap puts bytes in place of others, and holds back an end in which some of these may begin.
func swap(b []byte, swaps [][2][]byte) (done, held []byte) {
	keep := 0
	for _, s := range swaps {
		b = bytes.ReplaceAll(b, s[0], s[1])
		for k := min(len(s[0])-1, len(b)); k > keep; k-- {
			if bytes.HasSuffix(b, s[0][:k]) {
				keep = k
			}
		}
	}
	return b[:len(b)-keep], bytes.Clone(b[len(b)-keep:])
}

// set has it delay and throttle.
func (p *proxy) set(delay time.Duration, rate int) {
	p.mu.Lock()
	p.delay, p.rate = delay, rate
	p.mu.Unlock()
}

// cut closes all connections, in the middle of what they say.
func (p *proxy) cut() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for c := range p.conns {
		_ = c.Close()
	}
	p.conns = map[net.Conn]bool{}
}

// stall lets nothing pass until the function is called that it returns; connections stay
// open, and new ones are accepted.
func (p *proxy) stall() (on func()) {
	still := make(chan struct{})
	p.mu.Lock()
	p.still = still
	p.mu.Unlock()
	return func() {
		p.mu.Lock()
		p.still = nil
		p.mu.Unlock()
		close(still)
	}
}

// half closes one side of every connection, and says nothing to the other.
func (p *proxy) half() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for c := range p.conns {
		if c.RemoteAddr().String() == p.to {
			_ = c.(*net.TCPConn).SetLinger(0)
			_ = c.Close()
		}
	}
}
