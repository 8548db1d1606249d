package pipeline

import (
	"strings"
	"testing"

	"github.com/palimpsest-deid/palimpsest/model/view"
)

// The language is that of what people read: not of marks, nor of texts that nobody can.
func TestLanguageOfWhatPeopleRead(t *testing.T) {
	const line = "The patient was seen with a cough and is to come back in the morning."
	rtf := `{\rtf1\ansi ` + strings.Repeat(line+strings.Repeat(`\par\par\par\par`, 6)+"\n", 10) + `}`
	html := "<html><body>" + strings.Repeat("<p lang=de>"+strings.Repeat("<font class=und-oder-nicht-der-die-das>", 6)+line+"</p>\n",
		10) + "</body></html>"
	base64 := strings.Repeat("UGF0aWVudDogWmVidWxvbiBRdWFja2VuYnVzaCwgc2VlbiBvbiAzLzQvMjAxOS4", 50)
	for name, c := range map[string]struct {
		text   string
		format view.Format
		want   string
	}{
		"RTF": {rtf, view.Auto, "en"}, "HTML": {html, view.Auto, "en"}, "base64": {base64, view.Auto, ""},
		"RTF as it stands": {rtf, view.Plain, ""}, "plain": {strings.Repeat(line, 10), "", "en"},
	} {
		words := wordsIn([][]string{{c.text}}, c.format)
		if got := words.Majority(); got != c.want && !(name == "RTF as it stands" && got != "en") {
			t.Errorf("%s: the language is %q, want %q", name, got, c.want)
		}
		if _, n := words.Shares(); name == "base64" && n != 0 {
			t.Errorf("%d words of a text that is no text", n)
		}
	}
}
