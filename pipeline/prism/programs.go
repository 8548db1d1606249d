package prism

import (
	"errors"
	"fmt"
	"runtime"
	"unsafe"

	"golang.org/x/sys/unix"
)

// architectures are the kernel's names of the machines that the filter knows
// the system calls of.
var architectures = map[string]uint32{"amd64": unix.AUDIT_ARCH_X86_64, "arm64": unix.AUDIT_ARCH_AARCH64}

// forbidPrograms makes the kernel refuse every further attempt of this process,
// of any thread, to start a program (seccomp). It cannot be undone. A job that
// somebody else submits to Prism may name a command; the job's own stages are
// functions of this process and need none.
func forbidPrograms() error {
	architecture, ok := architectures[runtime.GOARCH]
	if !ok {
		return fmt.Errorf("--runner=prism: on %s the program cannot keep other people's jobs from starting programs; leave --runner out",
			runtime.GOARCH)
	}
	if err := denyExec(architecture); err != nil {
		return fmt.Errorf("--runner=prism: this system does not let the program give up starting programs (%w), so other people's jobs could; "+
			"leave --runner out", err)
	}
	return nil
}

func denyExec(architecture uint32) error {
	const (
		load    = unix.BPF_LD | unix.BPF_W | unix.BPF_ABS
		equal   = unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K
		atLeast = unix.BPF_JMP | unix.BPF_JGE | unix.BPF_K
		ret     = unix.BPF_RET | unix.BPF_K

		number, arch = 0, 4       // offsets in struct seccomp_data
		x32          = 0x40000000 // the bit of another set of numbers on x86-64
	)
	filter := []unix.SockFilter{
		{Code: load, K: arch},
		{Code: equal, K: architecture, Jf: 4}, // 32-bit calls: refuse
		{Code: load, K: number},
		{Code: atLeast, K: x32, Jt: 2},
		{Code: equal, K: unix.SYS_EXECVE, Jt: 1},
		{Code: equal, K: unix.SYS_EXECVEAT, Jf: 1},
		{Code: ret, K: unix.SECCOMP_RET_ERRNO | uint32(unix.EPERM)},
		{Code: ret, K: unix.SECCOMP_RET_ALLOW},
	}
	return install(filter)
}

// install puts a filter before the system calls of all threads, for good.
func install(filter []unix.SockFilter) error {
	program := unix.SockFprog{Len: uint16(len(filter)), Filter: &filter[0]}
	// What the first call gives up is this thread's, until the second hands
	// both to all.
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return err
	}
	thread, _, errno := unix.Syscall(unix.SYS_SECCOMP, unix.SECCOMP_SET_MODE_FILTER, unix.SECCOMP_FILTER_FLAG_TSYNC,
		uintptr(unsafe.Pointer(&program)))
	if errno != 0 {
		return errno
	}
	if thread != 0 {
		return errors.New("one of its threads could not be included")
	}
	return nil
}
