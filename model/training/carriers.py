"""Carriers: public clinical texts with few identifiers, to put PHI into.

They bring clinical language that our own notes lack. What identifiers they hold
(made-up names, dates, ages, a few towns and employers) is found by patterns and
marked; a sentence with something doubtful in it is dropped, because an unmarked
name would teach the network to miss names.
"""

from __future__ import annotations

import csv
import json
import re
from pathlib import Path

from .lexicons import Lexicons
from .notes import Builder, Note, Span

MONTH = (
    "(?:January|February|March|April|June|July|August|September|October|November|December|"
    "Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec)"
)
YEAR = r"(?:19[2-9]\d|20[0-2]\d)"
NUMBER = (
    "(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|"
    "sixteen|seventeen|eighteen|nineteen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety)"
)

# In order: what an earlier pattern took, a later one cannot have. Group 1, or
# the whole where there is none, is the PHI.
PATTERNS: list[tuple[str, re.Pattern[str]]] = [
    (type_, re.compile(p))
    for type_, p in [
        ("DATE", r"\b\d{1,2}/\d{1,2}/(?:\d{4}|\d{2})\b"),
        ("DATE", rf"\b{YEAR}/{YEAR}\b"),
        ("DATE", rf"\b\d{{1,2}}/{YEAR}\b"),
        ("DATE", r"(?i:\b(?:on|dated|since)) (\d{2}/\d{2})\b(?!/)"),
        ("DATE", rf"\b(?:{MONTH}|May)\.? \d{{1,2}}(?:st|nd|rd|th)?,? {YEAR}\b"),
        ("DATE", rf"\b(?:{MONTH}|May),? (?:of )?{YEAR}\b"),
        ("DATE", rf"\b(?:{MONTH}|May) \d{{1,2}}(?:st|nd|rd|th)?\b"),
        ("DATE", r"(?:in|of|last|since|early|late|until|by|this) (May)\b(?! [A-Z])"),
        ("DATE", rf"\b{MONTH}\b(?! \d)"),
        ("DATE", r"\b(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)days?\b"),
        ("DATE", r"\b(?:Thanksgiving|Labor Day|Easter)\b"),
        ("DATE", rf"\b{YEAR}s\b|\b{YEAR}'s\b"),
        ("DATE", rf"(?<![\d.,#/$-])\b{YEAR}\b(?!\s?(?:IU|mg|mcg|mL|ml|units|migraine|[-/]\d))(?![,.]\d)"),
        ("DATE", r"(?i:\b(?:last|this|over the|earlier in the|of the|during the|in the)) (spring|summer|winter|autumn|fall)\b"),
        ("AGE", r"\b(\d{1,3})(?=(?: ?-? ?(?:years?|yrs?|months?|weeks?|days?)[- ]old)|[- ]?y\.?/?o\b|yo\b)"),
        ("AGE", rf"(?i:\b({NUMBER}(?:-{NUMBER})?)(?=[- ](?:years?|months?)[- ]old))"),
        ("AGE", r"(?i:\bages?|\baged)(?: of| is| about| around| approximately)? ?(\d{1,2})\b"),
        ("AGE", r"(?i:\bages) \d{1,2}(?: and|,) (\d{1,2})\b"),
        ("AGE", r"(?i:\b(?:his|her|their|early|late|mid)[- ]*)((?:\d0'?s|" + r"(?:for|fif|six|seven|eigh|nine)ties))\b"),
        ("AGE", r"(?i:\bdied (?:from [\w ]+ )?at (?:the age of )?)(\d\d)\b"),
        ("DOCTOR", r"\b(?:Dr|Drs|Doctor|Prof)\.? +((?:(?:[A-Z][a-z]+|[A-Z]{1,4})\b ?){0,2}(?:[A-Z][a-z]+|X+YZ|[A-Z]{1,4}))(?='s|\b)"),
        ("PATIENT", r"\b(?:Mr|Mrs|Ms|Miss)\.? +((?:[A-Z][a-z]+ )?(?:[A-Z][a-z]+|X+YZ|[A-Z]{1,4}))\b"),
        ("DOCTOR", r"\b([A-Z][a-z]+ [A-Z][a-z]+)(?=, (?:PA|MD|NP|RN|DO)\b)"),
        ("PATIENT", r"(?m)(?:^|(?<=\. ))([A-Z][a-z]+ [A-Z][a-z]+)(?= (?:is|was|has|presents) )"),
    ]
]  # fmt: skip

# Single identifiers of the carriers, read and typed by hand.
KNOWN = {
    "STATE": "Arizona;California;Colorado;Georgia;Iowa;Maine;Maryland;North Carolina;Oklahoma;"
    "Pennsylvania;Tennessee;Wyoming;New York",
    "COUNTRY": "Brazil;Cuba;Germany;Haiti;Japan;Korea;Mexico;Netherlands;Philippines;Thailand;"
    "Ukraine;United States;Vietnam;Zambia",
    "CITY": "Baltimore;Bartow;Breckenridge;Bremerton;Cheyenne;Columbus;Conway Springs;Coolidge;"
    "Dallas;Easton;Fayetteville;Gig Harbor;Las Cruces;Munich;Norwich;Sacaton;San Diego;Santa Cruz;"
    "Seattle;Vail;Wichita",
    "LOCATION-OTHER": "Yosemite Park;Yosemite",
    "HOSPITAL": "Children's Hospital;County Hospital;East Metropolitan Hospital;Mercy Manor;"
    "Kansas Christian Home;Point May Orthopedics;Siskin Rehab Hospital;South Valley Care Center;"
    "Tacoma General Hospital;Tacoma General;Sierra Pacific Orthopedic Group;"
    "St. Thomas Memorial Hospital;Shepherd Pratt",
    "ORGANIZATION": "Champion Automotive Co;Chevron;Fed Ex;Lion's Club;Morse Chain;"
    "Purdy Correctional Facility;Purdy Correctional Institute;Smith Barney;Taco Bell;Wal-Mart;"
    "Walmart;Avon;Wichita State;T-Mobile Customer Service",
}

# A sentence with one of these left unmarked is dropped.
DOUBTFUL = re.compile(
    r"X{2,}|\bX?XYZ\b|\bABC|\b[A-D]{3,4}\b|\bYYYY|\bDD\b|_{2,}|\*{2,}|\[|\bSample\b|"
    r"\bHouston\b|Carter Center|\bEurope\b|\bSecretary of|State University|Juvenile Hall|Genesis|Healing Waters|"
    r"Town Center|Rescue Squad|\bWoman's\b|\bAmerica\b|Veteran's|US [Pp]ostal|Maintenance Clinic|"
    r"Project Access|Prompt Care|Medicine Clinic|United States Marine|Human Resources|at Johnson|"
    r"Hospital Center|[Hh]ome Depot|Pepsi|Coast\b|\bNewport\b|Yosemite|\+\d-week-old|"
    r"\bfor the State\b|\bBabylon\b|\bto Dr\b|Obstetrician-Gynecologist|\bAl\b|\bMurder\b|"
    r"\b(?:Mr|Mrs|Ms|Dr)\b(?!\.? *\x00)|\bSIGN 20|\bKaren\b|John Houston|Life Care Center|Lou Gehrig"
)
NOT_NAMES = {"To", "Sample", "Sample Patient"}
WORK = re.compile(
    r"(?i)\b(?:works?|worked|working|employed|employee|job|retired|occupation|profession|career|"
    r"student|student at|business)\b"
)
STRONG_WORK = re.compile(
    r"(?i)\b(?:works?|worked|working|employed) (?:as|for|at|in)\b|\bretired from\b|\bretired\b \w+|"
    r"\boccupation\b|\bby profession\b|\bbusiness\b|\bSHx? ?[:-].*\b(?:job|work)"
)
# A stop after a title ends no sentence.
STOP = r"(?<!\bDr)(?<!\bMr)(?<!\bMs)(?<!\bSt)(?<!\bMrs)(?<!\bDrs)[.!?]"
SENTENCE = re.compile(rf"[^\n]+?(?:{STOP}(?=\s|$)|$|(?=\n))\s*|\n+", re.M)


def read(folder: Path) -> list[tuple[str, str]]:
    """Reads the carriers of a folder: (id, text). MTS-Dialog's sections come
    as they are, one text each."""
    texts: list[tuple[str, str]] = []
    for name in ("train", "valid"):
        path = folder / "acibench" / f"{name}.csv"
        if path.exists():
            with path.open(encoding="utf-8") as f:
                rows = list(csv.DictReader(f))
            texts += [(f"aci-{name}-{i}", r["note"]) for i, r in enumerate(rows)]
    for path in sorted((folder / "mtsdialog").glob("*.csv")):
        with path.open(encoding="utf-8") as f:
            rows = list(csv.DictReader(f))
        texts += [(f"mts-{path.stem}-{i}", r["section_text"]) for i, r in enumerate(rows)]
    for path in sorted((folder / "primock57").glob("*.json")):
        note = json.loads(path.read_text(encoding="utf-8"))["note"]
        texts.append((f"primock-{path.stem}", note))
    return [(i, t.replace("\r\n", "\n").strip()) for i, t in texts]


def read_dialogues(folder: Path) -> list[Note]:
    """Reads the conversations that the notes of ACI-Bench and MTS-Dialog sum up.

    They are not marked: text for the token vectors and the vocabulary only.
    """
    notes = []
    for path in sorted(
        [*(folder / "acibench").glob("*.csv"), *(folder / "mtsdialog").glob("*.csv")]
    ):
        with path.open(encoding="utf-8") as f:
            for i, row in enumerate(csv.DictReader(f)):
                notes.append(Note(f"talk-{path.stem}-{i}", row["dialogue"]))
    return notes


class Marker:
    """Finds and marks the identifiers of a carrier."""

    def __init__(self, lex: Lexicons) -> None:
        self.names = {n.lower() for n in lex.common_first} | {n.lower() for n in lex.common_last}
        extra = (
            "lawer;attorney;student;physician's assistant;computer programmer;flooring installer"
        )
        jobs = sorted({*lex.professions, *extra.split(";")}, key=lambda x: (-len(x), x))
        self.jobs = re.compile(r"(?i)\b(" + "|".join(map(re.escape, jobs)) + r")s?\b")
        self.known = [
            (t, re.compile(r"(?<!\w)" + re.escape(x) + r"(?!\w)"))
            for t, xs in KNOWN.items()
            for x in sorted(xs.split(";"), key=len, reverse=True)
        ]

    def _is_name(self, words: str) -> bool:
        return all(w.lower() in self.names for w in words.split())

    def mark(self, id_: str, text: str) -> Note:
        """Returns the text with its identifiers marked and doubtful sentences left out."""
        spans: list[Span] = []
        taken = bytearray(len(text))

        def take(start: int, end: int, type_: str) -> None:
            if start < end and not any(taken[start:end]):
                taken[start:end] = b"\x01" * (end - start)
                spans.append(Span(start, end, type_))

        people: dict[str, str] = {}
        for type_, p in PATTERNS:
            for m in p.finditer(text):
                g = 1 if p.groups else 0
                found = m[g].rstrip()
                titled = m[0] != found  # else two capitalised words at a line's start
                if type_ == "PATIENT" and not titled and not self._is_name(found):
                    continue
                if found and found not in NOT_NAMES:
                    take(m.start(g), m.start(g) + len(found), type_)
                    if type_ in ("PATIENT", "DOCTOR"):
                        for w in found.split():
                            if len(w) > 2 and w[1:].islower():
                                people.setdefault(w, type_)
        for type_, p in self.known:
            for m in p.finditer(text):
                take(m.start(), m.end(), type_)
        for w, type_ in people.items():
            for m in re.finditer(rf"\b{re.escape(w)}\b", text):
                take(m.start(), m.end(), type_)
        out, kept = [], []
        length = 0
        for m in SENTENCE.finditer(text):
            s = m[0]
            hidden = "".join(
                "\x00" if taken[i] else c for i, c in zip(range(m.start(), m.end()), s, strict=True)
            )
            jobs: list[Span] = []
            if WORK.search(hidden):
                jobs = [
                    Span(j.start(1), j.end(1), "PROFESSION") for j in self.jobs.finditer(hidden)
                ][:2]
            if DOUBTFUL.search(hidden) or (STRONG_WORK.search(hidden) and not jobs):
                continue
            inner = [
                Span(x.start - m.start(), x.end - m.start(), x.type)
                for x in spans
                if x.start >= m.start() and x.end <= m.end()
            ]
            for x in sorted(inner + jobs, key=lambda x: x.start):
                kept.append(Span(x.start + length, x.end + length, x.type))
            out.append(s)
            length += len(s)
        return _name_placeholders(Note(id_, "".join(out), kept))


def _name_placeholders(note: Note) -> Note:
    """Puts names where the carrier has "Dr. XYZ" or "Ms. A", for the refiller to change."""
    b = Builder()
    at = 0
    for i, s in enumerate(note.spans):
        surface = note.text[s.start : s.end]
        b.add(note.text[at : s.start])
        at = s.end
        if s.type in ("PATIENT", "DOCTOR") and re.fullmatch(r"X*[A-Z]{1,4}", surface):
            surface = ("Smith", "John Smith", "Jones", "Mary Jones")[i % 4]
        b.phi(surface, s.type)
    b.add(note.text[at:])
    return b.build(note.id)
