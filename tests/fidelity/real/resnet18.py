# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
"""ResNet-18 for CIFAR-10 as in kuangliu/pytorch-cifar: 3 x 3 stem, no pooling in front."""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from .reference import Batch, Reference

CLASSES = 10
STAGES = ((64, 1), (128, 2), (256, 2), (512, 2))
"""Width and stride of the first of two blocks."""


class BasicBlock(nn.Module):
    """Two 3 x 3 convolutions with a residual connection."""

    def __init__(self, channels: int, width: int, stride: int) -> None:
        super().__init__()
        self.conv1 = nn.Conv2d(channels, width, 3, stride, padding=1, bias=False)
        self.norm1 = nn.BatchNorm2d(width)
        self.conv2 = nn.Conv2d(width, width, 3, padding=1, bias=False)
        self.norm2 = nn.BatchNorm2d(width)
        self.shortcut = nn.Sequential()
        if stride != 1 or channels != width:
            self.shortcut = nn.Sequential(nn.Conv2d(channels, width, 1, stride, bias=False),
                                          nn.BatchNorm2d(width))

    def forward(self, x: Tensor) -> Tensor:
        y = F.relu(self.norm1(self.conv1(x)))
        y = self.norm2(self.conv2(y))
        y += self.shortcut(x)
        return F.relu(y)


class ResNet18(nn.Module):
    """Loss of a classifier of small images."""

    def __init__(self) -> None:
        super().__init__()
        self.stem = nn.Conv2d(3, 64, 3, padding=1, bias=False)
        self.norm = nn.BatchNorm2d(64)
        blocks: list[nn.Module] = []
        channels = 64
        for width, stride in STAGES:
            blocks += [BasicBlock(channels, width, stride), BasicBlock(width, width, 1)]
            channels = width
        self.blocks = nn.Sequential(*blocks)
        self.classifier = nn.Linear(channels, CLASSES)

    def forward(self, images: Tensor, labels: Tensor) -> Tensor:
        features = self.blocks(F.relu(self.norm(self.stem(images))))
        pooled = F.avg_pool2d(features, 4).flatten(1)
        return F.cross_entropy(self.classifier(pooled), labels)


def batch(samples: int) -> Batch:
    return torch.randn(samples, 3, 32, 32), torch.randint(CLASSES, (samples,))


REFERENCE = Reference("resnet18", ResNet18, batch, "sgd_momentum",
                      batches=(32, 128, 512, 1024), pair_batch=128, images=True)
