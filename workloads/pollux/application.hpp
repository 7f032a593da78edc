// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace mimus::workloads {

/// One of the six applications that the Pollux artifact measured (OSDI'21, Table 1), with the
/// limits that its simulator sets. All batches in samples.
struct PolluxApplication {
  std::string_view name;   ///< as its trace folder is called
  std::string_view model;  ///< the catalogue's name for it
  std::int64_t reference_batch = 1;
  std::int64_t total_batch_max = 1;
  std::int64_t per_gpu_min = 1;
  std::int64_t per_gpu_max = 1;
  /// False for the one that Pollux and Optimus always train on one GPU.
  bool scales = true;

  struct Split {
    std::int64_t per_gpu = 1;
    std::int64_t micro_batches = 1;
  };
  /// The artifact's split of a total batch over `replicas`, in at least `least` micro-batches.
  [[nodiscard]] Split split(std::int64_t total, std::int64_t replicas, std::int64_t least) const;
};

[[nodiscard]] std::span<const PolluxApplication> pollux_applications();
/// nullptr when the model is none of them.
[[nodiscard]] const PolluxApplication* pollux_application_of_model(std::string_view model);
[[nodiscard]] const PolluxApplication* pollux_application(std::string_view name);

}  // namespace mimus::workloads
