package transforms

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/palimpsest-deid/palimpsest/fault"
	"github.com/palimpsest-deid/palimpsest/model/history"
	"github.com/palimpsest-deid/palimpsest/schemas"
	"github.com/palimpsest-deid/palimpsest/storage"
)

// The head of a night is there before its _SUCCESS as a pending one,
// pending-NNNNNN-MMMMMM.json: the state's generation that it is to be, and which
// attempt at that it is. Like locks they are never changed or replaced, and each is
// made by a rename that fails where the name is taken: of two nights at once one makes
// it. The other gives way as long as the first may still be at work, so that no night
// has its _SUCCESS and another the state. Whoever opens the state next makes the
// pending head of a night a head whose _SUCCESS is there.
const pendingPrefix = "pending-"

// pendingHead is a head that is not valid yet.
type pendingHead struct {
	*head
	name   string
	number int
	mac    string
}

// pendingHeads returns the pending heads of a generation in their order.
func pendingHeads(ctx context.Context, keys *history.Keys, dir string, generation int) (all []pendingHead, err error) {
	prefix := fmt.Sprintf("%s%06d-", pendingPrefix, generation)
	infos, err := storage.Glob(ctx, storage.Join(storage.Literal(dir), prefix+"*.json"))
	if err != nil {
		return nil, err
	}
	for _, info := range infos {
		number, _ := strings.CutPrefix(storage.Base(info.Name), prefix)
		n, err := strconv.Atoi(strings.TrimSuffix(number, ".json"))
		if err != nil {
			continue
		}
		h, mac, err := readHead(ctx, keys, info.Name)
		if errors.Is(err, fs.ErrNotExist) {
			continue // somebody has made it a head
		}
		if err != nil {
			return nil, err
		}
		all = append(all, pendingHead{h, info.Name, n, mac})
	}
	slices.SortFunc(all, func(a, b pendingHead) int { return a.number - b.number })
	return all, nil
}

// settle makes the pending head of a night that came to its end a head: the night
// was stopped between the two.
func settle(ctx context.Context, keys *history.Keys, dir string) (generation int, err error) {
	if generation, err = newestHead(ctx, dir); err != nil {
		return 0, err
	}
	waiting, err := pendingHeads(ctx, keys, dir, generation+1)
	if err != nil {
		return 0, err
	}
	for _, p := range waiting {
		done, err := p.published(ctx)
		if err != nil {
			return generation, err
		}
		if !done {
			continue
		}
		err = storage.Rename(ctx, p.name, headName(dir, generation+1))
		if errors.Is(err, fs.ErrExist) || errors.Is(err, fs.ErrNotExist) {
			err = nil // another has done it
		}
		return generation + 1, err
	}
	// A head that was made since the first look has taken its pending one away.
	return newestHead(ctx, dir)
}

// ErrStateTaken is what a night ends with where another came first, or may.
var ErrStateTaken = errors.New("the state is another night's")

// errStateMoved says that another night came first.
func errStateMoved(dir string) error {
	return fault.Mark(fault.Locked,
		fmt.Errorf("%w: another night was committed to --state=%s while this one ran; run it again", ErrStateTaken, dir))
}

// prepareHead writes the next head as a pending one, behind those that nights have left
// which came to no end. It fails where another night was there first, or may be.
func prepareHead(ctx context.Context, cfg Config, keys *history.Keys, h *head) error {
	generation, err := settle(ctx, keys, cfg.State)
	if err != nil {
		return err
	}
	if generation != h.Generation-1 {
		return errStateMoved(cfg.State)
	}
	if err := h.fits(cfg.State); err != nil {
		return err
	}
	waiting, err := pendingHeads(ctx, keys, cfg.State, h.Generation)
	if err != nil {
		return err
	}
	raw, number := h.signed(keys), 1
	if n := len(waiting); n > 0 {
		before := waiting[n-1]
		if before.mac == h.mac(keys) {
			return nil // of an earlier attempt at this commit
		}
		if err := before.refuses(ctx, h.Success); err != nil {
			return err
		}
		number = before.number + 1
	}
	temporary := storage.Join(cfg.State, ofGeneration(TemporaryFolder, h.Generation, newAttempt()))
	if err := storage.WritePrivateFile(ctx, temporary, raw); err != nil {
		return err
	}
	name := storage.Join(cfg.State, fmt.Sprintf("%s%06d-%06d.json", pendingPrefix, h.Generation, number))
	switch err := storage.Rename(ctx, temporary, name); {
	case errors.Is(err, fs.ErrExist), errors.Is(err, fs.ErrNotExist): // or it was tidied away, at the end of another
		return errors.Join(errStateMoved(cfg.State), storage.Remove(ctx, temporary))
	case err != nil:
		return err
	}
	storage.Prune(storage.Dir(temporary), cfg.State)
	// The name is free again once another night has come to its end, whose head is there.
	if generation, err = newestHead(ctx, cfg.State); err == nil && generation >= h.Generation {
		err = errStateMoved(cfg.State)
	}
	if err != nil {
		return errors.Join(err, storage.Remove(ctx, name))
	}
	return nil
}

// refuses returns why the night of a pending head may still come to its end, by the
// lock of its output; nil if it does not. A night whose _SUCCESS is to be success has
// that lock itself.
func (p pendingHead) refuses(ctx context.Context, success string) error {
	if p.Success == success {
		return nil
	}
	locks, err := readLocks(ctx, storage.Dir(p.Success))
	if err != nil {
		return err
	}
	l := last(locks)
	host, _ := os.Hostname()
	if l == nil || l.State == Cancelled || l.State != Detached && l.Run != "" && l.Host == host && !l.alive() {
		return nil
	}
	return fault.Mark(fault.Locked, fmt.Errorf("%w: the night %s is about to be committed, by a job at work since %s, "+
		"started on %s as process %d; wait for its end and run this night again; if that job was killed, run it again as it was, or remove %s",
		ErrStateTaken, p.Night, l.Started.Format(time.RFC3339), l.Host, l.PID, storage.Dir(l.name)))
}

// tidyState removes what neither the newest head nor the one before it names, and
// the work of nights that are done; nothing of a night to come. Nothing of it is
// needed, so an error is none of the night's.
func tidyState(ctx context.Context, keys *history.Keys, dir string, generation int) {
	valid := map[string]bool{}
	for g := max(1, generation-1); g <= generation; g++ {
		name := headName(dir, g)
		h, _, err := readHead(ctx, keys, name)
		if err != nil {
			return
		}
		valid[name] = true
		for _, p := range slices.Concat(h.History, h.Entries) {
			valid[storage.Join(dir, p.File)] = true
		}
	}
	infos, err := storage.List(ctx, dir)
	if err != nil {
		return
	}
	var gone []schemas.Written
	for _, info := range infos {
		if g, ok := generationOf(dir, info.Name); ok && g <= generation && !valid[info.Name] {
			gone = append(gone, schemas.Written{Final: info.Name})
		}
	}
	_ = each(ctx, gone, func(ctx context.Context, w schemas.Written) error { return storage.Remove(ctx, w.Final) })
	for _, w := range gone {
		storage.Prune(storage.Dir(w.Final), dir)
	}
	for g := max(1, generation-1); g <= generation; g++ { // files whose writing broke off are in no list
		for _, folder := range []string{stateWork, TemporaryFolder} {
			left := storage.Dir(storage.Join(dir, ofGeneration(folder, g, "any")))
			_ = storage.RemoveAll(ctx, left)
			storage.Prune(storage.Dir(left), dir)
		}
	}
}

// generationOf returns of which generation a file of the state is: a head, pending or
// not, or one in a folder of nights.
func generationOf(dir, name string) (generation int, ok bool) {
	below, _ := strings.CutPrefix(name, storage.Join(dir)+"/")
	folder, rest, _ := strings.Cut(below, "/")
	switch {
	case rest != "" && slices.Contains([]string{stateNights, stateWork, TemporaryFolder}, folder):
		below = rest
	case strings.HasPrefix(below, headPrefix), strings.HasPrefix(below, pendingPrefix):
		_, below, _ = strings.Cut(below, "-")
	default:
		return 0, false
	}
	digits := below[:len(below)-len(strings.TrimLeft(below, "0123456789"))]
	generation, err := strconv.Atoi(digits)
	return generation, err == nil
}
