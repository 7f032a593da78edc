# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
"""A GPT-2-like language model: Radford et al. 2019, 1024 tokens, hidden 1024, tied head.

The vocabulary is padded to 51,200 as in Megatron-LM. `gpt` has 24 layers; `gpt-layer` has one, so
that the head and the optimiser of the embeddings dominate.
"""

from __future__ import annotations

from functools import partial

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from .attention import DROPOUT, attend, join_heads, split_heads
from .reference import Batch, Reference

VOCABULARY = 51200
TOKENS = 1024
HIDDEN = 1024
HEADS = 16


class Layer(nn.Module):
    """Attention and feed-forward part, each normalised before."""

    def __init__(self, attention: str) -> None:
        super().__init__()
        self.attention = attention
        self.norm1 = nn.LayerNorm(HIDDEN)
        self.query_key_value = nn.Linear(HIDDEN, 3 * HIDDEN)
        self.projection = nn.Linear(HIDDEN, HIDDEN)
        self.norm2 = nn.LayerNorm(HIDDEN)
        self.widen = nn.Linear(HIDDEN, 4 * HIDDEN)
        self.narrow = nn.Linear(4 * HIDDEN, HIDDEN)
        self.dropout = nn.Dropout(DROPOUT)

    def forward(self, x: Tensor, mask: Tensor) -> Tensor:
        query, key, value = (split_heads(part, HEADS) for part in
                             self.query_key_value(self.norm1(x)).split(HIDDEN, dim=-1))
        context = join_heads(attend(query, key, value, mask, self.attention))
        x = x + self.dropout(self.projection(context))
        return x + self.dropout(self.narrow(F.gelu(self.widen(self.norm2(x)))))


class Gpt(nn.Module):
    """Loss of the next token."""

    def __init__(self, layers: int, attention: str = "eager") -> None:
        super().__init__()
        self.words = nn.Embedding(VOCABULARY, HIDDEN)
        self.positions = nn.Embedding(TOKENS, HIDDEN)
        self.dropout = nn.Dropout(DROPOUT)
        self.layers = nn.ModuleList(Layer(attention) for _ in range(layers))
        self.norm = nn.LayerNorm(HIDDEN)
        self.register_buffer("position_ids", torch.arange(TOKENS), persistent=False)
        self.register_buffer("causal", torch.full((TOKENS, TOKENS), -1e4).triu(1), persistent=False)
        nn.init.normal_(self.words.weight, std=0.02)
        nn.init.normal_(self.positions.weight, std=0.02)

    def forward(self, ids: Tensor, labels: Tensor) -> Tensor:
        x = self.dropout(self.words(ids) + self.positions(self.position_ids))
        for layer in self.layers:
            x = layer(x, self.causal)
        logits = F.linear(self.norm(x), self.words.weight)
        return F.cross_entropy(logits.view(-1, VOCABULARY), labels.view(-1))


def batch(samples: int) -> Batch:
    ids = torch.randint(VOCABULARY, (samples, TOKENS + 1))
    return ids[:, :-1].contiguous(), ids[:, 1:].contiguous()


def references(attention: str = "eager") -> tuple[Reference, Reference]:
    return (Reference("gpt", partial(Gpt, 24, attention), batch, "adam", (1, 2, 4, 8),
                      pair_batch=8),
            Reference("gpt-layer", partial(Gpt, 1, attention), batch, "adam", (1, 2, 4, 8),
                      pair_batch=8))
