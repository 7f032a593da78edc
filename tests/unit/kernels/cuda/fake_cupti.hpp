// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <cuda.h>
#include <cupti.h>
#include <map>
#include <string>
#include <vector>

namespace mimus::kernels::cuda {

// The library writes the newest records, whatever its readers know.
#if CUPTI_API_VERSION >= 130000
using NewestKernelRecord = CUpti_ActivityKernel10;
#else
using NewestKernelRecord = CUpti_ActivityKernel9;
#endif
#if CUPTI_API_VERSION >= 26  // CUDA 12.8
using NewestMemcpyRecord = CUpti_ActivityMemcpy6;
#else
using NewestMemcpyRecord = CUpti_ActivityMemcpy5;
#endif

/// What the fake libcupti is asked to do, and what was done with it.
struct FakeCupti {
  std::map<std::string, CUptiResult> failures;  ///< by function name
  std::vector<CUpti_ActivityKind> enabled;      ///< now
  std::uint64_t now = 1000;                     ///< what cuptiGetTimestamp says [ns]
  std::size_t dropped = 0;                      ///< since that was last asked
  CUpti_BuffersCallbackRequestFunc request = nullptr;
  CUpti_BuffersCallbackCompleteFunc complete = nullptr;
  std::vector<std::vector<std::uint8_t>> pending;  ///< records that no buffer was taken for yet

  void run(const NewestKernelRecord& kernel) { keep(&kernel, sizeof kernel); }
  void run(const NewestMemcpyRecord& copy) { keep(&copy, sizeof copy); }
  void run(const CUpti_ActivityMemset4& set) { keep(&set, sizeof set); }

  /// Hands all pending records over, at most `per_buffer` in one buffer; without a buffer they are
  /// dropped, as CUPTI does it. With `hold` buffers stay with CUPTI until flushed.
  void deliver(std::size_t per_buffer, bool hold = false);
  void return_held_buffers();

 private:
  struct Held {
    std::uint8_t* buffer;
    std::size_t size;
    std::size_t valid;
  };
  void keep(const void* record, std::size_t bytes);
  std::vector<Held> held_;
};

/// The state of the fake library at `path`, which stays loaded.
FakeCupti& fake_cupti(const char* path);

}  // namespace mimus::kernels::cuda
