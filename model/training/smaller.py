"""A smaller network to begin with, cut out of a trained one: its vocabulary and its character
network, of its token network the units that weigh most, and of what that reads of each form
as many numbers as are wanted, so chosen that the token network sees the least difference.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

import torch
from torch import Tensor, nn

from .failure import Refused
from .lstm import BiLSTM
from .model import Model
from .network import Network
from .recipe import Dimensions

TOGETHER = 4096  # forms


def smaller(
    first: Model, wanted: Dimensions, seen: Callable[[], Mapping[str, int]] = dict
) -> Model:
    """Cuts wanted.hidden units a direction and wanted.dense units out of a model, and narrows what
    its token LSTM reads of a form to wanted.token numbers of its vector and wanted.char_out of its
    characters. The vectors of characters themselves cost little, as they are computed once for
    each form: they stay as wide as they are. seen, which is asked where something is narrowed,
    tells how often forms occur where the network is to do well. The report's cut tells whether
    units were left out."""
    was = first.settings.network
    if wanted.hidden > was.hidden or wanted.dense > was.dense:
        raise Refused(
            f"network: hidden {wanted.hidden} and dense {wanted.dense} are more than the first "
            f"teacher's {was.hidden} and {was.dense}"
        )
    if wanted.char_out > was.char:
        raise Refused(
            f"network.char_out: {wanted.char_out} is more than the first teacher's {was.char}"
        )
    d = replace(was, hidden=wanted.hidden, dense=wanted.dense)
    old = first.network
    v = first.vocabulary
    net = Network(d, len(v.forms), len(v.characters), first.labels, 0.0)
    dense = _strongest(old.out.weight.detach().norm(dim=0), d.dense)
    weighs = old.dense.weight.detach()[dense].norm(dim=0)
    ahead = _strongest(weighs[: was.hidden], d.hidden)
    back = _strongest(weighs[was.hidden :], d.hidden)
    state = dict(old.state_dict())
    state["out.weight"] = state["out.weight"][:, dense]
    columns = torch.cat([ahead, was.hidden + back])
    state["dense.weight"] = state["dense.weight"][dense][:, columns]
    state["dense.bias"] = state["dense.bias"][dense]
    for side, units in (("ahead", ahead), ("back", back)):
        state |= _cut(old.lstm, side, units)
    net.load_state_dict(state)
    report = first.report | {"cut": d != was}
    cut = Model(net, v, first.labels, replace(first.settings, network=d), report)
    narrow = replace(d, token=min(wanted.token, d.token), char_out=wanted.char_out or d.char_out)
    return cut if narrow == d else _narrowed(cut, narrow, seen())


def _narrowed(cut: Model, d: Dimensions, seen: Mapping[str, int]) -> Model:
    """A model whose token LSTM reads fewer numbers of each form, of its vector and of its
    characters. Each form of the vocabulary counts, and each that was seen by the root of how
    often: those that no vocabulary holds, and marks and line ends, weigh more than one in 72,000."""
    old, v, was = cut.network, cut.vocabulary, cut.settings.network
    net = Network(d, len(v.forms), len(v.characters), cut.labels, 0.0)
    state = dict(old.state_dict())
    inputs = [f"lstm.{side}.weight_ih_l0" for side in ("ahead", "back")]
    reads = torch.cat([state[name] for name in inputs])
    vectors = state["embedding.weight"]
    forms = [*v.forms, *seen]
    weights = torch.tensor([1.0] * len(v.forms) + [n**0.5 for n in seen.values()])
    parts = [reads[:, : was.token], reads[:, was.token : was.token + was.char]]
    if d.token < was.token:
        ids = torch.tensor([*range(len(v.forms)), *(v.form(f) for f in seen)])
        to, parts[0] = _fewer(vectors[ids], weights, parts[0], d.token)
        size = vectors.square().mean().sqrt() / (vectors @ to.T).square().mean().sqrt()
        state["embedding.weight"] = vectors @ to.T * size
        parts[0] = parts[0] / size
    if d.char_out != was.char_out:
        of = _char_vectors(cut, forms)
        to, parts[1] = _fewer(of, weights, parts[1], d.char_out)
        most = (of @ to.T).abs().amax(dim=0)  # within -1 to 1, as states of a network are
        first = old.char_out.weight.detach() if isinstance(old.char_out, nn.Linear) else None
        to = to / most[:, None]
        state["char_out.weight"] = to if first is None else to @ first
        parts[1] = parts[1] * most
    joined = torch.cat([*parts, reads[:, was.token + was.char :]], dim=1)
    state |= dict(zip(inputs, joined.chunk(2), strict=True))
    net.load_state_dict(state)
    settings = replace(cut.settings, network=d)
    return Model(net, v, cut.labels, settings, cut.report)


def _fewer(x: Tensor, weights: Tensor, reads: Tensor, width: int) -> tuple[Tensor, Tensor]:
    """Rows x [n, wide] are to be told in width numbers. Returns a matrix to [width, wide] and
    weights [units, width] such that weights (to x) is as near to reads x as can be, by the squares
    summed over all rows by their weights; the numbers weigh alike, so that none is worse to lose
    than another."""
    x, reads = x.double(), reads.double()
    moments = x.T @ (x * weights[:, None]) / weights.sum()
    values, axes = torch.linalg.eigh(moments)
    values = values.clamp_min(values[-1] * 1e-9)
    root, inverse = axes * values.sqrt(), axes / values.sqrt()  # root rootᵀ: the moments
    u, s, vt = torch.linalg.svd(reads @ root, full_matrices=False)
    k = torch.arange(width, dtype=torch.double)
    turn = torch.cos(torch.pi / width * (k[:, None] + 0.5) * k) * (2 / width) ** 0.5
    turn[:, 0] /= 2**0.5  # a cosine transform: orthogonal, and it mixes the numbers
    to = turn @ vt[:width] @ inverse.T
    return to.float(), (u[:, :width] * s[:width] @ turn.T).float()


@torch.no_grad()
def _char_vectors(model: Model, forms: list[str]) -> Tensor:
    """What characters say of forms."""
    out = []
    for at in range(0, len(forms), TOGETHER):
        chars, lengths = model.vocabulary.padded(forms[at : at + TOGETHER])
        out.append(model.network.char_vectors(torch.from_numpy(chars), torch.from_numpy(lengths)))
    return torch.cat(out)


def _strongest(weighs: Tensor, count: int) -> Tensor:
    """The numbers of the units that weigh most, in their order."""
    return torch.sort(torch.topk(weighs, count).indices).values


def _cut(lstm: BiLSTM, side: str, units: Tensor) -> dict[str, Tensor]:
    """The weights of one direction with these units alone."""
    weights = getattr(lstm, side).state_dict()
    hidden = weights["weight_hh_l0"].shape[1]
    rows = torch.cat([gate * hidden + units for gate in range(4)])
    cut = {f"lstm.{side}.{name}": w[rows] for name, w in weights.items()}
    name = f"lstm.{side}.weight_hh_l0"
    cut[name] = cut[name][:, units]
    return cut
