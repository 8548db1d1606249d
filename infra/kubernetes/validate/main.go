// Command validate reads a file of rendered Kubernetes manifests. It decodes each strictly as what it claims to be, so that a misspelt or
// misplaced field is an error, and checks what every pod here must hold. A
// module of its own keeps Kubernetes' packages out of the program's.
//
//	kubectl kustomize infra/kubernetes/cpu >cpu.yaml && go run . cpu.yaml
package main

import (
	"bytes"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"

	apps "k8s.io/api/apps/v1"
	batch "k8s.io/api/batch/v1"
	core "k8s.io/api/core/v1"
	networking "k8s.io/api/networking/v1"
	"sigs.k8s.io/json"
	"sigs.k8s.io/yaml"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "validate: name one file of manifests")
		os.Exit(2)
	}
	raw, err := os.ReadFile(os.Args[1])
	if err == nil {
		var n int
		if n, err = validate(raw); err == nil {
			fmt.Printf("%d objects are valid\n", n)
			return
		}
	}
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}

// validate checks manifests separated by lines of three hyphens and returns
// how many there are.
func validate(raw []byte) (int, error) {
	var wrong []string
	n := 0
	denied := false
	for _, document := range bytes.Split(raw, []byte("\n---\n")) {
		if len(bytes.TrimSpace(document)) == 0 {
			continue
		}
		n++
		var head struct {
			Kind     string `json:"kind"`
			Metadata struct {
				Name string `json:"name"`
			} `json:"metadata"`
		}
		if err := yaml.Unmarshal(document, &head); err != nil {
			return n, err
		}
		name := head.Kind + " " + head.Metadata.Name
		say := func(format string, args ...any) { wrong = append(wrong, name+": "+fmt.Sprintf(format, args...)) }
		decode := func(into any) {
			asJSON, err := yaml.YAMLToJSONStrict(document)
			if err != nil {
				say("%v", err)
				return
			}
			strict, err := json.UnmarshalStrict(asJSON, into)
			for _, err := range append(strict, err) {
				if err != nil {
					say("%v", err)
				}
			}
		}
		switch head.Kind {
		case "Namespace":
			decode(&core.Namespace{})
		case "ServiceAccount":
			decode(&core.ServiceAccount{})
		case "ConfigMap":
			decode(&core.ConfigMap{})
		case "Service":
			decode(&core.Service{})
		case "NetworkPolicy":
			var p networking.NetworkPolicy
			decode(&p)
			all := len(p.Spec.PodSelector.MatchLabels)+len(p.Spec.PodSelector.MatchExpressions) == 0
			denied = denied || all && len(p.Spec.PolicyTypes) == 2 && len(p.Spec.Ingress)+len(p.Spec.Egress) == 0
		case "Deployment":
			var d apps.Deployment
			decode(&d)
			for k, v := range d.Spec.Selector.MatchLabels {
				if d.Spec.Template.Labels[k] != v {
					say("its selector's %s is not a label of its pods", k)
				}
			}
			checkPod(d.Spec.Template.Spec, say)
		case "Job":
			var j batch.Job
			decode(&j)
			checkPod(j.Spec.Template.Spec, say)
			denied = true // applied into a namespace that has the policy
		case "Secret":
			say("a secret does not belong into these files")
		default:
			say("this is not expected here")
		}
	}
	if !denied {
		wrong = append(wrong, "no network policy denies all")
	}
	if n == 0 {
		wrong = append(wrong, "there are no objects")
	}
	if len(wrong) > 0 {
		return n, fmt.Errorf("%s", strings.Join(wrong, "\n"))
	}
	return n, nil
}

var reference = regexp.MustCompile(`\$\((\w+)\)`)

// checkPod checks what every pod must hold.
func checkPod(p core.PodSpec, say func(string, ...any)) {
	is := func(b *bool, want bool) bool { return b != nil && *b == want }
	if !is(p.AutomountServiceAccountToken, false) {
		say("its pods get a token of Kubernetes")
	}
	s := p.SecurityContext
	if s == nil || !is(s.RunAsNonRoot, true) || s.SeccompProfile == nil || s.SeccompProfile.Type != core.SeccompProfileTypeRuntimeDefault {
		say("its pods may run as root or without seccomp")
	}
	if p.HostNetwork || p.HostPID || p.HostIPC {
		say("its pods share namespaces with their host")
	}
	secrets := map[string]bool{}
	volumes := map[string]bool{}
	for _, v := range p.Volumes {
		volumes[v.Name] = true
		if v.HostPath != nil {
			say("volume %s is of the host", v.Name)
		}
		if v.Secret != nil {
			secrets[v.Name] = true
		}
	}
	for _, c := range slices.Concat(p.InitContainers, p.Containers) {
		s := c.SecurityContext
		switch {
		case s == nil:
			say("container %s has no security context", c.Name)
		case !is(s.AllowPrivilegeEscalation, false), !is(s.ReadOnlyRootFilesystem, true),
			s.Capabilities == nil || !slices.Equal(s.Capabilities.Drop, []core.Capability{"ALL"}) || len(s.Capabilities.Add) > 0:
			say("container %s may escalate, write its image or keep capabilities", c.Name)
		}
		if c.Resources.Limits.Memory().IsZero() || c.Resources.Requests.Cpu().IsZero() {
			say("container %s has no limit of memory or asks for no CPU", c.Name)
		}
		if i := strings.LastIndexByte(c.Image, ':'); i < 0 || strings.HasSuffix(c.Image, ":latest") {
			say("container %s has no exact image", c.Name)
		}
		for _, m := range c.VolumeMounts {
			if !volumes[m.Name] {
				say("container %s mounts %s, which is no volume", c.Name, m.Name)
			}
			if secrets[m.Name] && (!m.ReadOnly || !strings.Contains(c.Image, "palimpsest")) {
				say("container %s mounts the key and is not ours, or may write it", c.Name)
			}
		}
		for _, e := range c.Env {
			if e.ValueFrom != nil && e.ValueFrom.SecretKeyRef != nil {
				say("container %s has a secret in its environment, where every child process sees it", c.Name)
			}
		}
		for _, a := range slices.Concat(c.Command, c.Args) {
			for _, ref := range reference.FindAllStringSubmatch(a, -1) {
				if !slices.ContainsFunc(c.Env, func(e core.EnvVar) bool { return e.Name == ref[1] }) {
					say("container %s names $(%s) in its arguments and has no such variable", c.Name, ref[1])
				}
			}
			if strings.HasPrefix(a, "--job-host=") && a != "--job-host=$(POD_IP)" {
				say("container %s tells launchers of an address that is not its pod's: %s", c.Name, a)
			}
			if strings.HasPrefix(a, "--worker_pool_address=") && !strings.HasPrefix(a, "--worker_pool_address=127.0.0.1:") {
				say("container %s lets other pods start workers", c.Name)
			}
		}
	}
}
