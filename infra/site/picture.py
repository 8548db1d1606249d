"""Draws docs/before-after.png from notes of docs/before-after.md, in Chromium.

    python3 infra/site/picture.py 1 5
"""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
STYLE = """body{margin:0;padding:18px;width:1160px;font:15px/1.5 sans-serif;background:#fff;color:#1a1a1a}
table{border-collapse:collapse;width:100%;margin-bottom:14px}td,th{width:50%;padding:3px 10px;vertical-align:top;text-align:left;white-space:pre-wrap;border:1px solid #c5cae9}
th{background:#e8eaf6}td:first-child b{background:#ffcdd2}td:last-child b{background:#c8e6c9}b{font-weight:600;border-radius:3px;padding:0 2px}"""


def section(text: str, number: int) -> str:
    """Returns the table of one note as HTML."""
    body = re.search(rf"^## {number}\..*?\n(.*?)(?=^## |\Z)", text, re.M | re.S)
    if body is None:
        raise SystemExit(f"there is no note {number}")
    rows = [line.strip().strip("|").split(" | ") for line in body[1].splitlines() if line.startswith("| ")]
    cells = [[c.strip() for c in row] for row in rows[1:]]
    head = "<tr><th>in the warehouse</th><th>released</th></tr>"
    cells = [[re.sub(r"\\([^\w\s])", r"\1", c) for c in row] for row in cells]
    return f"<table>{head}" + "".join(f"<tr><td>{a}</td><td>{b}</td></tr>" for a, b in cells) + "</table>"


def main(numbers: list[int]) -> None:
    text = (ROOT / "docs/before-after.md").read_text()
    page = f"<meta charset=utf-8><style>{STYLE}</style>" + "".join(section(text, n) for n in numbers)
    with tempfile.TemporaryDirectory() as folder:
        html = Path(folder) / "page.html"
        html.write_text(page)
        rows = page.count("<tr>")
        subprocess.run(
            ["chromium", "--headless", "--no-sandbox", "--hide-scrollbars", f"--user-data-dir={folder}/profile",
             f"--window-size=1200,{60 + 50 * rows}", f"--screenshot={ROOT / 'docs/before-after.png'}", html.as_uri()],
            check=True, capture_output=True,
        )


if __name__ == "__main__":
    main([int(n) for n in sys.argv[1:]] or [1])
