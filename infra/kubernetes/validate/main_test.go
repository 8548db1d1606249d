package main

import (
	"strings"
	"testing"
)

const good = `apiVersion: batch/v1
kind: Job
metadata:
  name: good
spec:
  template:
    spec:
      automountServiceAccountToken: false
      securityContext:
        runAsNonRoot: true
        seccompProfile: {type: RuntimeDefault}
      containers:
        - name: one
          image: registry.example/palimpsest:1
          args: [--worker_pool_address=127.0.0.1:50000]
          resources: {requests: {cpu: "1"}, limits: {memory: 1Gi}}
          securityContext:
            allowPrivilegeEscalation: false
            readOnlyRootFilesystem: true
            capabilities: {drop: [ALL]}
          volumeMounts:
            - {name: key, mountPath: /key, readOnly: true}
      volumes:
        - name: key
          secret: {secretName: key}
`

func TestValidate(t *testing.T) {
	if n, err := validate([]byte(good)); err != nil || n != 1 {
		t.Fatalf("%d objects, %v", n, err)
	}
	for _, c := range []struct{ old, new, want string }{
		{"runAsNonRoot: true", "runAsNonRoot: false", "root"},
		{"runAsNonRoot", "runAsNonroot", "runAsNonroot"},
		{"automountServiceAccountToken: false", "automountServiceAccountToken: true", "token"},
		{"readOnlyRootFilesystem: true", "readOnlyRootFilesystem: false", "may escalate"},
		{"drop: [ALL]", "drop: []", "keep capabilities"},
		{"limits: {memory: 1Gi}", "limits: {}", "no limit"},
		{"palimpsest:1", "palimpsest", "no exact image"},
		{"registry.example/palimpsest:1", "flink:1", "mounts the key"},
		{"readOnly: true}", "readOnly: false}", "mounts the key"},
		{"name: key, mountPath", "name: keys, mountPath", "is no volume"},
		{"127.0.0.1:50000", "0.0.0.0:50000", "lets other pods"},
		{"--worker_pool_address=127.0.0.1:50000", "--job-host=0.0.0.0", "not its pod's"},
		{"--worker_pool_address=127.0.0.1:50000", "--job-host=$(POD_IP)", "no such variable"},
		{"kind: Job", "kind: Secret", "does not belong"},
		{"kind: Job", "kind: Namespace", "unknown field"},
	} {
		if _, err := validate([]byte(strings.Replace(good, c.old, c.new, 1))); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.new, err, c.want)
		}
	}
	if _, err := validate(nil); err == nil {
		t.Error("nothing is valid")
	}
}
