package schemas

import "github.com/palimpsest-deid/palimpsest/model/deid"

func (e *encoder) rows(r *deid.Rows) {
	if e.bool(r != nil); r == nil {
		return
	}
	e.int(r.Count)
	e.int(len(r.Days))
	for _, d := range r.Days {
		e.int(d)
	}
	e.bool(r.Born)
	e.int(r.Birth)
}

func (d *decoder) rows() *deid.Rows {
	if !d.bool() {
		return nil
	}
	r := &deid.Rows{Count: d.int()}
	if n := d.count(1); n > 0 {
		r.Days = make([]int, n)
	}
	for i := range r.Days {
		r.Days[i] = d.int()
	}
	r.Born, r.Birth = d.bool(), d.int()
	return r
}

func (e *encoder) strings(all []string) {
	e.int(len(all))
	for _, s := range all {
		e.string(s)
	}
}

// strings returns nil for none.
func (d *decoder) strings() (all []string) {
	if n := d.count(1); n > 0 {
		all = make([]string, n)
	}
	for i := range all {
		all[i] = d.string()
	}
	return all
}
