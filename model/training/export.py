"""Export to a model directory: two ONNX graphs, tables and model.json.

Graphs are built node by node and not traced: time-major, int32 inputs, lengths
as inputs, constant reshapes only. So no shape arithmetic is left that ONNX
Runtime would keep on the CPU beside a GPU, and no batch size is baked in.
"""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import torch
from numpy.typing import NDArray
from onnx import TensorProto, helper, numpy_helper
from torch import nn

from .failure import Refused
from .forms import MAX_CHARS
from .lstm import BiLSTM
from .model import Model
from .network import CLASSES, Network, input_width
from .windows import WINDOW_TOKENS
from .work import clear, make_private

OPSET = 17
IR_VERSION = 10  # read by ONNX Runtime 1.24 and later


def initializer(name: str, a: NDArray[Any]) -> onnx.TensorProto:
    return numpy_helper.from_array(np.ascontiguousarray(a), name)


GATES = (0, 3, 1, 2)  # torch's i f g o in ONNX's order, i o f c


def lstm_weights(lstm: BiLSTM, name: str) -> list[onnx.TensorProto]:
    """ONNX's W [2, 4H, width], R [2, 4H, H] and B [2, 8H], gates in its order."""

    def gates(weight: str) -> NDArray[Any]:
        sides = [getattr(side, weight).detach() for side in (lstm.ahead, lstm.back)]
        ordered = [torch.cat([w.chunk(4)[k] for k in GATES]) for w in sides]
        return torch.stack(ordered).numpy()

    bias = np.concatenate([gates("bias_ih_l0"), gates("bias_hh_l0")], axis=1)
    return [
        initializer(f"{name}.W", gates("weight_ih_l0")),
        initializer(f"{name}.R", gates("weight_hh_l0")),
        initializer(f"{name}.B", bias),
    ]


def save(
    nodes: list[Any], name: str, inputs: list[Any], outputs: list[Any], weights: list[Any]
) -> bytes:
    graph = helper.make_graph(nodes, name, inputs, outputs, weights)
    model = helper.make_model(
        graph,
        opset_imports=[helper.make_opsetid("", OPSET)],
        producer_name="palimpsest",
        ir_version=IR_VERSION,
    )
    onnx.checker.check_model(model, full_check=True)
    data: bytes = model.SerializeToString(deterministic=True)
    return data


def char_graph(net: Network) -> bytes:
    """chars int32 [U, T], lengths int32 [T] -> char_vectors float32 [T, char]."""
    h = net.d.char_hidden
    weights = [
        initializer("embedding", net.char_embedding.weight.detach().numpy()),
        *lstm_weights(net.char_lstm, "chars"),
        initializer("flat", np.array([-1, 2 * h], dtype=np.int64)),
    ]
    nodes = [
        helper.make_node("Gather", ["embedding", "chars"], ["embedded"], axis=0),
        helper.make_node(
            "LSTM",
            ["embedded", "chars.W", "chars.R", "chars.B", "lengths"],
            ["", "last"],
            hidden_size=h,
            direction="bidirectional",
        ),
        helper.make_node("Transpose", ["last"], ["by_form"], perm=[1, 0, 2]),
        helper.make_node("Reshape", ["by_form", "flat"], ["char_vectors"]),
    ]
    if net.d.char_out:
        assert isinstance(net.char_out, nn.Linear)
        weights.append(initializer("char_out.W", net.char_out.weight.detach().numpy().T))
        nodes[-1].output[0] = "flattened"
        nodes.append(helper.make_node("MatMul", ["flattened", "char_out.W"], ["char_vectors"]))
    return save(
        nodes,
        "char",
        [
            helper.make_tensor_value_info("chars", TensorProto.INT32, ["U", "T"]),
            helper.make_tensor_value_info("lengths", TensorProto.INT32, ["T"]),
        ],
        [helper.make_tensor_value_info("char_vectors", TensorProto.FLOAT, ["T", net.d.char])],
        weights,
    )


def token_graph(net: Network, labels: int) -> bytes:
    """x float32 [S, B, width], lengths int32 [B] -> emissions float32 [S, B, labels]."""
    h = net.d.hidden
    weights = [
        *lstm_weights(net.lstm, "tokens"),
        # [S, 2, B, H] -> [S, B, 2, H] -> [S, B, 2H]; 0 keeps a dimension.
        initializer("join", np.array([0, 0, 2 * h], dtype=np.int64)),
        initializer("dense.W", net.dense.weight.detach().numpy().T),
        initializer("dense.B", net.dense.bias.detach().numpy()),
        initializer("out.W", net.out.weight.detach().numpy().T),
        initializer("out.B", net.out.bias.detach().numpy()),
    ]
    nodes = [
        helper.make_node(
            "LSTM",
            ["x", "tokens.W", "tokens.R", "tokens.B", "lengths"],
            ["states"],
            hidden_size=h,
            direction="bidirectional",
        ),
        helper.make_node("Transpose", ["states"], ["by_token"], perm=[0, 2, 1, 3]),
        helper.make_node("Reshape", ["by_token", "join"], ["joined"]),
        helper.make_node("MatMul", ["joined", "dense.W"], ["dense"]),
        helper.make_node("Add", ["dense", "dense.B"], ["dense.biased"]),
        helper.make_node("Tanh", ["dense.biased"], ["hidden"]),
        helper.make_node("MatMul", ["hidden", "out.W"], ["out"]),
        helper.make_node("Add", ["out", "out.B"], ["emissions"]),
    ]
    return save(
        nodes,
        "token",
        [
            helper.make_tensor_value_info("x", TensorProto.FLOAT, ["S", "B", input_width(net.d)]),
            helper.make_tensor_value_info("lengths", TensorProto.INT32, ["B"]),
        ],
        [helper.make_tensor_value_info("emissions", TensorProto.FLOAT, ["S", "B", labels])],
        weights,
    )


def export(model: Model, folder: Path, description: dict[str, Any], card: str) -> None:
    """Writes the model directory. description gives model.json's leading fields."""
    net, d = model.network.cpu(), model.settings.network
    net.eval()
    assert isinstance(net.embedding, nn.Embedding)
    embedding = net.embedding.weight.detach().numpy().astype("<f4")
    transitions = net.crf.transitions().detach().numpy().astype("<f4")
    files = {
        "char.onnx": char_graph(net),
        "token.onnx": token_graph(net, len(model.labels)),
        "vocabulary.txt": ("\n".join(model.vocabulary.forms) + "\n").encode(),
        "embedding.f32": embedding.tobytes(),
        "characters.txt": ("\n".join(model.vocabulary.characters) + "\n").encode(),
        "transitions.f32": transitions.tobytes(),
    }
    if model.contexts is not None:
        files |= model.contexts.files
    if not all(torch.isfinite(p).all() for p in net.parameters()):
        raise Refused("a weight is not finite: training diverged; lower training.rate")
    make_private(folder)
    clear(folder, files)
    for name, data in files.items():
        (folder / name).write_bytes(data)
    described = {
        "format_version": 1,
        **{k: v for k, v in description.items() if k not in ("training", "scores")},
        "label_scheme": "BIOES",
        "labels": model.labels,
        "tokenizer": {
            **{"window_tokens": WINDOW_TOKENS, "max_chars": list(MAX_CHARS)},
            **(model.contexts.tokenizer if model.contexts is not None else {}),
        },
        **({"windows_per_run": 1} if model.contexts and model.contexts.together == 1 else {}),
        "dimensions": {
            **{"token": d.token, "char": d.char, "class": CLASSES, "space": 1},
            **({"context": d.context} if d.context else {}),
        },
        "files": {n: hashlib.sha256(data).hexdigest() for n, data in sorted(files.items())},
        "training": description["training"],
        "scores": description["scores"],
    }
    text = json.dumps(described, indent=2, ensure_ascii=False) + "\n"
    (folder / "model.json").write_text(text, encoding="utf-8")
    (folder / "README.md").write_text(card, encoding="utf-8")
