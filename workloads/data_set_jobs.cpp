// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/data_set_jobs.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/quantity_text.hpp"
#include "base/random.hpp"
#include "workloads/jobs/changed_stream.hpp"

namespace mimus::workloads {
namespace {

bool includes(const std::vector<std::string>& names, const std::string& name) {
  return names.empty() || std::ranges::find(names, name) != names.end();
}

class ReadingStream final : public ChangedStream {
 public:
  ReadingStream(std::unique_ptr<JobStream> origin, std::vector<DataSet> sets, std::uint64_t seed)
      : ChangedStream(std::move(origin)), sets_(std::move(sets)), lots_(seed, "data sets") {}

  [[nodiscard]] std::string source_hash() const override {
    std::string text = origin().source_hash();
    for (const DataSet& set : sets_) {
      text += fmt::format(";data set {} {} {} {} {}", set.name, set.size.value, set.share,
                          fmt::join(set.models, ","), fmt::join(set.virtual_clusters, ","));
    }
    return fmt::format("{:016x}", stable_hash(text));
  }

 private:
  void change(Job& job) const override {
    if (job.data_set.empty()) {
      draw(job);
    } else {
      look_up(job);
    }
  }

  void draw(Job& job) const {
    std::vector<double> weights;
    double all = 0.0;
    for (const DataSet& set : sets_) {
      const bool may =
          includes(set.models, job.model) && includes(set.virtual_clusters, job.virtual_cluster);
      weights.push_back(may ? set.share : 0.0);
      all += weights.back();
    }
    if (all == 0.0) return;
    const DataSet& set = sets_[lots_.at(job.id.value()).weighted(weights)];
    job.data_set = set.name;
    job.data_size = set.size;
  }

  void look_up(Job& job) const {
    const auto found = std::ranges::find(sets_, job.data_set, &DataSet::name);
    if (found == sets_.end()) return;
    if (job.data_size > Bytes{} && job.data_size != found->size) {
      throw UsageError(fmt::format(
          "job {} ({}) reads data set \"{}\", whose size it states as {} and workload.data_sets as "
          "{}; state it once",
          job.id.value(), job.name, job.data_set, format_bytes(job.data_size),
          format_bytes(found->size)));
    }
    job.data_size = found->size;
  }

  std::vector<DataSet> sets_;
  NumberedStreams lots_;
};

}  // namespace

void check_data_sets(const YamlReader& workload, const std::vector<DataSet>& sets) {
  std::set<std::string> names;
  for (const DataSet& set : sets) {
    if (names.insert(set.name).second) continue;
    workload.fail("data_sets", fmt::format("\"{}\" is given twice", set.name));
  }
}

Workload DataSetJobs::make(const WorkloadContext& context) const {
  return drain(*open(context));
}

std::unique_ptr<JobStream> DataSetJobs::open(const WorkloadContext& context) const {
  return std::make_unique<ReadingStream>(origin_->open(context), sets_, context.seed);
}

std::unique_ptr<JobStream> DataSetJobs::begin(const WorkloadContext& context) const {
  return std::make_unique<ReadingStream>(origin_->begin(context), sets_, context.seed);
}

}  // namespace mimus::workloads
