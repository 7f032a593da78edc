# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
"""One training step of a real model, as its users run it on one GPU."""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor, nn

from .feed import make_feed
from .precision import Precision
from .reference import Batch, Reference

SEED = 20240501
SLOW_MOMENTS = (0.9999, 0.99999)
"""Adam's decays: what `age_optimiser` has put into its moments stays for all steps of a measurement."""


@dataclass(frozen=True)
class Setup:
    """How every job of a run is executed; written beside the results."""

    device: str = "cuda"
    attention: str = "eager"
    layout: str = "channels_last"  # of models on images; or contiguous
    feed: str = "prefetch"
    launches: str = "eager"  # or graph: a captured step is replayed, so the host's speed is left out
    convolution_search: bool = True  # cuDNN measures its algorithms once


class HostStepAdam(torch.optim.Adam):
    """Counts its steps on the host, as Adam does by default, also in a CUDA graph.

    The option `capturable` would count them on the device, with 400 small kernels more per step of
    BERT-base than users run. Without it a graph repeats the corrections of one step, which is no
    matter for its kernels; PyTorch refuses that in the method that is overridden here.
    """

    def _accelerator_graph_capture_health_check(self) -> None:
        pass

    _cuda_graph_capture_health_check = _accelerator_graph_capture_health_check  # its older name


def make_optimiser(kind: str, model: nn.Module) -> torch.optim.Optimizer:
    """Uses multi-tensor kernels, and rates so small that random labels do not make the loss
    diverge."""
    if kind == "adam":
        return HostStepAdam(model.parameters(), lr=1e-6, betas=SLOW_MOMENTS, foreach=True)
    if kind == "sgd_momentum":
        return torch.optim.SGD(model.parameters(), lr=1e-6, momentum=0.9, weight_decay=1e-4,
                               foreach=True)
    raise ValueError(f"optimiser '{kind}': expected adam or sgd_momentum")


class TrainingStep:
    """Holds model, optimiser and input on the device; every call of `run` is one step.

    Nothing in a step waits for the device, unless the precision scales gradients.
    """

    def __init__(self, reference: Reference, samples: int, precision: Precision,
                 setup: Setup) -> None:
        precision.apply()
        torch.backends.cudnn.benchmark = setup.convolution_search
        torch.manual_seed(SEED)
        self._device = torch.device(setup.device)
        self._precision = precision
        channels_last = reference.images and setup.layout == "channels_last"
        with self._device:
            self._model = reference.build().train()
        if channels_last:
            self._model = self._model.to(memory_format=torch.channels_last)
        self._optimiser = make_optimiser(reference.optimiser, self._model)
        self._scaler = torch.amp.GradScaler(setup.device, enabled=precision.scaled)
        host = in_layout(reference.batch(samples), channels_last)
        self._feed = make_feed(setup.feed, host, self._device)

    def age_optimiser(self) -> None:
        """Makes the optimiser's state that of a job that has trained for long; needs a first step.

        The one batch that is trained on names few of an embedding's rows. All others would have
        moments of exactly zero, which no job has that has seen its data, and on which roots and
        quotients take several times as long: 41 of 288 us of NeuMF's step with 256 pairs.
        """
        for state in self._optimiser.state.values():
            for moment in (x for x in state.values() if torch.is_tensor(x) and x.dim() > 0):
                moment += 1e-6 * (moment == 0)

    def run(self) -> Tensor:
        """Copies the input, and computes the loss, its gradients and new weights. Returns the
        loss."""
        batch = self._feed.next()
        with self._precision.autocast(self._device):
            loss = self._model(*batch)
        self._scaler.scale(loss).backward()
        self._scaler.step(self._optimiser)
        self._scaler.update()
        self._optimiser.zero_grad(set_to_none=True)
        self._feed.end_step()
        return loss.detach()


class ReplayedStep:
    """A step captured as a CUDA graph: every `run` replays it.

    To be made of a step that is warm: choosing algorithms and making an optimiser's state cannot be
    captured. Throws RuntimeError when something in the step waits for the host.
    """

    def __init__(self, step: TrainingStep) -> None:
        torch.cuda.synchronize()
        self._graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(self._graph):
            step.run()
        self._step = step  # holds what the graph reads

    def run(self) -> None:
        self._graph.replay()


def replayed(setup: Setup, reference: Reference) -> bool:
    return setup.launches == "graph" and reference.capturable


def in_layout(batch: Batch, channels_last: bool) -> Batch:
    """The images, which come first, with channels last."""
    if not channels_last:
        return batch
    return batch[0].contiguous(memory_format=torch.channels_last), *batch[1:]
