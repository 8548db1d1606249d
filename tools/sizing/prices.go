package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"

	"go.yaml.in/yaml/v3"
)

// prices are what machines cost, as a user gives them. Money is in one
// currency; hours are of the clock.
type prices struct {
	Currency string   `yaml:"currency"`
	Engines  []engine `yaml:"engines"`
	Storage  struct {
		RequestsPerShard float64 `yaml:"requests_per_shard"`
		PricePer1000     float64 `yaml:"price_per_1000_requests"`
	} `yaml:"storage"`
}

// engine is one way to run the job.
type engine struct {
	Name      string  `yaml:"name"`
	Runner    string  `yaml:"runner"`     // prism, flink or dataflow
	Workers   int     `yaml:"workers"`    // machines
	Cores     int     `yaml:"cores"`      // of one machine
	MemoryGiB float64 `yaml:"memory_gib"` // of one machine
	DiskGB    float64 `yaml:"disk_gb"`    // of one machine
	GPUs      int     `yaml:"gpus"`       // of one machine
	WorkerMiB float64 `yaml:"worker_mib"` // peak memory of a worker process, without what is shuffled

	// Bytes of memory per shuffled byte, where the runner keeps these in the
	// worker's process, as Prism does; 0 elsewhere.
	ShuffleInMemory float64 `yaml:"shuffle_in_memory"`

	PerMachineHour float64 `yaml:"price_per_machine_hour"`
	PerCoreHour    float64 `yaml:"price_per_core_hour"`
	PerGiBHour     float64 `yaml:"price_per_gib_hour"`
	PerDiskGBHour  float64 `yaml:"price_per_disk_gb_hour"`
	PerGPUHour     float64 `yaml:"price_per_gpu_hour"`
	PerHour        float64 `yaml:"price_per_hour"` // however many machines
	PerShuffledGB  float64 `yaml:"price_per_shuffled_gb"`
	SetupMinutes   float64 `yaml:"setup_minutes"`
	SpeedOfACore   float64 `yaml:"speed_of_a_core"` // 1 for the measured one; 0 counts as 1
}

func readPrices(name string) (*prices, error) {
	raw, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	p, err := parsePrices(raw)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return p, nil
}

// parsePrices refuses names that it does not know, as a price that is misspelt
// would be a price of nothing.
func parsePrices(raw []byte) (*prices, error) {
	p := &prices{}
	d := yaml.NewDecoder(bytes.NewReader(raw))
	d.KnownFields(true)
	if err := d.Decode(p); err != nil {
		return nil, err
	}
	if len(p.Engines) == 0 {
		return nil, errors.New("there are no engines in it")
	}
	for i := range p.Engines {
		e := &p.Engines[i]
		if e.SpeedOfACore == 0 {
			e.SpeedOfACore = 1
		}
		switch {
		case e.Name == "":
			return nil, fmt.Errorf("engine %d has no name", i+1)
		case e.Runner != "prism" && e.Runner != "flink" && e.Runner != "dataflow":
			return nil, fmt.Errorf("engine %q: runner is %q, want prism, flink or dataflow", e.Name, e.Runner)
		case e.Workers < 1 || e.Cores < 1:
			return nil, fmt.Errorf("engine %q: give workers and cores, each at least 1", e.Name)
		case e.Runner == "prism" && e.Workers != 1:
			return nil, fmt.Errorf("engine %q: prism runs on one machine, so workers is 1", e.Name)
		}
		for _, v := range []float64{e.MemoryGiB, e.DiskGB, float64(e.GPUs), e.WorkerMiB, e.ShuffleInMemory, e.PerMachineHour, e.PerCoreHour,
			e.PerGiBHour,
			e.PerDiskGBHour, e.PerGPUHour, e.PerHour, e.PerShuffledGB, e.SetupMinutes, e.SpeedOfACore} {
			if v < 0 {
				return nil, fmt.Errorf("engine %q: a number is below 0", e.Name)
			}
		}
	}
	return p, nil
}
