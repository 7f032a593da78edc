// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/collective/ring_load.hpp"

namespace mimus::kernels::cuda {

RingLoad ring_load(CollectiveOp op, std::int64_t bytes, int members, const GangLink& link) {
  if (members < 2) return {};
  const auto volume = [&](CollectiveOp of) { return ring_volume(of, Bytes{1.0}, members); };
  const double share = volume(op) / volume(CollectiveOp::all_reduce);
  const double steps =
      static_cast<double>(ring_steps(op, members)) / ring_steps(CollectiveOp::all_reduce, members);
  const double load = op == CollectiveOp::all_to_all ? link.exchange_load : 1.0;
  const auto elements = static_cast<double>(bytes / 4);
  return {static_cast<std::int64_t>(elements * share), scale(link.latency, steps),
          link.bandwidth / load};
}

}  // namespace mimus::kernels::cuda
