# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
"""ResNet-50 v1.5 on 224 x 224 images: He et al., CVPR 2016, stride in the 3 x 3 convolution."""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from .reference import Batch, Reference

CLASSES = 1000
STAGES = ((64, 3, 1), (128, 4, 2), (256, 6, 2), (512, 3, 2))
"""Width, blocks and stride of the first block; a block's output has four times its width."""


class Bottleneck(nn.Module):
    """1 x 1, 3 x 3, 1 x 1 with a residual connection."""

    def __init__(self, channels: int, width: int, stride: int) -> None:
        super().__init__()
        out = 4 * width
        self.conv1 = nn.Conv2d(channels, width, 1, bias=False)
        self.norm1 = nn.BatchNorm2d(width)
        self.conv2 = nn.Conv2d(width, width, 3, stride, padding=1, bias=False)
        self.norm2 = nn.BatchNorm2d(width)
        self.conv3 = nn.Conv2d(width, out, 1, bias=False)
        self.norm3 = nn.BatchNorm2d(out)
        self.relu = nn.ReLU(inplace=True)
        self.shortcut = nn.Sequential()
        if stride != 1 or channels != out:
            self.shortcut = nn.Sequential(nn.Conv2d(channels, out, 1, stride, bias=False),
                                          nn.BatchNorm2d(out))

    def forward(self, x: Tensor) -> Tensor:
        y = self.relu(self.norm1(self.conv1(x)))
        y = self.relu(self.norm2(self.conv2(y)))
        y = self.norm3(self.conv3(y))
        y += self.shortcut(x)
        return self.relu(y)


class ResNet50(nn.Module):
    """Loss of a classifier of images."""

    def __init__(self) -> None:
        super().__init__()
        self.stem = nn.Sequential(nn.Conv2d(3, 64, 7, 2, padding=3, bias=False),
                                  nn.BatchNorm2d(64), nn.ReLU(inplace=True),
                                  nn.MaxPool2d(3, 2, padding=1))
        blocks: list[nn.Module] = []
        channels = 64
        for width, count, stride in STAGES:
            for index in range(count):
                blocks.append(Bottleneck(channels, width, stride if index == 0 else 1))
                channels = 4 * width
        self.blocks = nn.Sequential(*blocks)
        self.pool = nn.AdaptiveAvgPool2d(1)
        self.classifier = nn.Linear(channels, CLASSES)

    def forward(self, images: Tensor, labels: Tensor) -> Tensor:
        features = self.pool(self.blocks(self.stem(images))).flatten(1)
        return F.cross_entropy(self.classifier(features), labels)


def batch(samples: int) -> Batch:
    return torch.randn(samples, 3, 224, 224), torch.randint(CLASSES, (samples,))


REFERENCE = Reference("resnet50", ResNet50, batch, "sgd_momentum",
                      batches=(32, 64, 128, 200), pair_batch=200, images=True)
