package fault

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"syscall"
	"testing"

	"google.golang.org/api/googleapi"

	"github.com/palimpsest-deid/palimpsest/storage"
)

func TestStatus(t *testing.T) {
	plain := errors.New("no such column")
	_, missing := os.Open("none")
	_, delta := storage.For(t.Context(), "az://bucket/x")
	full := &storage.Error{Op: "write", Name: "x", Err: syscall.ENOSPC}
	for name, c := range map[string]struct {
		err  error
		want Status
	}{
		"nothing":                        {nil, Done},
		"nothing, marked":                {Mark(Refused, nil), Done},
		"unmarked":                       {plain, Failed},
		"settings":                       {Mark(Settings, plain), Settings},
		"data, wrapped":                  {fmt.Errorf("prepare: %w", Mark(Refused, plain)), Refused},
		"the first mark stays":           {Mark(Settings, fmt.Errorf("identifiers: %w", Mark(Refused, plain))), Refused},
		"one of several":                 {errors.Join(plain, Mark(Locked, plain)), Locked},
		"a missing file":                 {missing, Settings},
		"a missing file of data":         {Mark(Refused, missing), Refused},
		"a storage that there is not":    {delta, Settings},
		"a full disk is no setting":      {Mark(Settings, full), Failed},
		"a file that may not be read":    {&storage.Error{Op: "open", Name: "x", Err: fs.ErrPermission}, Settings},
		"an ended context is no refusal": {Mark(Refused, context.Canceled), Failed},
		"a network that is down": {Mark(Settings, fmt.Errorf("key: %w", &net.OpError{Op: "dial", Err: syscall.ECONNREFUSED})),
			Failed},
		"a server that is busy":               {Mark(Settings, &googleapi.Error{Code: 503}), Failed},
		"a server that does not let in":       {Mark(Settings, &googleapi.Error{Code: 403}), Settings},
		"some files refused, one not reached": {Mark(Refused, errors.Join(plain, full)), Failed},
	} {
		if got := Of(c.err); got != c.want {
			t.Errorf("%s: status %d, want %d", name, got, c.want)
		}
	}
	if err := Mark(Settings, plain); err.Error() != plain.Error() || !errors.Is(err, plain) {
		t.Errorf("a mark changes the error to %v", err)
	}
}
