# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
"""YOLOv3 on 416 x 416 images: Redmon and Farhadi 2018, with the 20-class head for Pascal VOC.

75 convolutions in the order of Pollux's copy. The loss is the squared error of boxes, objectness
and classes against dense labels, which Pollux also copies to the GPU in every step; its IoU terms
are left out.
"""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from .reference import Batch, Reference

SIDE = 416
CLASSES = 20
ANCHORS = 3
GRIDS = (52, 26, 13)
ANCHOR_SIDES = ((10, 13, 16, 30, 33, 23), (30, 61, 62, 45, 59, 119), (116, 90, 156, 198, 373, 326))
"""Widths and heights in pixels, one row per grid."""
STAGES = ((64, 1), (128, 2), (256, 8), (512, 8), (1024, 4))
"""Channels and residual blocks of Darknet-53 behind each halving of the image."""


def convolution(channels: int, out: int, kernel: int, stride: int = 1) -> nn.Sequential:
    return nn.Sequential(nn.Conv2d(channels, out, kernel, stride, padding=kernel // 2, bias=False),
                         nn.BatchNorm2d(out), nn.LeakyReLU(0.1, inplace=True))


class Residual(nn.Module):
    def __init__(self, channels: int) -> None:
        super().__init__()
        self.body = nn.Sequential(convolution(channels, channels // 2, 1),
                                  convolution(channels // 2, channels, 3))

    def forward(self, x: Tensor) -> Tensor:
        return x + self.body(x)


class Neck(nn.Module):
    """Five convolutions whose result goes on to the finer grid, and the predictions of a grid."""

    def __init__(self, channels: int, width: int) -> None:
        super().__init__()
        self.shared = nn.Sequential(
            convolution(channels, width, 1), convolution(width, 2 * width, 3),
            convolution(2 * width, width, 1), convolution(width, 2 * width, 3),
            convolution(2 * width, width, 1))
        self.predict = nn.Sequential(convolution(width, 2 * width, 3),
                                     nn.Conv2d(2 * width, ANCHORS * (5 + CLASSES), 1))

    def forward(self, x: Tensor) -> tuple[Tensor, Tensor]:
        shared = self.shared(x)
        return shared, self.predict(shared)


class Boxes(nn.Module):
    """Predictions of a grid as boxes in fractions of the image: (batch, grid, grid, anchor, 25)."""

    def __init__(self, grid: int, anchor_sides: tuple[int, ...]) -> None:
        super().__init__()
        self.grid = grid
        steps = torch.arange(grid, dtype=torch.float32)
        y, x = torch.meshgrid(steps, steps, indexing="ij")
        self.register_buffer("corners", torch.stack((x, y), -1)[:, :, None, :], persistent=False)
        self.register_buffer("anchors", torch.tensor(anchor_sides).view(ANCHORS, 2) / SIDE,
                             persistent=False)

    def forward(self, raw: Tensor) -> Tensor:
        grid = self.grid
        raw = raw.view(-1, ANCHORS, 5 + CLASSES, grid, grid).permute(0, 3, 4, 1, 2)
        centre, sides, objectness, classes = raw.split((2, 2, 1, CLASSES), dim=-1)
        return torch.cat(((centre.sigmoid() + self.corners) / grid, sides.exp() * self.anchors,
                          objectness.sigmoid(), classes.sigmoid()), dim=-1)


class YoloV3(nn.Module):
    """Loss of a detector of objects."""

    def __init__(self) -> None:
        super().__init__()
        self.stem = convolution(3, 32, 3)
        channels = 32
        self.stages = nn.ModuleList()
        for out, blocks in STAGES:
            self.stages.append(nn.Sequential(convolution(channels, out, 3, 2),
                                             *(Residual(out) for _ in range(blocks))))
            channels = out
        self.coarse = Neck(1024, 512)
        self.to_medium = convolution(512, 256, 1)
        self.medium = Neck(768, 256)
        self.to_fine = convolution(256, 128, 1)
        self.fine = Neck(384, 128)
        self.boxes = nn.ModuleList(Boxes(g, sides) for g, sides in zip(GRIDS, ANCHOR_SIDES))

    def forward(self, images: Tensor, fine_labels: Tensor, medium_labels: Tensor,
                coarse_labels: Tensor) -> Tensor:
        x = self.stem(images)
        maps = []
        for stage in self.stages:
            x = stage(x)
            maps.append(x)
        shared, coarse = self.coarse(maps[4])
        shared, medium = self.medium(self._finer(self.to_medium(shared), maps[3]))
        _, fine = self.fine(self._finer(self.to_fine(shared), maps[2]))
        labels = (fine_labels, medium_labels, coarse_labels)
        errors = (F.mse_loss(boxes(raw), label)
                  for boxes, raw, label in zip(self.boxes, (fine, medium, coarse), labels))
        return sum(errors, torch.zeros((), device=images.device))

    @staticmethod
    def _finer(x: Tensor, skip: Tensor) -> Tensor:
        return torch.cat((F.interpolate(x, scale_factor=2.0, mode="nearest"), skip), dim=1)


def batch(samples: int) -> Batch:
    labels = (torch.rand(samples, grid, grid, ANCHORS, 5 + CLASSES) for grid in GRIDS)
    return torch.randn(samples, 3, SIDE, SIDE), *labels


REFERENCE = Reference("yolov3", YoloV3, batch, "sgd_momentum", batches=(4, 5, 6, 8), pair_batch=8,
                      images=True)
