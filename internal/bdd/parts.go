package bdd

import "iter"

// Part is a set of letters and those that are read with all of it and with no other part.
type Part[T any] struct {
	Letters Node
	Read    []T
}

// Split partitions the letters of all by which labels read them: each letter is in the part of
// just those whose labels it satisfies. A part whose Read is empty has the letters of no label.
func Split[T any](m *Manager, all Node, labels iter.Seq2[Node, T]) []Part[T] {
	parts := []Part[T]{{Letters: all}}
	for label, t := range labels {
		for i := range len(parts) {
			in := m.And(parts[i].Letters, label)
			switch in {
			case False:
			case parts[i].Letters:
				parts[i].Read = append(parts[i].Read, t)
			default:
				with := append(parts[i].Read[:len(parts[i].Read):len(parts[i].Read)], t)
				parts[i].Letters = m.Diff(parts[i].Letters, in)
				parts = append(parts, Part[T]{in, with})
			}
		}
	}
	return parts
}

// Classes partitions the letters of all into those that every label reads or does not read
// together; nil if there are more than limit classes.
func (m *Manager) Classes(all Node, labels iter.Seq[Node], limit int) []Node {
	classes := []Node{all}
	seen := map[Node]bool{}
	for label := range labels {
		if seen[label] {
			continue
		}
		seen[label] = true
		for i := range len(classes) {
			if in := m.And(classes[i], label); in != False && in != classes[i] {
				classes[i] = m.Diff(classes[i], in)
				classes = append(classes, in)
			}
		}
		if len(classes) > limit {
			return nil
		}
	}
	return classes
}
