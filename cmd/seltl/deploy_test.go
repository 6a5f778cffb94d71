package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// The manifests and scripts of deploy/ are run as far as one machine allows: the commands of
// pods and of tasks with the variables that Kubernetes and Slurm set, make and GNU parallel
// themselves.

// yamlOf reads the YAML that the manifests are written in: mappings and lists by indentation,
// plain and quoted texts, {} and nothing else. Documents are separated by ---.
func yamlOf(t *testing.T, name string) (documents []any) {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	for part := range strings.SplitSeq(string(text), "\n---\n") {
		y := &yamlReader{t: t}
		for line := range strings.Lines(part) {
			if trimmed := strings.TrimSpace(line); trimmed != "" && trimmed[0] != '#' {
				y.lines = append(y.lines, strings.TrimRight(line, "\n"))
			}
		}
		documents = append(documents, y.value(0))
		if len(y.lines) > 0 {
			t.Fatalf("%s: %q is not read", name, y.lines[0])
		}
	}
	return documents
}

type yamlReader struct {
	t     *testing.T
	lines []string
}

// value reads the lines that are indented so far.
func (y *yamlReader) value(indent int) any {
	if strings.HasPrefix(strings.TrimLeft(y.lines[0], " "), "- ") {
		list := []any{}
		for y.at(indent) && strings.HasPrefix(y.lines[0][indent:], "- ") {
			y.lines[0] = y.lines[0][:indent] + "  " + y.lines[0][indent+2:]
			if yamlKey.MatchString(y.lines[0]) {
				list = append(list, y.value(indent+2))
			} else {
				list = append(list, y.scalar(strings.TrimSpace(y.lines[0])))
				y.lines = y.lines[1:]
			}
		}
		return list
	}
	object := map[string]any{}
	for y.at(indent) {
		m := yamlKey.FindStringSubmatch(y.lines[0])
		if m == nil || len(m[1]) != indent {
			y.t.Fatalf("%q is no line of a mapping", y.lines[0])
		}
		y.lines = y.lines[1:]
		switch {
		case object[m[2]] != nil:
			y.t.Fatalf("%s is there twice", m[2])
		case m[3] == "{}":
			object[m[2]] = map[string]any{}
		case m[3] != "":
			object[m[2]] = y.scalar(m[3])
		default:
			object[m[2]] = y.value(len(y.lines[0]) - len(strings.TrimLeft(y.lines[0], " ")))
		}
	}
	return object
}

var yamlKey = regexp.MustCompile(`^( *)([A-Za-z]+): ?(.*)$`)

// at reports whether the next line is indented so far, and no farther.
func (y *yamlReader) at(indent int) bool {
	return len(y.lines) > 0 && len(y.lines[0])-len(strings.TrimLeft(y.lines[0], " ")) == indent
}

func (y *yamlReader) scalar(text string) any {
	if strings.ContainsAny(text, "{}[]&*!|>'%@`") {
		y.t.Fatalf("%q is more than a text", text)
	}
	if quoted, err := strconv.Unquote(text); err == nil {
		return quoted
	}
	if n, err := strconv.Atoi(text); err == nil {
		return n
	}
	if b, err := strconv.ParseBool(text); err == nil {
		return b
	}
	return text
}

// in finds a value by keys and places in lists.
func in(t *testing.T, value any, path ...any) any {
	t.Helper()
	for _, step := range path {
		switch step := step.(type) {
		case string:
			object, ok := value.(map[string]any)
			if !ok || object[step] == nil {
				t.Fatalf("%v: there is no %s in %v", path, step, value)
			}
			value = object[step]
		case int:
			list, ok := value.([]any)
			if !ok || len(list) <= step {
				t.Fatalf("%v: there is no %d in %v", path, step, value)
			}
			value = list[step]
		}
	}
	return value
}

// deployed runs a command in the folder of a batch, with variables and with seltl as SELTL.
func (b *batchFolder) deployed(env []string, name string, args ...string) (out string, status int) {
	b.t.Helper()
	c := exec.Command(name, args...)
	c.Dir = b.dir
	c.Env = append(append(os.Environ(), "SELTL="+b.seltl), env...)
	text, err := c.CombinedOutput()
	var exit *exec.ExitError
	switch {
	case errors.As(err, &exit):
		status = exit.ExitCode()
	case err != nil:
		b.t.Fatal(err)
	}
	return string(text), status
}

// deployFile is a file of deploy/.
func deployFile(t *testing.T, name string) string {
	t.Helper()
	path, err := filepath.Abs(filepath.Join("..", "..", "deploy", name))
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// whole wants the results of one process.
func (b *batchFolder) whole(out string) {
	b.t.Helper()
	if text, status := b.run("batch", "run", "work.list", "--out", "alone", "--quiet"); status != 0 {
		b.t.Fatalf("status %d: %s", status, text)
	}
	want, _ := b.merged("alone")
	if got, _ := b.merged(out); got != want {
		b.t.Errorf("the reports differ: %s", cmp.Diff(want, got))
	}
}

func TestDeployKubernetes(t *testing.T) {
	documents := yamlOf(t, deployFile(t, "kubernetes/batch.yaml"))
	if len(documents) != 2 {
		t.Fatalf("%d documents", len(documents))
	}
	claim, job := documents[0], documents[1]
	merge := yamlOf(t, deployFile(t, "kubernetes/merge.yaml"))[0]
	pod := in(t, job, "spec", "template", "spec")
	container := in(t, pod, "containers", 0)
	for _, c := range []struct{ got, want any }{
		{in(t, job, "apiVersion"), "batch/v1"},
		{in(t, job, "kind"), "Job"},
		{in(t, job, "spec", "completionMode"), "Indexed"},
		{in(t, pod, "restartPolicy"), "Never"},
		{in(t, job, "spec", "parallelism"), in(t, job, "spec", "completions")},
		{in(t, pod, "volumes", 0, "persistentVolumeClaim", "claimName"), in(t, claim, "metadata", "name")},
		{in(t, container, "volumeMounts", 0, "name"), in(t, pod, "volumes", 0, "name")},
		{in(t, container, "volumeMounts", 1, "name"), in(t, pod, "volumes", 1, "name")},
		{in(t, merge, "spec", "template", "spec", "volumes", 0), in(t, pod, "volumes", 0)},
		{in(t, merge, "spec", "backoffLimit"), 0}, // its status is the verdict
		{in(t, claim, "spec", "accessModes", 0), "ReadWriteMany"},
	} {
		if d := cmp.Diff(c.want, c.got); d != "" {
			t.Error(d)
		}
	}
	b := newBatchFolder(t, 5)
	args := func(of any) (all []string) {
		for _, word := range in(t, of, "args").([]any) {
			text := fmt.Sprint(word)
			all = append(all, strings.Replace(text, fmt.Sprint(in(t, container, "volumeMounts", 0, "mountPath"))+"/", "", 1))
		}
		return all
	}
	completions := in(t, job, "spec", "completions").(int)
	if i := slices.Index(args(container), "--shards"); i < 0 || args(container)[i+1] != strconv.Itoa(completions) {
		t.Errorf("%d completions, and the command is %v", completions, args(container))
	}
	for i := range completions {
		if out, status := b.deployed([]string{fmt.Sprint("JOB_COMPLETION_INDEX=", i)}, b.seltl, args(container)...); status != 0 || !strings.Contains(out, fmt.Sprintf("shard %d/%d", i+1, completions)) {
			t.Fatalf("pod %d: status %d: %s", i, status, out)
		}
	}
	if out, status := b.deployed(nil, b.seltl, args(in(t, merge, "spec", "template", "spec", "containers", 0))...); status != 2 || strings.Contains(out, "MISSING") {
		t.Errorf("status %d: %s", status, out)
	}
	b.whole("results")
}

func TestDeploySlurm(t *testing.T) {
	script := deployFile(t, "slurm/batch.sh")
	text, err := os.ReadFile(script)
	if err != nil {
		t.Fatal(err)
	}
	m := regexp.MustCompile(`(?m)^#SBATCH --array=0-(\d+)$`).FindStringSubmatch(string(text))
	if m == nil {
		t.Fatal("there is no array")
	}
	last, _ := strconv.Atoi(m[1])
	b := newBatchFolder(t, 5)
	for id := range last + 1 {
		if id%3 == 2 {
			continue // killed, and begun once more below
		}
		env := []string{fmt.Sprint("SLURM_ARRAY_TASK_ID=", id), "SLURM_ARRAY_TASK_MIN=0", fmt.Sprint("SLURM_ARRAY_TASK_MAX=", last), fmt.Sprint("SLURM_ARRAY_TASK_COUNT=", last+1), "OUT=many"}
		if out, status := b.deployed(env, "sh", script); status != 0 || !strings.Contains(out, fmt.Sprintf("shard %d/%d", id+1, last+1)) {
			t.Fatalf("task %d: status %d: %s", id, status, out)
		}
	}
	if out, _ := b.deployed(nil, "sh", deployFile(t, "slurm/merge.sh"), "many"); !strings.Contains(out, "MISSING") {
		t.Errorf("nothing is missing: %s", out)
	}
	for id := 2; id <= last; id += 3 {
		env := []string{fmt.Sprint("SLURM_ARRAY_TASK_ID=", id), "SLURM_ARRAY_TASK_MIN=2", "SLURM_ARRAY_TASK_MAX=5", "SLURM_ARRAY_TASK_COUNT=2", "OUT=many", fmt.Sprint("SHARDS=", last+1)}
		if out, status := b.deployed(env, "sh", script); status != 0 || !strings.Contains(out, fmt.Sprintf("shard %d/%d", id+1, last+1)) {
			t.Fatalf("task %d: status %d: %s", id, status, out)
		}
	}
	b.whole("many")
}

func TestDeployMake(t *testing.T) {
	if _, err := exec.LookPath("make"); err != nil {
		t.Skip(err)
	}
	b := newBatchFolder(t, 5)
	// The last command of make has the status 2 of the report, and so has make.
	if out, status := b.deployed([]string{"MAKEFLAGS="}, "make", "-f", deployFile(t, "make/Makefile"), "-j4", "-k", "OUT=many", "SHARDS=5"); status != 2 || !strings.Contains(out, "units, ") || strings.Contains(out, "MISSING") {
		t.Errorf("status %d: %s", status, out)
	}
	b.whole("many")
}

func TestDeployParallel(t *testing.T) {
	if _, err := exec.LookPath("parallel"); err != nil {
		t.Skip(err)
	}
	b := newBatchFolder(t, 5)
	if out, status := b.deployed(nil, "sh", deployFile(t, "parallel/batch.sh"), "work.list", "many", "5", "--jobs", "2", "--will-cite"); status != 2 || strings.Contains(out, "MISSING") {
		t.Errorf("status %d: %s", status, out)
	}
	b.whole("many")
}
