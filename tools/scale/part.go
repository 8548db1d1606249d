package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"

	"github.com/palimpsest-deid/palimpsest/schemas/table"
	"github.com/palimpsest-deid/palimpsest/tools/bench/figures"
	"github.com/palimpsest-deid/palimpsest/transforms"
)

// partDone is what one job over one or more parts took.
type partDone struct {
	Part, Upto, Parts int // parts Part to Upto-1 of Parts
	Model, Program    string
	made
	point
	Kernel figures.Part // the network alone, before and after the job, over notes of the first part
}

func (d partDone) String() string {
	return fmt.Sprintf("part %d to %d of %d: %d notes, %.1f CPU s, %.1f s, %.0f MiB, %.0f %% of windows reused, "+
		"%.2f of the bare network's speed", d.Part, d.Upto-1, d.Parts, d.made.Notes, d.CPU, d.Wall, d.PeakMiB,
		100*float64(d.Reused)/float64(max(d.Windows, 1)), d.ratio())
}

// ratio is the job's tokens per CPU second over those of the network alone.
func (d partDone) ratio() float64 {
	return float64(d.point.Tokens) / d.CPU * d.Kernel.CPUSeconds / float64(max(d.Kernel.Tokens, 1))
}

// programs copies the job's program into dir and builds the one that measures the
// network alone.
func (o release) programs(ctx context.Context, dir string) (runner, string, error) {
	r := o.runner
	raw, err := os.ReadFile(o.binary)
	if err != nil {
		return r, "", err
	}
	// ONNX Runtime and models are looked for beside the program, and then in the checkout.
	if r.binary, err = filepath.Abs(filepath.Join(dir, "palimpsest")); err != nil {
		return r, "", err
	}
	if err := os.WriteFile(r.binary, raw, 0o755); err != nil {
		return r, "", err
	}
	bench := filepath.Join(dir, "bench")
	out, err := exec.CommandContext(ctx, "go", "build", "-o", bench, "./tools/bench").CombinedOutput()
	if err != nil {
		return r, "", fmt.Errorf("building tools/bench: %w\n%s", err, out)
	}
	return r, bench, nil
}

// job makes the parts from first to upto-1, runs one job over them, checks what it
// released, and removes all of it.
func (o release) job(ctx context.Context, dir string, first, upto int) (partDone, error) {
	defer os.RemoveAll(dir)
	d := partDone{Part: first, Upto: upto, Parts: o.parts, Model: filepath.Base(o.model)}
	in := filepath.Join(dir, "in")
	if err := os.MkdirAll(in, 0o755); err != nil {
		return d, err
	}
	file := func(part int) string { return filepath.Join(in, fmt.Sprintf("notes-%04d.parquet", part)) }
	for part := first; part < upto; part++ {
		m, err := writePart(ctx, o.source, file(part), o.kinds, part, o.parts)
		if err != nil {
			return d, err
		}
		d.Patients, d.made.Notes, d.Discharge = d.Patients+m.Patients, d.made.Notes+m.Notes, d.Discharge+m.Discharge
		d.made.Text, d.made.Tokens, d.Copied = d.made.Text+m.Text, d.made.Tokens+m.Tokens, d.Copied+m.Copied
	}
	if err := o.kernel(ctx, file(first), &d.Kernel); err != nil {
		return d, err
	}
	p, err := o.runner.run(ctx, dir, nil)
	if err != nil {
		return d, err
	}
	if p.Outcome != "ok" {
		return d, fmt.Errorf("the job was ended: %s", p.Outcome)
	}
	d.point = p
	if p.Notes != d.made.Notes {
		return d, fmt.Errorf("the job read %d notes of %d", p.Notes, d.made.Notes)
	}
	if err := checkRelease(ctx, filepath.Join(dir, "out"), d.made.Notes-d.Quarantined); err != nil {
		return d, err
	}
	return d, o.kernel(ctx, file(first), &d.Kernel)
}

// kernel measures the network alone over notes of a file and adds that to f.
func (o release) kernel(ctx context.Context, file string, f *figures.Part) error {
	cmd := exec.CommandContext(ctx, o.bench, "--kernel", file, "--model", o.model, "--workers", strconv.Itoa(cores))
	var out, said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &said
	if err := cmd.Run(); err != nil {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		return fmt.Errorf("measuring the network: %w\n%s", err, said.String())
	}
	var now figures.Part
	if err := json.Unmarshal(out.Bytes(), &now); err != nil {
		return err
	}
	f.CPUSeconds, f.Tokens = f.CPUSeconds+now.CPUSeconds, f.Tokens+now.Tokens
	return nil
}

// checkRelease looks at what a job released: it says that it is complete, its files are
// those that its manifest names, to the byte, and hold so many rows.
func checkRelease(ctx context.Context, out string, want int64) error {
	if _, err := os.Stat(filepath.Join(out, "_SUCCESS")); err != nil {
		return err
	}
	m, err := transforms.ReadManifest(ctx, out)
	if err != nil {
		return err
	}
	var rows int64
	for _, p := range m.Outputs {
		name := filepath.Join(out, filepath.FromSlash(p.Name))
		sum, err := digest(name)
		if err != nil {
			return err
		}
		if sum != p.Digest {
			return fmt.Errorf("%s is not the file that the manifest names", name)
		}
		if err := table.WithFile(ctx, name, func(f *table.File) error {
			rows += f.Rows()
			return nil
		}); err != nil {
			return err
		}
	}
	if rows != want {
		return fmt.Errorf("%d rows were released of %d that are not in quarantine", rows, want)
	}
	return nil
}

// digest returns the SHA-256 of a file, in hexadecimal.
func digest(name string) (string, error) {
	f, err := os.Open(name)
	if err != nil {
		return "", err
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return "", err
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}
