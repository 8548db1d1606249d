package reidentify

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/user"
	"path/filepath"
	"strconv"
	"time"

	"golang.org/x/sys/unix"

	"github.com/palimpsest-deid/palimpsest/storage"
)

// entry is a line of the log, as JSON. It holds pseudonyms, which are released, and
// no original id.
type entry struct {
	Time       string   `json:"time"`
	Event      string   `json:"event"` // asked, before anything is looked up, or answered, before it is printed
	User       string   `json:"user"`
	Sudo       string   `json:"sudo_user,omitempty"` // who became that user, as sudo says
	Host       string   `json:"host"`
	Process    int      `json:"process"` // joins what was answered to what was asked
	Reason     string   `json:"reason"`
	KeyID      string   `json:"key_id"`
	Epoch      int      `json:"seed_epoch"`
	Pseudonyms []string `json:"pseudonyms,omitempty"`
	Answered   *int     `json:"pseudonyms_answered,omitempty"`
}

// log is a file that is appended to.
type log struct{ f *os.File }

// open opens the log, or makes it, readable by its owner alone.
func open(path string) (*log, error) {
	_, missing := os.Lstat(path)
	if missing != nil {
		if err := storage.MakePrivate(filepath.Dir(path)); err != nil {
			return nil, fmt.Errorf("--log_file: %w", err)
		}
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND|os.O_CREATE|unix.O_NOFOLLOW, 0o600)
	if errors.Is(err, unix.ELOOP) {
		return nil, fmt.Errorf("--log_file=%s is a symbolic link; name the file itself", path)
	}
	if err != nil {
		return nil, fmt.Errorf("--log_file: %w; without a log nothing is looked up", err)
	}
	info, err := f.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = errors.New("it is no ordinary file, so nothing says that it keeps what is written")
	}
	if err == nil && info.Mode().Perm()&0o077 != 0 {
		err = fmt.Errorf("others may read or write it (mode %#o); run: chmod 600 %s", info.Mode().Perm(), path)
	}
	if err == nil && missing != nil { // the name, too, must be there after a crash
		err = syncFolder(filepath.Dir(path))
	}
	if err != nil {
		f.Close()
		return nil, fmt.Errorf("--log_file=%s: %w", path, err)
	}
	return &log{f}, nil
}

func syncFolder(path string) error {
	d, err := os.Open(path)
	if err != nil {
		return err
	}
	defer d.Close()
	return d.Sync()
}

// write appends a line, and returns once it is on disk.
func (l *log) write(e entry) error {
	e.Time = time.Now().UTC().Format(time.RFC3339)
	e.User, e.Sudo, e.Process = strconv.Itoa(os.Getuid()), os.Getenv("SUDO_USER"), os.Getpid()
	if u, err := user.Current(); err == nil {
		e.User = u.Username
	}
	e.Host, _ = os.Hostname()
	raw, err := json.Marshal(e)
	if err != nil {
		return err
	}
	if _, err = l.f.Write(append(raw, '\n')); err == nil {
		err = l.f.Sync()
	}
	if err != nil {
		return fmt.Errorf("the log cannot be written, so nothing is told: %w", err)
	}
	return nil
}

func (l *log) close() { _ = l.f.Close() }
