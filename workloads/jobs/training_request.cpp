// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/jobs/training_request.hpp"

#include <algorithm>

#include "base/error.hpp"

namespace mimus::workloads {

double Work::samples(const Model& model, int gang, std::int64_t total_batch,
                     const RunTimes& run_times) const {
  switch (unit) {
    case Unit::samples:
      return value;
    case Unit::run_time:
      return run_times.samples_in(model, gang, total_batch, from_seconds(value));
    case Unit::training:
      return value * model.training_samples();
  }
  throw InternalError("unknown unit of work");
}

Work WorkKeys::work(const YamlReader& reader) const {
  const int given = (samples ? 1 : 0) + (duration ? 1 : 0) + (fraction ? 1 : 0);
  if (given != 1) {
    reader.fail("",
                "state the work once: as \"samples\", as \"duration\" on the gang, or as "
                "\"fraction\" of the published training");
  }
  if (samples) return {Work::Unit::samples, *samples};
  if (duration) return {Work::Unit::run_time, to_seconds(*duration)};
  return {Work::Unit::training, *fraction};
}

const Fields<WorkKeys>& work_fields() {
  using Keys = WorkKeys;
  static const Fields<Keys> fields{
      field("samples", &Keys::samples, kStatedSamples, "work, at the reference batch"),
      field("duration", &Keys::duration, kPositive,
            "work, as run time on the cluster or on duration_on"),
      field("fraction", &Keys::fraction, {{.min = kPositive.min, .max = 1.0}},
            "work, of the published training")};
  return fields;
}

Domain<BatchChoice> batch_choices() {
  return {{"reference", BatchChoice::reference}, {"scaled", BatchChoice::scaled}};
}

std::int64_t total_batch(const Model& model, int gang, BatchChoice choice) {
  const BatchLimits& limits = model.batch;
  const std::int64_t wanted =
      choice == BatchChoice::scaled ? gang * limits.reference : limits.reference;
  const std::int64_t most =
      std::max<std::int64_t>(gang, std::min(limits.total_max, gang * limits.per_gpu_max));
  const std::int64_t least = std::min(gang * limits.per_gpu_min, most);
  return choice == BatchChoice::scaled ? std::clamp(wanted, least, most) : std::max(wanted, least);
}

}  // namespace mimus::workloads
