"""Makes a model of 8-bit weights from a model directory: a model of its own, with its card.

The token graph's LSTM and its two matrices are kept in 8 bits and multiplied as integers; the
inputs of each are rounded to 8 bits by the range of what one run brings (ONNX Runtime's dynamic
quantisation). So a window's result depends on the windows beside it, and such a model is run one
window at a time, as its model.json says. The character graph, which sees forms in any company,
stays in full.
"""

from __future__ import annotations

import hashlib
import json
import logging
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
import onnx
from numpy.typing import NDArray
from onnxruntime.quantization import QuantType, quantize_dynamic

from .failure import Refused

SUFFIX = "-int8"
TABLE = "embedding.f16"


def token_graph(source: bytes, per_channel: bool = True, reduce_range: bool = True) -> bytes:
    """The token graph with 8-bit weights: a scale for each unit with per_channel, for each
    matrix without it; 7 bits of the 8 with reduce_range, of which sums of two products fit into
    16 bits: processors without VNNI add them there and cut off what does not fit."""
    with tempfile.TemporaryDirectory() as folder:
        full, out = Path(folder, "full.onnx"), Path(folder, "eight.onnx")
        full.write_bytes(source)
        logging.getLogger().setLevel(logging.ERROR)  # it advises steps that change nothing here
        quantize_dynamic(
            full,
            out,
            op_types_to_quantize=["LSTM", "MatMul"],
            weight_type=QuantType.QInt8,
            per_channel=per_channel,
            reduce_range=reduce_range,
        )
        model = onnx.load(out)
    left = {n.op_type for n in model.graph.node} & {"LSTM", "MatMul"}
    if left:
        raise Refused(f"the token graph keeps {', '.join(sorted(left))} in full")
    data: bytes = model.SerializeToString(deterministic=True)
    return data


def halves(table: bytes) -> bytes:
    """A table of numbers of 32 bits in 16."""
    wide: NDArray[np.float32] = np.frombuffer(table, dtype="<f4")
    narrow = wide.astype("<f2")
    if not np.isfinite(narrow).all():
        raise Refused("a number of the embedding is too large for 16 bits")
    return narrow.tobytes()


def make(
    source: Path,
    target: Path,
    measured: str = "",
    per_channel: bool = True,
    reduce_range: bool = True,
) -> None:
    """Writes the model directory target, of the weights of the one in source. measured is
    Markdown for its card: what it was measured to lose and to gain."""
    raw = (source / "model.json").read_bytes()
    full: dict[str, Any] = json.loads(raw)
    if full.get("kind", "bilstm-crf") != "bilstm-crf":
        raise Refused(f"{source}: is of the kind {full['kind']}, which has no graph to make small")
    if "precision" in full:
        raise Refused(f"{source}: has weights of {full['precision']} already")
    files = {n: (source / n).read_bytes() for n in full["files"]}
    for name, data in files.items():
        if hashlib.sha256(data).hexdigest() != full["files"][name]:
            raise Refused(f"{source / name}: is not what model.json says; fetch the model again")
    files["token.onnx"] = token_graph(files["token.onnx"], per_channel, reduce_range)
    files[TABLE] = halves(files.pop("embedding.f32"))
    described: dict[str, Any] = {}
    for key, value in full.items():
        match key:
            case "name":
                described[key] = value + SUFFIX
            case "files":
                described["precision"] = "int8"
                described["windows_per_run"] = 1
                described["made_from"] = {
                    "name": full["name"],
                    "version": full["version"],
                    "sha256": hashlib.sha256(raw).hexdigest(),
                }
                digests = {n: hashlib.sha256(d).hexdigest() for n, d in sorted(files.items())}
                described[key] = digests
            case "scores" | "positions_per_run":
                pass  # of the full one
            case _:
                described[key] = value
    target.mkdir(parents=True, exist_ok=True)
    for name, data in files.items():
        (target / name).write_bytes(data)
    text = json.dumps(described, indent=2, ensure_ascii=False) + "\n"
    (target / "model.json").write_text(text, encoding="utf-8")
    (target / "README.md").write_text(card(described, measured, reduce_range), encoding="utf-8")


def card(described: dict[str, Any], measured: str, reduce_range: bool) -> str:
    of = described["made_from"]
    bits = "of which 7 are used, so that processors without VNNI do not cut sums off"
    attribution = "".join(
        f"- {a['name']}: {a['citation']}; {a['licence']}; {a['changes']}.\n"
        for a in described.get("attribution", [])
    )
    return f"""# {described["name"]} {described["version"]}

{of["name"]} {of["version"]} with weights of 8 bits: the same network, trained on the same notes, rounded. Not trained anew; what its [card](../{of["name"]}/README.md) says of data, protocol and weaknesses holds here too.

**Not a promise of safety.** It has never seen a real note. Score it on notes of your own before anything is released, and let the rules and the patient sweep of the job work beside it.

## What is rounded
- The token LSTM and the two matrices after it: a scale for each unit, 8 bits a weight{", " + bits if reduce_range else ""}. Their inputs are rounded to 8 bits by the range that they have in a run.
- The embedding: 16 bits a number.
- The character LSTM and the CRF are in full.

## How it runs
- One window a run (`windows_per_run` in `model.json`), so that what is found in a window depends on that window alone: the same bytes for any batch, order and number of workers. More windows a run would make it no faster.
- On CPUs alone: `--execution_provider=cuda` refuses it, and `auto` takes the CPU.
- Integer sums are exact, but what surrounds them is not rounded alike by all kinds of processors. The job compares a probe's scores on each worker with the launcher's, and stops where they differ, unless `--mixed_hardware` is given.

## Measured
{measured or "Not measured yet: `go run ./tools/precision` compares it with the full one."}

## Licence and attribution
Weights: {described.get("licence", "as the full one's")}.
{attribution}"""
