"""What mkdocs does besides: model cards join the pages, and links to files of the
repository that are no pages go to the repository, if the files are there."""

from __future__ import annotations

import os
import re
from pathlib import Path

from mkdocs.exceptions import PluginError
from mkdocs.structure.files import File, Files

ROOT = Path(__file__).resolve().parents[2]
LINK = re.compile(r"(?<!!)\[([^\]]*)\]\(([^)\s#]+)(#[^)\s]*)?\)")


def on_files(files: Files, config) -> Files:
    """Adds each shipped model's card as models/NAME.md."""
    for card in sorted((ROOT / "onnx/models").glob("*/README.md")):
        files.append(File.generated(config, f"models/{card.parent.name}.md", content=card.read_text()))
    return files


def on_page_markdown(markdown: str, page, config, files: Files) -> str:
    """Turns links that leave docs/ into links to the repository."""
    uri = page.file.src_uri
    at = ROOT / "onnx" / uri.removesuffix(".md") / "README.md" if uri.startswith("models/") else ROOT / "docs" / uri

    def turn(m: re.Match[str]) -> str:
        text, target, anchor = m.group(1), m.group(2), m.group(3) or ""
        if "://" in target or target.startswith("mailto:"):
            return m.group(0)
        there = Path(os.path.normpath(at.parent / target))
        if not there.exists():
            raise PluginError(f"{uri}: {target} is not there")
        card = ROOT / "onnx/models"
        if there.is_relative_to(card) and (there / "README.md").exists():
            there = there / "README.md"
        if there.is_relative_to(card) and there.name == "README.md":
            inside = f"models/{there.parent.name}.md"
        elif there.is_relative_to(ROOT / "docs") and there.suffix == ".md":
            inside = there.relative_to(ROOT / "docs").as_posix()
        else:
            return f"[{text}]({config.repo_url}/blob/main/{there.relative_to(ROOT).as_posix()}{anchor})"
        return f"[{text}]({os.path.relpath(inside, Path(uri).parent)}{anchor})"

    return LINK.sub(turn, markdown)
