# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
"""DeepSpeech2: Amodei et al., ICML 2016, as in SeanNaren/deepspeech.pytorch with GRUs.

Two convolutions over a spectrogram, five bidirectional GRU layers of 800 whose directions are
summed, one linear layer, CTC loss. Utterances last 3.2 s, the mean of CMU-ARCTIC; equal lengths
leave out the packing of sequences.
"""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from .reference import Batch, Reference

FREQUENCIES = 161
FRAMES = 320
HIDDEN = 800
CHARACTERS = 29
TRANSCRIPT = 40


class SummedGru(nn.Module):
    """A bidirectional GRU over (time, batch, features) whose directions are summed."""

    def __init__(self, features: int, normalise: bool) -> None:
        super().__init__()
        self.norm = nn.BatchNorm1d(features) if normalise else None
        self.gru = nn.GRU(features, HIDDEN, bidirectional=True)

    def forward(self, x: Tensor) -> Tensor:
        if self.norm is not None:
            x = self.norm(x.flatten(0, 1)).view_as(x)
        y, _ = self.gru(x)
        time, batch, _ = y.shape
        return y.view(time, batch, 2, HIDDEN).sum(2)


class DeepSpeech2(nn.Module):
    """Connectionist temporal classification loss of a transcript."""

    def __init__(self) -> None:
        super().__init__()
        self.convolutions = nn.Sequential(
            nn.Conv2d(1, 32, (41, 11), (2, 2), padding=(20, 5)), nn.BatchNorm2d(32),
            nn.Hardtanh(0, 20, inplace=True),
            nn.Conv2d(32, 32, (21, 11), (2, 1), padding=(10, 5)), nn.BatchNorm2d(32),
            nn.Hardtanh(0, 20, inplace=True))
        features = 32 * 41
        self.recurrent = nn.Sequential(
            SummedGru(features, normalise=False),
            *(SummedGru(HIDDEN, normalise=True) for _ in range(4)))
        self.norm = nn.BatchNorm1d(HIDDEN)
        self.characters = nn.Linear(HIDDEN, CHARACTERS, bias=False)

    def scores(self, spectrograms: Tensor) -> Tensor:
        """Unnormalised scores of the characters: (time, batch, characters)."""
        x = self.convolutions(spectrograms)  # batch, 32, 41, time
        x = x.flatten(1, 2).permute(2, 0, 1).contiguous()
        x = self.recurrent(x)
        return self.characters(self.norm(x.flatten(0, 1))).view(*x.shape[:2], CHARACTERS)

    def forward(self, spectrograms: Tensor, transcripts: Tensor) -> Tensor:
        scores = self.scores(spectrograms)
        time, batch = scores.shape[:2]
        # Lengths as numbers on the host. Tensors on the device would stop the host.
        loss = F.ctc_loss(F.log_softmax(scores.float(), dim=-1), transcripts, (time,) * batch,
                          (transcripts.shape[1],) * batch, reduction="sum", zero_infinity=True)
        return loss / batch


def batch(samples: int) -> Batch:
    return (torch.randn(samples, 1, FREQUENCIES, FRAMES),
            torch.randint(1, CHARACTERS, (samples, TRANSCRIPT)))


REFERENCE = Reference("deepspeech2", DeepSpeech2, batch, "sgd_momentum", batches=(10, 20, 40, 80),
                      pair_batch=20,
                      capturable=False)  # the CTC loss copies lengths from pageable memory
