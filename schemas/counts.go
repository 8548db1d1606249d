package schemas

// Counts says what became of notes: of one, of a shard's, or of all. They hold
// numbers and codes alone.
type Counts struct {
	RowsIn           int64            `json:"rows_in"`
	RowsOut          int64            `json:"rows_out"`
	KnownPatients    int64            `json:"notes_with_known_identifiers"` // of a patient in the table of them
	Quarantined      int64            `json:"rows_quarantined"`
	WithoutID        int64            `json:"notes_without_patient_id"` // each its own patient
	Linked           int64            `json:"rows_of_linked_patients,omitempty"`
	LargestID        int64            `json:"notes_of_largest_patient"` // most notes, in all shards, of one patient id
	TextBytes        int64            `json:"text_bytes"`
	Tokens           int64            `json:"tokens"`
	Spans            int64            `json:"spans"`
	Masked           int64            `json:"spans_masked"` // for want of a surrogate that fits, such as for impossible dates
	Reasons          map[string]int64 `json:"quarantined_by_reason"`
	SpansByType      map[string]int64 `json:"spans_by_type"`
	SpansByAction    map[string]int64 `json:"spans_by_type_and_action"` // "CITY keep"
	SpansByTagger    map[string]int64 `json:"spans_by_tagger"`
	Dates            map[string]int64 `json:"date_columns"`                      // structured dates by outcome
	TextDates        map[string]int64 `json:"text_dates"`                        // dates in texts by outcome
	DatesEqual       int64            `json:"text_dates_equal_to_columns"`       // that equal a column's, before and after
	DatesDiffer      int64            `json:"text_dates_differing_from_columns"` // that equal one before and not after
	ImplausibleDates int64            `json:"implausible_note_dates"`            // stand-ins, slips of decades
	// Dates in texts and columns that are released as of after the extract's end, by
	// whether they were past in their note.
	LatePast   int64 `json:"past_dates_after_extract_end"`
	LateFuture int64 `json:"future_dates_after_extract_end"`

	// Dates in texts such as 3/4/2014, whose numbers leave the order of day and month
	// open: read as evidence told, and as --day_order says.
	OrdersDecided   int64 `json:"text_dates_of_decided_order"`
	OrdersUndecided int64 `json:"text_dates_of_undecided_order"`

	AllowKept    int64 `json:"spans_allowed"`           // that the site's allow list let stand
	AllowGaveWay int64 `json:"spans_allowed_but_known"` // that it would have, but for a known identifier of the patient

	LineGaps int64 `json:"notes_with_missing_lines,omitempty"` // in which the number of a line is missing

	KnownFound map[string]int64 `json:"known_identifiers_found"`      // in texts, by type; beside the patient id itself
	Providers  map[string]int64 `json:"shards_by_execution_provider"` // what the network ran on in the workers that wrote them
	Fallbacks  int64            `json:"shards_without_their_gpu"`     // whose workers seem to have one that "auto" could not use

	// Of a job with a state: rows that are not released as their release stands, those
	// of them that would read otherwise, those that were withdrawn, and notes that were
	// not tagged again.
	Unchanged int64 `json:"rows_unchanged,omitempty"`
	Differing int64 `json:"rows_unchanged_but_differing,omitempty"`
	Withdrawn int64 `json:"rows_withdrawn,omitempty"`
	Reissued  int64 `json:"rows_reissued,omitempty"`
	Reused    int64 `json:"notes_not_tagged_again,omitempty"`

	Columns map[string]ColumnCounts `json:"-"` // by path
}

// ColumnCounts says what became of the values of a column, of rows that are
// released.
type ColumnCounts struct {
	Values  int64 `json:"values,omitempty"`  // that are not null
	Changed int64 `json:"changed,omitempty"` // that are others now

	// Of dates.
	Unread int64 `json:"unread,omitempty"` // that could not be read

	// Of columns that are kept, which are looked at.
	Known   int64 `json:"known_identifiers,omitempty"` // values with a known identifier of the row's patient
	Numbers int64 `json:"numbers,omitempty"`           // values with a contact or a labelled or checked number
	Days    int64 `json:"compact_dates,omitempty"`     // values that read as yyyymmdd
	Sampled int64 `json:"sampled,omitempty"`           // different values that the taggers looked at
	Names   int64 `json:"names,omitempty"`             // of these, with a person's name
	Opaque  int64 `json:"not_plain,omitempty"`         // values that are documents of their own, or encoded
}

// add adds the counts of other rows.
func (c ColumnCounts) add(o ColumnCounts) ColumnCounts {
	return ColumnCounts{
		c.Values + o.Values, c.Changed + o.Changed, c.Unread + o.Unread, c.Known + o.Known,
		c.Numbers + o.Numbers, c.Days + o.Days, c.Sampled + o.Sampled, c.Names + o.Names, c.Opaque + o.Opaque,
	}
}

// NewCounts returns counts of nothing, whose maps can be added to.
func NewCounts() Counts {
	return Counts{
		Reasons: map[string]int64{}, SpansByType: map[string]int64{}, SpansByAction: map[string]int64{}, SpansByTagger: map[string]int64{},
		Dates: map[string]int64{}, TextDates: map[string]int64{}, KnownFound: map[string]int64{}, Providers: map[string]int64{},
		Columns: map[string]ColumnCounts{},
	}
}

// Add adds other notes' counts to c, which NewCounts made.
func (c *Counts) Add(o *Counts) {
	c.RowsIn += o.RowsIn
	c.RowsOut += o.RowsOut
	c.KnownPatients += o.KnownPatients
	c.Quarantined += o.Quarantined
	c.WithoutID += o.WithoutID
	c.Linked += o.Linked
	c.LargestID = max(c.LargestID, o.LargestID)
	c.TextBytes += o.TextBytes
	c.Tokens += o.Tokens
	c.Spans += o.Spans
	c.Masked += o.Masked
	c.DatesEqual += o.DatesEqual
	c.DatesDiffer += o.DatesDiffer
	c.ImplausibleDates += o.ImplausibleDates
	c.LatePast += o.LatePast
	c.LateFuture += o.LateFuture
	c.OrdersDecided += o.OrdersDecided
	c.OrdersUndecided += o.OrdersUndecided
	c.AllowKept += o.AllowKept
	c.AllowGaveWay += o.AllowGaveWay
	c.Fallbacks += o.Fallbacks
	c.LineGaps += o.LineGaps
	c.Unchanged += o.Unchanged
	c.Differing += o.Differing
	c.Withdrawn += o.Withdrawn
	c.Reissued += o.Reissued
	c.Reused += o.Reused
	addAll(c.Reasons, o.Reasons)
	addAll(c.SpansByType, o.SpansByType)
	addAll(c.SpansByAction, o.SpansByAction)
	addAll(c.SpansByTagger, o.SpansByTagger)
	addAll(c.Dates, o.Dates)
	addAll(c.TextDates, o.TextDates)
	addAll(c.KnownFound, o.KnownFound)
	addAll(c.Providers, o.Providers)
	for path, n := range o.Columns {
		c.Columns[path] = c.Columns[path].add(n)
	}
}

func addAll(sum, more map[string]int64) {
	for k, n := range more {
		sum[k] += n
	}
}
