package cmdline

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/lks/explore"
)

// Flags of the exploration engine: workers, stores, disk, checkpoints, profiles.

// StoreFlags are of searches in memory.
func StoreFlags() []cli.Flag {
	return []cli.Flag{
		&cli.IntFlag{Name: "workers", Aliases: []string{"j"}, Usage: "search with `N` workers (default: all processors, where that pays)"},
		&cli.StringFlag{Name: "store", Value: "auto", Usage: "remember states by `STORE`: auto, exact, compact, hash, bitstate (see: seltl help memory)"},
		&cli.StringFlag{Name: "store-bytes", Usage: "`SIZE` of the array of --store=bitstate (default: 256M)"},
		&cli.Uint64Flag{Name: "seed", Usage: "with --store=hash or bitstate: other states are missed, and verify takes another order, for another `NUMBER`"},
	}
}

// DiskFlags are of searches breadth-first; hidden ones serve only to say that a
// command has no such search.
func DiskFlags(hidden bool) []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "disk", Hidden: hidden, Usage: "keep the states in files in the folder `DIR`, removed in the end"},
		&cli.StringFlag{Name: "disk-memory", Hidden: hidden, Usage: "gather `SIZE` of states before they go to --disk (default: 256M)"},
		&cli.StringFlag{Name: "checkpoint", Hidden: hidden, Usage: "save the search in `FILE`; the same command goes on from there"},
		&cli.DurationFlag{Name: "checkpoint-every", Hidden: hidden, Usage: "write the checkpoint every `TIME` (default: 1m)"},
	}
}

func ProfileFlag() cli.Flag {
	return &cli.BoolFlag{Name: "profile", Usage: "print where time and memory went"}
}

// MaxWorkers is more than any machine has use for.
const MaxWorkers = 256

// EngineOptions reads storeFlags and diskFlags. Without any of them the result is
// the zero value.
func EngineOptions(c *cli.Context) (explore.Resources, error) {
	var o explore.Resources
	var err error
	if o.Workers = c.Int("workers"); c.IsSet("workers") && (o.Workers < 1 || o.Workers > MaxWorkers) {
		return o, Usagef(c, "--workers %d: a number from 1 to %d is needed", o.Workers, MaxWorkers)
	}
	if err := Choose(c, "store", &o.Store, explore.Numbered.String()); err != nil {
		return o, err
	}
	if o.StoreBytes, err = ParseCount(c, "store-bytes", 1024); err != nil {
		return o, err
	}
	if o.Seed = c.Uint64("seed"); c.IsSet("seed") && !o.Store.Lossy() {
		return o, &Error{Command: c.Command.Name, Text: fmt.Sprintf("--seed is of stores that can miss states, and --store=%v misses none", o.Store), Help: "--store=bitstate, or leave --seed out"}
	}
	if o.DiskMemory, err = ParseCount(c, "disk-memory", 1024); err != nil {
		return o, err
	}
	o.Disk, o.Checkpoint, o.CheckpointEvery = c.String("disk"), c.String("checkpoint"), c.Duration("checkpoint-every")
	return o, checkEngine(c, &o)
}

// checkEngine refuses flags that do not go together.
func checkEngine(c *cli.Context, o *explore.Resources) error {
	switch {
	case o.StoreBytes > 0 && o.Store != explore.BitstateHash:
		return Usagef(c, "--store-bytes is the size of --store=bitstate; --max-memory bounds the others")
	case o.StoreBytes > 0 && o.StoreBytes > machineMemory():
		return Usagef(c, "--store-bytes %s: this machine has %s of memory", c.String("store-bytes"), budget.FormatBytes(machineMemory()))
	case o.DiskMemory > 0 && o.Disk == "":
		return Usagef(c, "--disk-memory needs --disk DIR")
	case c.IsSet("checkpoint-every") && o.Checkpoint == "":
		return Usagef(c, "--checkpoint-every needs --checkpoint FILE")
	case c.IsSet("checkpoint-every") && o.CheckpointEvery <= 0:
		return Usagef(c, "--checkpoint-every %v: a positive time is needed, such as 30s or 5m", o.CheckpointEvery)
	case o.Disk != "" && o.Store != explore.Auto && o.Store != explore.Exact:
		return Usagef(c, "--disk keeps whole states, not those of --store=%v: leave one of them out", o.Store)
	case o.Disk != "" && !IsFolder(o.Disk):
		return Usagef(c, "--disk %s: no such folder", o.Disk)
	case o.Checkpoint != "" && IsFolder(o.Checkpoint):
		return Usagef(c, "--checkpoint %s: is a folder; name a file in it", o.Checkpoint)
	case o.Checkpoint != "" && !IsFolder(filepath.Dir(o.Checkpoint)):
		return Usagef(c, "--checkpoint %s: there is no folder %s", o.Checkpoint, filepath.Dir(o.Checkpoint))
	}
	return nil
}

// OnlyInMemory refuses diskFlags for a command or choice whose searches have no use
// for them; what says what it is, instead what to do.
func OnlyInMemory(c *cli.Context, what, instead string) error {
	for _, name := range []string{"disk", "disk-memory", "checkpoint", "checkpoint-every"} {
		if c.IsSet(name) {
			return &Error{Command: c.Command.Name, Text: fmt.Sprintf("--%s: %s", name, what), Help: instead}
		}
	}
	return nil
}

// ChosenEngine names the first of the engine's flags that asks for something that
// only a search of all states in breadth can do, or is "".
func ChosenEngine(o *explore.Resources) string {
	switch {
	case o.Disk != "":
		return "--disk"
	case o.Checkpoint != "":
		return "--checkpoint"
	case o.Store != explore.Auto:
		return "--store=" + o.Store.String()
	case o.Workers > 1:
		return "--workers " + strconv.Itoa(o.Workers)
	}
	return ""
}

func IsFile(name string) bool {
	info, err := os.Stat(name)
	return err == nil && info.Mode().IsRegular()
}

func IsFolder(name string) bool {
	info, err := os.Stat(name)
	return err == nil && info.IsDir()
}

// machineMemory returns how many bytes of memory the machine has; where that cannot
// be found out, as many as few machines have.
func machineMemory() int64 {
	data, _ := os.ReadFile("/proc/meminfo")
	for line := range strings.Lines(string(data)) {
		if fields := strings.Fields(line); len(fields) == 3 && fields[0] == "MemTotal:" {
			if kib, err := strconv.ParseInt(fields[1], 10, 64); err == nil {
				return kib << 10
			}
		}
	}
	return 1 << 40
}
