package transforms

// A bucket's notes are in memory together while Resolve works on it, each with its
// spans: some 3 KB. So a bucket of 20,000 notes takes 60 MB, and a worker has as many
// as it has slots.
const (
	notesPerBucket = 20_000
	mostBuckets    = 1 << 14 // each shard sends a batch to each
)

// BucketsFor returns in how many groups the patients of so many notes are joined: least
// of them, doubled until one has no more than 20,000 notes, if patients are alike.
func BucketsFor(least int, notes int64) int {
	for int64(least)*notesPerBucket < notes && 2*least <= mostBuckets {
		least *= 2
	}
	return least
}
