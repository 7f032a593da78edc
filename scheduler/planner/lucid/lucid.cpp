// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduler/planner/lucid/lucid.hpp"

#include <algorithm>
#include <deque>
#include <set>
#include <tuple>
#include <utility>

#include "scheduler/planner/handout.hpp"
#include "scheduler/planner/lucid/profiler_nodes.hpp"

namespace mimus::scheduler {
namespace {

/// While jobs wait, plans are made at least so often: the load changes, and placement choices may
/// ask for less locality after a while.
constexpr Duration kRetry = std::chrono::minutes(1);

bool is_usable(const Allocation& place, const Placer& placer) {
  return std::ranges::all_of(place.slots, [&](const Slot& s) { return placer.usable(s.gpu); });
}

bool is_on_one_node(const Allocation& place, const ClusterShape& shape) {
  const NodeId node = shape.node_of(place.slots.front().gpu);
  return std::ranges::all_of(place.slots,
                             [&](const Slot& s) { return shape.node_of(s.gpu) == node; });
}

}  // namespace

/// A plan while it is made.
struct Lucid::Round {
  /// A job on GPUs of the main queue.
  struct Seated {
    const PlanJob* job;
    std::size_t target;  ///< its number in the plan
    Seated* neighbour = nullptr;
  };
  Round(const PlanQuery& asked, int nodes)
      : query(asked),
        handout(asked.admission, 2 * asked.placer.usable_gpus(), asked.cluster.shape().gpus()),
        all_of_profiler(nodes, asked),
        profiler(all_of_profiler) {}

  const PlanQuery& query;
  Handout handout;
  const ProfilerNodes all_of_profiler;
  ProfilerNodes profiler;
  std::vector<const PlanJob*> arrived, queued;
  std::deque<Seated> seated;
  Plan plan;

  [[nodiscard]] const Allocation& place_of(const Seated& seat) const {
    return std::get<Allocation>(plan.targets[seat.target].gpus);
  }
  [[nodiscard]] bool may_give(const PlanJob& job) const {
    return handout.would_give(job, job.view->gang) == Handout::Answer::given;
  }
  void give(const PlanJob& job, Allocation place) {
    handout.count(job, job.view->gang);
    plan.targets.push_back({job.view->id, std::move(place)});
  }
};

Plan Lucid::plan(const PlanQuery& query) {
  Round round(query, settings_.nodes);
  sort_out(round);
  profile(round);
  sort_queue(round);
  find_neighbours(round);
  // Those that the main queue has too few GPUs for, while the profiler has no use for its own; and
  // all, if the last plan found none of them a place although no job was in the way.
  const int of_main = query.placer.usable_gpus() - round.all_of_profiler.free();
  start_alone(round, is_stuck_ ? 1 : of_main + 1);
  query.placer.book(JobId{}, round.profiler.rest());
  part(round);
  start_alone(round, 1);
  pack(round);
  is_stuck_ = round.seated.empty() && !round.queued.empty();
  if (!round.queued.empty()) round.plan.next = std::min(round.plan.next, query.now + kRetry);
  return std::move(round.plan);
}

/// Jobs go on where they are, unless their time on the profiler is over or a GPU is lost.
void Lucid::sort_out(Round& round) {
  int asked = 0;
  for (const PlanJob& job : round.query.jobs) {
    const JobView& view = *job.view;
    asked += view.gang;
    stages_.insert(view.id, Stage::arrived);
    Stage& stage = *stages_.find(view.id);
    const bool is_profiled = stage == Stage::arrived && view.stepping_since != kNever;
    const Instant over = is_profiled ? view.stepping_since + settings_.limit : kNever;
    const bool stays = view.holds_gpus() && view.state != JobState::stopping;
    if (stays && over <= round.query.now) stage = Stage::queued;
    if (!stays || stage == Stage::queued || !is_usable(view.allocation, round.query.placer)) {
      (stage == Stage::arrived ? round.arrived : round.queued).push_back(&job);
      continue;
    }
    if (stage == Stage::arrived) {
      round.plan.next = std::min(round.plan.next, over);
    } else {
      stage = Stage::placed;
      round.seated.push_back({&job, round.plan.targets.size()});
    }
    round.profiler.take(view.allocation);
    round.give(job, view.allocation);
  }
  load_.see(static_cast<double>(asked) / std::max(1, round.query.placer.usable_gpus()),
            round.query.now);
}

void Lucid::profile(Round& round) {
  std::ranges::stable_sort(round.arrived, {}, [](const PlanJob* job) { return job->view->gang; });
  for (const PlanJob* job : round.arrived) {
    const int gang = job->view->gang;
    if (gang > settings_.most_gpus || !round.all_of_profiler.place(gang)) {
      stages_.assign(job->view->id, Stage::queued);
      round.queued.push_back(job);
    } else if (auto place = round.profiler.place(gang); place && round.may_give(*job)) {
      round.profiler.take(*place);
      round.query.placer.book(job->view->id, *place);
      round.give(*job, std::move(*place));
    }
  }
}

/// The shortest first, after those that are moving away from a neighbour.
void Lucid::sort_queue(Round& round) const {
  std::vector<std::tuple<bool, Rank, const PlanJob*>> ranking;
  for (const PlanJob* job : round.queued) {
    const bool is_parted = *stages_.find(job->view->id) == Stage::parted;
    ranking.emplace_back(!is_parted, order_->rank(*job->view, round.query.now), job);
  }
  std::ranges::sort(ranking);
  std::ranges::transform(ranking, round.queued.begin(),
                         [](const auto& ranked) { return std::get<const PlanJob*>(ranked); });
}

void Lucid::start_alone(Round& round, int least_gang) {
  Placer& placer = round.query.placer;
  std::set<std::pair<int, int>> without_place;
  std::erase_if(round.queued, [&](const PlanJob* job) {
    const JobView& view = *job->view;
    if (view.gang < least_gang || !round.may_give(*job)) return false;
    const PlacementRequest& request = placer.ask_for(*job, view.gang);
    const std::pair key(request.gang, request.level);
    if (without_place.contains(key)) return false;
    auto place = placer.find();
    if (!place) {
      without_place.insert(key);
      return false;
    }
    placer.book(view.id, *place);
    round.profiler.take(*place);
    seat(round, *job, std::move(*place));
    return true;
  });
}

void Lucid::seat(Round& round, const PlanJob& job, Allocation place) {
  Stage& stage = *stages_.find(job.view->id);
  if (stage != Stage::parted) stage = Stage::placed;
  round.seated.push_back({&job, round.plan.targets.size()});
  round.give(job, std::move(place));
}

void Lucid::find_neighbours(Round& round) {
  IdMap<GpuId, Round::Seated*> first;
  for (Round::Seated& seat : round.seated) {
    const GpuId gpu = std::ranges::min(round.place_of(seat).slots, {}, &Slot::gpu).gpu;
    if (first.insert(gpu, &seat)) continue;
    seat.neighbour = *first.find(gpu);
    seat.neighbour->neighbour = &seat;
  }
  for (const Round::Seated& seat : round.seated) {
    const JobView* neighbour = seat.neighbour == nullptr ? nullptr : seat.neighbour->job->view;
    binder_.seat(*seat.job->view, neighbour, round.query.now);
  }
  for (const PlanJob* job : round.queued) binder_.seat(*job->view, nullptr, round.query.now);
}

/// Moves the job that came later to GPUs of its own.
void Lucid::part(Round& round) {
  const auto came = [](const Round::Seated& seat) {
    return std::pair(seat.job->view->running_since, seat.job->view->id);
  };
  for (Round::Seated& seat : round.seated) {
    if (seat.neighbour == nullptr || came(seat) < came(*seat.neighbour)) continue;
    const JobView& view = *seat.job->view;
    if (!binder_.has_to_part(view, *seat.neighbour->job->view)) continue;
    static_cast<void>(round.query.placer.ask_for(*seat.job, view.gang));
    auto place = round.query.placer.find();
    if (!place) continue;
    round.query.placer.book(view.id, *place);
    round.plan.targets[seat.target].gpus = std::move(*place);
    stages_.assign(view.id, Stage::parted);
    std::exchange(seat.neighbour, nullptr)->neighbour = nullptr;
  }
}

/// Puts each job that still waits beside the one with the lowest score that it may join.
void Lucid::pack(Round& round) {
  const ClusterShape& shape = round.query.cluster.shape();
  std::vector<Round::Seated*> open;
  for (Round::Seated& seat : round.seated) {
    const bool is_open = seat.neighbour == nullptr && binder_.score(seat.job->view->id) &&
                         is_on_one_node(round.place_of(seat), shape);
    if (is_open) open.push_back(&seat);
  }
  std::ranges::stable_sort(open, {},
                           [&](const Round::Seated* s) { return binder_.score(s->job->view->id); });
  const int most = capacity();
  std::erase_if(round.queued, [&](const PlanJob* job) {
    if (!round.may_give(*job)) return false;
    const auto partner = std::ranges::find_if(open, [&](const Round::Seated* seat) {
      const JobView& other = *seat->job->view;
      return other.gang == job->view->gang &&
             binder_.may_share(*job->view, other, most, shape.gpu_memory);
    });
    if (partner == open.end()) return false;
    binder_.seat(*job->view, (*partner)->job->view, round.query.now);
    binder_.seat(*(*partner)->job->view, job->view, round.query.now);
    stages_.assign(job->view->id, Stage::placed);
    round.give(*job, round.place_of(**partner));
    open.erase(partner);
    return true;
  });
}

int Lucid::capacity() const {
  if (load_.predicted() < settings_.light_load) return 0;
  const int most = load_.predicted() < settings_.full_load ? 1 : 2;
  return std::min(most, settings_.capacity);
}

void Lucid::observe(const JobView& job, const JobSample& sample) {
  const Stage* stage = stages_.find(job.id);
  if (stage != nullptr) binder_.measure(job, sample, *stage == Stage::arrived);
}

void Lucid::left(JobId job) {
  stages_.erase(job);
  binder_.forget(job);
}

}  // namespace mimus::scheduler
