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
import shutil
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import numpy_helper
from onnxruntime.quantization import QuantType, quantize_dynamic

from .failure import Refused
from .work import clear, make_private

SUFFIX = "-int8"
TABLE = "embedding.i8"


def token_graph(source: bytes, full_range: bool = False) -> bytes:
    """The token graph with 8-bit weights, and a scale for each unit.

    Processors without VNNI add two products of 8 bits in 16 and cut off what does not fit, so
    neighbours are kept small enough to fit; with full_range they are not, and results differ
    between processors.
    """
    with tempfile.TemporaryDirectory() as folder:
        full, out = Path(folder, "full.onnx"), Path(folder, "eight.onnx")
        full.write_bytes(source)
        logging.getLogger().setLevel(logging.ERROR)  # it advises steps that change nothing here
        quantize_dynamic(
            full,
            out,
            op_types_to_quantize=["LSTM", "MatMul"],
            weight_type=QuantType.QInt8,
            per_channel=True,
        )
        model = onnx.load(out)
    left = {n.op_type for n in model.graph.node} & {"LSTM", "MatMul"}
    if left:
        raise Refused(f"the token graph keeps {', '.join(sorted(left))} in full")
    if not full_range:
        _fit(model, onnx.load_from_string(source))
    data: bytes = model.SerializeToString(deterministic=True)
    return data


def _fit(model: onnx.ModelProto, full: onnx.ModelProto) -> None:
    """Rounds the weights anew, so that no two neighbours of a unit exceed 128 together."""
    weights = {t.name: numpy_helper.to_array(t) for t in full.graph.initializer}
    eight = {t.name: t for t in model.graph.initializer}
    done = 0
    for name, weight in weights.items():
        table = eight.get(f"{name}_quantized")
        if table is None:
            continue
        # ONNX has an LSTM's weights as [side, unit, input]; its 8-bit form as [side, input, unit].
        rounded, scale = fitting(weight.swapaxes(1, 2) if weight.ndim == 3 else weight)
        kept = eight[f"{name}_scale"]
        if list(table.dims) != list(rounded.shape) or list(kept.dims) != list(scale.shape):
            raise Refused(f"{name}: ONNX Runtime lays out its 8-bit form in another way than known")
        table.CopyFrom(numpy_helper.from_array(rounded, table.name))
        kept.CopyFrom(numpy_helper.from_array(scale, kept.name))
        done += 1
    if done != len([n for n in eight if n.endswith("_quantized")]):
        raise Refused("the token graph has 8-bit weights of no known origin")


def fitting(weight: NDArray[np.float32]) -> tuple[NDArray[np.int8], NDArray[np.float32]]:
    """Weights [..., input, unit] in 8 bits and the scale of each unit, such that the sizes of
    two neighbouring inputs' weights add up to 128 at most: times an input of up to 255 they
    stay within 16 bits, whichever way they are added."""
    size = np.abs(weight.astype(np.float64))
    pairs = (size[..., 1:, :] + size[..., :-1, :]).max(axis=-2)
    scale = np.maximum(pairs, size.max(axis=-2)) / 127  # rounding adds one half each
    scale = np.where(scale == 0, 1, scale).astype(np.float32)
    rounded = np.rint(weight / scale[..., None, :]).clip(-127, 127).astype(np.int8)
    return np.ascontiguousarray(rounded), scale


def rows(table: bytes, width: int) -> bytes:
    """A table of numbers of 32 bits in 8, with a scale of 32 bits before each row: the scale
    times what stands there is the number. The LSTM's inputs are rounded to 8 bits anyway."""
    wide: NDArray[np.float32] = np.frombuffer(table, dtype="<f4").reshape(-1, width)
    scale = (np.abs(wide).max(axis=1, keepdims=True) / 127).astype("<f4")
    divided = wide / np.where(scale == 0, 1, scale)
    narrow = np.rint(divided).clip(-127, 127).astype(np.int8)
    return np.concatenate([scale.view(np.int8), narrow], axis=1).tobytes()


def make(
    source: Path,
    target: Path,
    measured: str = "",
    full_range: bool = False,
    called: str = "",
) -> None:
    """Writes the model directory target, of the weights of the one in source. measured is
    Markdown for its card: what it was measured to lose and to gain. called is the name of a model
    that is shipped without the one in source, and whose card says all; without it the model is
    called after source."""
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
    files["token.onnx"] = token_graph(files["token.onnx"], full_range)
    files[TABLE] = rows(files.pop("embedding.f32"), full["dimensions"]["token"])
    described: dict[str, Any] = {}
    for key, value in full.items():
        match key:
            case "name":
                described[key] = called or value + SUFFIX
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
    if not target.exists():
        make_private(target)
        shutil.copymode(source, target)
    clear(target, files)
    for name, data in files.items():
        (target / name).write_bytes(data)
    text = json.dumps(described, indent=2, ensure_ascii=False) + "\n"
    (target / "model.json").write_text(text, encoding="utf-8")
    path = source / "README.md"
    first = path.read_text(encoding="utf-8") if path.exists() else ""
    make_card = whole_card if called else card
    text = make_card(described, first, _how(measured, full_range))
    (target / "README.md").write_text(text, encoding="utf-8")


LICENCE = "## Licence and attribution"


def card(described: dict[str, Any], first: str, how: str) -> str:
    """The card of a model that goes with the one it was made of, whose card is first."""
    of = described["made_from"]
    licence = first.partition(LICENCE)[2].strip()
    return f"""# {described["name"]} {described["version"]}

{of["name"]} {of["version"]} with weights of 8 bits: the same network, trained on the same notes, rounded. Not trained anew; what its [card](../{of["name"]}/README.md) says of data, protocol and weaknesses holds here too.

**Not a promise of safety.** It has never seen a real note. Score it on notes of your own before anything is released, and let the rules and the patient sweep of the job work beside it.

{how}
{LICENCE}
{licence or "Weights: as those that they were made from."}
"""


def whole_card(described: dict[str, Any], first: str, how: str) -> str:
    """The card of a model that stands alone: that of the one it was made of, whose scores are
    from before the rounding, and what was measured after it."""
    _, _, body = first.partition("\n")
    before, heading, licence = body.partition(LICENCE)
    note = (
        "It was rounded to 8 bits after training. The scores below are those of the network "
        "before that; those under Measured are of the rounded one.\n\n"
    )
    title = f"# {described['name']} {described['version']}\n\n"
    return title + note + before.lstrip() + how + "\n" + heading + licence


def _how(measured: str, full_range: bool) -> str:
    """The sections on what is rounded, how it runs and what was measured."""
    fits = (
        "It needs a processor with VNNI: without, sums are cut off and labels go wrong"
        if full_range
        else "Neighbours are small enough for processors without VNNI, which would cut off sums"
    )
    return f"""## What is rounded
- The token LSTM and the two matrices after it: 8 bits a weight and a scale for each unit. {fits}. Their inputs are rounded to 8 bits by the range that they have in a run.
- The embedding: 8 bits a number and a scale for each row.
- The character LSTM and the CRF are in full.

## How it runs
- One window a run (`windows_per_run` in `model.json`), so that what is found in a window depends on that window alone: the same bytes for any batch, order and number of workers. More windows a run would make it no faster.
- On CPUs alone: `--execution_provider=cuda` refuses it, and `auto` takes the CPU.
- Integer sums are exact, but what surrounds them is not rounded alike by all kinds of processors. The job compares a probe's scores on each worker with the launcher's, and stops where they differ, unless `--mixed_hardware` is given.

## Measured
{measured or "Not measured yet: `go run ./tools/precision` compares it with the full one."}
"""
