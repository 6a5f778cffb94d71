package deadlock_test

import (
	"context"
	"fmt"
	"strings"

	"github.com/seltl/seltl/deadlock"
	"github.com/seltl/seltl/lks"
)

// cycle makes a component that does the actions one after the other, for ever.
func cycle(name string, actions ...string) *lks.Network {
	b := lks.NewBuilder(name)
	for range actions {
		b.State()
	}
	for i, a := range actions {
		b.Transition(int32(i), a, int32((i+1)%len(actions)))
	}
	m, err := b.Build()
	if err != nil {
		panic(err)
	}
	return lks.Single(m)
}

// system has two processes that need two devices, and take them in different
// orders.
func system() *lks.Network {
	net, err := lks.Compose("system",
		cycle("copier", "scan.get", "print.get", "copy", "scan.put", "print.put"),
		cycle("archiver", "print.take", "scan.take", "archive", "print.drop", "scan.drop"),
		device("scanner", "scan"), device("printer", "print"))
	if err != nil {
		panic(err)
	}
	return net
}

func device(name, prefix string) *lks.Network {
	b := lks.NewBuilder(name)
	free, held, taken := b.State(), b.State(), b.State()
	b.Transition(free, prefix+".get", held)
	b.Transition(held, prefix+".put", free)
	b.Transition(free, prefix+".take", taken)
	b.Transition(taken, prefix+".drop", free)
	m, err := b.Build()
	if err != nil {
		panic(err)
	}
	return lks.Single(m)
}

func ExampleCheck() {
	net := system()
	result, err := deadlock.Check(context.Background(), net, deadlock.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	d := result.Deadlock
	fmt.Println("deadlock after", strings.Join(d.Trace.Events(), ", "))
	for _, w := range d.Components {
		for _, o := range w.Offers {
			fmt.Printf("%s offers %s, which %s refuses\n", net.ComponentName(w.Component), o.Action, net.ComponentName(o.Refused[0]))
		}
	}
	fmt.Print("cycle:")
	for _, c := range d.Cycle {
		fmt.Print(" ", net.ComponentName(c))
	}
	fmt.Println()
	// Output:
	// deadlock after print.take, scan.get
	// copier offers print.get, which printer refuses
	// archiver offers scan.take, which scanner refuses
	// scanner offers scan.put, which copier refuses
	// printer offers print.drop, which archiver refuses
	// cycle: copier printer archiver scanner
}

func ExampleCheck_explain() {
	net := system()
	_, err := deadlock.Check(context.Background(), net, deadlock.Options{
		Method: deadlock.Iter,
		Explain: func(r deadlock.Round) {
			if r.Number == 1 {
				fmt.Print(r.Write(net))
			}
		},
	})
	if err != nil {
		fmt.Println(err)
	}
	// Output:
	// round 1: 1 abstract state of 4 components with 4 classes
	//   spurious deadlock at the start:
	//     copier cannot refuse all of {copy, print.get, print.put, scan.get, scan.put} there; its class {0, 1, 2, 3, 4} is split by where these lead into 5
	//     archiver cannot refuse all of {archive, print.drop, print.take, scan.drop, scan.take} there; its class {0, 1, 2, 3, 4} is split by where these lead into 5
	//     scanner cannot refuse all of {scan.drop, scan.get, scan.put, scan.take} there; its class {0, 1, 2} is split by where these lead into 3
	//     printer cannot refuse all of {print.drop, print.get, print.put, print.take} there; its class {0, 1, 2} is split by where these lead into 3
}

func ExampleLivelock() {
	net := system().Hide(func(string) bool { return true })
	result, err := deadlock.Livelock(context.Background(), net, deadlock.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("livelock:", result.Lasso != nil)
	// Output:
	// livelock: true
}

func ExampleLocal() {
	// A third process goes on when the other two are stuck.
	net, err := lks.Compose("office", system(), cycle("clock", "tick"))
	if err != nil {
		fmt.Println(err)
		return
	}
	whole, err := deadlock.Check(context.Background(), net, deadlock.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	result, err := deadlock.Local(context.Background(), net, deadlock.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("free of deadlock:", whole.Free())
	fmt.Print("stuck after ", strings.Join(result.Trace.Events(), ", "), ":")
	for _, c := range result.Dead {
		fmt.Print(" ", net.ComponentName(c))
	}
	fmt.Println()
	// Output:
	// free of deadlock: true
	// stuck after print.take, scan.get: copier archiver scanner printer
}
