// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/record/co_location_log.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace mimus::emulator {
namespace {

std::string model_name(const Attempt& attempt) {
  return attempt.model != nullptr ? attempt.model->name : "run time";
}

}  // namespace

void CoLocationLog::started(const Attempt& attempt, Instant at) {
  present_[attempt.id] = Present{.attempt = attempt, .since = at, .beside = {}, .periods = {}};
  for (const auto& slot : attempt.allocation.slots) {
    std::vector<AttemptId>& tenants = on_gpu_[slot.gpu.index()];
    if (tenants.empty() || tenants.back() != attempt.id) tenants.push_back(attempt.id);
  }
  refresh_around(attempt, at);
}

void CoLocationLog::ended(AttemptId attempt, Instant at) {
  const auto found = present_.find(attempt);
  if (found == present_.end()) return;
  close(found->second, at);
  const Attempt left = std::move(found->second.attempt);
  present_.erase(found);
  for (const auto& slot : left.allocation.slots) std::erase(on_gpu_[slot.gpu.index()], attempt);
  refresh_around(left, at);
}

/// Updates the co-tenants of the newcomer or leaver and of all attempts that share a GPU with it.
void CoLocationLog::refresh_around(const Attempt& changed, Instant at) {
  std::set<AttemptId> affected = neighbours(changed);
  affected.insert(changed.id);
  for (const AttemptId id : affected) {
    const auto found = present_.find(id);
    if (found == present_.end()) continue;
    Present& present = found->second;
    auto beside = neighbours(present.attempt);
    if (beside == present.beside) continue;
    close(present, at);
    present.beside = std::move(beside);
    present.co_tenants = co_tenants(present.attempt);
    present.since = at;
  }
}

void CoLocationLog::progressed(AttemptId attempt, const StepWindow& window) {
  const auto found = present_.find(attempt);
  if (found == present_.end()) return;
  Present& present = found->second;
  // Only windows that lie within the period count, because others mix two situations. A neighbour
  // that writes its checkpoint holds its GPU but does not compute. The worker has then seen fewer
  // co-tenants than the period has.
  if (present.beside.empty() || window.begin < present.since) return;
  if (window.co_tenants < present.co_tenants) return;
  const auto same = [&](const Period& period) { return period.batch == window.batch; };
  auto period = std::find_if(present.periods.begin(), present.periods.end(), same);
  if (period == present.periods.end()) {
    present.periods.push_back(Period{.attempt = present.attempt,
                                     .beside = present.beside,
                                     .co_models = models_of(present.beside),
                                     .co_tenants = present.co_tenants,
                                     .begin = window.begin,
                                     .end = window.end,
                                     .batch = window.batch});
    period = present.periods.end() - 1;
  }
  period->end = window.end;
  period->steps += window.steps;
  period->step_time += window.steps * window.step_mean;
  period->modelled += window.steps * window.step_modelled;
}

void CoLocationLog::close(Present& present, Instant at) {
  for (Period& period : present.periods) {
    period.end = std::min(period.end, at);
    // A recorded run time needs no baseline, so that its periods need not be kept.
    if (period.attempt.model == nullptr && shared_.empty()) {
      recorder_.add(row_of(period, {}));
    } else {
      shared_.push_back(std::move(period));
    }
  }
  present.periods.clear();
}

std::set<AttemptId> CoLocationLog::neighbours(const Attempt& attempt) const {
  std::set<AttemptId> out;
  for (const auto& slot : attempt.allocation.slots) {
    const std::vector<AttemptId>& tenants = on_gpu_[slot.gpu.index()];
    out.insert(tenants.begin(), tenants.end());
  }
  out.erase(attempt.id);
  return out;
}

int CoLocationLog::co_tenants(const Attempt& attempt) const {
  std::size_t most = 1;
  for (const auto& slot : attempt.allocation.slots) {
    most = std::max(most, on_gpu_[slot.gpu.index()].size());
  }
  return static_cast<int>(most) - 1;
}

std::string CoLocationLog::models_of(const std::set<AttemptId>& attempts) const {
  std::vector<std::string> models;
  models.reserve(attempts.size());
  for (const AttemptId id : attempts) models.push_back(model_name(present_.at(id).attempt));
  std::sort(models.begin(), models.end());
  return fmt::format("{}", fmt::join(models, "+"));
}

BaselineKey CoLocationLog::key_of(const Period& period) const {
  return {.model = model_name(period.attempt),
          .shape = shape_.shape_of(period.attempt.allocation.slots),
          .type = shape_.type_of(period.attempt.allocation.slots.front().gpu),
          .per_gpu = period.batch.per_gpu,
          .accumulation = period.batch.accumulation,
          .gpu_type = shape_.types_of(period.attempt.allocation.slots)};
}

std::map<BaselineKey, Attempt> CoLocationLog::needed() const {
  std::map<BaselineKey, Attempt> out;
  for (const Period& period : shared_) {
    if (period.attempt.model == nullptr) continue;
    Attempt attempt = period.attempt;
    attempt.batch = period.batch;
    out.try_emplace(key_of(period), std::move(attempt));
  }
  return out;
}

double CoLocationLog::solo_step(const Period& period,
                                const std::map<BaselineKey, double>& solo) const {
  if (period.attempt.model == nullptr) return to_seconds(period.modelled / period.steps);
  const auto found = solo.find(key_of(period));
  return found != solo.end() ? found->second : 0.0;
}

results::PairRow CoLocationLog::row_of(const Period& period,
                                       const std::map<BaselineKey, double>& solo) const {
  results::PairRow row;
  row.attempt = period.attempt.id.value();
  row.job = period.attempt.job.value();
  row.model = model_name(period.attempt);
  row.co_models = period.co_models;
  row.co_tenants = period.co_tenants;
  row.shape = shape_.shape_of(period.attempt.allocation.slots);
  row.gpu_type = shape_.types_of(period.attempt.allocation.slots);
  row.per_gpu_batch = period.batch.per_gpu;
  row.begin = to_seconds(period.begin);
  row.end = to_seconds(period.end);
  row.steps = period.steps;
  row.step_shared = to_seconds(period.step_time) / static_cast<double>(period.steps);
  row.step_solo = solo_step(period, solo);
  if (row.step_solo > 0.0) row.slowdown = row.step_shared / row.step_solo;
  return row;
}

void CoLocationLog::write(const std::map<BaselineKey, double>& solo) const {
  for (const Period& period : shared_) recorder_.add(row_of(period, solo));
}

}  // namespace mimus::emulator
