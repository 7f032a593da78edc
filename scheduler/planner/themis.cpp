// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduler/planner/themis.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <queue>
#include <tuple>

#include "scheduler/planner/handout.hpp"
#include "scheduler/planner/partial_allocation.hpp"

namespace mimus::scheduler {
namespace {

constexpr double kWithoutGpus = std::numeric_limits<double>::infinity();
constexpr double kLeastValue = 1e-6;  ///< keeps the product positive for bidders without GPUs

bool runs_on(const JobView& job) {
  return job.holds_gpus() && job.state != JobState::stopping;
}

}  // namespace

std::vector<Themis::Claim> Themis::claims(const PlanQuery& query) const {
  std::vector<Claim> claims;
  claims.reserve(query.jobs.size());
  for (const PlanJob& job : query.jobs) {
    const JobView& view = *job.view;
    const auto lease = lease_ends_.find(view.id);
    const bool leased = lease != lease_ends_.end() && lease->second > query.now;
    const double rho = runs_on(view) ? belief_.rho(view, view.gpus(), query) : kWithoutGpus;
    claims.push_back({&job, runs_on(view) && leased ? view.gpus() : 0, rho,
                      belief_.rho(view, view.requested_gang, query)});
  }
  std::sort(claims.begin(), claims.end(), [](const Claim& a, const Claim& b) {
    return std::tuple(-a.rho, -a.rho_whole, a.job->view->id) <
           std::tuple(-b.rho, -b.rho_whole, b.job->view->id);
  });
  return claims;
}

void Themis::auction(std::span<Claim> bidders, int gpus, const PlanQuery& query) const {
  std::vector<Valuation> values;
  for (const Claim& claim : bidders) {
    Valuation& value = values.emplace_back();
    for (int k = claim.held; k <= claim.job->view->requested_gang; ++k) {
      const double worth = k == 0 ? 0.0 : 1.0 / belief_.rho(*claim.job->view, k, query);
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

Plan Themis::plan(const PlanQuery& query) {
  belief_.at(query);
  std::vector<Claim> all = claims(query);
  Handout handout(query);
  for (Claim& claim : all) {
    if (handout.give(*claim.job, claim.held) != Handout::Answer::given) claim.held = 0;
  }
  const auto bidders =
      std::min(all.size(), static_cast<std::size_t>(std::ceil((1.0 - settings_.fairness) *
                                                              static_cast<double>(all.size()))));
  if (handout.left() > 0) auction(std::span(all).first(bidders), handout.left(), query);
  for (Claim& claim : all) {
    while (claim.won > 0 && handout.give(*claim.job, claim.won) != Handout::Answer::given) {
      --claim.won;
    }
  }
  // Jobs that could not bid come first, then larger ρ, then earlier jobs.
  using Candidate = std::tuple<bool, double, std::int64_t, Claim*>;
  std::priority_queue<Candidate> candidates;
  const auto apply = [&](Claim& claim, bool bid) {
    if (claim.unmet() == 0) return;
    const double rho =
        claim.total() == 0 ? kWithoutGpus : belief_.rho(*claim.job->view, claim.total(), query);
    candidates.emplace(!bid, rho, -claim.job->view->id.value(), &claim);
  };
  for (std::size_t p = 0; p < all.size(); ++p) apply(all[p], p < bidders);
  while (handout.left() > 0 && !candidates.empty()) {
    const auto [outside, rho, id, claim] = candidates.top();
    candidates.pop();
    if (handout.give(*claim->job, 1) != Handout::Answer::given) continue;
    ++claim->won;
    apply(*claim, !outside);
  }
  lease(all, query.now);
  Plan plan;
  for (const Claim& claim : all) {
    if (claim.total() == 0) continue;
    plan.targets.push_back({claim.job->view->id, claim.total()});
    plan.next = std::min(plan.next, lease_ends_.at(claim.job->view->id));
  }
  return plan;
}

void Themis::lease(const std::vector<Claim>& claims, Instant now) {
  std::unordered_map<JobId, Instant> ends;
  for (const Claim& claim : claims) {
    const JobId job = claim.job->view->id;
    if (claim.total() > 0) ends[job] = claim.won > 0 ? now + settings_.lease : lease_ends_.at(job);
  }
  lease_ends_ = std::move(ends);
}

}  // namespace mimus::scheduler
