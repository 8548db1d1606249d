package pipeline

import (
	"github.com/apache/beam/sdks/v2/go/pkg/beam"

	"github.com/palimpsest-deid/palimpsest/transforms"
)

// Build adds the job to a pipeline: two passes over the text, with only spans
// crossing a shuffle between them. It returns the report, one JSON string.
func Build(s beam.Scope, cfg transforms.Config) beam.PCollection { // string
	shards := transforms.Shards(s, cfg) // schemas.Shard
	spans, documents,
		days := transforms.Detect(s, cfg, shards) // KV<bucket, SpanBatch>, KV<bucket, DocumentBatch>, KV<0, DayBatch>
	identifiers := transforms.Identifiers(s, cfg) // KV<bucket, IdentifierBatch>
	var plans, kept beam.PCollection              // KV<shard, PlanBatch>; of a job with a state
	if cfg.Nights != nil {
		plans, kept = transforms.ResolveNights(s, cfg, spans, identifiers)
	} else {
		plans = transforms.Resolve(s, cfg, spans, identifiers)
	}
	duplicates := transforms.Duplicates(s, cfg, documents)                           // KV<shard, DocumentBatch>
	order := transforms.Order(s, cfg, days)                                          // KV<shard, RowOrder>
	receipts, copies := transforms.Rewrite(s, cfg, shards, plans, duplicates, order) // schemas.Receipt, KV<bucket, CopyBatch>
	gathered := transforms.Gather(s, cfg, receipts)                                  // schemas.Gathered
	audited := transforms.Audit(s, cfg, copies)                                      // schemas.Audited
	if cfg.Nights != nil {
		return transforms.CommitNight(s, cfg, receipts, gathered, audited, kept)
	}
	return transforms.Commit(s, cfg, receipts, gathered, audited)
}
