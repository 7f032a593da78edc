# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
"""BERT for extractive question answering on 384 tokens: Devlin et al., NAACL 2019.

Tensors and operators follow the question-answering model of Hugging Face: no pooler, one linear
layer for start and end of the answer.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from .attention import DROPOUT, attend, join_heads, split_heads
from .reference import Batch, Reference

VOCABULARY = 30522
POSITIONS = 512
TOKENS = 384


@dataclass(frozen=True)
class Shape:
    layers: int
    hidden: int
    heads: int


BASE = Shape(layers=12, hidden=768, heads=12)
LARGE = Shape(layers=24, hidden=1024, heads=16)


class Layer(nn.Module):
    """Self-attention and feed-forward part, each normalised after its residual connection."""

    def __init__(self, shape: Shape, attention: str) -> None:
        super().__init__()
        hidden = shape.hidden
        self.heads = shape.heads
        self.attention = attention
        self.query, self.key, self.value = (nn.Linear(hidden, hidden) for _ in range(3))
        self.projection = nn.Linear(hidden, hidden)
        self.norm1 = nn.LayerNorm(hidden, eps=1e-12)
        self.widen = nn.Linear(hidden, 4 * hidden)
        self.narrow = nn.Linear(4 * hidden, hidden)
        self.norm2 = nn.LayerNorm(hidden, eps=1e-12)
        self.dropout = nn.Dropout(DROPOUT)

    def forward(self, x: Tensor, mask: Tensor) -> Tensor:
        query, key, value = (split_heads(part(x), self.heads)
                             for part in (self.query, self.key, self.value))
        context = join_heads(attend(query, key, value, mask, self.attention))
        x = self.norm1(self.dropout(self.projection(context)) + x)
        return self.norm2(self.dropout(self.narrow(F.gelu(self.widen(x)))) + x)


class BertForAnswers(nn.Module):
    """Loss of the positions where the answer starts and ends."""

    def __init__(self, shape: Shape, attention: str = "eager") -> None:
        super().__init__()
        self.words = nn.Embedding(VOCABULARY, shape.hidden)
        self.positions = nn.Embedding(POSITIONS, shape.hidden)
        self.segments = nn.Embedding(2, shape.hidden)
        self.norm = nn.LayerNorm(shape.hidden, eps=1e-12)
        self.dropout = nn.Dropout(DROPOUT)
        self.layers = nn.ModuleList(Layer(shape, attention) for _ in range(shape.layers))
        self.answer = nn.Linear(shape.hidden, 2)
        self.register_buffer("position_ids", torch.arange(POSITIONS), persistent=False)

    def forward(self, ids: Tensor, segments: Tensor, mask: Tensor, start: Tensor,
                end: Tensor) -> Tensor:
        x = self.words(ids) + self.segments(segments)
        x = x + self.positions(self.position_ids[: ids.shape[1]])
        x = self.dropout(self.norm(x))
        additive = (1.0 - mask[:, None, None, :].to(x.dtype)) * torch.finfo(x.dtype).min
        for layer in self.layers:
            x = layer(x, additive)
        starts, ends = self.answer(x).split(1, dim=-1)
        return (F.cross_entropy(starts.squeeze(-1), start) +
                F.cross_entropy(ends.squeeze(-1), end)) / 2


def batch(samples: int) -> Batch:
    """Ids, segments, mask (all tokens valid: padding would change no kernel), start and end."""
    ids = torch.randint(VOCABULARY, (samples, TOKENS))
    segments = (torch.arange(TOKENS) >= TOKENS // 8).long().repeat(samples, 1)
    start, end = torch.randint(TOKENS, (2, samples))
    return ids, segments, torch.ones_like(ids), start, end


def reference(name: str, shape: Shape, attention: str, batches: tuple[int, ...]) -> Reference:
    return Reference(name, partial(BertForAnswers, shape, attention), batch, "adam", batches,
                     pair_batch=12)


def references(attention: str = "eager") -> tuple[Reference, Reference]:
    return (reference("bert-base", BASE, attention, (4, 6, 8, 12)),
            reference("bert-large", LARGE, attention, (2, 4, 8, 12)))
