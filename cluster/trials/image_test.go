package trials

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"go.yaml.in/yaml/v3"

	"github.com/seltl/seltl/report"
)

// manifest is what deploy/cluster has of an object of Kubernetes that says how pods run, and of the
// configuration of NATS.
type manifest struct {
	Kind     string
	Metadata struct{ Name string }
	Data     map[string]string
	Spec     struct {
		Replicas int
		Template struct {
			Spec struct {
				SecurityContext struct {
					User int `yaml:"runAsUser"`
				} `yaml:"securityContext"`
				Containers []container
			}
		}
	}
}

type container struct {
	Args []string
	Env  []struct {
		Name      string
		Value     string
		ValueFrom struct {
			Secret struct{ Name, Key string } `yaml:"secretKeyRef"`
		} `yaml:"valueFrom"`
	}
	Mounts []struct{ Name, MountPath string } `yaml:"volumeMounts"`
}

func manifests(t testing.TB, file string) (all []manifest) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("../../deploy/cluster", file))
	if err != nil {
		t.Fatal(err)
	}
	for d := yaml.NewDecoder(bytes.NewReader(text)); ; {
		var m manifest
		if err := d.Decode(&m); errors.Is(err, io.EOF) {
			return all
		} else if err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		all = append(all, m)
	}
}

// image builds what the Dockerfile builds, by its own command, into an empty folder, which has
// beside it the places only where a container has something mounted.
func image(t testing.TB) (root, entry string) {
	t.Helper()
	text, err := os.ReadFile("../../deploy/cluster/Dockerfile")
	if err != nil {
		t.Fatal(err)
	}
	command, user := "", ""
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSpace(line)
		if rest, ok := strings.CutPrefix(line, "RUN "); ok && strings.Contains(rest, "go build") {
			command = rest
		}
		if rest, ok := strings.CutPrefix(line, "ENTRYPOINT "); ok {
			entry = strings.Trim(rest, `[]"`)
		}
		if rest, ok := strings.CutPrefix(line, "USER "); ok {
			user = rest
		}
	}
	if root = t.TempDir(); user != containerUser || command == "" || entry != "/seltl-cluster" {
		t.Fatalf("the Dockerfile is another one: %q, %q, %q", user, command, entry)
	}
	for _, name := range []string{"proc", "work", "model"} {
		if err := os.Mkdir(filepath.Join(root, name), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	c := exec.Command("sh", "-c", strings.Replace(command, "-o "+entry, "-buildvcs=false -o "+root+entry, 1))
	c.Dir, c.Env = "../..", append(os.Environ(), "VERSION="+trialVersion)
	if out, err := c.CombinedOutput(); err != nil {
		t.Fatalf("%s: %v: %s", command, err, out)
	}
	if err := os.Chmod(root, 0o755); err != nil {
		t.Fatal(err)
	}
	return root, entry
}

// containerUser is the user and group of containers.
const containerUser = "65532:65532"

// containers says how processes are run as in containers: with a root that has the image only and
// cannot be written, and as nobody.
type containers struct {
	t           testing.TB
	root, entry string
	model       string // a folder that is mounted at /model
	url         string // in place of that of the manifests
	metrics     string
}

// alone runs a command in file systems of its own. $0 is the root, $1 the folder of models.
const alone = `set -e
root=$0; model=$1; user=$2; shift 2
mount --make-rprivate /
mount --bind "$root" "$root"
mount -t proc proc "$root/proc"
mount --bind "$model" "$root/model"
mount -o remount,bind,ro "$root/model"
mount -o remount,bind,ro "$root"
cd /
shift
exec env -i SELTL_CLUSTER_PASSWORD="$SELTL_CLUSTER_PASSWORD" SELTL_CLUSTER_METRICS_PASSWORD="$SELTL_CLUSTER_METRICS_PASSWORD" "$(command -v chroot)" --userspec="$user" "$root" "$@"`

// start starts the program as a container of a manifest would. change replaces arguments.
func (k *containers) start(c container, change ...string) *process {
	k.t.Helper()
	var args []string
	replace := strings.NewReplacer(append(change, "nats://seltl-nats:4222", k.url, "0.0.0.0:9100", k.metrics)...)
	for _, a := range c.Args {
		args = append(args, replace.Replace(a))
	}
	for _, e := range c.Env {
		if s := e.ValueFrom.Secret; s.Name != "seltl-cluster" || s.Key != "password" || !slices.Contains([]string{"SELTL_CLUSTER_PASSWORD", "SELTL_CLUSTER_METRICS_PASSWORD"}, e.Name) {
			k.t.Fatalf("%+v: another variable", e)
		}
		k.t.Setenv(e.Name, "of-the-secret")
	}
	p := &process{Cmd: exec.Command("unshare", append([]string{"--mount", "--pid", "--fork", "--ipc", "--uts", "sh", "-c", alone, k.root, k.model, containerUser, "--", k.entry}, args...)...), done: make(chan struct{})}
	p.Stdout, p.Stderr = &p.out, &p.err
	if err := p.Start(); err != nil {
		k.t.Fatal(err)
	}
	go func() {
		_ = p.Wait() // its state says how it ended
		close(p.done)
	}()
	k.t.Cleanup(func() { k.signal(p, syscall.SIGKILL) })
	return p
}

// signal sends a signal to the program in a container, as Kubernetes does, and waits for its end.
func (k *containers) signal(p *process, s syscall.Signal) ended {
	for _, child := range childrenOf(p.Process.Pid) {
		_ = syscall.Kill(child, s) // it may have ended
	}
	return p.wait(k.t)
}

// natsOf starts the message server with the configuration of a manifest.
func natsOf(t testing.TB, config string) string {
	t.Helper()
	t.Setenv("SELTL_CLUSTER_PASSWORD", "of-the-secret")
	file := filepath.Join(t.TempDir(), "nats.conf")
	if err := os.WriteFile(file, []byte(config), 0o600); err != nil {
		t.Fatal(err)
	}
	o, err := server.ProcessConfigFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if o.Port != 4222 || o.StoreDir != "/data" || o.Username != "seltl" || o.Password != "of-the-secret" {
		t.Fatalf("%+v", o)
	}
	o.Host, o.Port, o.StoreDir, o.NoSigs, o.NoLog = "127.0.0.1", server.RANDOM_PORT, t.TempDir(), true, true
	s, err := server.NewServer(o)
	if err != nil {
		t.Fatal(err)
	}
	s.Start()
	t.Cleanup(func() {
		s.Shutdown()
		s.WaitForShutdown()
	})
	if !s.ReadyForConnections(10*time.Second) || !s.JetStreamEnabled() {
		t.Fatal("the server does not start")
	}
	return s.ClientURL()
}

// TestImage runs the cluster of deploy/cluster on this machine: NATS with the configuration there,
// and all else with the commands there, each process as in its container.
func TestImage(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the image's program")
	}
	if out, err := exec.Command("unshare", "--mount", "--pid", "--fork", "chroot", "--userspec="+containerUser, "/", "true").CombinedOutput(); err != nil {
		t.Skipf("no containers here: unshare: %v: %s", err, bytes.TrimSpace(out))
	}
	k := &containers{t: t, model: t.TempDir()}
	k.root, k.entry = image(t)
	if err := os.Chmod(k.model, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(k.model, "model.lks"), []byte("P = (a -> b -> P | c -> STOP).\nQ = (a -> d -> Q).\n||S = (P || Q).\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	k.metrics = l.Addr().String()
	_ = l.Close()
	var serve, work, submit container
	for _, m := range slices.Concat(manifests(t, "nats.yaml"), manifests(t, "cluster.yaml"), manifests(t, "question.yaml")) {
		if m.Kind == "ConfigMap" {
			k.url = natsOf(t, m.Data["nats.conf"])
		}
		pod := &m.Spec.Template.Spec
		if len(pod.Containers) == 0 {
			continue
		}
		c := pod.Containers[0]
		if fmt.Sprintf("%[1]d:%[1]d", pod.SecurityContext.User) != containerUser {
			t.Errorf("%s runs as %d", m.Metadata.Name, pod.SecurityContext.User)
		}
		switch c.Args[0] {
		case "serve":
			serve = c
		case "work":
			work = c
		case "submit":
			submit = c
		}
	}
	servers := []*process{k.start(serve), k.start(serve, "0.0.0.0:9100", "127.0.0.1:0")} // its ports would be a pod's own
	workers := []*process{k.start(work), k.start(work), k.start(work)}
	asked := k.start(submit, "16", "3")
	e := asked.wait(t)
	if e.status != report.ExitViolated || !strings.Contains(e.out, "DEADLOCK") || !strings.Contains(e.out, "distributed, 3 workers") || !strings.Contains(e.out, "imbalance") {
		t.Fatalf("%v\nserver: %s\nworker: %s", e, servers[0].err.String(), workers[0].err.String())
	}
	if e := k.start(container{Args: []string{"run", "/model/model.lks", "--work-folder", "/work"}}).wait(t); !strings.Contains(e.err, "read-only file system") {
		t.Errorf("the root can be written: %v", e)
	}
	for password, want := range map[string]int{"of-the-secret": http.StatusOK, "guess": http.StatusUnauthorized} {
		r, err := http.NewRequest(http.MethodGet, "http://"+k.metrics+"/metrics", nil)
		if err != nil {
			t.Fatal(err)
		}
		r.SetBasicAuth("metrics", password)
		answer, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		text, _ := io.ReadAll(answer.Body)
		_ = answer.Body.Close()
		if answer.StatusCode != want || want == http.StatusOK && !strings.Contains(string(text), "seltl_cluster_jobs_ended 1") {
			t.Errorf("%s: status %d: %s", password, answer.StatusCode, text)
		}
	}
	// A pod that is evicted is replaced by another, of either kind.
	k.signal(servers[0], syscall.SIGKILL)
	k.signal(workers[0], syscall.SIGKILL)
	workers = append(workers, k.start(work))
	if e := k.start(submit, "16", "3").wait(t); e.status != report.ExitViolated {
		t.Errorf("after an eviction: %v", e)
	}
	for _, p := range append(workers[1:], servers[1]) {
		if e := k.signal(p, syscall.SIGTERM); e.status != report.ExitInterrupted {
			t.Errorf("ended by Kubernetes: %v", e)
		}
	}
}
