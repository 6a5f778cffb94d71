package decide

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"time"
)

// watch has stop called once a process and its children have used more processor time than
// the limit, as far as /proc tells. It returns what tells how much was seen.
func watch(pid int, limit time.Duration, stop func()) (seen func() time.Duration) {
	var most atomic.Int64
	go func() {
		for {
			used, there := processorTime(pid)
			if !there {
				return
			}
			most.Store(max(most.Load(), int64(used)))
			if used > limit {
				stop()
				return
			}
			time.Sleep(20 * time.Millisecond)
		}
	}()
	return func() time.Duration { return time.Duration(most.Load()) }
}

// tick is the unit of times in /proc.
const tick = time.Second / 100

// processorTime adds up what a process and the children that run have used, with those that
// they have waited for.
func processorTime(pid int) (used time.Duration, there bool) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0, false
	}
	_, rest, _ := strings.Cut(string(text), ") ")
	fields := strings.Fields(rest)
	for i := 11; i <= 14 && i < len(fields); i++ {
		n, _ := strconv.Atoi(fields[i]) // the kernel writes numbers there
		used += time.Duration(n) * tick
	}
	lists, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/children", pid))
	for _, list := range lists {
		text, _ := os.ReadFile(list)
		for _, child := range strings.Fields(string(text)) {
			n, _ := strconv.Atoi(child)
			more, _ := processorTime(n)
			used += more
		}
	}
	return used, true
}
