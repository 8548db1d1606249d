package table

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
)

// Batches are edited and written in the order in which they are read, and each is
// written only once it is edited; the first error of any stage ends all of them, and
// so does a panic.
func TestRelay(t *testing.T) {
	wrong := errors.New("wrong")
	const batches = 20
	for _, c := range []struct {
		stage string
		at    int64 // the batch at which it fails
		panic bool
	}{{"", 0, false}, {"read", 7, false}, {"edit", 7, false}, {"write", 7, false}, {"read", 7, true}, {"edit", 7, true}, {"write", 7, true},
		{"edit", batches - 1, false}, {"write", batches - 1, false}} {
		fail := func(stage string, at int64) error {
			if stage != c.stage || at != c.at {
				return nil
			}
			if c.panic {
				panic("broken")
			}
			return wrong
		}
		var read, edited, written []int64
		err := relay(context.Background(), func() ([]*Row, error) {
			at := int64(len(read))
			if at == batches {
				return nil, nil
			}
			read = append(read, at)
			return []*Row{{Note: Note{Row: at}}}, fail("read", at)
		}, func(batch []*Row) error {
			edited = append(edited, batch[0].Row)
			batch[0].omitted = true
			return fail("edit", batch[0].Row)
		}, func(batch []*Row) error {
			if !batch[0].omitted {
				t.Errorf("%+v: batch %d is written before it is edited", c, batch[0].Row)
			}
			written = append(written, batch[0].Row)
			return fail("write", batch[0].Row)
		})
		switch {
		case c.stage == "":
			if err != nil || len(written) != batches {
				t.Errorf("%v, %d batches written", err, len(written))
			}
		case c.panic:
			if err == nil || !strings.Contains(err.Error(), "panic: string") {
				t.Errorf("%+v: %v", c, err)
			}
		case !errors.Is(err, wrong):
			t.Errorf("%+v: %v", c, err)
		}
		if c.stage != "" && (len(read) == batches && c.at < batches-5 || int64(len(written)) > c.at+1) {
			t.Errorf("%+v: %d batches were read and %d written", c, len(read), len(written))
		}
		for _, all := range [][]int64{edited, written} {
			if !slices.IsSorted(all) {
				t.Errorf("%+v: order %v", c, all)
			}
		}
	}
}

// A relay that is told to stop says so.
func TestRelayStops(t *testing.T) {
	ctx, stop := context.WithCancel(context.Background())
	rows := 0
	err := relay(ctx, func() ([]*Row, error) { return []*Row{{}}, nil }, func([]*Row) error {
		if rows++; rows == 5 {
			stop()
		}
		return nil
	}, func([]*Row) error { return nil })
	if !errors.Is(err, context.Canceled) || rows > 6 {
		t.Errorf("%v after %d batches", err, rows)
	}
}
