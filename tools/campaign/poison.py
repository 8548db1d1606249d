"""Notes, ids and known identifiers that are meant to hurt."""

import os
import re

import pyarrow as pa
import pyarrow.parquet as pq

from cases import add, base, case, put
from checks import correct
from notes import CANARY, notes
from options import BIN, FAST, KEYFILE
from runs import argv, need, run


# d. poison notes
def rep(s):
    return lambda size: (s * (size // len(s.encode()) + 1))[:size]


POISON = {
    k: rep(s)
    for k, s in {
        "1-1-1": "1-1-",
        "aaaa@": "aaaa@aaaa",
        "a@a.": "a@a.",
        "slashes": "/",
        "dates glued": "3/4/20145/6/2015",
        "digits": "1234567890",
        "dotted": "1.2.840.10008.",
        "letters": "x",
        "spaces": " ",
        "newlines": "\n",
        "tabs": "\t",
        "dashes": "-",
        "Dr. Dr.": "Dr. ",
        "Mr A": "Mr A ",
        "caps": "SMITH, JOHN ",
        "commas": "Smith, ",
        "colons": "12:34:",
        "parens": "(((((",
        "http": "http://",
        "www": "www.a.",
        "urls": "http://a.b/c?d=",
        "street": "12 Main St ",
        "zip": "Boston, MA 02115 ",
        "phones": "617-555-0143",
        "phones2": "(617) 555-0143 ",
        "ssn": "219-09-9911 ",
        "months": "Jan Feb Mar ",
        "month glued": "JanFebMar",
        "ordinals": "1st 2nd 3rd ",
        "ages": "63 yo ",
        "combining": "é\u0301\u0301",
        "combining only": "\u0301",
        "rtl": "שלום ",
        "bidi": "\u202eabc\u202c",
        "zwj": "👩\u200d👩\u200d👧\u200d👦",
        "flags": "🇺🇸",
        "zwsp": "Qu\u200back",
        "bom": "\ufeffa",
        "nul": "a\0",
        "ansi": "\x1b[31mJohn\x1b[0m ",
        "fullwidth": "１２/３/２０１４ ",
        "homoglyph": "Јоhn Ѕmіth ",
        "cjk": "患者山田太郎",
        "arabic digits": "٣/٤/٢٠١٤ ",
        "surrogate pairs": "𝕁𝕠𝕙𝕟 ",
        "html": "<script>alert(1)</script>",
        "csv": '=HYPERLINK("x")\n',
        "underscores": "_",
        "mixed": "a1-",
        "ips": "1.2.3.4.",
        "ids": "MRN: 123 ",
        "hex": "deadbeef",
        "quotes": "\"'`",
        "backslashes": "\\",
        "percent": "%s%n",
        "initials": "J. K. ",
        "names": "John Smith and ",
        "dup date": "2014-03-04T05:06:07Z",
        "years": "2014",
        "apostrophes": "O'Brien's ",
        "vertical tab": "\v\f\x85",
        "private use": "\ue000",
        "tags": "\U000e0041",
        "line sep": "\u2028\u2029",
        "times": "at 3 pm on ",
        "crlf": "Patient: A\r\n",
        "to": "to ",
        "and": "and ",
        "nested (": "(a(b(c",
        "decade": "1990s-",
        "range": "1/2-3/4-",
        "slash date": "1/2/",
    }.items()
}


def poison(d, name):
    secs = []
    for size in (60_000, 240_000):
        t = notes(4)
        x = t["text"].to_pylist()
        x[1] = POISON[name](size)
        x[2] = "Patient: Zebulon Quackenbush\n" + POISON[name](size // 4) + "\nSigned Zebulon Quackenbush"
        e = f"{d}/{size}"
        os.makedirs(e)
        f = put(e, t.set_column(3, "text", pa.array(x)))
        r = run(argv(f, e + "/out"), e, limit=150)
        need(r.rc == 0, r.log[-300:])
        tin, tout, m = correct([f], e + "/out")
        secs.append(r.cpu)
    need(
        secs[1] < 8 * secs[0] + 8 and secs[1] < 60,
        f"superlinear: {secs[0]:.1f} s for 60 KB, {secs[1]:.1f} s for 240 KB",
    )
    return f"{secs[0]:.1f} s, {secs[1]:.1f} s"


for name in POISON:
    add("d", "poison " + name, poison, name)


def rows_case(d, change, q, extra=(), canary=CANARY):
    t = notes(12)
    c = {k: t[k].to_pylist() for k in t.column_names}
    change(c)
    sch = t.schema
    f = put(
        d,
        pa.table(
            {
                k: pa.array(v, sch.field(k).type)
                if not any(isinstance(x, bytes) for x in v) or k == "blob"
                else pa.array(v, pa.binary()).cast(pa.binary())
                for k, v in c.items()
            }
        ),
    )
    r = run(argv(f, d + "/out", extra), d, canary=canary)
    need(r.rc == 0, r.log[-300:])
    return correct([f], d + "/out", expect_q=q, canary=canary)


def setter(col, i, v):
    def f(c):
        c[col] = list(c[col])
        c[col][i] = v

    return f


def asbytes(v):
    def f(c):
        c["text"] = [x.encode() for x in c["text"]]
        c["text"][4] = v

    return f


for name, v, q in (
    ("lone byte", b"Zebulon Quackenbush \xff", 1),
    ("overlong", b"\xc0\xaf Quackenbush", 1),
    ("surrogate half", b"\xed\xa0\x80 Quackenbush", 1),
    ("cut off", "Quackenbush é".encode()[:-1], 1),
    ("above 10FFFF", b"\xf4\x90\x80\x80", 1),
    ("nul", b"Quackenbush\0", 0),
    ("empty", b"", 0),
):
    add("d", "invalid UTF-8: " + name, rows_case, asbytes(v), q)
for name, ch, q in (
    ("null id", setter("note_id", 3, None), 1),
    ("duplicate id", setter("note_id", 3, "DOCCANARY-000004"), 1),
    ("null text", setter("text", 3, None), 0),
    ("null patient", setter("patient_id", 3, None), 0),
    ("blank patient", setter("patient_id", 3, "  "), 0),
    ("empty id", setter("note_id", 3, ""), 1),
    ("20 MB note", setter("text", 3, "Quackenbush " * 1_800_000), 1),
    ("one token of 5 MB", setter("text", 3, "Q" * 5_000_000), 0),
    ("id path", setter("note_id", 3, "../../etc/DOCCANARY"), 0),
    ("id newline", setter("note_id", 3, "DOCCANARY\n\"'<b>"), 0),
    ("id ansi", setter("patient_id", 3, "\x1b[2JPATCANARY"), 0),
    ("id nul", setter("patient_id", 3, "PATCANARY\0"), 0),
    ("id of 1 MB", setter("note_id", 3, "DOCCANARY" * 110_000), 0),
    ("patient id of 1 MB", setter("patient_id", 3, "PATCANARY" * 110_000), 0),
):
    add("d", name, rows_case, ch, q)
for name, s in (
    ("zero-width", "Que\u200backenbush Quack\u200benbush Quac\u00adkenbush"),
    ("bom", "Patient:\ufeffZebulon\ufeffQuackenbush\ufeff"),
    ("decomposed", "Patient: Zébulon Quackenbush"),
    ("bidi", "Patient: \u202eQuackenbush\u202c"),
    ("newline in name", "Zebulon\nQuackenbush"),
    ("glued", "PatientZebulonQuackenbushSeen"),
    ("underscore", "_Zebulon_Quackenbush_"),
    ("case", "ZEBULON QUACKENBUSH zebulon quackenbush"),
    ("html", "<b>Quackenbush</b>&nbsp;Quackenbush"),
    ("nbsp", "Zebulon Quackenbush"),
    ("file name", "Quackenbush_Zebulon_2014.pdf"),
    ("json", '{"name":"Quackenbush"}'),
    ("url", "http://x.org/?n=Quackenbush"),
    ("markdown", "**Quackenbush**"),
):

    def hidden(d, s=s):
        tin, tout, _ = rows_case(d, setter("text", 3, s), 0, canary=[])
        got = re.sub(r"[\u200b\u00ad\ufeff\u202c\u202e]", "", tout["text"].to_pylist()[3]).lower()
        need("quackenbush" not in got and "zebulon" not in got, f"the census name is released: {got!r}")

    add("d", "name in disguise: " + name, hidden)


@case("d", "5,000 notes of one patient")
def _(d):
    t = notes(5000)
    f = put(d, t.set_column(2, "patient_id", pa.array(["PATCANARY-0000"] * 5000)), row_group_size=1000)
    r = run(argv(f, d + "/out"), d)
    need(r.rc == 0, r.log[-300:])
    correct([f], d + "/out", canary=["PATCANARY", "DOCCANARY", "219-09-9911", "Zebulon"])


@case("d", "all rows quarantined")
def _(d):
    t = notes(10)
    f = put(d, t.set_column(1, "note_id", pa.nulls(10, pa.string())), row_group_size=5)
    r = run(argv(f, d + "/out"), d)
    need(r.rc == 0, r.log[-300:])
    correct([f], d + "/out", expect_q=10)


for col, bad in (
    ("birth_date", "Quackenbush 1900"),
    ("phone", "\0\0\0"),
    ("given_name", "Quackenbush" * 3000),
    ("mrn", "8841-7723-19;" * 500),
    ("relatives", ";;;"),
    ("email", "a@" * 3000),
):

    def census(d, col=col, bad=bad):
        c = d + "/c.parquet"
        pq.write_table(pa.table({"patient_id": ["PATCANARY-0000", None, "PATCANARY-0000"], col: [bad, bad, None]}), c)
        inp, ins, *_ = base("small")
        r = run(
            [BIN, "--input", inp, "--output", d + "/out", "--key", "file:" + KEYFILE, "--model", FAST, "--identifiers", c]
            + ["--private", d + "/out-private", "--private_beside_output"],
            d,
        )
        r.rc == 0 and correct(
            ins, d + "/out", edited={"note_id", "patient_id", "text"}, canary=["PATCANARY", "DOCCANARY"]
        )

    add("d", "census with odd " + col, census)
