package bilstmcrf

// Forget empties the cache of rows, which fills again where it is needed. It
// changes the speed, never the result.
func (t *Tagger) Forget() {
	t.rows.Lock()
	defer t.rows.Unlock()
	t.rows.m = nil
}
