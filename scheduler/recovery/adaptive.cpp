// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduler/recovery/adaptive.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

namespace mimus::scheduler {
namespace {

constexpr std::array kOfUsers{"CPU out of memory", "incorrect inputs", "semantic error",
                              "core dump", "syntax error", "permission error",
                              "invalid memory access", "import error", "GPU out of memory",
                              "model diverged", "CUDA version mismatch",
                              // Acme's scripts
                              "file not found", "OS error", "type error", "name error", "key error",
                              "argument error", "called process error", "index error"};
constexpr std::array kTransient{
    "checkpoint error", "CUDA failure", "MPI error", "MPI runtime failure", "job preempted",
    "CUDA initialisation failed", "GPU ECC error",
    // Acme's infrastructure
    "NVLink error", "CUDA error", "node failure", "ECC error", "network error", "connection error",
    "S3 storage error", "NCCL timeout", "NCCL remote error"};

}  // namespace

FailureCause cause_of_failure(const std::string& reason) {
  const auto is_one_of = [&](const auto& reasons) {
    return std::ranges::find(reasons, reason) != reasons.end();
  };
  if (is_one_of(kOfUsers)) return FailureCause::of_user;
  return is_one_of(kTransient) ? FailureCause::transient : FailureCause::unknown;
}

RecoveryDecision Adaptive::after(const JobView& job, const AttemptEnded& end, Duration ran) {
  if (end.reason != EndReason::failed) return retry_.after(job, end, ran);
  const auto give_up = [&](const char* why) {
    const char* what = end.detail.empty() ? "no detail given" : end.detail.c_str();
    return RecoveryDecision{.retry = false, .reason = fmt::format("{}: {}", what, why)};
  };
  const FailureCause cause = cause_of_failure(end.detail);
  if (cause == FailureCause::of_user) return give_up("would fail again");
  if (repeats(job, end, ran)) return give_up("failed like this before");
  const int counted = job.failures - job.memory_failures;
  const bool is_transient = cause == FailureCause::transient;
  const int most = is_transient ? settings_.transient_retries : settings_.unknown_retries;
  if (counted > most) return give_up("failed too often");
  if (!is_transient) return {};
  return {.delay = settings_.delay * (std::int64_t{1} << std::min(counted - 1, 30)), .reason = ""};
}

bool Adaptive::repeats(const JobView& job, const AttemptEnded& end, Duration ran) const {
  if (!job.last_failure || job.last_failure->reason != end.detail) return false;
  const double before = to_seconds(job.last_failure->after);
  return std::abs(to_seconds(ran) - before) <= settings_.alike * before;
}

}  // namespace mimus::scheduler
