// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/campaign/machine/host_fit.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <tuple>
#include <utility>

#include "base/error.hpp"
#include "kernels/footprint/footprint_plan.hpp"

namespace mimus::emulator {
namespace {

/// A host is kept unless another one explains the steps by more than this better [root mean
/// square]. Measurements scatter by as much.
constexpr double kScatter = 5e-4;
constexpr double kFinest = 1e-8;  ///< fraction of the longest step

class Fitting {
 public:
  Fitting(const workloads::Model& model, const kernels::GpuSpec& base,
          const std::vector<SoloStep>& steps)
      : model_(model), machine_(base), base_(kernels::host_work(model, base)), steps_(steps) {
    for (const SoloStep& step : steps_) {
      largest_batch_ = std::max(largest_batch_, static_cast<double>(step.batch));
      longest_ = std::max(longest_, step.seconds);
    }
  }

  HostFit run() {
    const Point base{to_seconds(base_.per_step), to_seconds(base_.per_sample) * largest_batch_};
    std::set<std::int64_t> batches;
    for (const SoloStep& step : steps_) batches.insert(step.batch);
    const bool several = batches.size() > 1;
    const Point best = several ? search(line()) : scaled(base);
    HostFit fit;
    fit.kind = several ? HostFit::Kind::fitted : HostFit::Kind::scaled;
    fit.host = host_of(best);
    if (std::sqrt(cost(base)) <= std::sqrt(cost(best)) + kScatter) {
      fit.kind = HostFit::Kind::kept;
      fit.host = base_;
    }
    fit.base_error = errors(base_).first;
    std::tie(fit.error, fit.worst) = errors(fit.host);
    return fit;
  }

 private:
  /// Host seconds per step, and host seconds for the samples of the largest batch.
  using Point = std::array<double, 2>;

  [[nodiscard]] workloads::HostWork host_of(const Point& point) const {
    return {.per_step = from_seconds(point[0]),
            .per_sample = from_seconds(point[1] / largest_batch_),
            .contention = base_.contention,
            .contended_gpus = base_.contended_gpus};
  }

  [[nodiscard]] double modelled(const workloads::HostWork& host, std::int64_t batch) {
    machine_.models[model_.base_name()].host = host;
    return modelled_solo_step(model_, machine_, batch);
  }

  [[nodiscard]] double off(const workloads::HostWork& host, const SoloStep& step) {
    return modelled(host, step.batch) / step.seconds - 1.0;
  }

  /// The mean square of the relative errors.
  [[nodiscard]] double cost(const Point& point) {
    const workloads::HostWork host = host_of(point);
    double sum = 0.0;
    for (const SoloStep& step : steps_) sum += std::pow(off(host, step), 2);
    return sum / static_cast<double>(steps_.size());
  }

  /// The mean and the largest relative error.
  [[nodiscard]] std::pair<double, double> errors(const workloads::HostWork& host) {
    double sum = 0.0;
    double most = 0.0;
    for (const SoloStep& step : steps_) {
      const double error = std::abs(off(host, step));
      sum += error;
      most = std::max(most, error);
    }
    return {sum / static_cast<double>(steps_.size()), most};
  }

  /// Host time for which the model's step takes as long as the measured one. The step grows with
  /// it. [s]
  [[nodiscard]] double host_behind(const SoloStep& step) {
    double low = 0.0;
    double high = step.seconds;
    while (high - low > kFinest * longest_) {
      const double middle = (low + high) / 2.0;
      const workloads::HostWork host{.per_step = from_seconds(middle), .per_sample = {}};
      (modelled(host, step.batch) < step.seconds ? low : high) = middle;
    }
    return low;  // 0 if the kernels alone take as long
  }

  /// Where the search begins: a straight line through the host times, fitted by relative errors.
  [[nodiscard]] Point line() {
    double w = 0.0, x = 0.0, y = 0.0, xx = 0.0, xy = 0.0;
    for (const SoloStep& step : steps_) {
      const double weight = 1.0 / (step.seconds * step.seconds);
      const double at = static_cast<double>(step.batch) / largest_batch_;
      const double host = host_behind(step);
      w += weight;
      x += weight * at;
      y += weight * host;
      xx += weight * at * at;
      xy += weight * at * host;
    }
    const double slope = std::max(0.0, (w * xy - x * y) / (w * xx - x * x));
    const double start = std::max(0.0, (y - slope * x) / w);
    return {start, start > 0.0 ? slope : xy / xx};
  }

  /// Compass search: walks downhill and halves its step when no direction leads down.
  [[nodiscard]] Point search(Point at) {
    constexpr std::array<Point, 8> kDirections{
        {{1, 0}, {-1, 0}, {0, 1}, {0, -1}, {1, -1}, {-1, 1}, {1, 1}, {-1, -1}}};
    double best = cost(at);
    for (double length = longest_ / 8.0; length > kFinest * longest_;) {
      const Point before = at;
      for (const Point& direction : kDirections) {
        const Point there{std::max(0.0, before[0] + length * direction[0]),
                          std::max(0.0, before[1] + length * direction[1])};
        const double found = cost(there);
        if (found >= best) continue;
        best = found;
        at = there;
      }
      if (at == before) length /= 2.0;
    }
    return at;
  }

  [[nodiscard]] Point scaled(const Point& base) {
    const double before = base[0] + base[1];  // of the only batch
    double now = 0.0;
    for (const SoloStep& step : steps_) now += host_behind(step);
    now /= static_cast<double>(steps_.size());
    if (before <= 0.0) return {now, 0.0};
    return {base[0] * now / before, base[1] * now / before};
  }

  const workloads::Model& model_;
  kernels::GpuSpec machine_;
  workloads::HostWork base_;
  const std::vector<SoloStep>& steps_;
  double largest_batch_ = 1.0;
  double longest_ = 0.0;
};

}  // namespace

const char* name(HostFit::Kind kind) {
  switch (kind) {
    case HostFit::Kind::fitted:
      return "fitted";
    case HostFit::Kind::scaled:
      return "scaled";
    case HostFit::Kind::kept:
      return "kept";
  }
  throw InternalError("unknown kind of fit");
}

double modelled_solo_step(const workloads::Model& model, const kernels::GpuSpec& gpu,
                          std::int64_t batch) {
  const auto plan = kernels::make_plan(model, gpu, {.per_gpu_batch = batch});
  return to_seconds(kernels::solo_step_time(plan, {}).total);
}

HostFit fit_host(const workloads::Model& model, const kernels::GpuSpec& base,
                 const std::vector<SoloStep>& steps) {
  ensure(!steps.empty(), "a host is fitted to no step");
  return Fitting(model, base, steps).run();
}

}  // namespace mimus::emulator
