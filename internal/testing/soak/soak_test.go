package soak

import "testing"

func TestFactor(t *testing.T) {
	short := testing.Short()
	t.Setenv(variable, "")
	if short && Cases(70) != 14 || !short && Cases(70) != 70 || On() || short && Long(70) != 3 || !short && Long(70) != 35 || Skip(10) || Skip(3) != short || Thin(5) || Thin(4) != short || short && Least(70) != 1 || !short && Least(71) != 36 {
		t.Errorf("%d, %d", Cases(70), Long(70))
	}
	t.Setenv(variable, "3")
	if short && Cases(uint64(70)) != 42 || !short && Cases(uint64(70)) != 210 || !On() || Long(3) != 3 || short && Least(70) != 3 || Size(7000) != Size(int(7000)) || short != (Size(7000) == 700) {
		t.Errorf("%d, %d in a soak run", Cases(70), Long(3))
	}
	t.Setenv(variable, "many")
	defer func() {
		if recover() == nil {
			t.Error("many is taken for a number")
		}
	}()
	Cases(1)
}
