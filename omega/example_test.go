package omega_test

import (
	"fmt"
	"os"
	"strings"

	"github.com/seltl/seltl/buchi"
	"github.com/seltl/seltl/ltl"
	"github.com/seltl/seltl/omega"
)

const infinitelyOften = `HOA: v1 name: "GF a" Start: 0 AP: 1 "a" Acceptance: 1 Inf(0)
--BODY--
State: 0 [0] 0 {0} [!0] 0
--END--`

func ExampleReader() {
	r := omega.NewReader("a.hoa", strings.NewReader(infinitelyOften))
	a, err := r.Next()
	if err != nil {
		fmt.Println(err)
		return
	}
	n, err := a.Complement(nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	n.WriteHOA(os.Stdout)
	// Output:
	// HOA: v1
	// States: 1
	// Start: 0
	// AP: 1 "a"
	// acc-name: co-Buchi
	// Acceptance: 1 Fin(0)
	// properties: trans-labels explicit-labels trans-acc complete deterministic
	// --BODY--
	// State: 0
	// [!0] 0
	// [0] 0 {0}
	// --END--
}

func ExampleIncluded() {
	a, err := omega.NewReader("a.hoa", strings.NewReader(infinitelyOften)).Next()
	if err != nil {
		fmt.Println(err)
		return
	}
	b, err := buchi.Translate(ltl.MustParse("F G a"), buchi.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	ok, word, err := omega.Included(a, omega.FromBuchi(b), nil)
	fmt.Println(ok, word, err)
	// Output:
	// false cycle{a; !a} <nil>
}

func ExampleCondition() {
	c := omega.Or(omega.And(omega.Fin(0), omega.Inf(1)), omega.And(omega.Fin(2), omega.Inf(3), omega.True()), omega.False())
	fmt.Println(c, "is", c.AccName(4))
	fmt.Println(c.Dual(), "is its dual")
	fmt.Println(c.Holds(0b0011), c.Holds(0b1001))
	// Output:
	// (Fin(0)&Inf(1)) | (Fin(2)&Inf(3)) is Rabin 2
	// (Inf(0) | Fin(1))&(Inf(2) | Fin(3)) is its dual
	// false true
}
