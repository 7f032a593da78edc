// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/node_outages.hpp"

#include <algorithm>
#include <cmath>

namespace mimus::emulator {
namespace {

/// Weibull, by inversion: mean = scale · Γ(1 + 1/shape). Failures of nodes in large systems have
/// shapes of 0.7 to 0.8 (Schroeder and Gibson, DSN'06).
Duration draw_time_up(const NodeFailures& failures, RandomStream& random) {
  const double shape = failures.shape;
  const double scale = to_seconds(failures.between) / std::tgamma(1.0 + 1.0 / shape);
  return from_seconds(scale * std::pow(-std::log1p(-random.uniform()), 1.0 / shape));
}

/// Lognormal, as in the same study.
Duration draw_repair(const NodeFailures& failures, RandomStream& random) {
  const double sigma = failures.repair_sigma;
  const double factor = random.lognormal(-0.5 * sigma * sigma, sigma);
  return std::max(scale(failures.repair, factor), Duration{1});
}

}  // namespace

NodeOutages::NodeOutages(const ClusterConfig& cluster, std::uint64_t seed)
    : failures_(cluster.node_failures), lasting_(static_cast<std::size_t>(cluster.shape.nodes)) {
  for (const Outage& outage : cluster.outages) {
    changes_.insert({outage.down, Kind::goes_down, outage.node});
    changes_.insert({outage.up, Kind::comes_up, outage.node});
  }
  stated_left_ = changes_.size();
  if (!failures_) return;
  const NumberedStreams streams(seed, "node failures");
  for (int node = 0; node < cluster.shape.nodes; ++node) {
    random_.push_back(streams.at(node));
    draw(NodeId{node}, Instant{});
  }
  skip_unseen();
}

/// The failure that follows after the node has been mended at `from`.
void NodeOutages::draw(NodeId node, Instant from) {
  RandomStream& random = random_[node.index()];
  const Instant begin = from + draw_time_up(*failures_, random);
  const Instant end = begin + draw_repair(*failures_, random);
  changes_.insert({end, Kind::mended, node, true});
  if (random.uniform() >= failures_->faulty) {
    changes_.insert({begin, Kind::goes_down, node, true});
    changes_.insert({end, Kind::comes_up, node, true});
    return;
  }
  const double between = to_seconds(failures_->between_faults);
  for (Instant at = begin; at < end; at += from_seconds(random.exponential(between))) {
    changes_.insert({at, Kind::fault, node, true});
  }
}

NodeOutages::Change NodeOutages::take() {
  const Change change = *changes_.begin();
  changes_.erase(changes_.begin());
  count(change);
  skip_unseen();
  return change;
}

bool NodeOutages::is_seen(const Change& change) const {
  const int lasting = lasting_[change.node.index()];
  return change.kind == Kind::comes_up ? lasting == 1 : change.kind != Kind::mended && lasting == 0;
}

void NodeOutages::count(const Change& change) {
  int& lasting = outages_of(change.node);
  if (!change.drawn) --stated_left_;
  if (change.kind == Kind::goes_down && lasting++ == 0) ++nodes_down_;
  if (change.kind == Kind::comes_up && --lasting == 0) --nodes_down_;
  if (change.kind == Kind::mended) draw(change.node, change.at);
}

void NodeOutages::skip_unseen() {
  while (!changes_.empty() && !is_seen(*changes_.begin())) {
    const Change change = *changes_.begin();
    changes_.erase(changes_.begin());
    count(change);
  }
}

Instant NodeOutages::first_end(const std::set<NodeId>& nodes) const {
  const auto is_hit = [&](const Change& change) {
    const bool ends = change.kind == Kind::goes_down || change.kind == Kind::fault;
    return ends && nodes.contains(change.node);
  };
  const auto found = std::find_if(changes_.begin(), changes_.end(), is_hit);
  return found == changes_.end() ? kNever : found->at;
}

}  // namespace mimus::emulator
