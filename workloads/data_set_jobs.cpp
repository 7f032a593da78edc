// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/data_set_jobs.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/error.hpp"
#include "base/quantity_text.hpp"
#include "base/random.hpp"

namespace mimus::workloads {
namespace {

bool includes(const std::vector<std::string>& names, const std::string& name) {
  return names.empty() || std::ranges::find(names, name) != names.end();
}

class DataSetTable {
 public:
  DataSetTable(std::vector<DataSet> sets, std::uint64_t seed)
      : sets_(std::move(sets)), lots_(seed, "data sets") {}

  void operator()(Job& job) const {
    if (job.data_set.empty()) {
      draw(job);
    } else {
      look_up(job);
    }
  }

 private:
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

std::string text_of(const std::vector<DataSet>& sets) {
  std::vector<std::string> texts;
  for (const DataSet& set : sets) {
    texts.push_back(fmt::format("data set {} {} {} {} {}", set.name, set.size.value, set.share,
                                fmt::join(set.models, ","), fmt::join(set.virtual_clusters, ",")));
  }
  return fmt::format("{}", fmt::join(texts, ";"));
}

}  // namespace

void check_data_sets(const YamlReader& workload, const std::vector<DataSet>& sets) {
  std::set<std::string> names;
  for (const DataSet& set : sets) {
    if (names.insert(set.name).second) continue;
    workload.fail("data_sets", fmt::format("\"{}\" is given twice", set.name));
  }
}

ChangedJobs::MakeChange drawn_data_sets(std::vector<DataSet> sets) {
  return [sets = std::move(sets)](const WorkloadContext& context) {
    return JobChange{DataSetTable(sets, context.seed), text_of(sets)};
  };
}

}  // namespace mimus::workloads
