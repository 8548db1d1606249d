package schemas

import (
	"reflect"
	"runtime"
	"strings"
	"testing"

	"github.com/palimpsest-deid/palimpsest/model/dates"
	"github.com/palimpsest-deid/palimpsest/model/deid"
	"github.com/palimpsest-deid/palimpsest/model/lexicon"
	"github.com/palimpsest-deid/palimpsest/model/phi"
	"github.com/palimpsest-deid/palimpsest/model/roworder"
)

func spanBatch() *SpanBatch {
	return &SpanBatch{Shard: 3, Notes: []deid.Note{
		{Row: 0, Document: "n1", Patient: "p1", Spans: []phi.Found{
			{Span: phi.Span{Start: 4, End: 9, Type: phi.Patient, Tagger: phi.Network, Score: 0.875}, Surface: "Núñez", Cue: true, Sex: phi.Male},
			{Span: phi.Span{Start: 2, End: 3, Type: phi.Age, Tagger: phi.Rules, Score: 1}, Text: 1, Surface: "7"},
		}},
		{Row: 7, Document: "n2", Orphan: true, Patient: deid.OrphanPatient("n2")},
		{Row: 1, Orphan: true, Patient: deid.OrphanPatient("")},
		{Row: 1 << 40, Patient: "", Failure: "null_document_id"},
	}}
}

func planBatch() *PlanBatch {
	return &PlanBatch{Patients: []PatientPlan{{
		Plan: deid.Plan{ID: "p1", Orphan: true, Known: true, Total: 9, Pairs: []string{"3/4", "5/6"}, Born: true, Birth: -9000,
			Names: []string{"A B", ""},
			Observed: []lexicon.Surface{{Type: phi.Patient, Text: "A B", Sweep: true, Sex: phi.Female, Tagger: phi.Known},
				{Type: phi.Date, Text: "3/4", Tagger: phi.Sweep}}},
		Notes: []deid.Note{{Row: 2, Failure: "x", Hash: 1 << 63, Order: dates.No,
			Spans: []phi.Found{{Span: phi.Span{Start: 1, End: 5, Type: phi.City, Score: .5}}}},
			{Row: 3}},
	}}}
}

func TestBatchesSurviveTheTrip(t *testing.T) {
	s, err := DecodeSpanBatch(spanBatch().Encode())
	if err != nil || !reflect.DeepEqual(s, spanBatch()) {
		t.Errorf("span batch came back as %+v, %v", s, err)
	}
	p, err := DecodePlanBatch(planBatch().Encode())
	if err != nil || !reflect.DeepEqual(p, planBatch()) {
		t.Errorf("plan batch came back as %+v, %v", p, err)
	}
	d := &DocumentBatch{Shard: 1, IDs: []DocumentID{{[16]byte{1, 2}, 9}, {[16]byte{0, 255}, 0}}}
	if got, err := DecodeDocumentBatch(d.Encode()); err != nil || !reflect.DeepEqual(got, d) {
		t.Errorf("document batch came back as %+v, %v", got, err)
	}
	days := &DayBatch{Shard: 4, First: true, Part: roworder.Part{From: [16]byte{1}, To: [16]byte{0, 9},
		Runs: []roworder.Run{{First: 16_000, Last: 16_010}, {First: -3, Last: -3}}}}
	if got, err := DecodeDayBatch(days.Encode()); err != nil || !reflect.DeepEqual(got, days) {
		t.Errorf("day batch came back as %+v, %v", got, err)
	}
	i := &IdentifierBatch{Patients: []lexicon.Identifiers{{PatientID: "p1", Names: []string{"A"}, BirthDate: "1950-01-02"}}}
	data, err := i.Encode()
	if err != nil {
		t.Fatal(err)
	}
	if got, err := DecodeIdentifierBatch(data); err != nil || !reflect.DeepEqual(got, i) {
		t.Errorf("identifier batch came back as %+v, %v", got, err)
	}
}

// A frame of a few bytes gets no more memory than it can fill.
func TestFalseContentSize(t *testing.T) {
	for name, data := range map[string][]byte{
		"with a dictionary":    []byte("(\xb5/\xfd\x91\x01\x00\x02\x04p1\x01\x01\x01"),
		"of a gigabyte":        []byte("(\xb5/\xfd\xa0\x00\x00\x00\x3f\x01\x00\x00"),
		"without its size":     []byte("(\xb5/\xfd\x00\x58\x01\x00\x00"),
		"followed by another":  append(spanBatch().Encode(), "(\xb5/\xfd\xa0\x00\x00\x00\x3f\x01\x00\x00"...),
		"longer than it says":  append([]byte("(\xb5/\xfd\x20\x01"), "\x12\x00\x00ab"...),
		"shorter than it says": append([]byte("(\xb5/\xfd\x20\x03"), "\x11\x00\x00ab"...),
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, err := DecodeSpanBatch(data)
		runtime.ReadMemStats(&after)
		if err == nil {
			t.Errorf("%s: no error", name)
		}
		if n := after.TotalAlloc - before.TotalAlloc; n > 8<<20 {
			t.Errorf("%s: %d bytes took %d MiB", name, len(data), n>>20)
		}
	}
}

// Damaged bytes are an error that does not quote them.
func FuzzDecode(f *testing.F) {
	f.Add(spanBatch().Encode())
	f.Add(planBatch().Encode())
	f.Add([]byte("not zstd"))
	f.Fuzz(func(t *testing.T, raw []byte) {
		// Fuzz what is inside the compression, which would reject most changes.
		for _, data := range [][]byte{raw, packer.EncodeAll(raw, nil)} {
			for _, decode := range []func([]byte) error{
				func(b []byte) error { _, err := DecodeSpanBatch(b); return err },
				func(b []byte) error { _, err := DecodePlanBatch(b); return err },
				func(b []byte) error { _, err := DecodeDocumentBatch(b); return err },
				func(b []byte) error { _, err := DecodeDayBatch(b); return err },
				func(b []byte) error { _, err := DecodeIdentifierBatch(b); return err },
			} {
				if err := decode(data); err != nil && len(raw) > 20 && strings.Contains(err.Error(), string(raw)) {
					t.Errorf("the error quotes the data")
				}
			}
		}
	})
}
