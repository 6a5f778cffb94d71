package encode

import "github.com/seltl/seltl/c/ir"

// leaf is a scalar in a type.
type leaf struct {
	off          int64
	t            *ir.Type
	bitOff, bits int
}

// maxLeaves bounds the scalars of what is copied at once.
const maxLeaves = 1000

// leaves are the scalars of a type; ok is false for unions and what has too many.
func leaves(t *ir.Type) (all []leaf, ok bool) {
	switch t.Kind {
	case ir.Array:
		part, ok := leaves(t.Elem)
		if !ok || t.Len < 0 || int64(len(part))*t.Len > maxLeaves {
			return nil, false
		}
		for k := range t.Len {
			for _, l := range part {
				l.off += k * t.Elem.Size
				all = append(all, l)
			}
		}
		return all, true
	case ir.Struct:
		if t.Union {
			return nil, false
		}
		for _, f := range t.Fields {
			part, ok := leaves(f.Type)
			if !ok || len(all)+len(part) > maxLeaves {
				return nil, false
			}
			for _, l := range part {
				l.off += f.Off
				if f.Bits > 0 {
					l.bitOff, l.bits = f.BitOff, f.Bits
				}
				all = append(all, l)
			}
		}
		return all, true
	}
	return []leaf{{t: t}}, true
}
