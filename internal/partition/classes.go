package partition

// Partition is an equivalence relation over states 0 to len(Class)-1, or over some
// of them, with both ways to look at it.
type Partition struct {
	Class   []int32   // by state; -1: it is in none
	Members [][]int32 // by class: sorted, not empty
}

// Of returns the partition with these classes, which are numbered from 0 without
// gaps. It keeps the slice.
func Of(class []int32) *Partition {
	p := &Partition{Class: class}
	most := int32(-1)
	for _, c := range class {
		most = max(most, c)
	}
	p.Members = make([][]int32, most+1)
	for s, c := range class {
		if c >= 0 {
			p.Members[c] = append(p.Members[c], int32(s))
		}
	}
	return p
}

// By returns the partition of states 0 to n-1 in which those with equal keys are
// equivalent, and those for which key reports false are in no class. Classes are
// numbered by their first members.
func By[K comparable](n int, key func(s int32) (K, bool)) *Partition {
	class := make([]int32, n)
	ids := map[K]int32{}
	for s := range class {
		k, ok := key(int32(s))
		if !ok {
			class[s] = -1
			continue
		}
		id, known := ids[k]
		if !known {
			id = int32(len(ids))
			ids[k] = id
		}
		class[s] = id
	}
	return Of(class)
}

// States returns the number of states in classes.
func (p *Partition) States() int {
	n := 0
	for _, members := range p.Members {
		n += len(members)
	}
	return n
}

// Finest returns the partition of the same states in which every one is alone.
func (p *Partition) Finest() *Partition {
	q := &Partition{Class: make([]int32, len(p.Class))}
	for s, c := range p.Class {
		q.Class[s] = -1
		if c >= 0 {
			q.Class[s] = int32(len(q.Members))
			q.Members = append(q.Members, []int32{int32(s)})
		}
	}
	return q
}

// Clone returns a copy that can be split while the original stays as it is. They
// share lists of members, which nothing here changes.
func (p *Partition) Clone() *Partition {
	return &Partition{Class: append([]int32(nil), p.Class...), Members: append([][]int32(nil), p.Members...)}
}

// Split parts the members of class c that have different keys, and returns the
// number of parts. The part of the first member keeps the number, the others are
// appended. key appends the key of a state to what it gets, and is not asked again
// once states have moved, so that it may look at p itself.
func (p *Partition) Split(c int32, key func(key []byte, s int32) []byte) int {
	ids := map[string]int{}
	var parts [][]int32
	var k []byte
	for _, s := range p.Members[c] {
		k = key(k[:0], s)
		part, known := ids[string(k)]
		if !known {
			part = len(parts)
			ids[string(k)] = part
			parts = append(parts, nil)
		}
		parts[part] = append(parts[part], s)
	}
	p.Members[c] = parts[0]
	for _, members := range parts[1:] {
		for _, s := range members {
			p.Class[s] = int32(len(p.Members))
		}
		p.Members = append(p.Members, members)
	}
	return len(parts)
}
