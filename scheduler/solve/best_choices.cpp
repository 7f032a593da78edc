// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduler/solve/best_choices.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "base/error.hpp"
#include "scheduler/solve/linear_program.hpp"

namespace mimus::scheduler {
namespace {

constexpr double kRounding = 1e-6;
constexpr int kMostNodes = 200;
constexpr double kFirstCost = 0.5;  ///< ties at least
constexpr double kWiden = 4.0;

/// Whether `middle` gains no more than a mixture of the other two that takes as much.
bool is_mixed(const Choosable& less, const Choosable& middle, const Choosable& more) {
  return (middle.gain - less.gain) * (more.takes - middle.takes) <=
         (more.gain - middle.gain) * (middle.takes - less.takes);
}

/// Of `some`, in its order, what the relaxation may need: what gains more than every mixture of
/// other choices that the same person has of the same resource, nothing among them.
std::vector<std::size_t> efficient(std::span<const Choosable> all, std::vector<std::size_t> some) {
  std::ranges::stable_sort(some, {}, [&](std::size_t i) {
    const Choosable& choice = all[i];
    return std::tuple(choice.someone, choice.resource, choice.takes, -choice.gain);
  });
  std::vector<std::size_t> hull;
  std::size_t begin = 0;  // of the present person and resource
  for (const std::size_t i : some) {
    const Choosable& choice = all[i];
    const bool is_first = hull.empty() || all[hull.back()].someone != choice.someone ||
                          all[hull.back()].resource != choice.resource;
    if (is_first) begin = hull.size();
    if (!is_first && choice.gain <= all[hull.back()].gain) continue;
    while (hull.size() > begin) {
      const Choosable nothing{choice.someone, choice.resource, 0, 0};
      const Choosable& before = hull.size() > begin + 1 ? all[hull[hull.size() - 2]] : nothing;
      if (!is_mixed(before, all[hull.back()], choice)) break;
      hull.pop_back();
    }
    hull.push_back(i);
  }
  std::ranges::sort(hull);
  return hull;
}

class Knapsacks {
 public:
  Knapsacks(std::span<const Choosable> all, std::size_t people, std::span<const int> amounts)
      : all_(all), amounts_(amounts), left_(amounts.begin(), amounts.end()) {
    best_.of_each.resize(people);
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (all[i].gain > 0 && all[i].takes <= amounts[all[i].resource]) useful_.push_back(i);
    }
  }

  Choices choose(double gap) {
    if (useful_.empty()) return best_;
    relax();
    for (double cost = kFirstCost; is_above(gap); cost *= kWiden) {
      const auto missing = static_cast<double>(best_.most - best_.gain);
      search(std::min(cost, missing), gap);
      if (cost >= missing) break;
    }
    return best_;
  }

 private:
  [[nodiscard]] bool is_above(double gap) const {
    const auto gain = static_cast<double>(best_.gain);
    return static_cast<double>(best_.most) - gain > gap * gain;
  }

  /// Rows: of people, then of resources.
  [[nodiscard]] LinearProgram program(const std::vector<std::size_t>& some,
                                      double most_of_each) const {
    const std::size_t people = best_.of_each.size();
    std::vector<std::vector<LinearProgram::Term>> rows(people + amounts_.size());
    LinearProgram program;
    for (const std::size_t i : some) {
      const Choosable& choice = all_[i];
      const int variable =
          program.add_whole_variable(static_cast<double>(choice.gain), most_of_each);
      rows[choice.someone].push_back({variable, 1.0});
      rows[people + choice.resource].push_back({variable, static_cast<double>(choice.takes)});
    }
    for (std::size_t row = 0; row < rows.size(); ++row) {
      const double most = row < people ? 1.0 : amounts_[row - people];
      (void)program.add_row(-LinearProgram::kUnbounded, rows[row], most);
    }
    return program;
  }

  void relax() {
    // The rows of people bound the choices, too, and are enough for the simplex method.
    const std::vector<std::size_t> some = efficient(all_, useful_);
    const LinearProgram relaxed = program(some, LinearProgram::kUnbounded);
    const auto solution = relaxed.maximise(relaxed.origin());
    ensure(solution.has_value(), "nothing can be chosen, not even nothing");
    best_.most = static_cast<std::int64_t>(std::floor(solution->objective + kRounding));
    prices_ = solution->prices;
    take(some, solution->values);
  }

  /// Of `some` what has value 1, and then whatever gains most and fits.
  void take(const std::vector<std::size_t>& some, const std::vector<double>& values) {
    best_.gain = 0;
    best_.of_each.assign(best_.of_each.size(), std::nullopt);
    left_.assign(amounts_.begin(), amounts_.end());
    for (std::size_t k = 0; k < some.size(); ++k) {
      if (values[k] > 1.0 - kRounding) give(some[k]);
    }
    while (const auto more = best_change()) give(*more);
  }

  void give(std::size_t i) {
    auto& chosen = best_.of_each[all_[i].someone];
    if (chosen) {
      left_[all_[*chosen].resource] += all_[*chosen].takes;
      best_.gain -= all_[*chosen].gain;
    }
    chosen = i;
    left_[all_[i].resource] -= all_[i].takes;
    best_.gain += all_[i].gain;
  }

  [[nodiscard]] std::optional<std::size_t> best_change() const {
    std::optional<std::size_t> best;
    std::int64_t most = 0;
    for (const std::size_t i : useful_) {
      const Choosable& choice = all_[i];
      const auto& chosen = best_.of_each[choice.someone];
      std::int64_t gain = choice.gain;
      int room = left_[choice.resource];
      if (chosen) {
        gain -= all_[*chosen].gain;
        if (all_[*chosen].resource == choice.resource) room += all_[*chosen].takes;
      }
      if (gain <= most || choice.takes > room) continue;
      most = gain;
      best = i;
    }
    return best;
  }

  /// Among what costs at most so much at the prices of the relaxation.
  void search(double most_cost, double gap) {
    std::vector<std::size_t> core;
    for (const std::size_t i : useful_) {
      const Choosable& choice = all_[i];
      const double worth =
          prices_[choice.someone] + prices_[best_.of_each.size() + choice.resource] * choice.takes;
      const double cost = worth - static_cast<double>(choice.gain);
      if (cost <= most_cost + kRounding) core.push_back(i);
    }
    const auto found =
        program(core, 1.0).maximise_whole(gap, kMostNodes, LinearProgram::Search::at_origin);
    if (!found || found->objective <= static_cast<double>(best_.gain) + kRounding) return;
    take(core, found->values);
  }

  std::span<const Choosable> all_;
  std::span<const int> amounts_;
  std::vector<std::size_t> useful_;  ///< that gain something and fit
  std::vector<int> left_;            ///< of the amounts
  std::vector<double> prices_;       ///< by row
  Choices best_;
};

}  // namespace

Choices best_choices(std::span<const Choosable> all, std::size_t people,
                     std::span<const int> amounts, double gap) {
  return Knapsacks(all, people, amounts).choose(gap);
}

}  // namespace mimus::scheduler
