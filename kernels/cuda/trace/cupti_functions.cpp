// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/trace/cupti_functions.hpp"

#include <fmt/format.h>

#include "base/error.hpp"

namespace mimus::kernels::cuda {
namespace {

template <class Function>
void load(const SharedLibrary& library, const char* name, Function& function) {
  function = reinterpret_cast<Function>(library.symbol(name));
  if (function != nullptr) return;
  throw EnvironmentError(
      fmt::format("{} has no {}: it is not CUPTI, or too old; use the one of CUDA 12 or 13",
                  library.name(), name));
}

const char* next_step(CUptiResult code) {
  switch (code) {
    case CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED:
      return "; another profiler (Nsight Systems, Nsight Compute) is attached: run without it";
    case CUPTI_ERROR_INSUFFICIENT_PRIVILEGES:
    case CUPTI_ERROR_VIRTUALIZED_DEVICE_INSUFFICIENT_PRIVILEGES:
      return "; ask the administrator for access to GPU performance counters";
    default:
      return "";
  }
}

}  // namespace

CuptiFunctions load_cupti(const SharedLibrary& library) {
  CuptiFunctions cupti;
  load(library, "cuptiActivityRegisterCallbacks", cupti.register_callbacks);
  load(library, "cuptiActivityEnable", cupti.enable);
  load(library, "cuptiActivityDisable", cupti.disable);
  load(library, "cuptiActivityFlushAll", cupti.flush_all);
  load(library, "cuptiActivityGetNextRecord", cupti.next_record);
  load(library, "cuptiActivityGetNumDroppedRecords", cupti.dropped_records);
  load(library, "cuptiGetTimestamp", cupti.timestamp);
  load(library, "cuptiGetResultString", cupti.result_string);
  return cupti;
}

void check_cupti(const CuptiFunctions& cupti, CUptiResult code, const char* call) {
  if (code == CUPTI_SUCCESS) return;
  const char* text = nullptr;
  const bool has_text = cupti.result_string(code, &text) == CUPTI_SUCCESS && text != nullptr;
  throw LibraryError(call, code, fmt::format("{}{}", has_text ? text : "unknown", next_step(code)));
}

}  // namespace mimus::kernels::cuda
