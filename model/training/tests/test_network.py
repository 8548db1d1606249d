"""The hand-written gradient against brute force, the LSTM against torch's on packed sequences."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
import torch
from torch import nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

from training.crf import CRF
from training.lstm import BiLSTM
from training.network import Dropout, Network
from training.pretrained import FixedEmbedding
from training.scheme import labels_for, legal, may_follow, viterbi
from training.train import train
from training.vocabulary import Vocabulary, make_batch

from .helper import LABELS as IDS
from .helper import SMALL, feed, made_up, quiet, small

LABELS = labels_for(["PATIENT", "DATE"])
META = torch.device("meta")


def paths(steps: int) -> list[tuple[int, ...]]:
    _, start, end = legal(LABELS)
    return [
        p
        for p in itertools.product(range(len(LABELS)), repeat=steps)
        if start[p[0]]
        and end[p[-1]]
        and all(may_follow(LABELS[a], LABELS[b]) for a, b in itertools.pairwise(p))
    ]


def path_score(e: torch.Tensor, t: torch.Tensor, p: tuple[int, ...]) -> torch.Tensor:
    n = len(LABELS)
    s = t[n, p[0]] + t[n + 1, p[-1]] + sum(e[i, k] for i, k in enumerate(p))
    return s + sum((t[a, b] for a, b in itertools.pairwise(p)), torch.zeros(()))


@pytest.fixture
def crf() -> CRF:
    torch.manual_seed(3)
    c = CRF(LABELS).double()
    nn.init.normal_(c.scores)
    return c


@pytest.mark.parametrize("lengths", [[1], [4], [4, 1, 3]])
def test_likelihood_and_gradient_are_those_of_brute_force(crf: CRF, lengths: list[int]) -> None:
    emissions = torch.randn(max(lengths), len(lengths), len(LABELS), dtype=torch.float64)
    emissions.requires_grad_()
    rng = np.random.default_rng(1)
    gold = torch.zeros(max(lengths), len(lengths), dtype=torch.int64)
    want = torch.zeros((), dtype=torch.float64)
    for b, steps in enumerate(lengths):
        all_ = paths(steps)
        p = all_[rng.integers(len(all_))]
        gold[:steps, b] = torch.tensor(p)
        t = crf.transitions()
        scores = torch.stack([path_score(emissions[:, b], t, q) for q in all_])
        want = want + path_score(emissions[:, b], t, p) - scores.logsumexp(0)
    got = crf.log_likelihood(emissions, gold, torch.tensor(lengths))
    torch.testing.assert_close(got, want)
    leaves = (emissions, crf.scores)
    grads = torch.autograd.grad(got, leaves), torch.autograd.grad(want, leaves)
    for ours, brute in zip(*grads, strict=True):
        torch.testing.assert_close(ours, brute)


def test_viterbi_finds_the_best_legal_path(crf: CRF) -> None:
    t = crf.transitions().detach()
    for steps in (1, 2, 4):
        e = torch.randn(steps, len(LABELS), dtype=torch.float64)
        best = max(paths(steps), key=lambda p: float(path_score(e, t, p)))
        assert viterbi(e.numpy(), t.numpy(), LABELS) == list(best)


def test_lstm_is_torchs() -> None:
    """Equal to torch's bidirectional LSTM on packed sequences, gradients too."""
    torch.manual_seed(5)
    lengths = torch.tensor([7, 2, 5, 1])
    x = torch.randn(7, 4, 6, requires_grad=True)
    ours, theirs = BiLSTM(6, 3), nn.LSTM(6, 3, bidirectional=True)
    weights = dict(theirs.named_parameters())
    for side, suffix in ((ours.ahead, ""), (ours.back, "_reverse")):
        for name, p in side.named_parameters():
            nn.init.normal_(p)
            weights[name + suffix].data.copy_(p.data)
    packed = pack_padded_sequence(x, lengths, enforce_sorted=False)
    states, (h, _) = theirs(packed)
    want = pad_packed_sequence(states)[0]
    inside = (torch.arange(7)[:, None] < lengths)[:, :, None]
    got = ours(x, lengths)
    torch.testing.assert_close(got * inside, want)
    torch.testing.assert_close(ours.last(x, lengths), torch.cat([h[0], h[1]], dim=1))
    weight = torch.randn_like(want)
    gx, gw = torch.autograd.grad((want * weight).sum(), (x, weights["weight_hh_l0_reverse"]))
    back = dict(ours.back.named_parameters())["weight_hh_l0"]
    ox, ow = torch.autograd.grad((got * inside * weight).sum(), (x, back))
    torch.testing.assert_close(ox, gx)
    torch.testing.assert_close(ow, gw)


def test_forget_gates_begin_open() -> None:
    biases = dict(BiLSTM(2, 3).back.named_parameters())
    assert biases["bias_ih_l0"].tolist() == [0] * 3 + [1] * 3 + [0] * 6  # i f g o
    assert not biases["bias_hh_l0"].any()


@pytest.mark.parametrize("without", ["", "crf", "char", "token"])
def test_every_tensor_is_made_on_the_networks_device(without: str) -> None:
    """On torch's device meta, which computes shapes alone and, like a GPU, refuses to mix its
    tensors with the CPU's. Boolean indexing has no shape there, so the loss without a CRF is
    tried on the CPU by test_train."""
    windows = made_up(6)
    vocabulary = Vocabulary(["<unk>", "<nl>", "<nl2>", "ann"], ["A", "n"])
    batch = make_batch(windows, vocabulary, {x: i for i, x in enumerate(IDS)}).to(META)
    vectors = np.ones((4, SMALL.network.token), dtype=np.float32)
    for embedding in (None, FixedEmbedding(vectors, np.array([False, True, False, True]))):
        network = Network(SMALL.network, 4, 2, IDS, 0.3)
        if embedding is not None:
            network.embedding = embedding
        network.without = frozenset({without} if without else ())
        network.to(META)
        assert network(batch).device == META
        if without != "crf":
            network.loss(batch).backward()  # type: ignore[no-untyped-call]
            gradients = [p.grad for p in network.lstm.parameters() if p.requires_grad]
            assert all(g is not None and g.device == META for g in gradients)


@pytest.mark.skipif(not torch.cuda.is_available(), reason="no CUDA device")
def test_training_runs_on_cuda() -> None:
    windows = made_up(30)
    model = train(feed(windows), None, small(epochs=6), quiet, device="cuda")
    assert sum(a == w.labels for a, w in zip(model.predict(windows), windows, strict=True)) > 25


def test_dropout_drops_its_share_and_scales_the_rest() -> None:
    torch.manual_seed(3)
    drop = Dropout(0.35)
    x = torch.ones(200, 50, requires_grad=True)
    y = drop(x)
    lost = float((y == 0).float().mean())
    assert abs(lost - 90 / 256) < 0.02  # 0.35 in 256ths
    assert torch.allclose(y[y != 0], torch.tensor(256 / 166))
    y.sum().backward()
    assert x.grad is not None
    assert torch.equal(x.grad == 0, y == 0)
    drop.eval()
    assert drop(x) is x
    torch.manual_seed(3)
    assert torch.equal(Dropout(0.35)(x), y)
