// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/traces/formats/shockwave_batches.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "workloads/traces/formats/gavel_job_type.hpp"

namespace mimus::workloads {
namespace {

struct Network {
  std::string_view name;
  std::int64_t samples;  ///< of an epoch
  std::int64_t largest;  ///< batch
};
constexpr std::array<Network, 5> kNetworks{{{"ResNet-18", 50000, 256},
                                            {"ResNet-50", 100000, 128},
                                            {"Transformer", 10000, 128},
                                            {"LM", 59675, 80},
                                            {"Recommendation", 117907, 8192}}};

/// From which epochs on a job has twice its batch, by its first batch and its gang; 0: none.
struct Doublings {
  std::string_view network;
  std::int64_t batch, gang;
  std::array<std::size_t, 4> epochs;
};
constexpr std::array kDoublings{Doublings{"ResNet-18", 16, 1, {31, 41, 51, 71}},
                                Doublings{"ResNet-18", 16, 2, {21, 31, 91, 111}},
                                Doublings{"ResNet-18", 16, 4, {11, 21, 81, 91}},
                                Doublings{"ResNet-18", 32, 1, {21, 31, 51}},
                                Doublings{"ResNet-18", 32, 2, {11, 21, 41}},
                                Doublings{"ResNet-18", 32, 4, {21, 31, 61}},
                                Doublings{"ResNet-18", 64, 1, {11, 31}},
                                Doublings{"ResNet-18", 64, 2, {21, 41}},
                                Doublings{"ResNet-18", 64, 4, {11, 61}},
                                Doublings{"ResNet-18", 128, 1, {11}},
                                Doublings{"ResNet-18", 128, 2, {41}},
                                Doublings{"ResNet-18", 128, 4, {11}},
                                Doublings{"ResNet-50", 32, 2, {101, 111}},
                                Doublings{"ResNet-50", 32, 4, {131, 221}},
                                Doublings{"ResNet-50", 64, 1, {101}},
                                Doublings{"ResNet-50", 64, 2, {81}},
                                Doublings{"ResNet-50", 64, 4, {191}},
                                Doublings{"LM", 5, 1, {31, 41, 61, 71}},
                                Doublings{"LM", 5, 2, {31, 51, 61, 71}},
                                Doublings{"LM", 5, 4, {11, 31, 71, 91}},
                                Doublings{"LM", 10, 1, {11, 21, 41}},
                                Doublings{"LM", 10, 2, {11, 31, 41}},
                                Doublings{"LM", 10, 4, {11, 31, 61}},
                                Doublings{"LM", 20, 1, {11, 41}},
                                Doublings{"LM", 20, 2, {31, 41}},
                                Doublings{"LM", 20, 4, {11, 61}},
                                Doublings{"LM", 40, 1, {11}},
                                Doublings{"LM", 40, 2, {11}},
                                Doublings{"LM", 40, 4, {61}},
                                Doublings{"Recommendation", 512, 1, {21, 41, 71, 91}},
                                Doublings{"Recommendation", 1024, 1, {21, 51, 91}},
                                Doublings{"Recommendation", 2048, 1, {21, 41}},
                                Doublings{"Recommendation", 4096, 1, {41}}};

bool is_between(std::size_t epoch, std::size_t first, std::size_t end) {
  return first <= epoch && epoch < end;
}

/// Epochs in which Accordion keeps the first batch.
bool is_critical(std::string_view network, std::int64_t batch, std::size_t epoch) {
  if (network == "LM") return epoch < 10;
  if (network == "ResNet-50") return epoch % 30 < 10;
  if (network == "Recommendation") return epoch < (batch <= 1024 ? 30U : batch == 2048 ? 40U : 10U);
  if (network != "ResNet-18") return true;
  return epoch < (batch == 256 ? 20U : 10U) || is_between(epoch, 150, 160) ||
         is_between(epoch, 250, 260);
}

class Course {
 public:
  Course(const ShockwaveJob& job, const Network& network, std::int64_t batch,
         const GavelThroughputs& throughputs)
      : job_(job), network_(network), batch_(batch), throughputs_(throughputs) {}

  [[nodiscard]] std::optional<BatchCourse> make() {
    if (!add_mode(batch_)) return std::nullopt;
    course_.iterations = static_cast<double>(job_.steps);
    const std::int64_t of_epoch = course_.modes.front().iterations;
    epochs_ = static_cast<std::size_t>((job_.steps + of_epoch - 1) / of_epoch);
    course_.wanted.assign(epochs_ + 1, 0);
    course_.profiled.assign(epochs_, 0);
    if (batch_ < network_.largest && job_.mode == "accordion") follow_accordion();
    if (batch_ < network_.largest && job_.mode == "gns") follow_noise_scale();
    return std::move(course_);
  }

 private:
  bool add_mode(std::int64_t batch) {
    const std::string type = fmt::format("{} (batch size {})", network_.name, batch);
    const double rate = throughputs_.steps_per_second(type, job_.gang).value_or(0.0);
    if (rate <= 0.0) return false;
    const auto samples = static_cast<double>(network_.samples);
    course_.modes.push_back({batch, rate, (network_.samples + batch - 1) / batch,
                             samples / static_cast<double>(batch) / rate});
    return true;
  }

  /// Its profiles have large batches only later, and know more critical epochs of one model.
  void follow_accordion() {
    if (!add_mode(network_.largest)) return;
    constexpr double kSmallAtFirst = 0.3;
    for (std::size_t epoch = 0; epoch <= epochs_; ++epoch) {
      if (is_critical(network_.name, batch_, epoch)) continue;
      course_.wanted[epoch] = 1;
      const bool is_early =
          static_cast<double>(epoch) <= kSmallAtFirst * static_cast<double>(epochs_);
      const bool is_small = network_.name == "Recommendation" &&
                            (is_between(epoch, 60, 70) || is_between(epoch, 80, 90));
      if (epoch < epochs_ && !is_early && !is_small) course_.profiled[epoch] = 1;
    }
  }

  /// The job looks one epoch ahead. Its profile has the first batch in the last epoch again, where
  /// the batch grows more than once.
  void follow_noise_scale() {
    const auto found = std::ranges::find_if(kDoublings, [this](const Doublings& of) {
      return of.network == network_.name && of.batch == batch_ && of.gang == job_.gang;
    });
    if (found == kDoublings.end()) return;
    for (const std::size_t from : found->epochs) {
      if (from == 0 || !add_mode(course_.modes.back().batch * 2)) break;
      for (std::size_t epoch = from - 1; epoch <= epochs_; ++epoch) ++course_.wanted[epoch];
      for (std::size_t epoch = from; epoch < epochs_; ++epoch) ++course_.profiled[epoch];
    }
    if (course_.profiled.back() > 1) course_.profiled.back() = 0;
  }

  const ShockwaveJob& job_;
  const Network& network_;
  std::int64_t batch_;
  const GavelThroughputs& throughputs_;
  BatchCourse course_;
  std::size_t epochs_ = 0;
};

}  // namespace

std::optional<BatchCourse> shockwave_course(const ShockwaveJob& job,
                                            const GavelThroughputs& throughputs) {
  const std::int64_t batch = gavel_job_type(job.job_type).gpu_batch;
  const auto network =
      std::ranges::find(kNetworks, job.job_type.substr(0, job.job_type.find(" (")), &Network::name);
  if (batch == 0 || network == kNetworks.end()) return std::nullopt;
  return Course(job, *network, batch, throughputs).make();
}

}  // namespace mimus::workloads
