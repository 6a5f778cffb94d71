package gcc

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// command puts a program of a shell's text into a folder.
func command(t *testing.T, dir, name, text string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(dir, name), []byte("#!/bin/sh\n"+text), 0o777); err != nil {
		t.Fatal(err)
	}
}

// TestStarts: what gcc builds and the kernel does not run is no program, unless there is an emulator.
func TestStarts(t *testing.T) {
	sh, err := exec.LookPath("sh")
	if err != nil || runtime.GOOS == "windows" {
		t.Skip("SKIPPED: no sh to play a compiler")
	}
	dir := t.TempDir()
	t.Setenv("PATH", dir+string(os.PathListSeparator)+filepath.Dir(sh))
	// This gcc has libraries for both, and its programs of 32 bits are for no processor.
	command(t, dir, "gcc", `for a; do case "$a" in -m*) model=$a;; esac; [ "$last" = -o ] && out=$a; last=$a; done
case "$model" in
-m32) printf '\177ELF nothing that runs' > "$out" ;;
*) printf '#!/bin/sh\nexit 7\n' > "$out" ;;
esac
chmod +x "$out"
`)
	if exe, err := Build(t.TempDir(), "int main(void) { return 7; }", 64); err != nil || exe == "" {
		t.Errorf("64 bits: %v", err)
	}
	if _, err := Build(t.TempDir(), "int main(void) { return 7; }", 32); !errors.Is(err, ErrMissing) {
		t.Errorf("32 bits: %v", err)
	}
	other := t.TempDir() // with an emulator, which is asked again
	command(t, other, emulator, "echo emulated\nexit 7\n")
	t.Setenv("PATH", other+string(os.PathListSeparator)+os.Getenv("PATH"))
	exe, err := Build(t.TempDir(), "int main(void) { return 7; }", 32)
	if err != nil {
		t.Fatal(err)
	}
	if status, out, _, err := Run(context.Background(), exe); err != nil || status != 7 || !strings.Contains(out, "emulated") {
		t.Errorf("%d %q %v", status, out, err)
	}
}
