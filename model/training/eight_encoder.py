"""The graph of an encoder (bert_graph.py) with 8-bit weights, a quarter of its size.

What each matrix is multiplied with is rounded to 8 bits by the range that it has in the run. So a run
has one window, as in the encoder in full, and the result for a window depends on that alone.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import TensorProto, helper, numpy_helper

from .export import initializer

Round = Callable[[NDArray[Any]], tuple[NDArray[np.int8], NDArray[np.float32]]]
TABLE = "pieces"  # the one table that is large


def context_graph(source: bytes, rounded: Round) -> bytes:
    """rounded gives weights [input, unit] in 8 bits and the scale of each unit."""
    model = onnx.load_from_string(source)
    graph = model.graph
    weights = {t.name: numpy_helper.to_array(t) for t in graph.initializer}
    nodes: list[onnx.NodeProto] = []
    for node in graph.node:
        if node.op_type == "MatMul" and node.input[1] in weights:
            nodes += _matrix(node, weights, rounded)
        elif node.op_type == "Gather" and node.input[0] == TABLE:
            nodes += _table(node, weights, rounded)
        else:
            nodes.append(node)
    kept = [initializer(name, w) for name, w in sorted(weights.items())]
    eight = helper.make_graph(nodes, graph.name, graph.input, graph.output, kept)
    made = helper.make_model(
        eight,
        opset_imports=model.opset_import,
        producer_name=model.producer_name,
        ir_version=model.ir_version,
    )
    onnx.checker.check_model(made, full_check=True)
    data: bytes = made.SerializeToString(deterministic=True)
    return data


def _matrix(
    node: onnx.NodeProto, weights: dict[str, NDArray[Any]], rounded: Round
) -> list[onnx.NodeProto]:
    """A product with a matrix of 8 bits, of inputs that are rounded by their range in the run."""
    (x, w), (out,) = node.input, node.output
    weights[w], weights[f"{w}.scale"] = rounded(weights[w])
    of = helper.make_node
    return [
        of("DynamicQuantizeLinear", [x], [f"{out}.x", f"{out}.step", f"{out}.zero"]),
        of("MatMulInteger", [f"{out}.x", w, f"{out}.zero"], [f"{out}.sums"]),
        of("Cast", [f"{out}.sums"], [f"{out}.cast"], to=TensorProto.FLOAT),
        of("Mul", [f"{out}.step", f"{w}.scale"], [f"{out}.scale"]),
        of("Mul", [f"{out}.cast", f"{out}.scale"], [out]),
    ]


def _table(
    node: onnx.NodeProto, weights: dict[str, NDArray[Any]], rounded: Round
) -> list[onnx.NodeProto]:
    """Rows of a table of 8 bits and a scale for each."""
    (table, index), (out,) = node.input, node.output
    turned, scale = rounded(weights[table].T)
    weights[table], weights[f"{table}.scale"] = turned.T, scale[:, None]
    of = helper.make_node
    return [
        of("Gather", [table, index], [f"{out}.row"], axis=0),
        of("Cast", [f"{out}.row"], [f"{out}.cast"], to=TensorProto.FLOAT),
        of("Gather", [f"{table}.scale", index], [f"{out}.scale"], axis=0),
        of("Mul", [f"{out}.cast", f"{out}.scale"], [out]),
    ]
