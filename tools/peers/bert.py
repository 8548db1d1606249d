"""Writes an encoder of BERT-base's shape with random weights, as ONNX.

Twelve layers of 768 with twelve heads and 3,072 in between, over a vocabulary of
30,522, and a layer of 23 labels on top: 109 million weights.
"""

from pathlib import Path

LAYERS, WIDTH, HEADS, INNER, VOCABULARY, LABELS = 12, 768, 12, 3072, 30522, 23
FILE = Path(__file__).resolve().parents[2] / ".cache" / "peers" / "encoder.onnx"


def path():
    if not FILE.exists():
        write(FILE)
    return FILE


def write(file):
    import numpy as np
    import onnx
    from onnx import TensorProto, helper, numpy_helper

    rng = np.random.default_rng(1)
    weights, nodes = [], []

    def constant(name, value):
        weights.append(numpy_helper.from_array(np.asarray(value), name))
        return name

    def random(name, *shape):
        return constant(name, (rng.standard_normal(shape, dtype=np.float32) * np.float32(0.02)))

    def node(op, inputs, name, **attributes):
        nodes.append(helper.make_node(op, inputs, [name], **attributes))
        return name

    def dense(x, name, rows, columns):
        product = node("MatMul", [x, random(f"{name}.weight", rows, columns)], f"{name}.product")
        return node("Add", [product, random(f"{name}.bias", columns)], f"{name}.out")

    def norm(x, name):
        scale = constant(f"{name}.scale", np.ones(WIDTH, np.float32))
        return node("LayerNormalization", [x, scale, random(f"{name}.shift", WIDTH)], f"{name}.out", axis=-1)

    split = constant("split", np.array([0, 0, HEADS, WIDTH // HEADS], np.int64))
    joined = constant("joined", np.array([0, 0, WIDTH], np.int64))
    root = constant("root", np.float32((WIDTH // HEADS) ** 0.5))
    half, one, two = (constant(n, np.float32(v)) for n, v in (("half", 0.5), ("one", 1), ("two", 2**0.5)))
    x = norm(node("Gather", [random("embedding", VOCABULARY, WIDTH), "ids"], "embedded"), "first")
    for i in range(LAYERS):
        def heads(what, order, x=x, i=i):
            y = dense(x, f"{i}.{what}", WIDTH, WIDTH)
            return node("Transpose", [node("Reshape", [y, split], f"{i}.{what}.heads")], f"{i}.{what}.turned", perm=order)

        query, key, value = heads("query", [0, 2, 1, 3]), heads("key", [0, 2, 3, 1]), heads("value", [0, 2, 1, 3])
        scores = node("Softmax", [node("Div", [node("MatMul", [query, key], f"{i}.qk"), root], f"{i}.scaled")], f"{i}.scores", axis=-1)
        mixed = node("Transpose", [node("MatMul", [scores, value], f"{i}.mixed")], f"{i}.back", perm=[0, 2, 1, 3])
        attended = dense(node("Reshape", [mixed, joined], f"{i}.flat"), f"{i}.attention", WIDTH, WIDTH)
        x = norm(node("Add", [x, attended], f"{i}.sum"), f"{i}.norm")
        inner = dense(x, f"{i}.inner", WIDTH, INNER)
        erf = node("Add", [node("Erf", [node("Div", [inner, two], f"{i}.d")], f"{i}.e"), one], f"{i}.e1")
        gelu = node("Mul", [node("Mul", [inner, erf], f"{i}.m"), half], f"{i}.gelu")
        x = norm(node("Add", [x, dense(gelu, f"{i}.outer", INNER, WIDTH)], f"{i}.sum2"), f"{i}.norm2")
    out = dense(x, "labels", WIDTH, LABELS)
    graph = helper.make_graph(
        nodes, "encoder", [helper.make_tensor_value_info("ids", TensorProto.INT64, [1, "n"])],
        [helper.make_tensor_value_info(out, TensorProto.FLOAT, [1, "n", LABELS])], weights)
    file.parent.mkdir(parents=True, exist_ok=True)
    part = file.with_suffix(".part")
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9), part)
    part.rename(file)


if __name__ == "__main__":
    print(path())
