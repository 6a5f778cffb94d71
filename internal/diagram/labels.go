package diagram

import (
	"fmt"
	"strconv"
	"strings"
)

// Limits of the labels of an edge.
const (
	labelLetters = 26 // of a line, where it can be broken
	labelLongest = 44 // where not
	labelLines   = 3
)

// fit makes the lines that an edge shows of its labels: ranges of indices folded, broken into
// few lines, and how many more there are.
func fit(labels []string) []string {
	folded := fold(labels)
	var lines []string
	for i, l := range folded {
		l = clip(l, labelLongest)
		text := l
		if i < len(folded)-1 {
			text += ","
		}
		n := len(lines)
		if n > 0 && len([]rune(lines[n-1]))+1+len([]rune(text)) <= labelLetters {
			lines[n-1] += " " + text
			continue
		}
		if n == labelLines {
			lines[n-1] += fmt.Sprintf(" +%d", len(folded)-i)
			break
		}
		lines = append(lines, text)
	}
	return lines
}

// segment is a part of a label that is a number, between other text.
type segment struct{ before, number, after string }

// numbers finds the numbers between dots and brackets of a label: "p.3.eat", "get[3]".
func numbers(label string) []segment {
	var all []segment
	for i := 0; i < len(label); {
		j := i
		for j < len(label) && label[j] >= '0' && label[j] <= '9' {
			j++
		}
		if j > i && i > 0 && (label[i-1] == '.' && (j == len(label) || label[j] == '.' || label[j] == '[') ||
			label[i-1] == '[' && j < len(label) && label[j] == ']') {
			before, after := label[:i-1], label[j:]
			if label[i-1] == '[' {
				after = after[1:]
			}
			all = append(all, segment{before, label[i:j], after})
		}
		i = max(j, i+1)
	}
	return all
}

// fold writes labels that differ in one number, and have three or more of it in a row, as one:
// get.0, get.1, get.2 as get[0..2]. What has been folded is folded again.
func fold(labels []string) []string {
	for {
		next := foldOnce(labels)
		if len(next) == len(labels) {
			return next
		}
		labels = next
	}
}

// family are labels that differ in one number.
type family struct {
	before, after string
	at            map[int]int // by number: which label
}

// longest is the longest row of numbers, the first of several: where it begins, and how many
// there are.
func (f *family) longest() (first, count int) {
	for n := range f.at {
		if _, ok := f.at[n-1]; ok {
			continue
		}
		k := 1
		for _, ok := f.at[n+k]; ok; _, ok = f.at[n+k] {
			k++
		}
		if k > count || k == count && n < first {
			first, count = n, k
		}
	}
	return first, count
}

// families are those of labels, in the order of their first ones.
func families(labels []string) (all []*family) {
	of := map[[2]string]*family{}
	for i, l := range labels {
		for _, s := range numbers(l) {
			n, err := strconv.Atoi(s.number)
			if err != nil || strconv.Itoa(n) != s.number {
				continue
			}
			key := [2]string{s.before, s.after}
			f := of[key]
			if f == nil {
				f = &family{before: s.before, after: s.after, at: map[int]int{}}
				of[key] = f
				all = append(all, f)
			}
			if _, ok := f.at[n]; !ok {
				f.at[n] = i
			}
		}
	}
	return all
}

// foldOnce folds the longest row of numbers in a family.
func foldOnce(labels []string) []string {
	var best *family
	first, count := 0, 2
	for _, f := range families(labels) {
		if from, n := f.longest(); n > count {
			best, first, count = f, from, n
		}
	}
	if best == nil {
		return labels
	}
	folded := map[int]bool{}
	for n := first; n < first+count; n++ {
		folded[best.at[n]] = true
	}
	var out []string
	told := false
	for i, l := range labels {
		switch {
		case !folded[i]:
			out = append(out, l)
		case !told:
			out, told = append(out, fmt.Sprintf("%s[%d..%d]%s", best.before, first, first+count-1, best.after)), true
		}
	}
	return out
}

// listed joins labels for a tooltip.
func listed(labels []string) string { return strings.Join(labels, "\n") }
