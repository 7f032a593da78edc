// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/search/search.hpp"

#include <algorithm>
#include <unordered_map>
#include <utility>
#include <vector>

#include "workloads/search/trial_drawer.hpp"

namespace mimus::workloads {
namespace {

/// One search, as far as it has come.
struct Search {
  std::int64_t next = 0;  ///< trial that has yet to be submitted
  std::optional<Halving> halving;
};

/// A trial in the system.
struct Trial {
  std::size_t rungs = 0;  ///< that it has come to
  bool stopped = false;
};

/// Begins with as many trials of each search as may be in the system at once; the others come in
/// answer to their ends.
class SearchStream final : public JobStream {
 public:
  SearchStream(std::shared_ptr<const SearchSettings> settings, const WorkloadContext& context)
      : drawer_(std::move(settings), context) {
    searches_.resize(static_cast<std::size_t>(this->settings().searches));
    for (Search& search : searches_) {
      if (hears() == Hears::progress) search.halving.emplace(this->settings().halving);
    }
  }

  [[nodiscard]] std::optional<Job> next() override {
    while (beginning_ < searches_.size()) {
      Search& search = searches_[beginning_];
      if (search.next < std::min(settings().at_once, settings().trials)) {
        return submit(static_cast<std::int64_t>(beginning_), search);
      }
      ++beginning_;
    }
    return std::nullopt;
  }

  [[nodiscard]] Hears hears() const override { return settings().hears(); }

  [[nodiscard]] Answer hear(const JobNews& news) override {
    Answer answer;
    Trial& trial = trials_.at(news.job);
    if (trial.stopped && news.what == JobNews::What::progress) return answer;
    climb(trial, news, answer);
    if (news.what == JobNews::What::progress) return answer;
    if (news.what == JobNews::What::finished) {
      answer.validations.push_back(validation(news, trial.rungs, 1.0));
    }
    trials_.erase(news.job);
    const std::int64_t number = drawer_.search_of(news.job);
    Search& search = searches_[static_cast<std::size_t>(number)];
    if (search.next < settings().trials) answer.submitted.push_back(submit(number, search));
    return answer;
  }

  [[nodiscard]] std::optional<std::int64_t> size() const override {
    return settings().searches * settings().trials;
  }
  [[nodiscard]] std::string source() const override { return "hyper-parameter search"; }
  [[nodiscard]] std::string source_hash() const override { return settings().hash; }
  [[nodiscard]] std::vector<std::string> notes() const override { return {}; }

 private:
  [[nodiscard]] const SearchSettings& settings() const { return drawer_.settings(); }

  [[nodiscard]] Job submit(std::int64_t number, Search& search) {
    const JobId id = drawer_.id_of(number, search.next++);
    trials_.emplace(id, Trial{});
    return drawer_.job(id);
  }

  /// A trial that has finished is compared with others for their sake only.
  void climb(Trial& trial, const JobNews& news, Answer& answer) {
    auto& halving = searches_[static_cast<std::size_t>(drawer_.search_of(news.job))].halving;
    if (!halving || trial.stopped) return;
    while (trial.rungs < halving->rungs().size() && !trial.stopped) {
      const std::size_t rung = trial.rungs;
      if (halving->rungs()[rung] > news.progress) return;
      TrialValidation found = validation(news, rung, halving->rungs()[rung]);
      found.goes_on = halving->goes_on(rung, found.loss) || news.what != JobNews::What::progress;
      ++trial.rungs;
      trial.stopped = !found.goes_on;
      answer.validations.push_back(std::move(found));
    }
    if (trial.stopped) answer.cancelled.push_back(news.job);
  }

  [[nodiscard]] TrialValidation validation(const JobNews& news, std::size_t rung,
                                           double progress) const {
    const std::int64_t search = drawer_.search_of(news.job);
    return {.job = news.job,
            .application = TrialDrawer::application(search),
            .trial = drawer_.trial_of(news.job),
            .learning_rate = drawer_.learning_rate(news.job),
            .batch = drawer_.batch(news.job),
            .rung = static_cast<std::int64_t>(rung),
            .progress = progress,
            .loss = drawer_.loss(news.job, rung, progress),
            .since_arrival = news.at - drawer_.arrival_of(search)};
  }

  TrialDrawer drawer_;
  std::vector<Search> searches_;
  std::size_t beginning_ = 0;  ///< search whose first trials next() returns
  std::unordered_map<JobId, Trial> trials_;
};

class SearchSource final : public WorkloadSource {
 public:
  explicit SearchSource(SearchSettings settings)
      : settings_(std::make_shared<const SearchSettings>(std::move(settings))) {}

  [[nodiscard]] Workload make(const WorkloadContext& context) const override {
    const TrialDrawer drawer(settings_, context);
    Workload workload;
    for (std::int64_t id = 0; id < settings_->searches * settings_->trials; ++id) {
      workload.jobs.push_back(drawer.job(JobId{id}));
    }
    workload.source = "hyper-parameter search";
    workload.source_hash = settings_->hash;
    return workload;
  }
  [[nodiscard]] std::unique_ptr<JobStream> begin(const WorkloadContext& context) const override {
    return std::make_unique<SearchStream>(settings_, context);
  }
  [[nodiscard]] Hears hears() const override { return settings_->hears(); }

 private:
  std::shared_ptr<const SearchSettings> settings_;
};

}  // namespace

Choice<WorkloadSource> search_source() {
  return {
      "search",
      "hyper-parameter searches: trials of one model, so many at once, which may be stopped early",
      parameters_of(search_fields()),
      [](YamlReader& reader) { return std::make_unique<SearchSource>(read_search(reader)); }};
}

}  // namespace mimus::workloads
