"""A smaller network learns from trained ones: what they think of a text is right, is learnt, and
is computed once."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from copy import deepcopy
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch
from torch import nn

from training import distill
from training.checks import check_recipe
from training.commands import Bench
from training.corpus import Corpus
from training.crf import CRF, Wanted
from training.distill import Teachers
from training.export import export
from training.failure import Refused
from training.level import MOST, level
from training.model import Model
from training.network import Network, input_width
from training.recipe import Dimensions
from training.runtime import Directory
from training.scheme import labels_for, legal
from training.smaller import smaller
from training.train import Feed, train
from training.vocabulary import Vocabulary, make_batch
from training.warm import inherited, read_model
from training.windows import Soft, Window

from .helper import LABELS, feed, held, made_up, quiet, small
from .test_recipe import recipe
from .test_train import Stopped, stop_at
from .test_warm import DESCRIBED, TABLES

FEW = labels_for(["IDNUM"])


def paths(steps: int) -> list[tuple[int, ...]]:
    step, start, end = legal(FEW)
    return [
        p
        for p in itertools.product(range(len(FEW)), repeat=steps)
        if start[p[0]] and end[p[-1]] and all(step[a, b] for a, b in itertools.pairwise(p))
    ]


def chances(e: torch.Tensor, t: torch.Tensor) -> tuple[list[tuple[int, ...]], torch.Tensor]:
    """All legal paths through emissions e [S, L], and the log of each one's chance."""
    all_ = paths(len(e))
    n = len(FEW)
    scores = []
    for p in all_:
        s = t[n, p[0]] + t[n + 1, p[-1]] + sum(e[i, k] for i, k in enumerate(p))
        scores.append(s + sum((t[a, b] for a, b in itertools.pairwise(p)), torch.zeros(())))
    return all_, torch.stack(scores).log_softmax(0)


def random_crf(seed: int) -> CRF:
    torch.manual_seed(seed)
    crf = CRF(FEW).double()
    nn.init.normal_(crf.scores)
    return crf


def test_what_is_learnt_is_the_teachers_distribution_over_whole_sequences() -> None:
    """Loss and gradient are those of brute force over all legal paths."""
    teacher, student = random_crf(1), random_crf(2)
    lengths = [4, 1, 3]
    thinks = torch.randn(4, 3, len(FEW), dtype=torch.float64)
    emissions = torch.randn(4, 3, len(FEW), dtype=torch.float64, requires_grad=True)
    labels = torch.zeros(4, 3, len(FEW), dtype=torch.float64)
    pairs = torch.zeros(len(FEW), len(FEW), dtype=torch.float64)
    want = torch.zeros((), dtype=torch.float64)
    for b, steps in enumerate(lengths):
        all_, of_teacher = chances(thinks[:steps, b], teacher.transitions().detach())
        _, ours = chances(emissions[:steps, b], student.transitions())
        want = want + (of_teacher.exp() * ours).sum()
        for p, log_chance in zip(all_, of_teacher, strict=True):
            for s, k in enumerate(p):
                labels[s, b, k] += log_chance.exp()
            for a, c in itertools.pairwise(p):
                pairs[a, c] += log_chance.exp()
    got = student.expected(emissions, Wanted(labels, pairs), torch.tensor(lengths))
    torch.testing.assert_close(got, want)
    leaves = (emissions, student.scores)
    grads = torch.autograd.grad(got, leaves), torch.autograd.grad(want, leaves)
    for ours_, brute in zip(*grads, strict=True):
        torch.testing.assert_close(ours_, brute)


def test_pairs_are_those_of_brute_force() -> None:
    teacher = random_crf(3)
    lengths = [4, 1, 3]
    e = torch.randn(4, 3, len(FEW), dtype=torch.float64)
    t = teacher.transitions().detach()
    found = distill._of_batch(e, t, torch.tensor(lengths))
    for b, steps in enumerate(lengths):
        want = np.zeros((steps, len(FEW), len(FEW)))
        for p, log_chance in zip(*chances(e[:steps, b], t), strict=True):
            for s, (a, c) in enumerate(itertools.pairwise(p)):
                want[s, a, c] += log_chance.exp()
            want[steps - 1, p[-1], p[-1]] += log_chance.exp()
        got = np.zeros_like(want)
        steps_, first, second = found[b][:, :3].astype(int).T
        got[steps_, first, second] = found[b][:, 3]
        np.testing.assert_allclose(got, want, atol=2 * distill.FEW)


def test_several_teachers_are_averaged() -> None:
    one = np.array([[0, 0, 0, 0.9], [0, 0, 1, 0.1], [1, 0, 0, 1.0]])
    other = np.array([[0, 0, 0, 0.5], [0, 0, 2, 0.4995], [0, 1, 1, 0.0005], [1, 2, 2, 1.0]])
    counts, rows = distill._average([one, other], 2)
    assert counts.tolist() == [3, 2]
    assert rows[:, :2].tolist() == [[0, 0], [0, 1], [0, 2], [0, 0], [2, 2]]
    np.testing.assert_allclose(rows[:, 2], [0.7, 0.05, 0.24975, 0.5, 0.5], atol=3e-4)


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Two teachers of one kind of notes."""
    made = []
    for seed in (1, 2):
        folder = tmp_path_factory.mktemp("teachers") / f"t{seed}"
        model = train(feed(made_up(60)), None, small(seed=seed), quiet)
        export(model, folder, DESCRIBED, "card\n")
        made.append(folder)
    return made


def taught(folders: Sequence[Path], cache: Path, start: Model, text: Sequence[Window] = ()) -> Feed:
    teachers = Teachers(folders, LABELS, cache, quiet)
    return replace(feed([]), start=start, key="k", teachers=teachers, weight=0.5, text=text)


def test_what_teachers_think_is_computed_once(
    folders: list[Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    windows = made_up(30, seed=8)
    once = Teachers(folders, LABELS, tmp_path, quiet).teach(windows, 0.5)
    assert len(list(tmp_path.iterdir())) == 1
    monkeypatch.setattr(Teachers, "_pairs", lambda *_: pytest.fail("computed again"))
    again = Teachers(folders, LABELS, tmp_path, quiet).teach(windows, 0.5)
    for a, b, w in zip(once, again, windows, strict=True):
        assert a.soft is not None
        assert b.soft is not None
        assert a.forms is w.forms
        sums = np.bincount(a.soft.steps, a.soft.chance.astype(float))
        np.testing.assert_allclose(sums, np.ones(len(w.forms)), atol=2e-3)
        for name in ("steps", "first", "second", "chance"):
            assert np.array_equal(getattr(a.soft, name), getattr(b.soft, name))
        best = [LABELS[k] for k in a.soft.first[np.argsort(-a.soft.chance, kind="stable")][:1]]
        assert set(best) <= {"O", "S-PATIENT", "S-IDNUM"}


def test_what_teachers_find_together(folders: list[Path], tmp_path: Path) -> None:
    """Alone each finds what its directory does; together they are as good."""
    windows = made_up(40, seed=21)
    scorer = held(windows, tmp_path / "scores")
    for folder in folders:
        alone = Teachers([folder], LABELS, tmp_path, quiet).labels_of(windows)
        want = Directory(folder).predict(windows)
        assert np.mean([a == b for a, b in zip(alone, want, strict=True)]) > 0.95
    both = Teachers(folders, LABELS, tmp_path, quiet)
    assert scorer.of_labels(both.labels_of(windows)).brief()["f1"] > 0.95
    least, most = (
        sum(x != "O" for labels in both.labels_of(windows, bias) for x in labels)
        for bias in (-30.0, 30.0)
    )
    assert least < most


def test_a_network_that_is_cut_whole_is_the_same(folders: list[Path]) -> None:
    first = read_model(folders[0])
    whole = smaller(first, first.settings.network, lambda: pytest.fail("nothing is narrowed"))
    for k, v in first.network.state_dict().items():
        assert v.equal(whole.network.state_dict()[k]), k
    with pytest.raises(Refused, match=r"hidden 17 .* more than the first teacher's 16"):
        smaller(first, replace(first.settings.network, hidden=17))
    with pytest.raises(Refused, match=r"char_out: 17 is more than the first teacher's 16"):
        smaller(first, replace(first.settings.network, char_out=17))


def made_of(*forms: str) -> Window:
    at = list(range(0, 6 * len(forms), 6))
    ends = [a + len(f) for a, f in zip(at, forms, strict=True)]
    return Window(
        "w", list(forms), [1] * len(forms), [1] * len(forms), at, ends, ["O"] * len(forms)
    )


def test_what_a_form_says_is_told_in_fewer_numbers(folders: list[Path]) -> None:
    """The fewer, the more is lost; none of vectors that lie in a plane, told in two."""
    first = read_model(folders[0])
    index = {x: i for i, x in enumerate(LABELS)}
    b = make_batch(made_up(20, seed=13), first.vocabulary, index, {}, np.random.default_rng(1))
    inside = torch.arange(len(b.gold))[:, None] < b.lengths

    def off(model: Model, **narrow: int) -> float:
        less = smaller(model, replace(model.settings.network, **narrow))
        with torch.no_grad():
            rows = less.network.inputs(b)
            assert rows.shape[2] == input_width(less.settings.network)
            return float((less.network(b) - model.network(b))[inside].abs().max())

    for key in ("token", "char_out"):
        lost = [off(first, **{key: n}) for n in (1, 4, 8)]
        assert lost == sorted(lost, reverse=True), key
        assert lost[0] > 0.1, key
    rare = {"Zoë": 1, "seenx": 1}
    often = {"Zoë": 10**12, "seenx": 1}  # which no vocabulary holds
    z = make_batch([made_of("Zoë")], first.vocabulary, index, {}, np.random.default_rng(1))
    lost = []
    for seen in (rare.copy, often.copy):
        less = smaller(first, replace(first.settings.network, token=1, char_out=1), seen)
        with torch.no_grad():
            lost.append(float((less.network(z) - first.network(z)).abs().max()))
    assert lost[1] < lost[0] / 10
    plane = replace(first, network=deepcopy(first.network))
    table = plane.network.get_parameter("embedding.weight").data
    table.copy_(table[:, :2] @ torch.arange(32.0).reshape(2, 16).sin())
    assert off(plane, token=2) < 1e-3 < 0.1 < off(plane, token=1)


def test_a_narrowed_model_is_written_read_and_narrowed_again(
    folders: list[Path], tmp_path: Path
) -> None:
    d = Dimensions(hidden=3, dense=6, token=5, char_out=4)
    first = smaller(read_model(folders[0]), d)
    export(first, tmp_path / "narrow", DESCRIBED, "card\n")
    windows = made_up(20, seed=14)
    assert Directory(tmp_path / "narrow").predict(windows) == first.predict(windows)
    read = read_model(tmp_path / "narrow")
    assert read.settings.network == first.settings.network
    for k, v in first.network.state_dict().items():
        assert v.equal(read.network.state_dict()[k]), k
    again = smaller(read, replace(d, hidden=2, char_out=3)).network
    assert isinstance(again.char_out, nn.Linear)
    assert again.char_out.weight.shape == (3, 16)
    chars = again.char_vectors(torch.tensor([[1, 2], [2, 1]]), torch.tensor([2, 2]))
    assert chars.shape == (2, 3)


def test_what_was_narrowed_is_not_dropped() -> None:
    """Of characters, where few numbers are left of many; the rest is."""
    torch.manual_seed(1)
    d = Dimensions(token=16, char_embedding=8, char_hidden=8, char_out=5, hidden=4, dense=4)
    x = torch.ones(50, 4, input_width(d))
    y = Network(d, 5, 5, LABELS, 0.5).train()._dropped(x)
    assert y[..., 16:21].eq(1).all()
    assert y[..., :16].eq(0).any()
    assert y[..., 21:].eq(0).any()


def test_a_smaller_network_learns_from_teachers_alone(folders: list[Path], tmp_path: Path) -> None:
    """Of texts without annotations; its tables and its character graph are the first
    teacher's, to the byte; a run that
    was stopped comes to the same."""
    start = smaller(read_model(folders[0]), Dimensions(hidden=3, dense=6))
    nn.init.zeros_(start.network.out.weight)
    text = [replace(w, labels=["O"] * len(w.forms)) for w in made_up(60, seed=9)]
    dev = held(made_up(40, seed=10), tmp_path / "scores")
    fed = taught(folders, tmp_path / "cache", start, text=text)
    settings = small(epochs=6)
    model = train(fed, dev, replace(settings, network=start.settings.network), quiet)
    before, after = model.report["history"][0]["f1"], dev.score(model).entity.f1
    assert after > max(before, 0.95)
    export(model, tmp_path / "student", DESCRIBED, "card\n")
    for name in (*TABLES, "char.onnx"):
        made = (tmp_path / "student" / name).read_bytes()
        assert made == (folders[0] / name).read_bytes(), name
    with pytest.raises(Stopped):
        train(fed, dev, replace(settings, network=start.settings.network), stop_at(2),
              save_to=tmp_path / "s.pt")  # fmt: skip
    resumed = train(fed, dev, replace(settings, network=start.settings.network), quiet,
                    save_to=tmp_path / "s.pt", resume=True)  # fmt: skip
    for k, v in model.network.state_dict().items():
        assert v.equal(resumed.network.state_dict()[k]), k


def test_teachers_are_not_asked_about_notes_that_are_new_to_them(
    folders: list[Path], tmp_path: Path
) -> None:
    """As written, and made from."""
    old, new = made_up(4, seed=11), made_up(4, seed=12)
    old = [replace(w, id=f"old{i}") for i, w in enumerate(old)]
    new = [replace(w, id=f"new{i}") for i, w in enumerate(new)]
    fed = taught(folders, tmp_path, read_model(folders[0]), text=old[:1])
    fed = replace(fed, written=old + new, made=lambda k: [old[0], new[0]])
    fed = replace(fed, untaught={w.id for w in new})
    weights = [(w.id, w.soft.weight if w.soft else None) for w in fed.epoch(0)]
    alone = [("new0", None), ("new1", None), ("new2", None), ("new3", None), ("new0", None)]
    assert weights[:5] == alone
    asked = [("old0", 0.5), ("old1", 0.5), ("old2", 0.5), ("old3", 0.5), ("old0", 0.5)]
    assert weights[5:] == [*asked, ("old0", 1.0)]


def test_annotations_count_by_their_share() -> None:
    """A batch wants what teachers think and what annotators said, each by its weight; windows
    without teachers count by their annotations alone."""
    written = Window("w", ["a", "b"], [0, 0], [1, 1], [0, 2], [1, 3], ["S-IDNUM", "O"])
    index = {x: i for i, x in enumerate(FEW)}
    o, b, e, s = (index[x] for x in ("O", "B-IDNUM", "E-IDNUM", "S-IDNUM"))
    soft = Soft(
        np.array([0, 0, 1, 1]),
        np.array([s, b, o, e], dtype=np.uint8),
        np.array([o, e, o, e], dtype=np.uint8),
        np.array([0.75, 0.25, 0.75, 0.25], dtype=np.float16),
        0.5,
    )
    vocabulary = Vocabulary(["<unk>", "<nl>", "<nl2>"], [])
    wanted = make_batch([written.taught(soft), written], vocabulary, index).wanted
    assert wanted is not None
    labels = np.zeros((2, 2, len(FEW)))
    labels[0, 0, [s, b]] = 0.5 + 0.375, 0.125
    labels[1, 0, [o, e]] = 0.5 + 0.375, 0.125
    labels[0, 1, s] = labels[1, 1, o] = 1
    pairs = np.zeros((len(FEW), len(FEW)))
    pairs[s, o], pairs[b, e] = 1 + 0.5 + 0.375, 0.125
    np.testing.assert_array_equal(wanted.labels.numpy(), labels)
    np.testing.assert_array_equal(wanted.pairs.numpy(), pairs)
    assert make_batch([written], vocabulary, index).wanted is None


def test_a_recipe_names_teachers(folders: list[Path], tmp_path: Path) -> None:
    names = [str(f) for f in folders]
    r = recipe(tmp_path, f"[teacher]\nmodels = {names}\nweight = 1")
    check_recipe(r)
    assert r.teacher.models == tuple(folders)
    assert recipe(tmp_path, '[teacher]\nmodels = ["t"]').teacher.models == (tmp_path / "t",)
    assert r.described()["teacher"]["models"] == [f.name for f in folders]


@pytest.mark.parametrize(
    ("more", "overrides", "want"),
    [
        ('[teacher]\nmodels = ["nowhere"]', [], "teacher.models: there is no model in"),
        ("[teacher]\nweight = 1.5", [], "teacher.weight is 1.5: give at least 0 and at most 1"),
        ("[teacher]\nmodels = {}", ["vectors.file=x"], "takes the first one's vectors"),
        ("[teacher]\nmodels = {}", ["output={0}"], "it is one of teacher.models"),
        ("[teacher]\nmatch_recall = true", [], "give teacher.models, whose recall"),
    ],
)
def test_what_teachers_cannot_be(
    folders: list[Path], tmp_path: Path, more: str, overrides: list[str], want: str
) -> None:
    names = [str(f) for f in folders]
    r = recipe(tmp_path, more.replace("{}", str(names)), *(o.format(*names) for o in overrides))
    with pytest.raises(Refused, match=want):
        check_recipe(r)


def test_a_network_is_cut_out_of_its_start_or_its_first_teacher(
    folders: list[Path], tmp_path: Path
) -> None:
    more = f"[network]\nhidden = 5\ndense = 6\n[teacher]\nmodels = {[str(f) for f in folders]}"
    for overrides, of in (((), 0), ((f"start={folders[1]}",), 1)):
        r = recipe(tmp_path, more, *overrides)
        check_recipe(r)
        start = Bench(r, tmp_path / "work", "cpu", quiet).start(Corpus())
        assert start is not None
        want = smaller(read_model(folders[of]), r.network).network.state_dict()
        for k, v in start.network.state_dict().items():
            assert v.equal(want[k]), k


def test_teachers_have_the_labels_of_the_network(folders: list[Path], tmp_path: Path) -> None:
    with pytest.raises(Refused, match="has other labels than the network"):
        Teachers(folders, FEW, tmp_path, quiet)


def test_a_card_tells_the_teachers(folders: list[Path]) -> None:
    first = read_model(folders[0])
    for hidden, began in ((8, "The network was cut out of t 1"), (16, "Training went on from t 1")):
        start = smaller(first, replace(first.settings.network, hidden=hidden))
        told = inherited({"data": []}, start, ["a 1", "b 2"])["data"][0]
        assert told.startswith(began)
        assert "the chances that a 1 and b 2 gave the labels" in told


def test_a_student_finds_as_much_as_its_teacher(folders: list[Path], tmp_path: Path) -> None:
    """The least that does is taken from the score of O, and nothing else changes."""
    dev = held(made_up(30, seed=3), tmp_path)
    teacher, o = Directory(folders[0]), LABELS.index("O")

    def student(more: float) -> Model:
        """The teacher, in doubt about half of its PHI, with more for O."""
        model = read_model(folders[0])
        with torch.no_grad():
            model.network.out.weight.mul_(0.05)
            model.network.out.bias.mul_(0.05)
            model.network.crf.scores.mul_(0.05)
            model.network.out.bias[o] += more
        return model

    def recall(model: Model, bias: float = 0.0) -> float:
        return dev.score(model, bias).token.recall

    wanted = dev.of_labels(teacher.predict(dev.windows)).token.recall
    low, before = student(0.4), student(0.4)
    assert recall(low) < wanted
    taken = level(low, [teacher], dev)
    assert 0 < taken < MOST / 100
    assert recall(low) == recall(before, taken) >= wanted > recall(before, taken - 0.01)
    for name, w in before.network.named_parameters():
        if name != "out.bias":
            assert torch.equal(w, dict(low.network.named_parameters())[name])
    assert level(low, [teacher], dev) == 0
    assert level(student(5.0), [teacher], dev) == MOST / 100
