"""What mkdocs does besides: texts from elsewhere join the pages, and links to files of the
repository that are no pages go to the repository, if the files are there."""

from __future__ import annotations

import os
import re
from pathlib import Path

from mkdocs.exceptions import PluginError
from mkdocs.structure.files import File, Files

ROOT = Path(__file__).resolve().parents[2]
LINK = re.compile(r"(?<!!)\[([^\]]*)\]\(([^)\s#]+)(#[^)\s]*)?\)")


# Pages whose text lies elsewhere in the repository.
ELSEWHERE = {
    **{f"models/{card.parent.name}.md": card for card in sorted((ROOT / "onnx/models").glob("*/README.md"))},
    "recipes/kubernetes.md": ROOT / "infra/kubernetes/README.md",
    "recipes/schedules.md": ROOT / "infra/schedule/README.md",
    "recipes/training.md": ROOT / "model/training/README.md",
}
PAGES = {path: uri for uri, path in ELSEWHERE.items()}


def on_files(files: Files, config) -> Files:
    """Adds the pages whose text lies elsewhere."""
    for uri, path in ELSEWHERE.items():
        files.append(File.generated(config, uri, content=path.read_text()))
    return files


def on_page_markdown(markdown: str, page, config, files: Files) -> str:
    """Turns links that leave docs/ into links to the repository, unless a page has what
    they lead to."""
    uri = page.file.src_uri
    at = ELSEWHERE.get(uri, ROOT / "docs" / uri)

    def turn(m: re.Match[str]) -> str:
        text, target, anchor = m.group(1), m.group(2), m.group(3) or ""
        if "://" in target or target.startswith("mailto:"):
            return m.group(0)
        there = Path(os.path.normpath(at.parent / target))
        if not there.exists():
            raise PluginError(f"{uri}: {target} is not there")
        if there.is_dir() and there / "README.md" in PAGES:
            there /= "README.md"
        if there in PAGES:
            inside = PAGES[there]
        elif there.is_relative_to(ROOT / "docs") and there.suffix == ".md":
            inside = there.relative_to(ROOT / "docs").as_posix()
        else:
            return f"[{text}]({config.repo_url}/blob/main/{there.relative_to(ROOT).as_posix()}{anchor})"
        return f"[{text}]({os.path.relpath(inside, Path(uri).parent)}{anchor})"

    return LINK.sub(turn, markdown)
