# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
"""How the input of a step reaches the device."""

from __future__ import annotations

from typing import Protocol

import torch

from .reference import Batch

FEEDS = ("prefetch", "inline")


class Feed(Protocol):
    def next(self) -> Batch:
        """The input of the step that begins, in the order of the current stream."""

    def end_step(self) -> None:
        """Must be called when the step is enqueued. Later work waits for the copies beside it."""


class HostFeed:
    """For runs without a GPU: the samples stay where they are."""

    def __init__(self, host: Batch) -> None:
        self._host = host

    def next(self) -> Batch:
        return self._host

    def end_step(self) -> None:
        pass


class InlineFeed:
    """Copied on the stream of the step, as `tensor.to(device, non_blocking=True)` does."""

    def __init__(self, host: Batch, device: torch.device) -> None:
        self._host = tuple(tensor.pin_memory() for tensor in host)
        self._device = device

    def next(self) -> Batch:
        return tuple(tensor.to(self._device, non_blocking=True) for tensor in self._host)

    def end_step(self) -> None:
        pass


class PrefetchFeed:
    """Copied on a second stream while the step before computes, into two sets in turn.

    That stream is forked from the step's and joined to it, so that a step can be captured: its
    replays read one set and write the other, which holds the same.
    """

    def __init__(self, host: Batch, device: torch.device) -> None:
        self._host = tuple(tensor.pin_memory() for tensor in host)
        self._slots = tuple(tuple(torch.empty_like(tensor, device=device) for tensor in host)
                            for _ in range(2))
        self._turn = 0
        self._copies = torch.cuda.Stream(device)
        self._copies.wait_stream(torch.cuda.current_stream())  # the memory may be in use until then
        self._copy()
        self.end_step()

    def next(self) -> Batch:
        batch = self._slots[self._turn]
        self._turn = 1 - self._turn
        # The previous step, which read the other set, is over.
        self._copies.wait_stream(torch.cuda.current_stream())
        self._copy()
        return batch

    def end_step(self) -> None:
        torch.cuda.current_stream().wait_stream(self._copies)

    def _copy(self) -> None:
        with torch.cuda.stream(self._copies):
            for target, source in zip(self._slots[self._turn], self._host):
                target.copy_(source, non_blocking=True)


def make_feed(kind: str, host: Batch, device: torch.device) -> Feed:
    if device.type != "cuda":
        return HostFeed(host)
    return InlineFeed(host, device) if kind == "inline" else PrefetchFeed(host, device)
