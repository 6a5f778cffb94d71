package specification_test

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/seltl/seltl/internal/c/specification"
)

// tree prints all definitions without their places, by reflection: what is added to the
// tree is compared, too.
func tree(f *specification.File) string {
	var b strings.Builder
	var print func(v reflect.Value, depth int)
	print = func(v reflect.Value, depth int) {
		indent := strings.Repeat(" ", depth)
		switch v.Kind() {
		case reflect.Pointer, reflect.Interface:
			if v.IsNil() {
				b.WriteString(indent + "nil\n")
				return
			}
			print(v.Elem(), depth)
		case reflect.Slice:
			for i := range v.Len() {
				print(v.Index(i), depth+1)
			}
		case reflect.Struct:
			if v.Type() == reflect.TypeOf(specification.Span{}) {
				return
			}
			fmt.Fprintf(&b, "%s%s\n", indent, v.Type().Name())
			for i := range v.NumField() {
				if v.Type() == reflect.TypeOf(specification.CExpr{}) && v.Type().Field(i).Name == "Text" {
					b.WriteString(indent + " " + strings.Join(strings.Fields(v.Field(i).String()), "") + "\n")
					continue
				}
				print(v.Field(i), depth+1)
			}
		default:
			fmt.Fprintf(&b, "%s%v\n", indent, v)
		}
	}
	print(reflect.ValueOf(f.Defs), 0)
	return b.String()
}

// checkTree checks that the span of every node is in the text and contains those of its
// children, and that without a mistake no node is bad.
func checkTree(t testing.TB, f *specification.File) {
	t.Helper()
	bad := false
	var visit func(v reflect.Value, in specification.Span)
	visit = func(v reflect.Value, in specification.Span) {
		switch v.Kind() {
		case reflect.Pointer, reflect.Interface:
			if !v.IsNil() {
				visit(v.Elem(), in)
			}
		case reflect.Slice:
			for i := range v.Len() {
				visit(v.Index(i), in)
			}
		case reflect.Struct:
			span := v.FieldByName("Span")
			if !span.IsValid() {
				return
			}
			s := span.Interface().(specification.Span)
			if empty := s == (specification.Span{}); !empty && (s.Start < in.Start || s.End > in.End || s.Start > s.End) {
				t.Fatalf("%s at %v is not in %v:\n%s", v.Type().Name(), s, in, f.Source.Text())
			}
			if flag := v.FieldByName("Bad"); flag.IsValid() && flag.Bool() {
				bad = true
			}
			for i := range v.NumField() {
				if v.Type().Field(i).Name != "Span" {
					visit(v.Field(i), s)
				}
			}
		}
	}
	for _, d := range f.Defs {
		visit(reflect.ValueOf(d.Head()), f.Extent())
		if d.Head().Bad {
			bad = true
			continue // it may reach further than what was read
		}
		visit(reflect.ValueOf(d), f.Extent())
	}
	if bad && !f.Diagnostics.HasErrors() {
		t.Fatalf("bad nodes without a message:\n%s", f.Source.Text())
	}
}
