//go:build !unix

package cmdline

import "time"

// processorTimes are not known here.
func processorTimes() (own, children time.Duration, known bool) { return 0, 0, false }
