package main

import (
	"bytes"
	"fmt"
	"io/fs"
	"maps"
	"net/http"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/fsouza/fake-gcs-server/fakestorage"
	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/credentials"
	"github.com/parquet-go/parquet-go"

	"github.com/palimpsest-deid/palimpsest/storage/emulate"
	"github.com/palimpsest-deid/palimpsest/transforms"
)

// warehouse is a place for all that nights read and write, on disk or in a store.
type warehouse struct {
	*testing.T
	root    string // as the program is told
	environ []string
	server  *emulate.Server // nil for a disk
	put     func(name string, raw []byte)
	files   func() map[string][]byte // by name, as seen from root

	mu   sync.Mutex
	stop func(written string) (refused bool) // is told of a file that is about to be written, by its name
}

func onDisk(t *testing.T) *warehouse {
	t.Helper()
	return diskBelow(t, t.TempDir())
}

func diskBelow(t *testing.T, dir string) *warehouse {
	return &warehouse{T: t, root: dir,
		put: func(name string, raw []byte) {
			file := filepath.Join(dir, name)
			if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(file, raw, 0o600); err != nil {
				t.Fatal(err)
			}
		},
		files: func() map[string][]byte {
			all := map[string][]byte{}
			err := fs.WalkDir(os.DirFS(dir), ".", func(name string, d fs.DirEntry, err error) error {
				if err != nil || d.IsDir() {
					return err
				}
				all[name], err = os.ReadFile(filepath.Join(dir, name))
				return err
			})
			if err != nil {
				t.Fatal(err)
			}
			return all
		}}
}

// inCloudStorage is an emulator of Google Cloud Storage.
func inCloudStorage(t *testing.T) *warehouse {
	t.Helper()
	server, err := emulate.GCS("warehouse")
	if err != nil {
		t.Fatal(err)
	}
	w := &warehouse{T: t, root: "gs://warehouse/site", environ: []string{"STORAGE_EMULATOR_HOST=" + server.Address}, server: server}
	w.put = func(name string, raw []byte) {
		server.GCS.CreateObject(fakestorage.Object{
			ObjectAttrs: fakestorage.ObjectAttrs{BucketName: "warehouse", Name: "site/" + name}, Content: raw})
	}
	w.files = func() map[string][]byte {
		listed, err := server.GCS.ListObjectsWithOptionsPaginated("warehouse", fakestorage.ListOptions{Prefix: "site/"})
		if err != nil {
			t.Fatal(err)
		}
		all := map[string][]byte{}
		for _, o := range listed.Objects {
			whole, err := server.GCS.GetObject("warehouse", o.Name)
			if err != nil {
				t.Fatal(err)
			}
			all[strings.TrimPrefix(o.Name, "site/")] = whole.Content
		}
		return all
	}
	w.watch()
	return w
}

// inS3 is a real server that speaks S3 and keeps objects as files.
func inS3(t *testing.T) *warehouse {
	t.Helper()
	program, err := filepath.Abs("../../.cache/versitygw/versitygw")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(program); err != nil {
		t.Skip("SKIPPED: there is no S3 server; make s3-server builds one")
	}
	dir := t.TempDir()
	server, err := emulate.S3(program, dir, "warehouse")
	if err != nil {
		t.Fatal(err)
	}
	client, err := minio.New(server.Address, &minio.Options{Creds: credentials.NewStaticV4(emulate.AccessKey, emulate.SecretKey, "")})
	if err != nil {
		t.Fatal(err)
	}
	w := diskBelow(t, filepath.Join(dir, "warehouse", "site"))
	w.put = func(name string, raw []byte) {
		_, err := client.PutObject(t.Context(), "warehouse", "site/"+name, bytes.NewReader(raw), int64(len(raw)), minio.PutObjectOptions{})
		if err != nil {
			t.Fatal(err)
		}
	}
	w.root, w.server = "s3://warehouse/site", server
	w.environ = []string{"AWS_ENDPOINT_URL_S3=http://" + server.Address, "AWS_REGION=us-east-1",
		"AWS_ACCESS_KEY_ID=" + emulate.AccessKey, "AWS_SECRET_ACCESS_KEY=" + emulate.SecretKey}
	w.watch()
	return w
}

// watch looks at every request that writes: what stands for a lock, a head or a
// release is made on the condition that it is not there.
func (w *warehouse) watch() {
	w.Cleanup(w.server.Close)
	w.server.Misbehave(func(answer http.ResponseWriter, r *http.Request) bool {
		if r.Method != http.MethodPost && r.Method != http.MethodPut {
			return false
		}
		name, conditional := r.URL.Path, r.Header.Get("If-None-Match") == "*" || r.URL.Query().Get("ifGenerationMatch") == "0"
		if _, to, copies := strings.Cut(name, "/rewriteTo/"); copies {
			name = to
		} else if named := r.URL.Query().Get("name"); named != "" {
			name = named
		}
		_, name, _ = strings.Cut(name, "site/")
		if !conditional && final(name) {
			w.Errorf("%s is written whether it is there or not, by %s %s", name, r.Method, r.URL.Path)
		}
		w.mu.Lock()
		stop := w.stop
		w.mu.Unlock()
		if stop == nil || !stop(name) {
			return false
		}
		answer.WriteHeader(http.StatusServiceUnavailable)
		return true
	})
}

// final tells whether a file must never be replaced.
func final(name string) bool {
	base := path.Base(name)
	return strings.HasPrefix(base, "_lock-") || strings.HasPrefix(base, "head-") || strings.HasPrefix(base, "pending-") ||
		strings.HasPrefix(name, "out/") && !strings.Contains(name, "/_temporary/")
}

// when calls do once, before the first file is written whose name begins so; refused
// says whether that is not to be.
func (w *warehouse) when(prefix string, refused bool, do func()) {
	var once sync.Once
	w.mu.Lock()
	defer w.mu.Unlock()
	w.stop = func(written string) (now bool) {
		if strings.HasPrefix(written, prefix) {
			once.Do(func() {
				do()
				now = refused
			})
		}
		return now
	}
}

// calm ends when.
func (w *warehouse) calm() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.stop = nil
}

// start starts a night.
func (w *warehouse) start(name string, more ...string) (*exec.Cmd, *bytes.Buffer) {
	w.Helper()
	self, err := os.Executable()
	if err != nil {
		w.Fatal(err)
	}
	cmd := exec.CommandContext(w.Context(), self, append([]string{"--input=" + w.root + "/in/" + name + ".parquet",
		"--output=" + w.root + "/out", "--private=" + w.root + "/held",
		"--state=" + w.root + "/state", "--state_key=env:PALIMPSEST_STATE_KEY", "--night=" + name, "--accept_dated_batches",
		"--key=env:PALIMPSEST_TEST_KEY", "--model=../../onnx/models/en-clinical-fast", "--date_columns=note_date",
		"--id_columns=encounter_id", "--keep_columns=note_type,risk_score", "--execution_provider=cpu"}, more...)...)
	cmd.Env = append(append(append(os.Environ(), runMain+"=1"), nightKeys...), w.environ...)
	said := &bytes.Buffer{}
	cmd.Stdout, cmd.Stderr = said, said
	if err := cmd.Start(); err != nil {
		w.Fatal(err)
	}
	return cmd, said
}

// input writes what a night reads.
func (w *warehouse) input(name string, rows []nightNote) {
	w.Helper()
	var raw bytes.Buffer
	if err := parquet.Write(&raw, rows); err != nil {
		w.Fatal(err)
	}
	w.put("in/"+name+".parquet", raw.Bytes())
}

// night runs a night to its end.
func (w *warehouse) night(name string, rows []nightNote, more ...string) {
	w.Helper()
	w.input(name, rows)
	w.ends(name, 0, more...)
}

func (w *warehouse) ends(name string, code int, more ...string) string {
	w.Helper()
	cmd, said := w.start(name, more...)
	if _ = cmd.Wait(); cmd.ProcessState.ExitCode() != code {
		w.Fatalf("%s: exit status %d, want %d:\n%s", name, cmd.ProcessState.ExitCode(), code, said)
	}
	return said.String()
}

// killed runs a night that is killed before the first file is written whose name
// begins so.
func (w *warehouse) killed(at, name string, rows []nightNote, more ...string) {
	w.Helper()
	w.input(name, rows)
	there, ended := make(chan struct{}), make(chan struct{})
	w.when(at, true, func() {
		close(there)
		<-ended
	})
	cmd, said := w.start(name, more...)
	go func() {
		_ = cmd.Wait()
		close(ended)
	}()
	select {
	case <-there:
		_ = cmd.Process.Kill()
	case <-ended:
	}
	<-ended
	w.calm()
	if cmd.ProcessState.ExitCode() != -1 {
		w.Fatalf("%s: not killed at %s, exit status %d:\n%s", name, at, cmd.ProcessState.ExitCode(), said)
	}
}

// inTheWay runs a night, and meanwhile something else, for which it is held up just
// before its _SUCCESS.
func (w *warehouse) inTheWay(name string, rows []nightNote, more []string, meanwhile func()) {
	w.Helper()
	w.input(name, rows)
	there, goOn, ended := make(chan struct{}), make(chan struct{}), make(chan struct{})
	w.when("out/"+name+"/_SUCCESS", false, func() {
		close(there)
		<-goOn
	})
	cmd, said := w.start(name, more...)
	go func() {
		_ = cmd.Wait()
		close(ended)
	}()
	select {
	case <-there:
		meanwhile()
	case <-ended:
	}
	close(goOn)
	<-ended
	w.calm()
	if cmd.ProcessState.ExitCode() != 0 {
		w.Fatalf("%s: exit status %d:\n%s", name, cmd.ProcessState.ExitCode(), said)
	}
}

// released returns what outsiders and the private part get of nights: all but what
// names places or times, and the digest of a state that names places.
func (w *warehouse) released() map[string]string {
	all := map[string]string{}
	for name, raw := range w.files() {
		placed := slices.Contains([]string{transforms.InputsFile, "run.json", transforms.ManifestFile, transforms.ReportPage}, path.Base(name))
		if (strings.HasPrefix(name, "out/") || strings.HasPrefix(name, "held/")) && !placed {
			all[name] = string(raw)
		}
	}
	return all
}

// heads returns the state's heads and those that are pending.
func (w *warehouse) heads() (names []string) {
	for name := range w.files() {
		if below, ok := strings.CutPrefix(name, "state/"); ok && strings.HasSuffix(below, ".json") && !strings.Contains(below, "/") {
			names = append(names, below)
		}
	}
	slices.Sort(names)
	return names
}

// Nights whose state, input and output are in a store of objects release what they
// release on disk, to the byte, and come to one run's release: though one is killed
// amid publishing and again before its _SUCCESS, one between that and the state's new
// head, and two end at once.
func TestNightsInStores(t *testing.T) {
	rows, err := parquet.ReadFile[nightNote]("../../examples/notes.parquet")
	if err != nil {
		t.Fatal(err)
	}
	rows = rows[:60]
	again := slices.Clone(rows[:45])
	again[3].Text += "\n\nAddendum: also seen by Dr. Ottoline Farnsworth, who spoke with his sister Philippa."
	rows = append(slices.Clone(again), rows[45:]...)
	patient := rows[10].Patient
	census := "--identifiers=../../examples/identifiers.parquet"
	withdrawn := filepath.Join(t.TempDir(), "withdrawn.parquet")
	if err := parquet.WriteFile(withdrawn, []gone{{Document: fmt.Sprint(rows[5].ID)}, {Patient: patient}}); err != nil {
		t.Fatal(err)
	}
	original, err := parquet.ReadFile[nightNote]("../../examples/notes.parquet")
	if err != nil {
		t.Fatal(err)
	}
	list := "--withdrawn=" + withdrawn

	disk := onDisk(t)
	disk.night("n1", original[:30])
	disk.night("n2", again)
	disk.night("n3", rows[:50], census, list)
	disk.night("n4", rows[50:55], census)
	disk.night("n5", rows, census, "--reissue")
	want := disk.released()

	left := slices.DeleteFunc(slices.Clone(rows), func(r nightNote) bool { return r.ID == rows[5].ID || r.Patient == patient })
	backfill := onDisk(t)
	backfill.night("all", left, census) // the first night of a state of its own
	all := map[int64]nightNote{}
	backfill.apply("all", all)

	for _, place := range []struct {
		name string
		open func(*testing.T) *warehouse
	}{{"Cloud Storage", inCloudStorage}, {"S3", inS3}} {
		t.Run(place.name, func(t *testing.T) {
			w := place.open(t)
			w.night("n1", original[:30])
			w.killed("out/n2/notes/", "n2", again)
			w.killed("out/n2/_SUCCESS", "n2", again)
			if heads := w.heads(); !slices.Equal(heads, []string{"head-000001.json", "pending-000002-000001.json"}) {
				t.Errorf("killed before _SUCCESS, it leaves %v", heads)
			}
			w.ends("n2", 0)
			w.killed("state/head-000003", "n3", rows[:50], census, list)
			if heads := w.heads(); !slices.Contains(heads, "pending-000003-000001.json") || slices.Contains(heads, "head-000003.json") {
				t.Errorf("killed behind _SUCCESS, it leaves %v", heads)
			}
			if said := w.ends("n3", 64, census, list); !strings.Contains(said, "the night n3 is done already") {
				t.Errorf("run again, it says\n%s", said)
			}
			w.input("n5", rows)
			w.inTheWay("n4", rows[50:55], []string{census}, func() {
				if said := w.ends("n5", 75, census, "--reissue"); !strings.Contains(said, "the night n4 is about to be committed") {
					t.Errorf("the other night says\n%s", said)
				}
			})
			w.ends("n5", 0, census, "--reissue")
			if heads := w.heads(); !slices.Equal(heads, []string{"head-000004.json", "head-000005.json"}) {
				t.Errorf("the state has %v", heads)
			}
			got := w.released()
			for _, name := range slices.Sorted(maps.Keys(want)) {
				if got[name] != want[name] {
					t.Errorf("%s has %d bytes, on disk %d, or others", name, len(got[name]), len(want[name]))
				}
				delete(got, name)
			}
			for name := range got {
				t.Errorf("%s is left", name)
			}
			release := map[int64]nightNote{}
			for i := range 5 {
				w.apply(fmt.Sprint("n", i+1), release)
			}
			if d := differing(release, all); d != 0 || len(all) != len(left) {
				t.Errorf("%d of %d notes are not the backfill's", d, len(all))
			}
			t.Logf("%d files as on disk; %d notes after five nights, as of one run", len(want), len(release))
		})
	}
}

// apply applies a night to a release.
func (w *warehouse) apply(name string, release map[int64]nightNote) {
	w.Helper()
	tonight := map[int64]nightNote{}
	for file, raw := range w.files() {
		if strings.HasPrefix(file, "out/"+name+"/notes/") {
			rows, err := parquet.Read[nightNote](bytes.NewReader(raw), int64(len(raw)))
			if err != nil {
				w.Fatal(err)
			}
			for _, r := range rows {
				tonight[r.ID] = r
			}
		}
	}
	raw := w.files()["out/"+name+"/"+transforms.ChangesFile]
	changes, err := parquet.Read[struct {
		ID     int64  `parquet:"document_id"`
		Change string `parquet:"change"`
	}](bytes.NewReader(raw), int64(len(raw)))
	if err != nil {
		w.Fatal(err)
	}
	for _, c := range changes {
		if c.Change == "removed" {
			delete(release, c.ID)
		} else {
			release[c.ID] = tonight[c.ID]
		}
	}
}
