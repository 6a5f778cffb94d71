package batches

import (
	"fmt"
	"time"

	"github.com/schollz/progressbar/v3"
	"github.com/urfave/cli/v2"

	"github.com/seltl/seltl/check/batch"
	"github.com/seltl/seltl/internal/cmdline"
	"github.com/seltl/seltl/report"
)

// batchLine shows how far a batch is.
type batchLine struct {
	s     cmdline.Streams
	quiet bool
	bar   *progressbar.ProgressBar // on a terminal
	began time.Time
	last  time.Time // of the last line
}

func newBatchLine(c *cli.Context, s cmdline.Streams) *batchLine {
	return &batchLine{s: s, quiet: c.Bool("quiet"), began: time.Now(), last: time.Now()}
}

// linesEvery is the time between two lines where there is no terminal.
const linesEvery = 10 * time.Second

func (l *batchLine) show(o batch.Outcome) {
	finished := o.There + o.Done + o.Failed
	switch {
	case l.quiet:
	case cmdline.Obeys(l.s.Err):
		if l.bar == nil {
			l.bar = progressbar.NewOptions(o.Units, progressbar.OptionSetWriter(l.s.Err), progressbar.OptionClearOnFinish(), progressbar.OptionShowCount(),
				progressbar.OptionThrottle(100*time.Millisecond), progressbar.OptionSetDescription("batch"))
		}
		_ = l.bar.Set(finished)
	case time.Since(l.last) >= linesEvery:
		l.last = time.Now()
		fmt.Fprintf(l.s.Err, "seltl: batch: %s of %s, %s there before, %s\n", report.Group(int64(finished)), report.Counted(int64(o.Units), "unit"),
			report.Group(int64(o.There)), time.Since(l.began).Round(time.Second))
	}
}

// clear takes the line off the terminal.
func (l *batchLine) clear() {
	if l.bar != nil {
		_ = l.bar.Clear()
	}
}
