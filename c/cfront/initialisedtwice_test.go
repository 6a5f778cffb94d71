package cfront

import (
	"strings"
	"testing"

	"github.com/seltl/seltl/c/ir"
)

// TestReplaced: a value that is computed and then replaced is refused, since it need not be computed (C17
// 6.7.9, note 156); so is a range whose value has side effects, which gcc computes once.
func TestReplaced(t *testing.T) {
	for declaration, refused := range map[string]bool{
		"int a[2] = {[0] = f(), [0] = 5};":                        true,
		"int a[1] = {[0] = 10 / x, [0] = 1};":                     true,
		"struct { int x, y; } s = {.x = x++, .y = 2, .x = 7};":    true,
		"struct { int x, y; } *s = &(struct s){x++, 1, .x = 9};":  true,
		"int a[2] = {[0] = *p, [0] = 5};":                         true,
		"int a[4] = {[0 ... 2] = f(), 9};":                        true,
		"int a[4] = {[0 ... 3] = x++};":                           true,
		"int a[4] = {[0 ... 3] = x};":                             false,
		"int a[2] = {[0] = x, [0] = 5};":                          false,
		"int *a[8] = {[0 ... 7] = &x, [3] = p};":                  false,
		"int (*a[8])(void) = {[0 ... 7] = f, [3] = 0};":           false,
		"int a[2] = {[0] = 5, [0] = f()};":                        false,
		"static int a[2] = {[0] = 8 / 2, [0] = sizeof(int) / 4};": false,
	} {
		text := "int x, *p = &x; int f(void); struct s { int x, y; };\nint main(void) { " + declaration + " return 0; }\n"
		err := refusedIn(text, ir.LP64)
		if got := err != nil && (strings.Contains(err.Error(), "whether it is computed") || strings.Contains(err.Error(), "has side effects")); got != refused || err != nil && !refused {
			t.Errorf("%s: %v", text, err)
		}
	}
}

// TestInitialisedTwice: a list, a string or another member of a union that initialises again what an
// initialiser has named makes all of it 0 first, which is refused; a value replaces what it covers.
func TestInitialisedTwice(t *testing.T) {
	for declaration, refused := range map[string]bool{
		"int a[2][2] = {[0][1] = 4, [0] = {1}};":                                               true,
		"struct { struct { int x, y; } p; } s = {.p.y = 4, .p = {}};":                          true,
		"struct { struct { int x, y; } p; } s = {{1, 2}, .p = {.x = 3}};":                      true,
		"struct { int a, b[3], c; } s = {.b[1] = 4, .b = {[2] = 1}};":                          true,
		"char s[2][4] = {[0][3] = 7, [0] = \"a\"};":                                            true,
		"struct p { int x, y; } *q = (struct p[3]){[1].y = 4, [1] = {.x = 2}};":                true,
		"union { int i; struct { char a, b; } s; } u = {.i = -1, .s.a = 1};":                   true,
		"union { int i; struct { char a, b; } s; } u = {.s.b = 3, .i = -1, .s.a = 1};":         true,
		"union { int i; struct { char a, b; } s; } u = {.i = 1, .s = {5}};":                    true,
		"struct { struct { int x, y; } p; } s = {.p = {7, 8}, .p.y = 3};":                      false,
		"union { int i; struct { char a, b; } s; } u = {.s.b = 3, .s.a = 1};":                  false,
		"struct { int a, b, c; } s = {.c = 1, .a = 2, .b = 3, .a = 4};":                        false,
		"int a[4] = {[3] = 1, [0] = 2, 3, [3] = 5};":                                           false,
		"int a[8] = {[0 ... 7] = 1, [3] = 2};":                                                 false,
		"struct { unsigned a : 3, b : 5; int c; } s = {.b = 1, .a = 2, .c = 3};":               false,
		"struct { int a, b[3]; } s[2] = {[1] = {1, {2, 3}}, [0] = {4, {5}}};":                  false,
		"char *names[] = {[2] = \"c\", [0] = \"a\"}; char text[2][4] = {\"ab\", [1] = \"x\"};": false,
	} {
		for _, text := range []string{declaration + "\nint main(void) { return 0; }\n", "int main(void) { " + declaration + " return 0; }\n"} {
			err := refusedIn(text, ir.LP64)
			if got := err != nil && strings.Contains(err.Error(), "initialised twice"); got != refused || err != nil && !refused {
				t.Errorf("%s: %v", text, err)
			}
		}
	}
}
