package table

import "errors"

// staleDictionary reports whether a column chunk has a dictionary with entries
// that none of its values refers to. Writers of Arrow dictionaries and pandas
// categories store all categories in every row group, and so a table that was
// filtered, or whose other rows went to quarantine, still names what those
// rows held. Reading stops as soon as every entry was met.
func (f *File) staleDictionary(group int, leaf *node) (stale bool, err error) {
	if !f.hasDictionary(group, leaf) {
		return false, nil
	}
	c, err := newCursor(f, group, leaf)
	if err != nil {
		return false, err
	}
	defer c.close()
	defer recovered(&err)
	var used []bool
	met := 0
	for ; c.left > 0; c.left -= c.inPage {
		if err := c.nextPage(); err != nil {
			return false, f.errorAt(group, leaf, -1, err)
		}
		d := c.page.Dictionary()
		if d == nil {
			continue
		}
		if used == nil {
			used = make([]bool, d.Len())
		}
		data := c.page.Data()
		for _, i := range data.Int32() {
			if i < 0 || int(i) >= len(used) {
				return false, f.errorAt(group, leaf, -1, errors.New("the column chunk is damaged: a value refers to no entry of the dictionary"))
			}
			if !used[i] {
				used[i] = true
				met++
			}
		}
		if met == len(used) {
			return false, nil
		}
	}
	return met < len(used) || used == nil, nil
}

// hasDictionary reports whether a column chunk has a dictionary page.
func (f *File) hasDictionary(group int, leaf *node) bool {
	meta := f.chunk(group, leaf).get(ccMetaData)
	if meta.intOr(cmDictionaryOffset, 0) > 0 {
		return true
	}
	// Some writers leave the offset out.
	for _, e := range meta.items(cmEncodings) {
		if e.n == encPlainDictionary || e.n == encRLEDictionary {
			return true
		}
	}
	return false
}
