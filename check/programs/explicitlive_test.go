package programs_test

import (
	"slices"

	"github.com/seltl/seltl/internal/c/specification"
)

const liveC = specsC + "live/"

// loops are the programs of live/words.c with machine words of eight bits, which make all
// arguments between two numbers a small search. The verdicts are those of 32 bits, since what
// decides them lies in the bounds: an argument at the end of the range, an odd one.
var loops = slices.Concat(
	words(-3, 3, "down", "down_to_zero", "by_two", "up", "nested", "triangular", "reset", "lexicographic", "either",
		"gcd", "gcd_of_zero", "halve", "towards_zero", "find", "search", "stuck_search", "phases"),
	words(124, 127, "down", "up", "up_inclusive", "up_inclusive_bounded", "double_up", "drift", "chase", "halve", "towards_zero", "phases"),
	words(-128, -126, "down_to_zero", "by_two", "towards_zero", "up"),
	unsignedWords(253, 2, "euclid", "unsigned_down", "unsigned_by_two", "unsigned_up"),
)

// arguments are the programs of live/arguments.c, likewise.
var arguments = of("arguments", slices.Concat(
	words(-3, 3, "warm_up", "alternate", "give_and_take", "setbacks", "shared_bound",
		"approach", "meet", "pass_by", "level_out", "stride_down", "stride_of_zero", "stride_up", "halve_or_less",
		"overshoot_once", "overshoot", "machine", "machine_with_return", "trap"),
	words(-1, 2, "three_deep", "refill", "refill_in_vain"),
	words(123, 127, "stride_up", "stride_over", "approach", "level_out", "stride_down"),
	unsignedWords(0, 20, "unsigned_around", "unsigned_by_two_to", "unsigned_strides", "bits"),
	unsignedWords(253, 2, "unsigned_around", "unsigned_by_two_to", "unsigned_strides", "bits"),
))

// of makes programs those of another file of live.
func of(file string, all []specified) []specified {
	for i := range all {
		all[i].spec = liveC + file + ".spec"
	}
	return all
}

var eightBits = []string{"INT=signed char", "UINT=unsigned char", "HIGHEST=127"}

func words(low, high int32, programs ...string) (all []specified) {
	for _, p := range programs {
		all = append(all, specified{spec: liveC + "words.spec", program: p, defines: eightBits, constants: specification.Values{"LOW": low, "HIGH": high}})
	}
	return all
}

func unsignedWords(least, span int32, programs ...string) (all []specified) {
	for _, p := range programs {
		all = append(all, specified{spec: liveC + "words.spec", program: p, defines: eightBits, constants: specification.Values{"LEAST": least, "SPAN": span}})
	}
	return all
}

// servers are those of live/servers.c, with few requests. Of persistent_sender and
// stubborn_worker, which go through all numbers, explicit search does not come to an end.
var servers = func() (all []specified) {
	for _, p := range []string{"server", "forgetful_server", "waiting_server", "worker", "leaky_worker", "buffer", "lazy_buffer", "sender"} {
		all = append(all, specified{spec: liveC + "servers.spec", program: p, constants: specification.Values{"LOW": -1, "HIGH": 3}})
	}
	return all
}()

const kernelC = specsC + "kernel/"

// kernel are small pieces in the manner of a kernel (as those of table 9.1 of the thesis), of
// ours.
var kernel = slices.Concat(
	programsOf("mutex", "one", "leaky", "writers", "leaky_writers"),
	programsOf("refcount", "open", "careless_open"),
	programsOf("interrupts", "saved", "blunt"),
	programsOf("waitqueue", "waits", "sleeps"),
	programsOf("probe", "careful", "hasty"),
	programsOf("timer", "bounded", "unbounded"),
	programsOf("order", "same", "crossed"),
	programsOf("completion", "patient", "impatient"),
	[]specified{
		{spec: kernelC + "ring.spec", program: "single", constants: specification.Values{"MOST": 3}},
		{spec: kernelC + "ring.spec", program: "pairs", constants: specification.Values{"MOST": 3}},
	},
	programsOf("ucos_lock", "faulty", "mended", "once", "mended_once"),
)

func programsOf(file string, names ...string) (all []specified) {
	for _, n := range names {
		all = append(all, specified{spec: kernelC + file + ".spec", program: n})
	}
	return all
}
