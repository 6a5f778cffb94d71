package cfront

import (
	"fmt"
	"reflect"
	"regexp"
	"strconv"
	"strings"
	"sync"

	"modernc.org/cc/v4"

	"github.com/seltl/seltl/c/ir"
)

// A decimal constant beyond long long has no type in C11 (6.4.4.1, 6); with gcc it is an __int128 where there is one, and
// an unsigned long long elsewhere. The parser has none, and reads one in hexadecimal, which is as long: it is unsigned
// long long. Where that and __int128 are not the same, it is refused.

// largeBegin is how such a constant begins, as no other one does that people write.
const largeBegin = "0X0"

var largeDecimal = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\b[1-9][0-9]{18,19}(?:[lL]{1,2})?\b`) })

// large writes the decimal constants of a text that are beyond long long in hexadecimal.
func large(text string) string {
	if !longNumber(text) {
		return text
	}
	var b strings.Builder
	last := 0
	for _, at := range largeDecimal().FindAllStringIndex(codeOf(text), -1) {
		digits := strings.TrimRight(text[at[0]:at[1]], "lL")
		n, err := strconv.ParseUint(digits, 10, 64)
		if err != nil || n < 1<<63 || at[0] > 0 && text[at[0]-1] == '.' || at[1] < len(text) && text[at[1]] == '.' {
			continue
		}
		b.WriteString(text[last:at[0]] + largeBegin + fmt.Sprintf("%0*X", len(digits)-len(largeBegin), n))
		last = at[0] + len(digits)
	}
	return b.String() + text[last:]
}

// largeConstants refuses those of which it makes a difference whether they have 128 bits.
func (l *linker) largeConstants(m *module) {
	some := false
	for _, f := range m.files {
		some = some || longNumber(f.Text()) && largeDecimal().MatchString(f.Text())
	}
	if !some {
		return
	}
	l.walkPath(reflect.ValueOf(m.ast.TranslationUnit), map[any]bool{}, func(n cc.Node) {
		c, is := n.(*cc.PrimaryExpression)
		if !is || c.Case != cc.PrimaryExpressionInt || !strings.HasPrefix(c.Token.SrcStr(), largeBegin) || l.opts.Model != ir.LP64 || m.span(c) == (ir.Span{}) {
			return
		}
		if v, known := c.Value().(cc.UInt64Value); known && v>>63 != 0 && !l.narrow() {
			l.judged(m, func() {
				refuse(m.span(c), "c-constant", "write u behind it, for an unsigned long long", "a constant beyond long long, which gcc gives 128 bits, is not supported here")
			})
		}
	})
}

// narrow reports that of what the path leads to no more than 64 bits count, or that it is compared with an unsigned number
// of so many.
func (l *linker) narrow() bool {
	for k := len(l.path) - 2; k >= 0; k-- {
		part := l.path[k+1]
		other := func(x, y cc.ExpressionNode) bool {
			if x == part {
				x = y
			}
			return cc.IsIntegerType(x.Type()) && !cc.IsSignedInteger(x.Type()) && x.Type().Size() == 8
		}
		switch n := l.path[k].(type) {
		case *cc.PrimaryExpression, *cc.ExpressionList:
			continue
		case *cc.AssignmentExpression:
			return n.Case == cc.AssignmentExpressionAssign && cc.ExpressionNode(n.AssignmentExpression) == part
		case *cc.Initializer, *cc.ArgumentExpressionList, *cc.JumpStatement:
			return true
		case *cc.CastExpression:
			return n.Case == cc.CastExpressionCast
		case *cc.EqualityExpression:
			return other(n.EqualityExpression, n.RelationalExpression)
		case *cc.RelationalExpression:
			return other(n.RelationalExpression, n.ShiftExpression)
		}
		return false
	}
	return false
}

// longNumber reports that a text has as many digits in a row as numbers beyond 64 bits with a sign have.
func longNumber(text string) bool {
	digits := 0
	for i := range len(text) {
		if text[i] < '0' || text[i] > '9' {
			digits = 0
		} else if digits++; digits == 19 {
			return true
		}
	}
	return false
}
