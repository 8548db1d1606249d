package pipeline

import (
	"github.com/apache/beam/sdks/v2/go/pkg/beam"

	"github.com/palimpsest-deid/palimpsest/transforms"
)

// Build adds the job to a pipeline: two passes over the text, with only spans
// crossing a shuffle between them. It returns the report, one JSON string.
func Build(s beam.Scope, cfg transforms.Config) beam.PCollection { // string
	shards := transforms.Shards(s, cfg)                               // schemas.Shard
	spans, documents := transforms.Detect(s, cfg, shards)             // KV<bucket, SpanBatch>, KV<bucket, DocumentBatch>
	identifiers := transforms.Identifiers(s, cfg)                     // KV<bucket, IdentifierBatch>
	plans := transforms.Resolve(s, cfg, spans, identifiers)           // KV<shard, PlanBatch>
	duplicates := transforms.Duplicates(s, documents)                 // KV<shard, DocumentBatch>
	receipts := transforms.Rewrite(s, cfg, shards, plans, duplicates) // schemas.Receipt
	return transforms.Commit(s, cfg, receipts)
}
