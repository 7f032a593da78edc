// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/virtual/contention/contention.hpp"

#include <algorithm>
#include <utility>

#include "emulator/virtual/contention/core_use.hpp"
#include "emulator/virtual/contention/shared_links.hpp"
#include "emulator/virtual/contention/tenant_slowdowns.hpp"

namespace mimus::emulator {
namespace {

const Surroundings kAlone{};

void insert_sorted(std::vector<AttemptId>& ids, AttemptId id) {
  ids.insert(std::upper_bound(ids.begin(), ids.end(), id), id);
}

/// Sorts ids in ascending order and removes duplicates.
void sort_out(std::vector<AttemptId>& ids) {
  std::sort(ids.begin(), ids.end());
  ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
}

}  // namespace

class Contention::Impl {
 public:
  Impl(const ClusterConfig& cluster, const StepTimeModel& steps,
       const InterferenceModel& interference)
      : shape_(cluster.shape),
        steps_(steps),
        interference_(interference),
        links_(cluster),
        cores_(cluster.shape),
        tenants_(static_cast<std::size_t>(shape_.gpus())),
        gpus_in_use_(static_cast<std::size_t>(shape_.nodes), 0) {}

  void enter(const Attempt& attempt, std::vector<AttemptId>& changed) {
    if (shares_nothing(attempt)) return;
    SharingAttempt& entry = entries_[attempt.id];
    entry.attempt = &attempt;
    for (const auto& slot : attempt.allocation.slots) {
      auto& here = tenants_[slot.gpu.index()];
      if (here.empty()) ++gpus_in_use_[shape_.node_of(slot.gpu).index()];
      insert_sorted(here, attempt.id);
    }
    cores_.enter(attempt);
    append_tenants(attempt, touched_);
    update(attempt, {}, changed);
  }

  void leave(AttemptId id, std::vector<AttemptId>& changed) {
    const auto found = entries_.find(id);
    if (found == entries_.end()) return;
    const Attempt& attempt = *found->second.attempt;
    auto links = links_.links_of(id);
    for (const auto& slot : attempt.allocation.slots) {
      auto& here = tenants_[slot.gpu.index()];
      std::erase(here, id);
      if (here.empty()) --gpus_in_use_[shape_.node_of(slot.gpu).index()];
    }
    cores_.leave(attempt);
    links_.leave(id);
    entries_.erase(found);
    append_tenants(attempt, touched_);
    update(attempt, std::move(links), changed);
  }

  void retuned(AttemptId id, std::vector<AttemptId>& changed) {
    const auto found = entries_.find(id);
    if (found == entries_.end()) return;
    touched_.push_back(id);
    update(*found->second.attempt, {}, changed);
  }

  void neighbours(const Attempt& attempt, std::vector<AttemptId>& out) const {
    std::vector<AttemptId> tenants;
    append_tenants(attempt, tenants);
    append_others(attempt.id, tenants, out);
  }

  [[nodiscard]] const Surroundings& of(AttemptId id) const {
    if (entries_.empty()) return kAlone;
    const auto found = entries_.find(id);
    return found == entries_.end() ? kAlone : found->second.now;
  }

  [[nodiscard]] int co_tenants(AttemptId id) const {
    const auto found = entries_.find(id);
    if (found == entries_.end()) return 0;
    std::size_t most = 1;
    for (const auto& slot : found->second.attempt->allocation.slots) {
      most = std::max(most, tenants_[slot.gpu.index()].size());
    }
    return static_cast<int>(most) - 1;
  }

 private:
  /// The fast path of long traces: nothing to look up or to keep.
  [[nodiscard]] bool shares_nothing(const Attempt& attempt) const {
    if (shape_.lanes_per_gpu > 1 || interference_.active() || cores_.matters()) return false;
    if (steps_.counts_run_time()) return true;
    return !steps_.shares_hosts() && !links_.used_by(attempt);
  }

  /// Its host slows its computation, but not its transfers.
  [[nodiscard]] SharedLinks::Sending sending(const SharingAttempt& sharing) const {
    const Surroundings hosts{.gpus_in_use = sharing.now.gpus_in_use,
                             .core_load = sharing.now.core_load};
    const Duration transfers = steps_.transfers(*sharing.attempt);
    if (transfers <= Duration{}) return {};
    return {.step = steps_.step(*sharing.attempt, hosts).step, .transfers = transfers};
  }

  /// Appends the links of those of the attempts that send another share of their time.
  void load_links(const std::vector<AttemptId>& attempts, std::vector<std::size_t>& links) {
    if (steps_.counts_run_time()) return;
    for (const AttemptId id : attempts) {
      const auto found = entries_.find(id);
      if (found == entries_.end() || !links_.used_by(*found->second.attempt)) continue;
      const auto loaded = links_.load(*found->second.attempt, sending(found->second));
      links.insert(links.end(), loaded.begin(), loaded.end());
      if (links_.links_of(id).empty()) found->second.now.link_shares.clear();
      if (!loaded.empty()) found->second.in_turns.clear();
    }
  }

  /// `attempt` has begun, ended or changed. `links` are those that it has left.
  void update(const Attempt& attempt, std::vector<std::size_t> links,
              std::vector<AttemptId>& changed) {
    update_hosts(attempt);
    load_links(touched_, links);
    if (!links.empty()) {
      links_.share_out(links, [&](AttemptId id, std::vector<LinkShare> shares) {
        set(id, &Surroundings::link_shares, std::move(shares));
      });
    }
    if (interference_.active()) update_tenants(attempt);
    append_others(attempt.id, touched_, changed);
    touched_.clear();
  }

  static void append_others(AttemptId than, std::vector<AttemptId>& attempts,
                            std::vector<AttemptId>& to) {
    sort_out(attempts);
    std::erase(attempts, than);
    to.insert(to.end(), attempts.begin(), attempts.end());
  }

  void append_tenants(const Attempt& beside, std::vector<AttemptId>& to) const {
    for (const auto& slot : beside.allocation.slots) {
      const auto& here = tenants_[slot.gpu.index()];
      to.insert(to.end(), here.begin(), here.end());
    }
  }

  template <class Value>
  void set(AttemptId id, Value Surroundings::*what, Value value) {
    SharingAttempt& entry = entries_.at(id);
    Value& kept = entry.now.*what;
    if (kept == value) return;
    kept = std::move(value);
    touched_.push_back(id);
    entry.in_turns.clear();
  }

  /// After all else that they share is known. Where tenants take turns, those of its tenants'
  /// other GPUs are slowed differently, too.
  void update_tenants(const Attempt& attempt) {
    if (shape_.lanes_per_gpu == 1) return;
    std::vector<AttemptId> concerned;
    append_tenants(attempt, concerned);
    note_step(attempt.id);
    if (interference_.in_turns()) {
      concerned.insert(concerned.end(), touched_.begin(), touched_.end());
      append_their_tenants(concerned);
      append_their_tenants(concerned);
    }
    sort_out(concerned);
    TenantSlowdowns slowdowns(tenants_, entries_, interference_);
    const auto what =
        interference_.in_turns() ? &Surroundings::device_stretch : &Surroundings::interference;
    for (const AttemptId id : concerned) set(id, what, slowdowns.of(entries_.at(id)));
  }

  void note_step(AttemptId id) {
    const auto found = entries_.find(id);  // it may have left
    if (found == entries_.end()) return;
    found->second.without_co_tenants = interference_.without_co_tenants(*found->second.attempt);
    found->second.in_turns.clear();
  }

  void append_their_tenants(std::vector<AttemptId>& attempts) const {
    sort_out(attempts);
    const std::vector<AttemptId> of = attempts;
    for (const AttemptId id : of) append_tenants(*entries_.at(id).attempt, attempts);
  }

  void update_hosts(const Attempt& attempt) {
    if (!steps_.shares_hosts() && !cores_.matters()) return;
    std::vector<AttemptId> concerned;
    for (const NodeId node : nodes_of(attempt)) append_guests(node, concerned);
    sort_out(concerned);
    for (const AttemptId id : concerned) {
      const Attempt& guest = *entries_.at(id).attempt;
      if (steps_.shares_hosts()) set(id, &Surroundings::gpus_in_use, most_gpus_in_use(guest));
      set(id, &Surroundings::core_load, highest_core_load(guest));
    }
  }

  /// In the order of the ring. Each node appears once if its replicas are adjacent.
  [[nodiscard]] std::vector<NodeId> nodes_of(const Attempt& attempt) const {
    if (attempt.allocation.slots.empty()) return {attempt.allocation.node};
    std::vector<NodeId> nodes;
    for (const auto& slot : attempt.allocation.slots) {
      const NodeId node = shape_.node_of(slot.gpu);
      if (nodes.empty() || nodes.back() != node) nodes.push_back(node);
    }
    return nodes;
  }

  /// Appends all attempts on the node.
  void append_guests(NodeId node, std::vector<AttemptId>& to) const {
    if (cores_.matters()) {
      const auto& here = cores_.without_gpus(node);
      to.insert(to.end(), here.begin(), here.end());
    }
    const auto first = static_cast<std::size_t>(shape_.first_gpu(node));
    for (int gpu = 0; gpu < shape_.gpus_on(node); ++gpu) {
      const auto& here = tenants_[first + static_cast<std::size_t>(gpu)];
      to.insert(to.end(), here.begin(), here.end());
    }
  }

  /// On the fullest node of the gang, because a gang is as slow as its slowest replica.
  [[nodiscard]] int most_gpus_in_use(const Attempt& attempt) const {
    int most = 0;
    for (const NodeId node : nodes_of(attempt)) most = std::max(most, gpus_in_use_[node.index()]);
    return most;
  }

  /// Likewise.
  [[nodiscard]] double highest_core_load(const Attempt& attempt) const {
    double highest = 1.0;
    for (const NodeId node : nodes_of(attempt)) highest = std::max(highest, cores_.load(node));
    return highest;
  }

  const scheduler::ClusterShape& shape_;
  const StepTimeModel& steps_;
  const InterferenceModel& interference_;
  SharedLinks links_;
  CoreUse cores_;
  SharingAttempts entries_;  ///< never iterated
  TenantsOfGpus tenants_;
  std::vector<int> gpus_in_use_;  ///< by node
  std::vector<AttemptId> touched_;
};

Contention::Contention(const ClusterConfig& cluster, const StepTimeModel& steps,
                       const InterferenceModel& interference)
    : impl_(std::make_unique<Impl>(cluster, steps, interference)) {}

Contention::~Contention() = default;

void Contention::enter(const Attempt& attempt, std::vector<AttemptId>& changed) {
  impl_->enter(attempt, changed);
}

void Contention::leave(AttemptId attempt, std::vector<AttemptId>& changed) {
  impl_->leave(attempt, changed);
}

void Contention::retuned(AttemptId attempt, std::vector<AttemptId>& changed) {
  impl_->retuned(attempt, changed);
}

void Contention::neighbours(const Attempt& attempt, std::vector<AttemptId>& out) const {
  impl_->neighbours(attempt, out);
}

const Surroundings& Contention::of(AttemptId attempt) const {
  return impl_->of(attempt);
}

int Contention::co_tenants(AttemptId attempt) const {
  return impl_->co_tenants(attempt);
}

}  // namespace mimus::emulator
