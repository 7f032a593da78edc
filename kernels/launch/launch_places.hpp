// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/launch/launch.hpp"

namespace mimus::kernels {

/// Calls visit(TensorRef&) for every place that a launch names. Optimisers and bucket copies name
/// none, because their data are where their regions begin.
template <class Visit>
void for_each_place(Launch& launch, const Visit& visit) {
  const auto all = [&visit](auto&... places) { (visit(places), ...); };
  struct Places {
    decltype(all)& each;
    void operator()(Product& p) const { each(p.left, p.right, p.out); }
    void operator()(Convolution& c) const { each(c.input, c.filter, c.output); }
    void operator()(Elementwise& e) const { each(e.in[0], e.in[1], e.in[2], e.out, e.mask); }
    void operator()(Reduction& r) const { each(r.x, r.dy, r.out, r.statistics, r.scratch); }
    void operator()(Pooling& p) const { each(p.in, p.out, p.positions); }
    void operator()(Embedding& e) const { each(e.table, e.values, e.places, e.scratch); }
    void operator()(GruCell& g) const { each(g.gates, g.state_gates, g.state, g.reserve); }
    void operator()(FusedAttention& a) const {
      each(a.query, a.key, a.value, a.out, a.statistics);
      each(a.out_gradient, a.query_gradient, a.key_gradient, a.value_gradient);
    }
    void operator()(MultiTensor&) const {}
    void operator()(BucketCopy&) const {}
  };
  std::visit(Places{all}, launch);
}

}  // namespace mimus::kernels
