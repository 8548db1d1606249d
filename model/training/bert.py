"""A pretrained encoder, BERT (Devlin et al. 2019), read from the ONNX graph that others publish it
as. fetch-encoder.sh fetches one. The graph gives the weights alone: PyTorch runs and trains them.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import onnx
import torch
from onnx import numpy_helper
from torch import Tensor, nn

from .failure import Refused
from .network import CLASSES
from .wordpieces import BITS, Pieces

try:
    from transformers import BertConfig, BertModel
except ImportError:
    raise Refused("transformers is needed: pip install -r requirements-encoder.txt") from None

GRAPH, TOKENIZER = "model.onnx", "tokenizer.json"
HEAD = 32  # numbers of an attention head, as in all of BERT's small kin


def config(layers: int, width: int, inner: int, words: int, places: int) -> BertConfig:
    return BertConfig(
        vocab_size=words,
        hidden_size=width,
        num_hidden_layers=layers,
        num_attention_heads=width // HEAD,
        intermediate_size=inner,
        max_position_embeddings=places,
        attention_probs_dropout_prob=0.0,  # with it a CPU takes half as long again
    )


class Encoder(nn.Module):
    """BERT, told of each piece's case and of blanks before it, which its small kin do not know."""

    def __init__(self, bert: BertModel) -> None:
        super().__init__()
        self.bert = bert
        self.width: int = bert.config.hidden_size
        self.case = nn.Embedding(CLASSES + 1, self.width)
        self.gap = nn.Embedding(4, self.width)
        nn.init.zeros_(self.case.weight)
        nn.init.zeros_(self.gap.weight)

    def forward(
        self, numbers: Tensor, lengths: Tensor, places: Tensor, half: bool = True
    ) -> Tensor:
        """numbers int64 [B, pieces], lengths [B], places int64 [S, B, 2], of each token's first and
        last piece -> [S, B, width], the mean of both pieces' states. Products are of 16 bits where
        half says so, which takes half the time."""
        embedded = self.bert.embeddings.word_embeddings(numbers >> BITS)
        embedded = embedded + self.case(numbers >> 2 & 15) + self.gap(numbers & 3)
        there = torch.arange(numbers.shape[1], device=numbers.device) < lengths[:, None]
        with torch.autocast(numbers.device.type, torch.bfloat16, enabled=half):
            out: Any = self.bert(inputs_embeds=embedded, attention_mask=there.long())
        states: Tensor = out.last_hidden_state.float()
        rows = torch.arange(len(numbers), device=numbers.device)[None, :, None]
        return states[rows, places].mean(dim=2)


def read(folder: Path) -> tuple[BertModel, Pieces]:
    """Reads the encoder of a folder with model.onnx and tokenizer.json."""
    try:
        graph = onnx.load(folder / GRAPH).graph
        tokenizer = json.loads((folder / TOKENIZER).read_text(encoding="utf-8"))
        index: dict[str, int] = tokenizer["model"]["vocab"]
        weights = {
            t.name: torch.from_numpy(numpy_helper.to_array(t).copy()) for t in graph.initializer
        }
        # Exporters turn the matrix of a linear layer round and name it by a number; its product
        # still bears the layer's name.
        for node in graph.node:
            if node.op_type == "MatMul" and node.input[1] in weights:
                name = node.name.strip("/").removesuffix("/MatMul").replace("/", ".")
                weights[f"{name}.weight"] = weights[node.input[1]].T.contiguous()
        words, width = weights["embeddings.word_embeddings.weight"].shape
        places = len(weights["embeddings.position_embeddings.weight"])
        inner = len(weights["encoder.layer.0.intermediate.dense.bias"])
        layers = sum(k.endswith(".intermediate.dense.bias") for k in weights)
        bert = BertModel(config(layers, width, inner, words, places), add_pooling_layer=False)
        missing = bert.load_state_dict(weights, strict=False).missing_keys
        if len(index) != words:
            missing = [f"piece for each of {words} rows"]
    except OSError as e:
        raise Refused(f"encoder.folder: {e.filename or folder}: {e.strerror or e}") from None
    except Exception as e:  # protobuf has errors of its own
        raise Refused(f"encoder.folder: {folder} holds no BERT: {type(e).__name__}") from None
    if missing:
        raise Refused(f"encoder.folder: {folder} holds no BERT: it has no {missing[0]}")
    return bert, Pieces(sorted(index, key=lambda piece: index[piece]), places)
