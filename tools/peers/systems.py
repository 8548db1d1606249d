"""Systems that the registries hold, each behind one function.

`python systems.py NAME NOTES SPANS` runs one of them over the notes of NOTES, a
line of JSON each (id, text), in this process and on one thread, and writes what it
found to SPANS, a line each (id, spans: pairs of code points). It prints the
processor seconds that it took to be ready, before the first note.
"""

import json
import os
import re
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory

for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[name] = "1"

WORD = re.compile(r"\w+|[^\w\s]")


def presidio():
    """Presidio's patterns and their contexts. Its spaCy model is no package of the
    registry, so names, places and organisations have nobody to find them."""
    import spacy
    import tldextract
    from presidio_analyzer import AnalyzerEngine, RecognizerRegistry
    from presidio_analyzer.nlp_engine import NlpArtifacts, NlpEngine

    # Its own list of domains, and not one fetched at the first address.
    tldextract.tldextract.TLD_EXTRACTOR = tldextract.TLDExtract(suffix_list_urls=(), cache_dir=None)
    blank = spacy.blank("en")

    class Words(NlpEngine):
        """Words alone, in place of a model."""

        def load(self):
            pass

        def is_loaded(self):
            return True

        def process_text(self, text, language):
            doc = blank(text)
            return NlpArtifacts(entities=[], tokens=doc, tokens_indices=[t.idx for t in doc], lemmas=[t.lower_ for t in doc],
                                nlp_engine=self, language=language)

        def process_batch(self, texts, language, **_):
            return ((t, self.process_text(t, language)) for t in texts)

        def is_stopword(self, word, language):
            return blank.vocab[word].is_stop

        def is_punct(self, word, language):
            return blank.vocab[word].is_punct

        def get_supported_entities(self):
            return []

        def get_supported_languages(self):
            return ["en"]

    registry = RecognizerRegistry(supported_languages=["en"])
    registry.load_predefined_recognizers(languages=["en"])
    engine = AnalyzerEngine(registry=registry, nlp_engine=Words(), supported_languages=["en"])
    return lambda text: [(r.start, r.end) for r in engine.analyze(text=text, language="en")]


def scrubadub():
    """scrubadub with the detectors that it has on by default."""
    import scrubadub as library

    scrubber = library.Scrubber()
    return lambda text: [(f.beg, f.end) for f in scrubber.iter_filth(text)]


def philter(notes):
    """Philter's own configuration, philter_delta.json. It asks NLTK for parts of
    speech, whose model is no package of the registry. In its place a word of digits
    is a number, one with a capital letter a name, and all else a noun: that costs
    less, and finds other things."""
    import nltk
    import philter_ucsf
    from philter_ucsf.philter import Philter

    def part(word):
        return "CD" if word.isdigit() else "NNP" if word[:1].isupper() else "NN"

    nltk.pos_tag = lambda words: [(w, part(w)) for w in words]
    re.compile = flags_first(re.compile)
    os.chdir(Path(philter_ucsf.__file__).parent)  # where its lists lie
    with TemporaryDirectory() as work:
        folder, out = Path(work, "in"), Path(work, "out")
        folder.mkdir()
        out.mkdir()
        for i, note in enumerate(notes):
            (folder / f"{i}.txt").write_text(note["text"], encoding="utf-8", newline="")
        tool = Philter({"verbose": False, "run_eval": False, "finpath": f"{folder}/", "foutpath": f"{out}/", "outformat": "asterisk",
                        "filters": "configs/philter_delta.json", "cachepos": None})
        ready()
        tool.detect_encoding = lambda _: {"encoding": "utf-8"}
        tool.map_coordinates()
        tool.transform()
        for i, note in enumerate(notes):
            masked, text = (out / f"{i}.txt").read_text(encoding="utf-8"), note["text"].replace("\r\n", "\n")
            if len(masked) != len(text):
                raise SystemExit("philter changed the length of a note")
            changed = "".join("*" if m == "*" and m != t else " " for m, t in zip(masked, text, strict=True))
            yield note["id"], [m.span() for m in re.finditer(r"\*+", changed)]


def flags_first(compiled):
    """Python refuses since 3.11 what Philter's expressions do: to say (?i) in the
    middle, which has always held for all of an expression."""
    flag = compiled(r"\(\?([aiLmsux]+)\)")

    def put_first(pattern, flags=0):
        if isinstance(pattern, str) and (said := flag.findall(pattern)):
            pattern = f"(?{''.join(sorted(set(''.join(said))))})" + flag.sub("", pattern)
        return compiled(pattern, flags)

    return put_first


def encoder():
    """An encoder of BERT-base's size with random weights, in ONNX Runtime, over
    windows of 510 tokens without padding. A word is one token, which is fewer than a
    vocabulary of word pieces makes of it. It finds nothing: it is here for its cost."""
    import numpy as np
    import onnxruntime

    from bert import path

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    session = onnxruntime.InferenceSession(str(path()), options, providers=["CPUExecutionProvider"])

    def run(text):
        tokens = len(WORD.findall(text))
        for at in range(0, tokens, 510):
            n = min(510, tokens - at) + 2
            session.run(None, {"ids": (np.arange(n, dtype=np.int64) * 7919 % 30522).reshape(1, n)})
        return []

    return run


def ready():
    print(f"ready {time.process_time():.2f}", flush=True)


def each(system, notes):
    found = system()
    ready()
    for note in notes:
        yield note["id"], found(note["text"])


def main():
    name, source, target = sys.argv[1], Path(sys.argv[2]).resolve(), Path(sys.argv[3]).resolve()
    notes = [json.loads(line) for line in source.read_text(encoding="utf-8").splitlines()]
    spans = philter(notes) if name == "philter" else each({"presidio": presidio, "scrubadub": scrubadub, "encoder": encoder}[name], notes)
    with target.open("w", encoding="utf-8") as f:
        for note, found in spans:
            f.write(json.dumps({"id": note, "spans": sorted(set(found))}) + "\n")


if __name__ == "__main__":
    main()
