"""The speed of a model's token graph beside one of the same size with random weights."""

from __future__ import annotations

import statistics
import time
from pathlib import Path

import numpy as np
import onnx
import onnxruntime
from onnx import numpy_helper

from .runtime import Directory


def compare(folder: Path, steps: int = 64, batch: int = 16, runs: int = 200) -> tuple[float, float]:
    """Returns tokens per second of the model in folder and of random weights.

    Both run on one thread and in turn, on the same input; the fastest tenth of
    the runs counts, as what else the machine does can only slow them down.
    """
    directory = Directory(folder)
    graph = onnx.load(folder / "token.onnx")
    rng = np.random.default_rng(1)
    for t in graph.graph.initializer:
        a = numpy_helper.to_array(t)
        if a.dtype == np.float32:
            noise = (rng.standard_normal(a.shape) * 0.1).astype(np.float32)
            t.CopyFrom(numpy_helper.from_array(noise, t.name))
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    random = onnxruntime.InferenceSession(graph.SerializeToString(), options)
    width = directory.token.get_inputs()[0].shape[2]
    # Rows of the model's own: denormal or saturated numbers would show in the time.
    rows = directory.embedding[rng.integers(len(directory.embedding), size=steps * batch)]
    x = np.zeros((steps * batch, width), dtype=np.float32)
    x[:, : rows.shape[1]] = rows
    x = x.reshape(steps, batch, width)
    feed = {"x": x, "lengths": np.full(batch, steps, dtype=np.int32)}
    took: tuple[list[float], list[float]] = ([], [])
    for _ in range(runs):
        for session, times in zip((directory.token, random), took, strict=True):
            started = time.perf_counter()
            session.run(["emissions"], feed)
            times.append(time.perf_counter() - started)
    best = [statistics.fmean(sorted(t)[: max(1, runs // 10)]) for t in took]
    return steps * batch / best[0], steps * batch / best[1]
