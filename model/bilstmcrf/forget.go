package bilstmcrf

// Forget empties the cache of rows, which fills again where it is needed. It
// changes the speed, never the result.
func (t *Tagger) Forget() {
	for i := range t.rows.shards {
		s := &t.rows.shards[i]
		s.Lock()
		s.m = nil
		s.Unlock()
	}
}
