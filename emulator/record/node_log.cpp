// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/record/node_log.hpp"

#include <utility>

#include <fmt/format.h>

namespace mimus::emulator {

using scheduler::NodePower;

namespace {
constexpr const char* kDown = "down";
constexpr const char* kQuarantined = "quarantined";
}  // namespace

NodeLog::NodeLog(results::Recorder& recorder, const scheduler::ClusterShape& shape)
    : recorder_(recorder), shape_(shape), nodes_(static_cast<std::size_t>(shape.nodes)) {}

template <class Change>
void NodeLog::each_node(const scheduler::Allocation& allocation, Change&& change) {
  if (allocation.node) change(nodes_[allocation.node.index()]);
  for (const auto& slot : allocation.slots) change(nodes_[shape_.node_of(slot.gpu).index()]);
}

void NodeLog::granted(const scheduler::Allocation& allocation, Instant at) {
  each_node(allocation, [&](Node& node) {
    if (node.tenants++ == 0) node.used_since = at;
  });
}

void NodeLog::freed(const scheduler::Allocation& allocation, Instant at) {
  each_node(allocation, [&](Node& node) {
    if (--node.tenants == 0) node.used += at - node.used_since;
  });
}

void NodeLog::changed(const scheduler::NodePowerChange& change, Instant at) {
  end_span(change.node, at);
  Node& node = nodes_.at(change.node.index());
  if (node.state == NodePower::asleep) ++node.boots;
  node.state = change.state;
  if (!recorder_.keeps(results::RecordLevel::full)) return;
  recorder_.add(results::EventRow{.time = to_seconds(at),
                                  .kind = fmt::format("node_{}", scheduler::name(change.state)),
                                  .detail = fmt::format("node {}", change.node.value())});
}

void NodeLog::end_span(NodeId id, Instant at) {
  Node& node = nodes_.at(id.index());
  const Instant begin = std::exchange(node.since, at);
  Duration& sum = node.state == NodePower::on        ? node.on
                  : node.state == NodePower::booting ? node.booting
                                                     : node.asleep;
  sum += at - begin;
  if (node.state != NodePower::on) write_span(id, scheduler::name(node.state), begin, at);
}

void NodeLog::write_span(NodeId id, const char* state, Instant since, Instant at) {
  if (at == since) return;
  recorder_.add(results::NodeStateRow{
      .node = id.value(), .state = state, .begin = to_seconds(since), .end = to_seconds(at)});
}

void NodeLog::toggle(NodeId id, const char* state, Instant& since, bool begins, Instant at) {
  if (begins == (since != kNever)) return;
  if (!begins) write_span(id, state, since, at);
  since = begins ? at : kNever;
}

void NodeLog::went_down(NodeId node, bool down, Instant at) {
  toggle(node, kDown, nodes_.at(node.index()).down_since, down, at);
}

void NodeLog::quarantined(NodeId node, bool begins, Instant at) {
  toggle(node, kQuarantined, nodes_.at(node.index()).quarantined_since, begins, at);
}

void NodeLog::write(const DrawOf& draw_of, Instant at) {
  for (int i = 0; i < shape_.nodes; ++i) {
    end_span(NodeId{i}, at);
    went_down(NodeId{i}, false, at);
    quarantined(NodeId{i}, false, at);
    const kernels::PowerDraw* draw = draw_of(shape_.type_of(NodeId{i}));
    Node& node = nodes_[static_cast<std::size_t>(i)];
    if (node.tenants > 0) node.used += at - node.used_since;
    node.used_since = at;
    results::NodeRow row{.node = i,
                         .on = to_seconds(node.on),
                         .booting = to_seconds(node.booting),
                         .asleep = to_seconds(node.asleep),
                         .used = to_seconds(node.used),
                         .boots = node.boots,
                         .source = draw == nullptr ? "none" : "modelled"};
    if (draw != nullptr) {
      row.joules = draw->host * (row.on + row.booting) + draw->asleep * row.asleep;
    }
    recorder_.add(row);
  }
}

}  // namespace mimus::emulator
