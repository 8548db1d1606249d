"""An encoder as the graph that the job runs beside a network, node by node (see export.py).

It takes what the graph of character language models takes, and gives what that gives: so the job runs
either. No shape is computed with.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray
from onnx import TensorProto, helper

from .bert import HEAD, Encoder
from .export import initializer, save
from .wordpieces import BITS

FAR = -1e4  # what is added to the score of a piece that is not there


def graph(encoder: Encoder) -> bytes:
    """chars int32 [C, B], the pieces' numbers, lengths int32 [B], places int32 [S, B, 2] -> context
    float32 [S, B, width]. Places are those of character language models: a row of [2 C B, width],
    c B + b of a token's last piece, and C B more of its first one."""
    g = _Graph(encoder)
    x = g.embedded()
    mask = g.mask()
    for k in range(encoder.bert.config.num_hidden_layers):
        x = g.layer(f"encoder.layer.{k}", x, mask)
    g.picked(x)
    value = helper.make_tensor_value_info
    return save(
        g.nodes,
        "context",
        [
            value("chars", TensorProto.INT32, ["C", "B"]),
            value("lengths", TensorProto.INT32, ["B"]),
            value("places", TensorProto.INT32, ["S", "B", 2]),
        ],
        [value("context", TensorProto.FLOAT, ["S", "B", encoder.width])],
        g.weights,
    )


class _Graph:
    """Nodes and weights as they are added. Within, batches come first: [B, C, width]."""

    def __init__(self, encoder: Encoder) -> None:
        self.encoder, self.c = encoder, encoder.bert.config
        self.state = {k: v.detach().numpy() for k, v in encoder.bert.state_dict().items()}
        self.nodes: list[Any] = []
        self.weights: list[Any] = []
        self.named: set[str] = set()

    def constant(self, name: str, value: Any, kind: Any = np.float32) -> str:
        """Adds it once."""
        if name not in self.named:
            self.weights.append(initializer(name, np.asarray(value, dtype=kind)))
            self.named.add(name)
        return name

    def node(self, op: str, inputs: list[str], output: str, **how: Any) -> str:
        self.nodes.append(helper.make_node(op, inputs, [output], **how))
        return output

    def linear(self, name: str, x: str, output: str) -> str:
        w = self.constant(f"{name}.weight", self.state[f"{name}.weight"].T)
        b = self.constant(f"{name}.bias", self.state[f"{name}.bias"])
        return self.node("Add", [self.node("MatMul", [x, w], f"{output}.product"), b], output)

    def sum_normal(self, name: str, x: str, y: str, output: str) -> str:
        """The layer normalisation of a sum."""
        both = self.node("Add", [x, y], f"{output}.sum")
        scale, bias = (self.constant(n, self.state[n]) for n in (f"{name}.weight", f"{name}.bias"))
        how = {"axis": -1, "epsilon": self.c.layer_norm_eps}
        return self.node("LayerNormalization", [both, scale, bias], output, **how)

    def row(self, table: str, rows: NDArray[np.float32], index: str) -> str:
        return self.node("Gather", [self.constant(table, rows), index], f"of_{index}", axis=0)

    def embedded(self) -> str:
        """What a piece's number tells, and its place, which is counted by a running sum."""
        numbers = self.node("Transpose", ["chars"], "numbers", perm=[1, 0])
        four = self.constant("four", 4, np.int32)
        sixteen = self.constant("sixteen", 1 << BITS >> 2, np.int32)
        above = self.node("Div", [numbers, four], "case_and_above")
        piece = self.node("Div", [above, sixteen], "piece")
        case = self.node("Mod", [above, sixteen], "case")
        gap = self.node("Mod", [numbers, four], "gap")
        zero, one = self.constant("zero", 0, np.int32), self.constant("one", 1, np.int32)
        ones = self.node("Add", [self.node("Mul", [numbers, zero], "zeros"), one], "ones")
        place = self.node("CumSum", [ones, one], "place", exclusive=1)  # along the pieces
        s = self.state
        places = (
            s["embeddings.position_embeddings.weight"]
            + s["embeddings.token_type_embeddings.weight"][0]
        )
        x = self.row("pieces", s["embeddings.word_embeddings.weight"], piece)
        for table, rows, index in (
            ("cases", self.encoder.case.weight.detach().numpy(), case),
            ("gaps", self.encoder.gap.weight.detach().numpy(), gap),
        ):
            x = self.node("Add", [x, self.row(table, rows, index)], f"with_{index}")
        return self.sum_normal("embeddings.LayerNorm", x, self.row("places_", places, place), "x")

    def mask(self) -> str:
        """0 for pieces that are there and FAR for others, [B, 1, 1, C]."""
        ends = self.node("Unsqueeze", ["lengths", self.constant("last", [1], np.int64)], "ends")
        inside = self.node("Less", ["place", ends], "inside")
        some = [self.constant("nothing", 0.0), self.constant("far", FAR)]
        flat = self.node("Where", [inside, *some], "masked")
        return self.node("Unsqueeze", [flat, self.constant("middle", [1, 2], np.int64)], "mask")

    def layer(self, name: str, x: str, mask: str) -> str:
        heads = self.c.num_attention_heads
        split = self.constant("split", [0, 0, heads, HEAD], np.int64)
        join = self.constant("join", [0, 0, self.encoder.width], np.int64)

        def head(part: str, perm: list[int]) -> str:
            of = self.linear(f"{name}.attention.self.{part}", x, f"{name}.{part}")
            apart = self.node("Reshape", [of, split], f"{of}.heads")
            return self.node("Transpose", [apart], f"{of}.turned", perm=perm)

        fit = self.node(
            "MatMul", [head("query", [0, 2, 1, 3]), head("key", [0, 2, 3, 1])], f"{name}.fit"
        )
        scaled = self.node(
            "Mul", [fit, self.constant("scale", 1 / math.sqrt(HEAD))], f"{name}.scaled"
        )
        open_ = self.node("Add", [scaled, mask], f"{name}.open")
        shares = self.node("Softmax", [open_], f"{name}.shares", axis=-1)
        told = self.node("MatMul", [shares, head("value", [0, 2, 1, 3])], f"{name}.told")
        back = self.node("Transpose", [told], f"{name}.back", perm=[0, 2, 1, 3])
        whole = self.node("Reshape", [back, join], f"{name}.whole")
        attended = self.linear(f"{name}.attention.output.dense", whole, f"{name}.attended")
        x = self.sum_normal(f"{name}.attention.output.LayerNorm", attended, x, f"{name}.middle")
        inner = self.gelu(self.linear(f"{name}.intermediate.dense", x, f"{name}.inner"))
        outer = self.linear(f"{name}.output.dense", inner, f"{name}.outer")
        return self.sum_normal(f"{name}.output.LayerNorm", outer, x, f"{name}.x")

    def gelu(self, x: str) -> str:
        part = self.node("Div", [x, self.constant("root", math.sqrt(2))], f"{x}.part")
        erf = self.node("Erf", [part], f"{x}.erf")
        both = self.node("Add", [erf, self.constant("unit", 1.0)], f"{x}.both")
        twice = self.node("Mul", [x, both], f"{x}.twice")
        return self.node("Mul", [twice, self.constant("half", 0.5)], f"{x}.gelu")

    def picked(self, x: str) -> None:
        """The mean of the states at each token's two places."""
        # [B, C, width] -> [C, B, width] -> twice [C B, width] -> [S, B, 2, width] -> [S, B, width]
        timed = self.node("Transpose", [x], "timed", perm=[1, 0, 2])
        shape = self.constant("rows", [-1, self.encoder.width], np.int64)
        rows = self.node("Reshape", [timed, shape], "once")
        both = self.node("Concat", [rows, rows], "twice", axis=0)
        picked = self.node("Gather", [both, "places"], "picked", axis=0)
        self.node("ReduceMean", [picked], "context", axes=[2], keepdims=0)
