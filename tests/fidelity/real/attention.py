# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
"""Multi-head attention written out, as the footprints count it, or fused into one kernel."""

from __future__ import annotations

import math

from torch import Tensor
from torch.nn import functional as F

DROPOUT = 0.1
IMPLEMENTATIONS = ("eager", "sdpa")


def split_heads(x: Tensor, heads: int) -> Tensor:
    """(batch, tokens, hidden) as (batch, heads, tokens, hidden / heads)."""
    batch, tokens, hidden = x.shape
    return x.view(batch, tokens, heads, hidden // heads).transpose(1, 2)


def join_heads(x: Tensor) -> Tensor:
    """The inverse of `split_heads`, contiguous."""
    batch, heads, tokens, features = x.shape
    return x.transpose(1, 2).reshape(batch, tokens, heads * features)


def attend(query: Tensor, key: Tensor, value: Tensor, mask: Tensor, implementation: str) -> Tensor:
    """Values weighted by softmax(query key^T / sqrt(d) + mask), with dropout on the weights.

    `eager` runs one kernel after the other and keeps every tokens x tokens matrix; `sdpa` leaves
    the choice of a fused kernel to PyTorch.
    """
    if implementation == "sdpa":
        return F.scaled_dot_product_attention(query, key, value, mask.to(query.dtype), DROPOUT)
    scores = query @ key.transpose(-1, -2) / math.sqrt(query.shape[-1])
    weights = F.dropout(F.softmax(scores + mask, dim=-1), DROPOUT)
    return weights.to(value.dtype) @ value
