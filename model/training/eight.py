"""Makes a model of 8-bit weights from a model directory: a model of its own, with its card.

The token graph's LSTM and its two matrices are kept in 8 bits and multiplied as integers; the
inputs of each are rounded to 8 bits. ONNX Runtime rounds an LSTM's inputs by the range that they
have in a run, so that a window's result would depend on the windows beside it. Here these ranges
are the same in every run: the network's inputs are brought into 0 to 1, both of which each
token has (its class is one of eight, of which the others are 0), and two more units a side,
which nothing reads, have states that no other unit's can exceed, one of either sign. So windows run
together, and the result for one depends on that one alone. As inputs are rounded to 8 bits
anyway, whoever runs the graph rounds them, once for each form, by what SCALE says: a quarter of the
memory to keep and to hand over. The character graph stays in full.

Of a model that reads an encoder the encoder's graph is rounded (eight_encoder.py), as it is nearly
all of the model, and the token graph stays in full.
"""

from __future__ import annotations

import hashlib
import json
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import TensorProto, helper, numpy_helper

from . import context, wordpieces
from .eight_encoder import context_graph
from .export import IR_VERSION, OPSET, initializer
from .failure import Refused
from .work import clear, make_private

SUFFIX = "-int8"
TABLE = "embedding.i8"
SCALE = "input_scale.f32"
PINNED = 2  # units a side whose states are as large as states get
SURE = 30.0  # of a gate that is open or shut whatever stands there
STEP = np.array(1 / 255, dtype=np.float32)  # of inputs between 0 and 1 in 8 bits
MOST = 99.95  # percent of the embedding's numbers that are not cut off


def token_graph(source: bytes, limits: NDArray[np.float64], full_range: bool = False) -> bytes:
    """The token graph with 8-bit weights, and a scale for each unit. Its inputs are of 8 bits, 0 to
    255 for 0 to 1. limits are the greatest sizes of the first inputs, beyond which they are cut
    off; those behind them are 0 or 1.

    Processors without VNNI add two products of 8 bits in 16 and cut off what does not fit, so
    neighbours are kept small enough to fit; with full_range they are not, and results differ
    between processors.
    """
    full = {
        t.name: numpy_helper.to_array(t) for t in onnx.load_from_string(source).graph.initializer
    }
    eight = whole if full_range else fitting
    w, r, b = _pinned(full["tokens.W"], full["tokens.R"], full["tokens.B"])
    hidden, width = r.shape[2], w.shape[2]
    known = len(limits)
    # W x is W 2 limit (x' - 1/2) of an input x' that was brought into 0 to 1.
    w[:, :, :known] *= 2 * limits
    units = full["dense.W"].shape[1]
    dense = np.zeros((2 * hidden, units))
    dense[: hidden - PINNED] = full["dense.W"][: hidden - PINNED]
    dense[hidden:-PINNED] = full["dense.W"][hidden - PINNED :]
    step = np.float32(2 / 255)  # of states and of tanh, which lie between -1 and 1
    (wq, ws), (rq, rs) = eight(w.swapaxes(1, 2)), eight(r.swapaxes(1, 2))
    # Of the weights as they were rounded: most inputs are near the middle, where nothing is off then.
    b[:, : 4 * hidden] -= (wq * ws[:, None].astype(np.float64))[:, :known].sum(axis=1) / 2
    (dq, ds), (oq, os_) = eight(dense), eight(full["out.W"])
    weights = [
        initializer("input.step", STEP),
        initializer("input.zero", np.array(0, dtype=np.uint8)),
        initializer("tokens.W", wq),
        initializer("tokens.W.scale", ws),
        initializer("tokens.W.zero", np.zeros(ws.shape, dtype=np.int8)),
        initializer("tokens.R", rq),
        initializer("tokens.R.scale", rs),
        initializer("tokens.R.zero", np.zeros(rs.shape, dtype=np.int8)),
        initializer("tokens.B", b.astype(np.float32)),
        # [S, 2, B, H] -> [S, B, 2, H] -> [S, B, 2H]; 0 keeps a dimension.
        initializer("join", np.array([0, 0, 2 * hidden], dtype=np.int64)),
        initializer("step", np.array(step)),
        initializer("middle", np.array(128, dtype=np.uint8)),
        initializer("none", np.array(0, dtype=np.int8)),
        initializer("dense.W", dq),
        initializer("dense.scale", (ds * step).astype(np.float32)),
        initializer("dense.B", full["dense.B"]),
        initializer("out.W", oq),
        initializer("out.scale", (os_ * step).astype(np.float32)),
        initializer("out.B", full["out.B"]),
    ]
    node = helper.make_node
    nodes = [
        node("DequantizeLinear", ["x", "input.step", "input.zero"], ["input"]),
        node(
            "DynamicQuantizeLSTM",
            [
                *("input", "tokens.W", "tokens.R", "tokens.B", "lengths", "", "", ""),
                *("tokens.W.scale", "tokens.W.zero", "tokens.R.scale", "tokens.R.zero"),
            ],
            ["states"],
            domain="com.microsoft",
            hidden_size=hidden,
            direction="bidirectional",
        ),
        node("Transpose", ["states"], ["by_token"], perm=[0, 2, 1, 3]),
        node("Reshape", ["by_token", "join"], ["joined"]),
        *_matrix("joined", "dense"),
        node("Tanh", ["dense.biased"], ["hidden"]),
        *_matrix("hidden", "out", "emissions"),
    ]
    graph = helper.make_graph(
        nodes,
        "token",
        [
            helper.make_tensor_value_info("x", TensorProto.UINT8, ["S", "B", width]),
            helper.make_tensor_value_info("lengths", TensorProto.INT32, ["B"]),
        ],
        [helper.make_tensor_value_info("emissions", TensorProto.FLOAT, ["S", "B", oq.shape[1]])],
        weights,
    )
    domains = [helper.make_opsetid("", OPSET), helper.make_opsetid("com.microsoft", 1)]
    model = helper.make_model(
        graph, opset_imports=domains, producer_name="palimpsest", ir_version=IR_VERSION
    )
    data: bytes = model.SerializeToString(deterministic=True)
    return data


def _pinned(
    w: NDArray[np.float32], r: NDArray[np.float32], b: NDArray[np.float32]
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    """ONNX's weights of an LSTM (gates i o f c) with PINNED more units a side. Their gates are
    open and what they add at each step is 1 and -1: no state is greater after as many steps, as
    each adds a number between -1 and 1 to one that is kept in part."""
    old, new = r.shape[2], r.shape[2] + PINNED
    wide = np.zeros((2, 4 * new, w.shape[2]))
    deep = np.zeros((2, 4 * new, new))
    bias = np.zeros((2, 8 * new))
    for gate in range(4):
        here, there = slice(gate * old, (gate + 1) * old), slice(gate * new, gate * new + old)
        wide[:, there], deep[:, there, :old] = w[:, here], r[:, here]
        bias[:, there] = b[:, here]
        bias[:, 4 * new + gate * new : 4 * new + gate * new + old] = b[
            :, 4 * old + gate * old : 4 * old + (gate + 1) * old
        ]
        bias[:, gate * new + old : (gate + 1) * new] = SURE
    bias[:, 4 * new - 1] = -SURE
    return wide, deep, bias


def _matrix(source: str, name: str, out: str = "") -> list[onnx.NodeProto]:
    """A matrix of 8-bit weights over states between -1 and 1, and its bias."""
    node = helper.make_node
    return [
        node("QuantizeLinear", [source, "step", "middle"], [f"{name}.input"]),
        node("MatMulInteger", [f"{name}.input", f"{name}.W", "middle", "none"], [f"{name}.sums"]),
        node("Cast", [f"{name}.sums"], [f"{name}.cast"], to=TensorProto.FLOAT),
        node("Mul", [f"{name}.cast", f"{name}.scale"], [f"{name}.product"]),
        node("Add", [f"{name}.product", f"{name}.B"], [out or f"{name}.biased"]),
    ]


def limits_of(table: bytes, width: int, others: int) -> NDArray[np.float64]:
    """The greatest size of each of a token's numbers, but for the few of the whole table that are
    far larger than others; and 1 for each of the other inputs, which are states of networks."""
    numbers = np.abs(np.frombuffer(table, dtype="<f4").reshape(-1, width).astype(np.float64))
    most = np.minimum(numbers.max(axis=0), np.percentile(numbers, MOST))
    return np.concatenate([np.where(most == 0, 1, most), np.ones(others)])


def narrowed(numbers: NDArray[np.float32], scale: NDArray[np.float32]) -> NDArray[np.uint8]:
    """Inputs of the token graph but for class and blanks, in 8 bits."""
    moved = (numbers * scale + np.float32(0.5)).clip(0, 1)
    return np.rint(moved / STEP).astype(np.uint8)


def whole(weight: NDArray[Any]) -> tuple[NDArray[np.int8], NDArray[np.float32]]:
    """Weights [..., input, unit] in 8 bits and the scale of each unit."""
    return _rounded(weight, np.abs(weight).max(axis=-2))


def fitting(weight: NDArray[Any]) -> tuple[NDArray[np.int8], NDArray[np.float32]]:
    """Weights [..., input, unit] in 8 bits and the scale of each unit, such that the sizes of
    two neighbouring inputs' weights add up to 128 at most: times an input of up to 255 they
    stay within 16 bits, whichever way they are added."""
    size = np.abs(weight.astype(np.float64))
    pairs = (size[..., 1:, :] + size[..., :-1, :]).max(axis=-2)
    return _rounded(weight, np.maximum(pairs, size.max(axis=-2)))  # rounding adds one half each


def _rounded(
    weight: NDArray[Any], most: NDArray[Any]
) -> tuple[NDArray[np.int8], NDArray[np.float32]]:
    """Weights in 8 bits and the scale of each unit, whose most is 127 steps."""
    scale = np.where(most == 0, 1, most / 127).astype(np.float32)
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
    d = full["dimensions"]
    execution: dict[str, Any] = {"precision": "int8"}
    if d.get("context"):
        if wordpieces.TABLE not in files:
            raise Refused(f"{source}: reads language models, which have no 8-bit form here")
        rounded = whole if full_range else fitting
        files[context.GRAPH] = context_graph(files[context.GRAPH], rounded)
        how = ENCODER
    else:
        limits = limits_of(files["embedding.f32"], d["token"], d["char"])
        files["token.onnx"] = token_graph(files["token.onnx"], limits, full_range)
        files[SCALE] = (0.5 / limits).astype("<f4").tobytes()
        execution |= {"input_ranges": "fixed", "input_bits": 8}
        how = NETWORK
    files[TABLE] = rows(files.pop("embedding.f32"), d["token"])
    described: dict[str, Any] = {}
    for key, value in full.items():
        match key:
            case "name":
                described[key] = called or value + SUFFIX
            case "files":
                described |= execution
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
    text = make_card(described, first, _how(how, measured, full_range))
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


NETWORK = """## What is rounded
- The token LSTM and the two matrices after it: 8 bits a weight and a scale for each unit. {fits}. Their inputs are rounded to 8 bits too, by ranges that are the same in every run (`input_ranges` in `model.json`); the LSTM's are handed over so (`input_bits`, `input_scale.f32`).
- The embedding: 8 bits a number and a scale for each row.
- The character LSTM and the CRF are in full.

## How it runs
- Windows in batches, as a model in full. As ranges are the same in every run, what is found in a window depends on that window alone: the same bytes for any batch, order and number of workers.
"""
ENCODER = """## What is rounded
- The encoder's matrices: 8 bits a weight and a scale for each unit. {fits}. Their inputs are rounded to 8 bits too, by the range that they have in the window.
- The encoder's table of word pieces and the embedding: 8 bits a number and a scale for each row.
- The character LSTM, the token LSTM, the two matrices after it and the CRF are in full.

## How it runs
- One window a run (`windows_per_run` in `model.json`), as the model in full: what is found in a window depends on that window alone.
"""


def _how(how: str, measured: str, full_range: bool) -> str:
    """The sections on what is rounded, how it runs and what was measured."""
    fits = (
        "It needs a processor with VNNI: without, sums are cut off and labels go wrong"
        if full_range
        else "Neighbours are small enough for processors without VNNI, which would cut off sums"
    )
    return f"""{how.format(fits=fits)}- On CPUs alone: `--execution_provider=cuda` refuses it, and `auto` takes the CPU.
- Integer sums are exact, but what surrounds them is not rounded alike by all kinds of processors. The job compares a probe's scores on each worker with the launcher's, and stops where they differ, unless `--mixed_hardware` is given.

## Measured
{measured or "Not measured yet: `go run ./tools/precision` compares it with the full one."}
"""
