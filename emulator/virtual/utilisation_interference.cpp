// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/virtual/utilisation_interference.hpp"

#include <algorithm>
#include <numeric>

#include <fmt/format.h>

#include "emulator/virtual/max_min.hpp"

namespace mimus::emulator {
namespace {

using Law = UtilisationInterference::Law;
using Point = UtilisationInterference::Point;

std::vector<Point> read_curve(YamlReader& reader) {
  std::vector<Point> curve;
  const auto& items = reader.sequence("curve");
  for (std::size_t i = 0; i < items.size(); ++i) {
    YamlReader point(items[i], fmt::format("{}[{}]", reader.child_path("curve"), i));
    curve.push_back(
        {point.get<double>("sum", kNotNegative), point.get<double>("slowdown", kAtLeastOne)});
    if (i > 0 && curve[i].sum <= curve[i - 1].sum) {
      point.fail("sum", fmt::format("{} does not exceed the {} before it; sums must ascend",
                                    curve[i].sum, curve[i - 1].sum));
    }
    point.finish();
  }
  if (curve.empty()) reader.fail("curve", "has no points; give at least one {sum, slowdown}");
  return curve;
}

Law read_law(YamlReader& reader) {
  const bool has_curve = reader.has("curve");
  const auto name = reader.choice_or("law", {"fair", "sum", "curve"}, has_curve ? "curve" : "fair");
  if ((name == "curve") != has_curve) {
    reader.fail("law", "law: curve and a list of points under \"curve\" belong together");
  }
  if (name == "curve") return Law::curve;
  return name == "sum" ? Law::sum : Law::fair;
}

}  // namespace

double UtilisationInterference::utilisation(const Attempt& attempt) const {
  const StepCost alone = steps_.step(attempt, Surroundings{});
  if (alone.step <= Duration{}) return 0.0;
  return std::min(1.0, to_seconds(alone.device_busy) / to_seconds(alone.step));
}

double UtilisationInterference::slowdown(const Attempt& attempt,
                                         std::span<const Attempt* const> beside) const {
  constexpr double kIdle = 1e-12;
  std::vector<double> asked{std::max(kIdle, utilisation(attempt))};
  for (const Attempt* other : beside) asked.push_back(std::max(kIdle, utilisation(*other)));
  if (settings_.law == Law::fair) {
    SharedLink gpu{settings_.capacity, std::vector<std::size_t>(asked.size())};
    std::iota(gpu.flows.begin(), gpu.flows.end(), std::size_t{0});
    return asked.front() / max_min_rates(asked, {&gpu, 1}).front();
  }
  // Summed in ascending order, so that it does not matter who asks.
  std::sort(asked.begin(), asked.end());
  const double sum = std::accumulate(asked.begin(), asked.end(), 0.0);
  if (settings_.law == Law::sum) return std::max(1.0, sum / settings_.capacity);
  return on_curve(sum);
}

double UtilisationInterference::on_curve(double sum) const {
  const auto& curve = settings_.curve;
  const auto high =
      std::find_if(curve.begin(), curve.end(), [&](const Point& p) { return p.sum >= sum; });
  if (high == curve.end()) return curve.back().slowdown;
  if (high == curve.begin()) return high->slowdown;
  const auto low = std::prev(high);
  const double weight = (sum - low->sum) / (high->sum - low->sum);
  return low->slowdown + weight * (high->slowdown - low->slowdown);
}

Choice<InterferenceModel> utilisation_choice(const StepTimeModel& steps) {
  return {.name = "utilisation",
          .summary = "from how busy each tenant keeps the GPU when alone",
          .parameters = {{"law", "text", "fair", "fair, sum, curve",
                          "equal time slices; all stretched by the sum; the given curve"},
                         {"capacity", "number", "1", "> 0",
                          "device time per second that tenants can use together"},
                         {"curve",
                          "list of mappings",
                          "-",
                          "{sum, slowdown}, sums ascending",
                          "measured slowdown over the sum of utilisations; implies law: curve",
                          {{"sum", "number", "", ">= 0", "of the tenants' utilisations"},
                           {"slowdown", "number", "", ">= 1", "of each of them"}}}},
          .make = [&steps](YamlReader& reader) {
            UtilisationInterference::Settings settings;
            settings.law = read_law(reader);
            settings.capacity = reader.get_or("capacity", settings.capacity, kPositive);
            if (settings.law == Law::curve) settings.curve = read_curve(reader);
            return std::make_unique<UtilisationInterference>(steps, std::move(settings));
          }};
}

}  // namespace mimus::emulator
