"""Checks every link of a built site, and that no page asks another host for anything.

    python3 infra/site/links.py .cache/site/html
"""

from __future__ import annotations

import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

LOADED = {"script": "src", "img": "src", "iframe": "src", "source": "src"}


class Page(HTMLParser):
    """The ids of a page, what it links to and what it loads."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.ids: set[str] = set()
        self.links: list[str] = []
        self.loads: list[str] = []
        self.feed(path.read_text())

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        a = {k: v or "" for k, v in attrs}
        if "id" in a:
            self.ids.add(a["id"])
        if tag == "a" and "href" in a:
            self.links.append(a["href"])
        if tag in LOADED and LOADED[tag] in a:
            self.loads.append(a[LOADED[tag]])
        if tag == "link" and a.get("rel") in ("stylesheet", "icon", "preload"):
            self.loads.append(a.get("href", ""))


def main(root: Path) -> int:
    pages = {p.resolve(): Page(p) for p in sorted(root.rglob("*.html")) if p.name != "404.html"}
    wrong: list[str] = []
    count = 0
    for path, page in pages.items():
        name = path.relative_to(root.resolve())
        wrong += [f"{name}: asks {url} for something" for url in page.loads if urlsplit(url).netloc]
        for url in page.links + page.loads:
            parts = urlsplit(url)
            if parts.scheme or parts.netloc:
                continue
            count += 1
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            if target.is_dir():
                target /= "index.html"
            if not target.exists():
                wrong.append(f"{name}: {url} is not there")
            elif parts.fragment and target in pages and unquote(parts.fragment) not in pages[target].ids | {"__top"}:
                wrong.append(f"{name}: {url} has no such place")
    print("\n".join(sorted(set(wrong))) if wrong else f"{len(pages)} pages, {count} links, all of them lead somewhere")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
