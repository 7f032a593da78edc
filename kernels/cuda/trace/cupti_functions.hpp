// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda.h>
#include <cupti.h>
#include <string>

#include "base/shared_library.hpp"

namespace mimus::kernels::cuda {

/// The entry points of CUPTI that tracing uses, found at run time, because libcupti is part of the
/// toolkit, not of the driver, and a host may have none.
struct CuptiFunctions {
  decltype(&cuptiActivityRegisterCallbacks) register_callbacks = nullptr;
  decltype(&cuptiActivityEnable) enable = nullptr;
  decltype(&cuptiActivityDisable) disable = nullptr;
  decltype(&cuptiActivityFlushAll) flush_all = nullptr;
  decltype(&cuptiActivityGetNextRecord) next_record = nullptr;
  decltype(&cuptiActivityGetNumDroppedRecords) dropped_records = nullptr;
  decltype(&cuptiGetTimestamp) timestamp = nullptr;
  decltype(&cuptiGetResultString) result_string = nullptr;
};

/// All of them. Throws EnvironmentError naming the one that `library` lacks.
[[nodiscard]] CuptiFunctions load_cupti(const SharedLibrary& library);

/// Throws LibraryError with CUPTI's text and the next step unless `code` is CUPTI_SUCCESS.
void check_cupti(const CuptiFunctions& cupti, CUptiResult code, const char* call);

}  // namespace mimus::kernels::cuda
