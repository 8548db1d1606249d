package schemas

import (
	"reflect"
	"testing"

	"github.com/palimpsest-deid/palimpsest/model/deid"
	"github.com/palimpsest-deid/palimpsest/model/history"
	"github.com/palimpsest-deid/palimpsest/model/lexicon"
	"github.com/palimpsest-deid/palimpsest/model/phi"
)

// What nights hand on and remember comes back as it was, and no piece of it is taken
// for the whole.
func TestNightsSurviveTheTrip(t *testing.T) {
	row := history.Row{Document: history.Hash{1}, Digest: history.Hash{2}, Text: history.Short{3}, Kind: history.Seen}
	entry := history.Entry{Patient: history.Hash{4}, Row: history.Hash{5}, Text: history.Short{6}, Detector: history.Short{7},
		Basis: history.Hash{8}, Released: history.Hash{9}, Key: history.Short{10}, ID: "x7", Revision: 3, Out: true, Pending: true}
	note := deid.Note{Document: "n1", Patient: "p1", Dated: true, Day: 17_000, Offset: -7, Hash: 1 << 63, Spans: []phi.Found{
		{Span: phi.Span{Start: 4, End: 9, Type: phi.Patient, Tagger: phi.Network, Score: 0.875}, Surface: "Núñez", Cue: true, Allowed: true}}}

	spans := spanBatch()
	spans.Rows, spans.Left = []history.Row{row, {}, {Kind: history.Removed}, row}, []history.Hash{{1}, {2}}
	if got, err := DecodeSpanBatch(spans.Encode()); err != nil || !reflect.DeepEqual(got, spans) {
		t.Errorf("span batch came back as %+v, %v", got, err)
	}
	plans := planBatch()
	plans.Patients[0].Steps = []history.Step{{Action: history.Compare, Row: row, Patient: history.Hash{3}, Basis: history.Hash{4}}, {}}
	if got, err := DecodePlanBatch(plans.Encode()); err != nil || !reflect.DeepEqual(got, plans) {
		t.Errorf("plan batch came back as %+v, %v", got, err)
	}
	kept := &HistoryBatch{Patients: []history.Patient{
		{ID: "p1", Known: []lexicon.Identifiers{{PatientID: "p1", Names: []string{"A"}}},
			Notes: []history.Note{{Note: note, Text: history.Short{1}, Detector: history.Short{2}}}},
		{ID: deid.OrphanPatient("n2"), Notes: []history.Note{{Note: deid.Note{Document: "n2", Orphan: true, Patient: deid.OrphanPatient("n2")}}}},
	}}
	data, err := kept.Encode()
	if err != nil {
		t.Fatal(err)
	}
	if got, err := DecodeHistoryBatch(data); err != nil || !reflect.DeepEqual(got, kept) {
		t.Errorf("history batch came back as %+v, %v", got, err)
	}
	night := &NightBatch{Updates: []history.Update{{Document: history.Hash{1}, Entry: entry, Change: history.Replaced}, {}},
		Pending: []Pending{{"n1", "x7", history.Hash{1}, true}}}
	night.Written(9)
	night.Written(4)
	if night.First != 4 || night.Last != 9 {
		t.Errorf("days from %d to %d", night.First, night.Last)
	}
	if got, err := DecodeNightBatch(night.Encode()); err != nil || !reflect.DeepEqual(got, night) {
		t.Errorf("night batch came back as %+v, %v", got, err)
	}
	whole, err := unpack(data)
	if err != nil {
		t.Fatal(err)
	}
	for n := range len(whole) {
		if _, err := DecodeHistoryBatch(packer.EncodeAll(whole[:n], nil)); err == nil && n > 0 {
			t.Errorf("%d of %d bytes are taken for a history batch", n, len(whole))
		}
	}
}
