// Package fault says what an error means to whoever started the program: each
// kind of failure has an exit status of its own, as in sysexits.h, so that a
// scheduler knows whether to try again.
package fault

import (
	"context"
	"errors"
	"io/fs"
	"net"
	"syscall"

	"google.golang.org/api/googleapi"

	"github.com/palimpsest-deid/palimpsest/storage"
)

// Status is an exit status of the program.
type Status int

// The statuses of every command. Help lists them.
const (
	Done        Status = 0
	Failed      Status = 1   // it may be tried again
	Settings    Status = 64  // flags, files of settings, or what they name
	Refused     Status = 65  // the data cannot be used as it is
	Defect      Status = 70  // of the program
	Locked      Status = 75  // another job is at work on the same output
	Interrupted Status = 130 // stopped by SIGINT
	Terminated  Status = 143 // stopped by SIGTERM
)

// Help explains the statuses in two lines.
const Help = `Exit status: 0 done; 1 failed, try again; 64 wrong settings; 65 the data was refused;
70 a defect of the program; 75 locked by another job; 130, 143 stopped by a signal.
`

// marked is an error with its status.
type marked struct {
	error
	status Status
}

func (m *marked) Unwrap() error { return m.error }

// Mark says what an error means. Nil stays nil. An error that is marked already
// keeps its first status, as whoever was nearest knows best; one that may pass by
// itself, such as a network's or a full disk's, stays unmarked.
func Mark(status Status, err error) error {
	if err == nil || errors.As(err, new(*marked)) || passing(err) {
		return err
	}
	return &marked{err, status}
}

// Of returns the exit status that an error asks for. One that nobody has marked
// has failed, unless it is of a file that is not there or may not be used.
func Of(err error) Status {
	var m *marked
	switch {
	case err == nil:
		return Done
	case errors.As(err, &m):
		return m.status
	case lasting(err):
		return Settings
	}
	return Failed
}

// lasting tells whether a file is missing, forbidden or of a kind that is not
// supported: trying again does not help.
func lasting(err error) bool {
	return errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrPermission) || errors.Is(err, fs.ErrInvalid)
}

// passing tells whether an error may be gone when the same is tried again.
func passing(err error) bool {
	if lasting(err) {
		return false
	}
	var api *googleapi.Error
	if errors.As(err, &api) {
		return api.Code == 429 || api.Code >= 500
	}
	return errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) ||
		errors.As(err, new(*storage.Error)) || errors.As(err, new(*fs.PathError)) ||
		errors.As(err, new(net.Error)) || errors.As(err, new(syscall.Errno))
}
