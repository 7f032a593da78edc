// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/data/data_paths.hpp"

#include <algorithm>
#include <cmath>

namespace mimus::emulator {
namespace {

/// In so many steps a data set comes in.
constexpr double kSteps = 16.0;
/// Rates that differ by less are not told anew.
constexpr double kSameRate = 2e-3;
constexpr double kByte = 1.0;

std::vector<std::pair<NodeId, int>> replicas_of(const Attempt& attempt,
                                                const scheduler::ClusterShape& shape) {
  std::map<NodeId, int> replicas;
  for (const auto& slot : attempt.allocation.slots) ++replicas[shape.node_of(slot.gpu)];
  return {replicas.begin(), replicas.end()};
}

double samples_of_step(const Attempt& attempt) {
  return static_cast<double>(attempt.batch.total(attempt.allocation.slots.size()));
}

bool is_same(double a, double b) {
  return a == b || std::abs(a - b) <= kSameRate * std::min(a, b);
}

}  // namespace

DataPaths::DataPaths(const scheduler::ClusterShape& shape, DataPathSettings settings)
    : shape_(shape), settings_(std::move(settings)) {}

double DataPaths::full_rate(const Attempt& attempt, const workloads::Job& job) const {
  const double sample = job.data_size.value / attempt.model->epoch_samples;
  return samples_of_step(attempt) * sample / to_seconds(settings_.solo_step(attempt));
}

void DataPaths::place(const Attempt& attempt, const workloads::Job& job) {
  if (job.data_size == Bytes{} || attempt.model == nullptr) return;
  Reader& reader = readers_[attempt.id];
  reader.attempt = attempt;
  reader.tenant = job.virtual_cluster;
  reader.set = &sets_[job.data_set];
  reader.set->size = job.data_size.value;
  reader.sample = job.data_size.value / attempt.model->epoch_samples;
  reader.full.replicas = replicas_of(attempt, shape_);
  set_full_rate(reader);
}

void DataPaths::set_full_rate(Reader& reader) const {
  reader.full.rate = samples_of_step(reader.attempt) * reader.sample /
                     to_seconds(settings_.solo_step(reader.attempt));
}

void DataPaths::begin(AttemptId attempt, Instant at) {
  const auto found = readers_.find(attempt);
  if (found == readers_.end()) return;
  settle(at);
  found->second.reads = true;
}

void DataPaths::stop(AttemptId attempt, Instant at) {
  const auto found = readers_.find(attempt);
  if (found == readers_.end()) return;
  settle(at);
  found->second.reads = false;
}

void DataPaths::leave(AttemptId attempt, Instant at) {
  settle(at);
  readers_.erase(attempt);
}

void DataPaths::retune(AttemptId attempt, const scheduler::BatchPlan& batch, Instant at) {
  const auto found = readers_.find(attempt);
  if (found == readers_.end()) return;
  settle(at);
  found->second.attempt.batch = batch;
  set_full_rate(found->second);
}

void DataPaths::keep(const std::vector<scheduler::KeptData>& kept, Instant at) {
  settle(at);
  for (auto& [name, set] : sets_) set.kept = 0.0;
  for (const scheduler::KeptData& data : kept) {
    const auto found = sets_.find(data.set);
    if (found != sets_.end()) found->second.kept = std::min(data.amount.value, found->second.size);
  }
  for (auto& [name, set] : sets_) set.resident = std::min(set.resident, set.kept);
}

/// Counts what was read at the present rates until `at`.
void DataPaths::settle(Instant at) {
  changed_ = true;
  if (at <= settled_) return;
  const double time = to_seconds(at - settled_);
  settled_ = at;
  for (const Reader* reader : readers()) {
    TenantReading& tenant = tenants_[reader->tenant];
    const auto gpus = static_cast<double>(reader->attempt.allocation.slots.size());
    tenant.read += time * reader->rate;
    tenant.hit += time * reader->rate * reader->set->share();
    tenant.speed += time * gpus * reader->rate / reader->full.rate;
    tenant.speed_uncached += time * gpus * reader->uncached / reader->full.rate;
  }
  for (auto& [name, tenant] : tenants_) {
    tenant.worth += time * tenant.worth_now;
    tenant.worth_alone += time * tenant.worth_alone_now;
  }
  for (auto& [name, set] : sets_) {
    set.resident = std::max(set.resident, std::min(set.kept, set.resident + time * set.coming));
    if (set.kept - set.resident < kByte) set.resident = set.kept;
  }
}

std::vector<DataPaths::Reader*> DataPaths::readers() {
  std::vector<Reader*> reading;
  for (auto& [id, reader] : readers_) {
    if (reader.reads) reading.push_back(&reader);
  }
  return reading;
}

/// Of whole gangs, what is resident included.
std::vector<double> DataPaths::rates_of(const std::vector<Reader*>& readers,
                                        bool with_cache) const {
  const auto missing = [&](const Reader& reader) {
    return with_cache ? 1.0 - reader.set->share() : 1.0;
  };
  std::vector<ReadDemand> demands;
  for (const Reader* reader : readers) {
    demands.push_back(reader->full);
    demands.back().rate *= missing(*reader);
  }
  auto rates = fair_rates(demands, settings_.links.storage.value_or(BytesPerSecond{kNoLimit}).value,
                          settings_.links.node_link.value_or(BytesPerSecond{kNoLimit}).value);
  for (std::size_t i = 0; i < readers.size(); ++i) {
    const bool waits = rates[i] < demands[i].rate;
    rates[i] = waits ? rates[i] / missing(*readers[i]) : readers[i]->full.rate;
  }
  return rates;
}

void DataPaths::share_out(const std::vector<Reader*>& readers) {
  const auto rates = rates_of(readers, true);
  const auto uncached = rates_of(readers, false);
  for (auto& [name, set] : sets_) set.coming = 0.0;
  for (std::size_t i = 0; i < readers.size(); ++i) {
    readers[i]->rate = rates[i];
    readers[i]->uncached = uncached[i];
    readers[i]->set->coming += rates[i] * (1.0 - readers[i]->set->share());
  }
}

/// What the cache is worth to each tenant, and what it would be at best if it had all of it: the
/// sets of which most is read per byte, the last one in part.
void DataPaths::judge(const std::vector<Reader*>& readers) {
  std::map<std::string, std::map<const Set*, double>> read;
  for (auto& [name, tenant] : tenants_) tenant.worth_now = tenant.worth_alone_now = 0.0;
  for (const Reader* reader : readers) {
    tenants_[reader->tenant].worth_now += reader->full.rate * reader->set->share();
    read[reader->tenant][reader->set] += reader->full.rate;
  }
  for (const auto& [name, rates] : read) {
    std::vector<std::pair<double, double>> sets;  // read per byte, size
    for (const auto& [set, rate] : rates) sets.emplace_back(rate / set->size, set->size);
    std::sort(sets.rbegin(), sets.rend());
    double left = settings_.links.cache.value_or(Bytes{}).value;
    for (const auto& [density, size] : sets) {
      const double resident = std::min(left, size);
      tenants_[name].worth_alone_now += density * resident;
      left -= resident;
    }
  }
}

std::vector<DataPaths::Change> DataPaths::update(Instant now) {
  if (!changed_ && now < next_) return {};
  settle(now);
  changed_ = false;
  const auto reading = readers();
  share_out(reading);
  judge(reading);
  std::vector<Change> changes;
  for (Reader* reader : reading) {
    const bool waits = reader->rate < reader->full.rate;
    const double rate = waits ? reader->rate / reader->sample : kNoLimit;
    if (is_same(rate, reader->told)) continue;
    reader->told = rate;
    changes.push_back({reader->attempt.id, rate});
  }
  next_ = next_change(now);
  return changes;
}

Instant DataPaths::next_change(Instant now) const {
  Instant next = kNever;
  for (const auto& [name, set] : sets_) {
    const double left = std::min(set.kept - set.resident, set.size / kSteps);
    if (left <= 0.0 || set.coming <= 0.0) continue;
    const double seconds = left / set.coming;
    constexpr double kCentury = 3e9;  // the clock ends not much later
    if (seconds < kCentury) next = std::min(next, now + from_seconds(seconds) + Duration{1});
  }
  return next;
}

const std::map<std::string, TenantReading>& DataPaths::tenants(Instant at) {
  settle(at);
  return tenants_;
}

}  // namespace mimus::emulator
