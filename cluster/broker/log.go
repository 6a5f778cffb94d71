package broker

import (
	"fmt"
	"sync"
)

// lastError is a server's logger that keeps the last thing that went wrong. A server that
// cannot start ends the process otherwise.
type lastError struct {
	mu    sync.Mutex
	last  string
	fatal bool
}

func (l *lastError) isFatal() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.fatal
}

func (l *lastError) set(format string, v []any) {
	l.mu.Lock()
	l.last = fmt.Sprintf(format, v...)
	l.mu.Unlock()
}

func (l *lastError) text(otherwise string) string {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.last == "" {
		return otherwise
	}
	return l.last
}

func (l *lastError) Noticef(string, ...any)         {}
func (l *lastError) Warnf(string, ...any)           {}
func (l *lastError) Debugf(string, ...any)          {}
func (l *lastError) Tracef(string, ...any)          {}
func (l *lastError) Errorf(format string, v ...any) { l.set(format, v) }
func (l *lastError) Fatalf(format string, v ...any) {
	l.set(format, v)
	l.mu.Lock()
	l.fatal = true
	l.mu.Unlock()
}
