// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduler/planner/themis.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <queue>
#include <tuple>

#include "scheduler/planner/partial_allocation.hpp"

namespace mimus::scheduler {
namespace {

constexpr double kWithoutGpus = std::numeric_limits<double>::infinity();
constexpr double kLeastValue = 1e-6;  ///< keeps the product positive for bidders without GPUs

bool runs_on(const JobView& job) {
  return job.holds_gpus() && job.state != JobState::stopping;
}

}  // namespace

int Themis::Claim::total() const {
  int gpus = 0;
  for (const Member& member : members) gpus += member.total();
  return gpus;
}

int Themis::Claim::unmet() const {
  int gpus = 0;
  for (const Member& member : members) gpus += member.unmet();
  return gpus;
}

JobId Themis::Claim::id() const {
  return std::ranges::min_element(members, {},
                                  [](const Member& member) { return member.job->view->id; })
      ->job->view->id;
}

std::vector<Themis::Claim> Themis::claims(const PlanQuery& query) const {
  std::vector<Claim> claims;
  claims.reserve(query.jobs.size());
  std::map<ApplicationKey, std::size_t> places;
  for (const PlanJob& job : query.jobs) {
    const JobView& view = *job.view;
    const auto [place, is_new] = places.try_emplace(application_of(view), claims.size());
    if (is_new) claims.emplace_back();
    const auto lease = leases_.find(view.id);
    const bool leased = lease != leases_.end() && lease->second.end > query.now && runs_on(view);
    claims[place->second].members.push_back(
        {&job, leased ? view.gpus() : 0, 0, leased ? lease->second.end : kNever});
  }
  for (const auto& [id, lease] : leases_) {  // of jobs that have ended
    const auto place = places.find(lease.application);
    if (lease.end <= query.now || place == places.end()) continue;
    inherit(claims[place->second], id, lease);
  }
  for (Claim& claim : claims) judge(claim, query);
  std::sort(claims.begin(), claims.end(), [](const Claim& a, const Claim& b) {
    return std::tuple(-a.rho, -a.rho_whole, a.id()) < std::tuple(-b.rho, -b.rho_whole, b.id());
  });
  return claims;
}

/// A job has ended: its GPUs go to jobs of its application that hold none.
void Themis::inherit(Claim& claim, JobId ended, const Lease& lease) {
  int left = lease.gpus;
  for (const Member& member : claim.members) {
    if (member.job->view->id == ended) return;  // it has not
  }
  for (Member& member : claim.members) {
    if (member.held > 0 || runs_on(*member.job->view)) continue;
    member.held = std::min(left, member.job->view->requested_gang);
    member.lease_end = lease.end;
    left -= member.held;
    if (left == 0) return;
  }
}

void Themis::judge(Claim& claim, const PlanQuery& query) const {
  std::stable_partition(claim.members.begin(), claim.members.end(),
                        [](const Member& member) { return runs_on(*member.job->view); });
  int running = 0, asked = 0;
  for (const Member& member : claim.members) {
    const JobView& view = *member.job->view;
    claim.jobs.push_back(&view);
    running += runs_on(view) ? view.gpus() : 0;
    asked += view.requested_gang;
  }
  claim.rho = running > 0 ? belief_.rho(claim.jobs, running, query) : kWithoutGpus;
  claim.rho_whole = belief_.rho(claim.jobs, asked, query);
}

void Themis::auction(std::span<Claim> bidders, int gpus, const PlanQuery& query) const {
  std::vector<Valuation> values;
  for (const Claim& claim : bidders) {
    Valuation& value = values.emplace_back();
    const int held = claim.total();
    for (int k = held; k <= held + claim.unmet(); ++k) {
      const double worth = k == 0 ? 0.0 : 1.0 / belief_.rho(claim.jobs, k, query);
      value.push_back(std::max(worth, kLeastValue));
    }
  }
  const PartialAllocation allocation = partial_allocation(values, gpus);
  for (std::size_t p = 0; p < bidders.size(); ++p) {
    constexpr double kRounding = 1e-9;
    bidders[p].won =
        static_cast<int>(std::floor(allocation.shares[p] * allocation.fair[p] + kRounding));
  }
}

/// Whether some of its jobs can be given one more GPU; then one is.
bool Themis::give_one(Claim& claim, Handout& handout) {
  for (Member& member : claim.members) {
    if (member.unmet() == 0) continue;
    if (handout.give(*member.job, 1) != Handout::Answer::given) continue;
    ++member.won;
    return true;
  }
  return false;
}

Plan Themis::plan(const PlanQuery& query) {
  belief_.at(query);
  std::vector<Claim> all = claims(query);
  Handout handout(query);
  for (Claim& claim : all) {
    for (Member& member : claim.members) {
      if (handout.give(*member.job, member.held) != Handout::Answer::given) member.held = 0;
    }
  }
  const auto bidders =
      std::min(all.size(), static_cast<std::size_t>(std::ceil((1.0 - settings_.fairness) *
                                                              static_cast<double>(all.size()))));
  if (handout.left() > 0) auction(std::span(all).first(bidders), handout.left(), query);
  for (Claim& claim : all) hand_over(claim, handout);
  hand_out_rest(all, bidders, handout, query);
  lease(all, query.now);
  Plan plan;
  for (const Claim& claim : all) {
    for (const Member& member : claim.members) {
      if (member.total() == 0) continue;
      const JobId job = member.job->view->id;
      plan.targets.push_back({job, member.total()});
      plan.next = std::min(plan.next, leases_.at(job).end);
    }
  }
  return plan;
}

/// What an application has won goes to its jobs.
void Themis::hand_over(Claim& claim, Handout& handout) {
  for (Member& member : claim.members) {
    member.won = std::min(claim.won, member.unmet());
    while (member.won > 0 && handout.give(*member.job, member.won) != Handout::Answer::given) {
      --member.won;
    }
    claim.won -= member.won;
  }
}

/// Applications that could not bid come first, then larger ρ, then earlier ones.
void Themis::hand_out_rest(std::vector<Claim>& all, std::size_t bidders, Handout& handout,
                           const PlanQuery& query) const {
  using Candidate = std::tuple<bool, double, std::int64_t, Claim*>;
  std::priority_queue<Candidate> candidates;
  const auto apply = [&](Claim& claim, bool bid) {
    if (claim.unmet() == 0) return;
    const int total = claim.total();
    const double rho = total == 0 ? kWithoutGpus : belief_.rho(claim.jobs, total, query);
    candidates.emplace(!bid, rho, -claim.id().value(), &claim);
  };
  for (std::size_t p = 0; p < all.size(); ++p) apply(all[p], p < bidders);
  while (handout.left() > 0 && !candidates.empty()) {
    const auto [outside, rho, id, claim] = candidates.top();
    candidates.pop();
    if (give_one(*claim, handout)) apply(*claim, !outside);
  }
}

void Themis::lease(const std::vector<Claim>& claims, Instant now) {
  Leases leases;
  for (const Claim& claim : claims) {
    for (const Member& member : claim.members) {
      if (member.total() == 0) continue;
      const JobView& view = *member.job->view;
      leases[view.id] = {member.won > 0 ? now + settings_.lease : member.lease_end, member.total(),
                         application_of(view)};
    }
  }
  leases_ = std::move(leases);
}

}  // namespace mimus::scheduler
