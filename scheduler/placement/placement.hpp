// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

#include "base/registry.hpp"
#include "scheduler/estimate/oracle.hpp"
#include "scheduler/jobs/job_kind.hpp"
#include "scheduler/jobs/job_view.hpp"
#include "scheduler/placement/free_gpus.hpp"

namespace mimus::scheduler {

/// What a gang asks of a placement. Two requests that are equal here, whatever their `draw`, fit or
/// do not fit alike.
struct PlacementRequest {
  int gang = 1;
  Bytes memory{};                 ///< of one replica
  int level = 0;                  ///< how far its demand for locality has been relaxed
  MilliGpus share = kWholeGpu;    ///< of a GPU, for one replica
  std::uint64_t draw = 0;         ///< see draw_of; for choices that draw GPUs at random
  const JobKind* kind = nullptr;  ///< null where no choice tells jobs apart, see JobKinds
  GpuTypes types = kAllTypes;     ///< of GPUs, each of which its gang may be on
};

/// Different for any two starts, of one job or of two, and the same until the job has started, so
/// that asking what if draws what the start will draw.
[[nodiscard]] inline std::uint64_t draw_of(const JobView& job) {
  return (static_cast<std::uint64_t>(job.id.value()) << 32U) +
         static_cast<std::uint64_t>(job.attempts);
}

/// Which GPUs? All of the gang or nothing, and all of one type: a choice is asked for one type
/// after the other. Every choice must place any gang that is not larger than what the cluster has
/// of the type when all GPUs are usable, and must not fit fewer requests when more GPUs are usable:
/// the driver remembers what did not fit until something is freed.
class Placement {
 public:
  virtual ~Placement() = default;
  [[nodiscard]] virtual std::optional<Allocation> place(const FreeGpus& free,
                                                        const PlacementRequest& request) const = 0;
  /// True when a gang fits as soon as that many GPUs are usable, wherever they are: whether it fits
  /// is then a comparison of two numbers.
  [[nodiscard]] virtual bool counts_only() const { return false; }
  /// By which traits of jobs it scores what fits: requests then hold their kind.
  [[nodiscard]] virtual KindTraits kind_traits() const { return {}; }
  /// The level at which a waiting job asks at `now`.
  [[nodiscard]] virtual int level(const JobView& waiting, Instant now) const;
  /// The next instant after `now` at which that level changes, or kNever.
  [[nodiscard]] virtual Instant next_level(const JobView& waiting, Instant now) const;
};

/// `inputs` are captured by the choices that need them.
[[nodiscard]] Registry<Placement> placement_choices(const PolicyInputs& inputs);

}  // namespace mimus::scheduler
