package main

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/urfave/cli/v2"
	"go.yaml.in/yaml/v3"

	"github.com/seltl/seltl/internal/cmdline"
)

const deployFolder = "../../../deploy/cluster"

// manifest has what the tests look at.
type manifest struct {
	APIVersion string `yaml:"apiVersion"`
	Kind       string
	Metadata   struct{ Name string }
	Spec       struct {
		Template struct {
			Spec podSpec
		}
	}
}

type podSpec struct {
	Containers []struct {
		Name, Image     string
		Args            []string
		SecurityContext struct {
			ReadOnly *bool `yaml:"readOnlyRootFilesystem"`
			Escalate *bool `yaml:"allowPrivilegeEscalation"`
		} `yaml:"securityContext"`
		Env []struct {
			Name      string
			Value     string
			ValueFrom struct {
				Secret struct{ Name, Key string } `yaml:"secretKeyRef"`
			} `yaml:"valueFrom"`
		}
	}
	SecurityContext struct {
		NonRoot bool `yaml:"runAsNonRoot"`
	} `yaml:"securityContext"`
}

// Manifests are YAML, name commands and flags that exist, run as nobody, and take passwords
// from secrets.
func TestManifests(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(deployFolder, "*.yaml"))
	if err != nil || len(files) != 3 {
		t.Fatal(files, err)
	}
	kinds := map[string]int{}
	commands := map[string]int{}
	app := newApp(streams{cmdline.Streams{In: strings.NewReader(""), Out: io.Discard, Err: io.Discard}})
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		decoder := yaml.NewDecoder(bytes.NewReader(text))
		for {
			var m manifest
			if err := decoder.Decode(&m); errors.Is(err, io.EOF) {
				break
			} else if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			if m.APIVersion == "" || m.Kind == "" || m.Metadata.Name == "" {
				t.Errorf("%s: %+v is no object", name, m)
			}
			kinds[m.Kind]++
			pod := m.Spec.Template.Spec
			if len(pod.Containers) > 0 && !pod.SecurityContext.NonRoot {
				t.Errorf("%s, %s: runs as root", name, m.Metadata.Name)
			}
			for _, c := range pod.Containers {
				if s := c.SecurityContext; s.ReadOnly == nil || !*s.ReadOnly || s.Escalate == nil || *s.Escalate {
					t.Errorf("%s, %s: may change its image, or become more", name, m.Metadata.Name)
				}
				for _, e := range c.Env {
					if strings.HasSuffix(e.Name, "PASSWORD") && (e.Value != "" || e.ValueFrom.Secret.Name != "seltl-cluster") {
						t.Errorf("%s, %s: %s does not come from the secret", name, m.Metadata.Name, e.Name)
					}
				}
				if c.Name != "seltl-cluster" {
					continue
				}
				commands[c.Args[0]]++
				checkFlags(t, app, name, c.Args)
			}
		}
	}
	for _, kind := range []string{"ConfigMap", "Service", "NetworkPolicy", "StatefulSet", "Deployment", "Job"} {
		if kinds[kind] == 0 {
			t.Errorf("no %s: %v", kind, kinds)
		}
	}
	for _, c := range []string{"serve", "work", "submit"} {
		if commands[c] == 0 {
			t.Errorf("no %s: %v", c, commands)
		}
	}
}

// checkFlags has a command line taken apart as the program does, and its values read.
func checkFlags(t *testing.T, app *cli.App, name string, args []string) {
	t.Helper()
	command := app.Command(args[0])
	if command == nil {
		t.Errorf("%s: no command %s", name, args[0])
		return
	}
	read := false
	command.Action = func(c *cli.Context) error {
		read = true
		if args[0] == "submit" {
			if _, err := options(c); err != nil {
				return err
			}
			_, err := question(c)
			return err
		}
		_, err := size(c, "memory")
		return err
	}
	ordered, err := grammar.Order(app, append([]string{"seltl-cluster"}, args...))
	if err == nil {
		err = app.Run(ordered)
	}
	if err != nil || !read {
		t.Errorf("%s: %v: %v", name, args, err)
	}
}

// The image is built from files that are there, of the program that is run.
func TestDockerfile(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(deployFolder, "Dockerfile"))
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range strings.Split(string(text), "\n") {
		words := strings.Fields(line)
		if len(words) < 3 || words[0] != "COPY" || strings.HasPrefix(words[1], "--from") {
			continue
		}
		for _, source := range words[1 : len(words)-1] {
			if _, err := os.Stat(filepath.Join("../../..", source)); err != nil {
				t.Error(err)
			}
		}
	}
	if !strings.Contains(string(text), "./cmd/seltl-cluster") || !strings.Contains(string(text), "USER 65532") {
		t.Error("the Dockerfile builds something else, or runs it as root")
	}
}

// manifestFields are the names of fields in the manifests, those of pods' labels aside. All objects
// were read strictly as the types of k8s.io/api v0.37.2 say: a name that is not here
// has to be looked up there, since Kubernetes takes no notice of one that it does not know.
const manifestFields = `
	accessModes action allowPrivilegeEscalation apiVersion args automountServiceAccountToken backoffLimit
	backoffLimitPerIndex claimName clusterIP completionMode completions configMap containerPort containers data
	emptyDir env from fsGroup image imagePullPolicy ingress key kind labels limits matchLabels metadata mountPath
	name onPodConditions parallelism persistentVolumeClaim podFailurePolicy podManagementPolicy podSelector
	policyTypes port ports readOnly readOnlyRootFilesystem replicas requests resources restartPolicy rules
	runAsNonRoot runAsUser secretKeyRef securityContext selector serviceName spec template
	terminationGracePeriodSeconds type valueFrom volumeClaimTemplates volumeMounts volumes
`

// Fields of manifests are those of Kubernetes.
func TestManifestFields(t *testing.T) {
	known := map[string]bool{}
	for _, name := range strings.Fields(manifestFields) {
		known[name] = true
	}
	met := map[string]bool{}
	files, err := filepath.Glob("../../../deploy/*/*.yaml")
	if err != nil || len(files) < 5 {
		t.Fatal(files, err)
	}
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for decoder := yaml.NewDecoder(bytes.NewReader(text)); ; {
			var document yaml.Node
			if err := decoder.Decode(&document); errors.Is(err, io.EOF) {
				break
			} else if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			for _, field := range fieldsOf(&document, "") {
				if met[field.Value] = true; !known[field.Value] {
					t.Errorf("%s:%d: no field is called %s", name, field.Line, field.Value)
				}
			}
		}
	}
	for name := range known {
		if !met[name] {
			t.Errorf("no manifest has the field %s", name)
		}
	}
}

// fieldsOf returns the names of fields in what a field contains. Labels and quantities have names of
// their own.
func fieldsOf(n *yaml.Node, field string) (names []*yaml.Node) {
	switch {
	case n.Kind != yaml.MappingNode:
		for _, c := range n.Content {
			names = append(names, fieldsOf(c, field)...)
		}
	case slices.Contains([]string{"labels", "matchLabels", "data", "requests", "limits"}, field):
	default:
		for i := 0; i+1 < len(n.Content); i += 2 {
			key := n.Content[i]
			if field == "selector" && key.Value != "matchLabels" { // of a service: labels
				continue
			}
			names = append(append(names, key), fieldsOf(n.Content[i+1], key.Value)...)
		}
	}
	return names
}
