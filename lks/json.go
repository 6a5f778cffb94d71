package lks

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"strconv"
)

// WriteJSON writes m as one JSON object:
//
//	{"name": "SWITCH", "alphabet": ["press"], "props": ["lit"], "initial": [0],
//	 "states": [{"name": "off"}, {"name": "on", "props": [0], "kind": "end"}],
//	 "transitions": [[0, 1, 1], [1, 0, 0]]}
//
// A transition is [from, action, to]; action 0 is tau, action k the k-th name of
// the alphabet counted from 1. The propositions of a state are indices into
// props, counted from 0. kind is "end" or "error", else absent. The error is the
// writer's.
func WriteJSON(w io.Writer, m *LKS) error {
	out := bufio.NewWriterSize(w, 1<<16)
	head, err := json.Marshal(struct {
		Name     string   `json:"name"`
		Alphabet []string `json:"alphabet"`
		Props    []string `json:"props"`
		Initial  []int32  `json:"initial"`
	}{m.name, orEmpty(m.alphabet[1:]), orEmpty(m.props), m.initial})
	if err != nil {
		return err
	}
	out.Write(head[:len(head)-1])
	out.WriteString(",\n\"states\": [")
	for s := range int32(m.NumStates()) {
		if err := m.writeStateJSON(out, s); err != nil {
			return err
		}
	}
	out.WriteString("],\n\"transitions\": [")
	var line []byte
	separator := "\n"
	for s := range int32(m.NumStates()) {
		for _, e := range m.Edges(s) {
			line = append(line[:0], separator...)
			line = append(line, '[')
			line = strconv.AppendInt(line, int64(s), 10)
			line = append(line, ',')
			line = strconv.AppendInt(line, int64(e.Action), 10)
			line = append(line, ',')
			line = strconv.AppendInt(line, int64(e.Target), 10)
			line = append(line, ']')
			out.Write(line)
			separator = ",\n"
		}
	}
	out.WriteString("]}\n")
	return out.Flush()
}

func (m *LKS) writeStateJSON(out *bufio.Writer, s int32) error {
	kind := ""
	if k := m.Kind(s); k != Normal {
		kind = k.String()
	}
	state, err := json.Marshal(struct {
		Name  string  `json:"name"`
		Props []int32 `json:"props,omitempty"`
		Kind  string  `json:"kind,omitempty"`
	}{m.StateName(s), m.Label(s), kind})
	if err != nil {
		return fmt.Errorf("state %d: %w", s, err)
	}
	if s > 0 {
		out.WriteByte(',')
	}
	out.WriteByte('\n')
	out.Write(state)
	return nil
}

func orEmpty(names []string) []string {
	if names == nil {
		return []string{}
	}
	return names
}
