package pipeline

import (
	"context"
	"fmt"
	"strings"

	"github.com/palimpsest-deid/palimpsest/fault"
	"github.com/palimpsest-deid/palimpsest/model/language"
	"github.com/palimpsest-deid/palimpsest/model/view"
)

// languageNotes is how many notes the language is told by.
const languageNotes = 200

// language refuses notes in another language than the model's: it would find
// little in them, and say nothing of that.
func (p *Preparation) language(ctx context.Context) error {
	if p.Sample == nil {
		if err := p.sample(ctx, languageNotes); err != nil || p.Sample == nil {
			return err
		}
	}
	texts := wordsIn(p.Sample.Texts, p.Config.TextFormat)
	p.Languages, p.Words = texts.Shares()
	if p.Config.Nights != nil {
		p.Config.Languages = wordsOf(p.Languages, p.Words)
	}
	p.Language = texts.Majority()
	of, model := p.Language, p.Config.Language
	if p.Taggers.Model.Name == "" || of == "" || of == model || !language.Known(model) || p.Config.Gates.AnyLanguage {
		return nil
	}
	return fault.Mark(fault.Refused,
		fmt.Errorf("the notes are in %s (of a sample of %d notes: %s), the model %s in %s: it would miss most of what "+
			"identifies a patient. Choose a model of the notes' language by --model; --language_check=warn runs the job all the same",
			language.Name(of), len(p.Sample.Notes), Shares(p.Languages), p.Taggers.Model.Name, language.Name(model)))
}

// Shares lists languages with their shares, those of one percent and more.
func Shares(all []language.Share) string {
	var parts []string
	for _, s := range all {
		if s.Words >= 0.005 {
			parts = append(parts, fmt.Sprintf("%.0f %% %s", 100*s.Words, language.Name(s.Language)))
		}
	}
	return strings.Join(parts, ", ")
}

// wordsIn gathers what people read of texts: the marks of HTML and RTF are words of no
// language, or of another, as "par" is. Texts that cannot be read are left out.
func wordsIn(notes [][]string, format view.Format) *language.Sample {
	words := &language.Sample{}
	for _, texts := range notes {
		for _, text := range texts {
			if v, err := view.New(text, format); err == nil {
				words.Add(v.Text[:v.Code])
			}
		}
	}
	return words
}
