package bdd

import (
	"iter"
	"math/bits"
)

// Part is a set of letters and those that are read with all of it and with no other part.
type Part[T any] struct {
	Letters Node
	Read    []T
}

// A Splitter partitions sets of letters, of one automaton, again and again. Where the labels tell
// few letters apart, it reckons with sets of their classes, in a machine word, instead of
// diagrams.
type Splitter struct {
	m       *Manager
	all     Node
	classes []Node          // nil if there are more than maxClasses
	sets    map[Node]uint64 // of labels
	nodes   map[uint64]Node // of sets
}

const maxClasses = 64

// Splitter prepares to split all by the labels, each given any number of times, and by no others.
func (m *Manager) Splitter(all Node, labels iter.Seq[Node]) *Splitter {
	return &Splitter{
		m: m, all: all, classes: m.Classes(all, labels, maxClasses),
		sets: map[Node]uint64{}, nodes: map[uint64]Node{},
	}
}

// Classes is the number of classes of letters that no label tells apart; 0 if they are too many
// for Set.
func (l *Splitter) Classes() int { return len(l.classes) }

// Set returns the classes whose letters satisfy the label, class i as bit i.
func (l *Splitter) Set(label Node) uint64 {
	set, ok := l.sets[label]
	if !ok {
		for i, c := range l.classes {
			if l.m.And(c, label) != False {
				set |= 1 << i
			}
		}
		l.sets[label] = set
	}
	return set
}

func (l *Splitter) node(set uint64) Node {
	node, ok := l.nodes[set]
	if !ok {
		for rest := set; rest != 0; rest &= rest - 1 {
			node = l.m.Or(node, l.classes[bits.TrailingZeros64(rest)])
		}
		l.nodes[set] = node
	}
	return node
}

// Split partitions the letters by which labels read them: each letter is in the part of just
// those whose labels it satisfies. A part whose Read is empty has the letters of no label.
func Split[T any](l *Splitter, labels iter.Seq2[Node, T]) []Part[T] {
	if l.classes == nil {
		return splitNodes(l.m, l.all, labels)
	}
	var sets []uint64
	var read []T
	parts := []uint64{1<<len(l.classes) - 1}
	for label, t := range labels {
		of := l.Set(label)
		sets, read = append(sets, of), append(read, t)
		for i, part := range parts {
			if in := part & of; in != 0 && in != part {
				parts[i] &^= in
				parts = append(parts, in)
			}
		}
	}
	return partsOf(l, parts, sets, read)
}

// partsOf lists what is read with each part: that of each set that has all of it.
func partsOf[T any](l *Splitter, parts, sets []uint64, read []T) []Part[T] {
	total := 0
	for _, part := range parts {
		for _, set := range sets {
			if part&set != 0 {
				total++
			}
		}
	}
	made, all := make([]Part[T], len(parts)), make([]T, 0, total)
	for i, part := range parts {
		begin := len(all)
		for k, set := range sets {
			if part&set != 0 {
				all = append(all, read[k])
			}
		}
		made[i] = Part[T]{l.node(part), all[begin:len(all):len(all)]}
	}
	return made
}

func splitNodes[T any](m *Manager, all Node, labels iter.Seq2[Node, T]) []Part[T] {
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
