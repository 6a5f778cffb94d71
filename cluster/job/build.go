package job

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"runtime"
	"runtime/debug"
	"strings"
	"sync"

	"github.com/seltl/seltl/cluster/search"
)

// Build says which program a process runs. All workers of a job must run the same: states
// are exchanged in a form that belongs to it, and order and hashes decide who owns them.
type Build struct {
	Version  string `json:"version"`
	Revision string `json:"revision,omitempty"`
	Go       string `json:"go"`
	// Architecture is the processor's, as far as the compiler knows it: owners are chosen by
	// estimates whose last bits depend on it.
	Architecture string `json:"architecture"`
	Schema       int    `json:"schema"`
	// Binary is the digest of the program where the revision does not say what it was built
	// from: of changed files, or outside a repository.
	Binary string `json:"binary,omitempty"`
}

// ThisBuild describes the running program; version is what it calls itself.
func ThisBuild(version string) Build {
	b := Build{Version: version, Architecture: runtime.GOARCH, Schema: search.Schema}
	modified := true
	if info, ok := debug.ReadBuildInfo(); ok {
		b.Go = info.GoVersion
		for _, s := range info.Settings {
			switch s.Key {
			case "vcs.revision":
				b.Revision = s.Value
			case "vcs.modified":
				modified = s.Value == "true"
			case "GO" + strings.ToUpper(runtime.GOARCH): // GOAMD64, which is v1 or more
				b.Architecture += " " + s.Value
			}
		}
	}
	if b.Revision == "" || modified {
		b.Binary = binaryDigest()
	}
	return b
}

// binaryDigest is the digest of the running program, or says why there is none, which is
// different for each process.
var binaryDigest = sync.OnceValue(func() string {
	path, err := os.Executable()
	if err != nil {
		return fmt.Sprintf("unknown (process %d)", os.Getpid())
	}
	f, err := os.Open(path)
	if err != nil {
		return fmt.Sprintf("unknown (process %d)", os.Getpid())
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return fmt.Sprintf("unknown (process %d)", os.Getpid())
	}
	return hex.EncodeToString(h.Sum(nil)[:12])
})

// Differs says in which point another build differs from this one, "" if in none.
func (b Build) Differs(other Build) string {
	for _, p := range []struct{ what, own, others string }{
		{"schema", fmt.Sprint(b.Schema), fmt.Sprint(other.Schema)},
		{"version", b.Version, other.Version},
		{"revision", b.Revision, other.Revision},
		{"Go version", b.Go, other.Go},
		{"architecture", b.Architecture, other.Architecture},
		{"program", b.Binary, other.Binary},
	} {
		if p.own != p.others {
			return fmt.Sprintf("its %s is %s, here it is %s", p.what, orNone(p.others), orNone(p.own))
		}
	}
	return ""
}

func orNone(text string) string {
	if text == "" {
		return "not known"
	}
	return text
}
