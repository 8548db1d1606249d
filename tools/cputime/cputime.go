// Package cputime tells the processor time of this process, for the commands that
// measure: it hardly depends on what else the machine does.
package cputime

import (
	"syscall"
	"time"
)

// Used returns the processor time that all threads of the process have had, 0 where
// the system does not tell it.
func Used() time.Duration {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
