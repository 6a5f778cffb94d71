package lks_test

import (
	"fmt"
	"testing"

	"github.com/seltl/seltl/lks"
)

func TestString(t *testing.T) {
	counter := lks.NewBuilder("COUNTER")
	s := counter.State()
	for i := range 10 {
		next := counter.State()
		counter.Transition(s, fmt.Sprintf("a%d", i), next)
		s = next
	}
	many, err := counter.Build()
	if err != nil {
		t.Fatal(err)
	}
	room, err := lks.Compose("ROOM", lks.Single(lightSwitch()), lks.Single(user()))
	if err != nil {
		t.Fatal(err)
	}
	var ten []*lks.Network
	for i := range 10 {
		ten = append(ten, lks.Single(user()).Prefix(fmt.Sprintf("u%d", i)).Rename(""))
	}
	crowd, err := lks.Compose("", ten...)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		value fmt.Stringer
		want  string
	}{
		{lightSwitch(), "LKS SWITCH: 2 states, 2 transitions, actions {press}, propositions {lit}"},
		{many, "LKS COUNTER: 11 states, 10 transitions, actions {a0, a1, a2, a3, a4, a5, a6, a7, 2 more}"},
		{room, "network ROOM = SWITCH || USER: 2 components, actions {enter, press}, propositions {lit}"},
		{crowd, "network (unnamed) = u0:USER || u1:USER || u2:USER || u3:USER || u4:USER || u5:USER || u6:USER || u7:USER || 2 more: 10 components, actions {u0.enter, u0.press, u1.enter, u1.press, u2.enter, u2.press, u3.enter, u3.press, 12 more}"},
		{&lks.LKS{}, "LKS without states"},
		{&lks.Network{}, "network without components"},
	} {
		if got := fmt.Sprintf("%v", c.value); got != c.want {
			t.Errorf("got  %s\nwant %s", got, c.want)
		}
	}
}
