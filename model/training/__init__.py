"""Training of the BiLSTM-CRF tagger: from annotated notes to a model directory."""
