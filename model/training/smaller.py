"""A smaller network to begin with, cut out of a trained one: its vocabulary, characters, token
vectors and character network as they are, and of its token network the units that weigh most.
"""

from __future__ import annotations

from dataclasses import replace

import torch
from torch import Tensor

from .failure import Refused
from .lstm import BiLSTM
from .model import Model
from .network import Network
from .recipe import Dimensions


def smaller(first: Model, wanted: Dimensions) -> Model:
    """Cuts wanted.hidden units a direction and wanted.dense units out of a model. Characters'
    vectors cost little, as they are computed once for each form: they stay as wide as they are."""
    was = first.settings.network
    if wanted.hidden > was.hidden or wanted.dense > was.dense:
        raise Refused(
            f"network: hidden {wanted.hidden} and dense {wanted.dense} are more than the first "
            f"teacher's {was.hidden} and {was.dense}"
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
    return Model(net, v, first.labels, replace(first.settings, network=d), first.report)


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
