package main

import (
	"errors"
	"fmt"
	"math"

	"github.com/palimpsest-deid/palimpsest/tools/bench/figures"
)

// corpus is what is to be scrubbed, and how.
type corpus struct {
	Notes     float64
	NoteBytes float64 // mean bytes of text per note
	ShardMB   float64 // --shard_mb of the job
	GPURate   float64 // notes per second and GPU, of notes as they were measured; 0 where not measured
	Hours     float64 // to be done within; 0 to take the engines' own number of workers
}

// speed is what was measured, per note as it was measured.
type speed struct {
	noteBytes   float64 // of text
	fileBytes   float64 // of Parquet, per byte of text
	cpu         float64 // CPU seconds per note, everything
	cpuUnneural float64 // of these, without the network; what a GPU leaves to the cores
	shuffled    float64 // bytes per note
	written     float64 // bytes per note
}

// speedOf reads the figures of a run of tools/bench.
func speedOf(f *figures.Figures) (speed, error) {
	notes := float64(f.Job.Notes)
	s := speed{
		noteBytes: float64(f.TextBytes) / float64(f.Notes),
		fileBytes: float64(f.FileBytes) / float64(f.TextBytes),
		cpu:       f.Job.CPUSeconds / notes,
		shuffled:  float64(f.Job.ShuffledBytes) / notes,
		written:   float64(f.Job.WrittenBytes) / notes,
	}
	kernel, ok := f.Part(figures.Kernel)
	if !ok || kernel.Tokens <= 0 || kernel.CPUSeconds <= 0 {
		return s, errors.New("the measured figures lack the network alone")
	}
	network := kernel.CPUSeconds / float64(kernel.Tokens) * float64(f.Job.Tokens) / notes
	s.cpuUnneural = max(0, s.cpu-network)
	return s, nil
}

// estimate is what one engine takes for a corpus.
type estimate struct {
	Engine    engine
	Workers   int
	Shards    int
	Advice    float64 // --shard_mb that keeps the workers busy; 0 where the given one does
	CoreHours float64 // of work, on the engine's cores
	Hours     float64 // from start to end, setting up included
	PeakGiB   float64 // of a worker, or of Prism's one process
	Shuffled  float64 // GB
	Machines  float64 // money for machines, by the hour
	Other     float64 // money for shuffled bytes and requests
	Why       string  // why there is no estimate; "" where there is one
}

func (e estimate) cost() float64 { return e.Machines + e.Other }

// shardsPerWorker is how many shards each worker should have, so that none
// waits long for the last one to end.
const shardsPerWorker = 4

// reckon returns what an engine takes for a corpus.
func reckon(c corpus, s speed, p *prices, e engine) estimate {
	out := estimate{Engine: e, Workers: e.Workers}
	scale := c.NoteBytes / s.noteBytes // longer notes take longer
	work := c.Notes * scale            // in notes as they were measured
	perWorker := float64(e.Cores) * e.SpeedOfACore / s.cpu
	if e.GPUs > 0 {
		if c.GPURate <= 0 {
			out.Why = "a GPU was not measured: give --gpu_notes_per_second"
			return out
		}
		// The cores read, write and run the rules; the slower of both counts.
		perWorker = c.GPURate * float64(e.GPUs)
		if s.cpuUnneural > 0 {
			perWorker = min(perWorker, float64(e.Cores)*e.SpeedOfACore/s.cpuUnneural)
		}
	}
	setup := e.SetupMinutes / 60
	if c.Hours > 0 && e.Runner != "prism" {
		left := c.Hours - setup
		if left <= 0 {
			out.Why = fmt.Sprintf("setting up alone takes %.0f minutes", e.SetupMinutes)
			return out
		}
		out.Workers = max(1, int(math.Ceil(work/perWorker/3600/left-1e-9)))
	}
	files := c.Notes * c.NoteBytes * s.fileBytes / 1e6 // MB
	out.Shards = max(1, int(math.Ceil(files/c.ShardMB-1e-9)))
	// A worker without a shard stands still, and all wait for the last shard.
	if need := shardsPerWorker * out.Workers; e.Runner != "prism" && out.Shards < need {
		out.Advice = max(1, math.Floor(files/float64(need)))
		out.Shards = max(1, int(math.Ceil(files/out.Advice-1e-9)))
	}
	busy := min(out.Workers, out.Shards)
	out.Hours = work/(perWorker*float64(busy))/3600 + setup
	out.CoreHours = work / perWorker * float64(e.Cores) / 3600
	out.Shuffled = work * s.shuffled / 1e9
	out.PeakGiB = e.WorkerMiB/1024 + e.ShuffleInMemory*work*s.shuffled/(1<<30)
	machine := e.PerMachineHour + float64(e.Cores)*e.PerCoreHour + e.MemoryGiB*e.PerGiBHour + e.DiskGB*e.PerDiskGBHour +
		float64(e.GPUs)*e.PerGPUHour
	out.Machines = out.Hours * (float64(out.Workers)*machine + e.PerHour)
	out.Other = out.Shuffled*e.PerShuffledGB + float64(out.Shards)*p.Storage.RequestsPerShard/1000*p.Storage.PricePer1000
	if e.MemoryGiB > 0 && out.PeakGiB > e.MemoryGiB {
		out.Why = fmt.Sprintf("it takes %.0f GiB of memory and the machine has %.0f", out.PeakGiB, e.MemoryGiB)
	}
	return out
}
