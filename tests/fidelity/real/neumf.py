# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
"""Neural matrix factorisation on MovieLens-1M: He et al., WWW 2017, 32 factors, three layers."""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from .reference import Batch, Reference

USERS = 6040
ITEMS = 3706
FACTORS = 32
LAYERS = 3


class NeuMf(nn.Module):
    """Loss of whether a user has rated an item.

    Factorisation and perceptron have their own embeddings; the gradients of all are dense.
    """

    def __init__(self) -> None:
        super().__init__()
        width = FACTORS * 2 ** (LAYERS - 1)
        self.mf_users = nn.Embedding(USERS, FACTORS)
        self.mf_items = nn.Embedding(ITEMS, FACTORS)
        self.mlp_users = nn.Embedding(USERS, width)
        self.mlp_items = nn.Embedding(ITEMS, width)
        widths = [2 * width // 2**layer for layer in range(LAYERS + 1)]  # 256, 128, 64, 32
        self.perceptron = nn.Sequential(*(part for i, o in zip(widths, widths[1:])
                                          for part in (nn.Linear(i, o), nn.ReLU())))
        self.prediction = nn.Linear(2 * FACTORS, 1)

    def forward(self, users: Tensor, items: Tensor, labels: Tensor) -> Tensor:
        product = self.mf_users(users) * self.mf_items(items)
        interaction = torch.cat((self.mlp_users(users), self.mlp_items(items)), dim=-1)
        features = torch.cat((product, self.perceptron(interaction)), dim=-1)
        return F.binary_cross_entropy_with_logits(self.prediction(features).view(-1), labels)


def batch(samples: int) -> Batch:
    return (torch.randint(USERS, (samples,)), torch.randint(ITEMS, (samples,)),
            torch.randint(2, (samples,)).float())


REFERENCE = Reference("neumf", NeuMf, batch, "adam", batches=(256, 2048, 8192, 32768),
                      pair_batch=256)
