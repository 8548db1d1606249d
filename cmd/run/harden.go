package main

import (
	"fmt"

	"golang.org/x/sys/unix"
)

// harden keeps the process's memory, which holds the key and notes, to itself:
// no core dump is written, and no other process of the same user can trace it
// or read its memory and environment (root can).
func harden() error {
	if err := unix.Setrlimit(unix.RLIMIT_CORE, &unix.Rlimit{}); err != nil {
		return fmt.Errorf("core dumps cannot be turned off: %w", err)
	}
	if err := unix.Prctl(unix.PR_SET_DUMPABLE, 0, 0, 0, 0); err != nil {
		return fmt.Errorf("the process cannot be made undumpable: %w", err)
	}
	return nil
}
