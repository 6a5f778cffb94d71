package encode_test

import (
	"strings"
	"testing"

	"github.com/seltl/seltl/c/cfront"
	"github.com/seltl/seltl/c/encode"
	"github.com/seltl/seltl/internal/source"
)

// TestInitialiserPlace: an initialiser that is not computed is refused with its place.
func TestInitialiserPlace(t *testing.T) {
	for text, want := range map[string]string{
		"static long s = (int)(1 ? 2.7 : 3);": "t.c:2:27: ",
		"static int s = 2.5L > 1;":            "t.c:2:16: ",
		"int a[2] = {1, 2.5L > 1};":           "t.c:2:16: ",
	} {
		p, err := cfront.Parse([]*source.File{source.NewFile("t.c", "int main(void) { return 0; }\n"+text+"\n")}, cfront.Options{})
		if err == nil {
			_, err = encode.Encode(p, "")
		}
		if err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%s: %v, wanted at %s", text, err, want)
		}
	}
}
