package specification

import "strconv"

// String returns the machine as a list of its transitions.
func (m *Machine) String() string {
	var text []byte
	state := func(n int) string {
		switch {
		case n == Stop:
			return stop
		case m.States[n] != "":
			return m.States[n]
		}
		return strconv.Itoa(n)
	}
	if len(m.Transitions) == 0 {
		return state(m.Initial) + "\n"
	}
	for _, t := range m.Transitions {
		text = append(text, state(t.From)+" -- "...)
		if t.Guard != nil {
			text = append(text, "when "+t.Guard.Text+" "...)
		}
		switch t.Kind {
		case StepAction:
			text = append(text, t.Action...)
		case StepSilent:
			text = append(text, "epsilon"...)
		case StepReturn:
			text = append(text, "return {"...)
			if t.Condition != nil {
				text = append(text, t.Condition.Text...)
			}
			text = append(text, '}')
		case StepAssign:
			text = append(text, "{"+t.Left.Text+" := "+t.Right.Text+"}"...)
		}
		text = append(text, " -> "+state(t.To)+"\n"...)
	}
	return string(text)
}
