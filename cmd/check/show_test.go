package check

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// terminal returns the two ends of a new terminal.
func terminal(t *testing.T) (ours, theirs *os.File) {
	t.Helper()
	ours, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
	if err != nil {
		t.Skip("no terminal can be made here: ", err)
	}
	t.Cleanup(func() { ours.Close() })
	if err := unix.IoctlSetPointerInt(int(ours.Fd()), unix.TIOCSPTLCK, 0); err != nil {
		t.Skip("no terminal can be made here: ", err)
	}
	n, err := unix.IoctlGetInt(int(ours.Fd()), unix.TIOCGPTN)
	if err != nil {
		t.Fatal(err)
	}
	theirs, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", n), os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Skip("no terminal can be made here: ", err)
	}
	t.Cleanup(func() { theirs.Close() })
	return ours, theirs
}

// On a terminal, notes are shown before and after.
func TestShowOnATerminal(t *testing.T) {
	ours, theirs := terminal(t)
	said := make(chan string)
	go func() {
		var b bytes.Buffer
		_, _ = io.Copy(&b, ours) // ends with an error once the other end is closed
		said <- b.String()
	}()
	dir := t.TempDir()
	in := write(t, dir+"/a.parquet", []row{{"n1", "p1", "Seen by Dr. Zebulon Quackenbush today."}})
	var errs bytes.Buffer
	status := Main(context.Background(), []string{"--key=env:" + keyVariable, "--output=" + dir + "/out", "--private_beside_output",
		"--private=" + dir + "/held", "--input=" + in, "--show"}, nil, theirs, &errs)
	theirs.Close()
	printed := <-said
	if status != 0 || !strings.Contains(printed, "=== note n1") || !strings.Contains(printed, "- Seen by Dr. Zebulon Quackenbush today.") ||
		strings.Contains(printed, "+ Seen by Dr. Zebulon Quackenbush") || !strings.Contains(printed, "+ Seen by Dr. ") {
		t.Errorf("status %d: %s%s", status, printed, errs.String())
	}
}
