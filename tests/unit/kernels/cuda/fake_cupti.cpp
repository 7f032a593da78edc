// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
// A shared library that behaves like libcupti for activity tracing, without a GPU. Tests say what
// ran and when buffers are handed over. Link it with fake_cupti_state.cpp.
#include "tests/unit/kernels/cuda/fake_cupti.hpp"

#include <algorithm>
#include <utility>

using mimus::kernels::cuda::FakeCupti;
using mimus::kernels::cuda::NewestKernelRecord;
using mimus::kernels::cuda::NewestMemcpyRecord;

namespace {

FakeCupti& state() {
  static FakeCupti fake;
  return fake;
}

CUptiResult outcome(const char* function) {
  const auto found = state().failures.find(function);
  return found == state().failures.end() ? CUPTI_SUCCESS : found->second;
}

std::size_t size_of(const CUpti_Activity* record) {
  switch (record->kind) {
    case CUPTI_ACTIVITY_KIND_MEMCPY:
      return sizeof(NewestMemcpyRecord);
    case CUPTI_ACTIVITY_KIND_MEMSET:
      return sizeof(CUpti_ActivityMemset4);
    default:
      return sizeof(NewestKernelRecord);
  }
}

}  // namespace

extern "C" {

FakeCupti* mimus_fake_cupti_state() {
  return &state();
}

CUptiResult cuptiActivityRegisterCallbacks(CUpti_BuffersCallbackRequestFunc request,
                                           CUpti_BuffersCallbackCompleteFunc complete) {
  state().request = request;
  state().complete = complete;
  return outcome(__func__);
}
CUptiResult cuptiActivityEnable(CUpti_ActivityKind kind) {
  const CUptiResult code = outcome(__func__);
  if (code == CUPTI_SUCCESS) state().enabled.push_back(kind);
  return code;
}
CUptiResult cuptiActivityDisable(CUpti_ActivityKind kind) {
  auto& enabled = state().enabled;
  enabled.erase(std::remove(enabled.begin(), enabled.end(), kind), enabled.end());
  return outcome(__func__);
}
CUptiResult cuptiActivityFlushAll(uint32_t flag) {
  if (flag != CUPTI_ACTIVITY_FLAG_FLUSH_FORCED) return CUPTI_ERROR_INVALID_PARAMETER;
  state().return_held_buffers();
  return outcome(__func__);
}
CUptiResult cuptiActivityGetNextRecord(uint8_t* buffer, size_t valid, CUpti_Activity** record) {
  uint8_t* next = buffer;
  if (*record != nullptr) next = reinterpret_cast<uint8_t*>(*record) + size_of(*record);
  if (next >= buffer + valid) return CUPTI_ERROR_MAX_LIMIT_REACHED;
  *record = reinterpret_cast<CUpti_Activity*>(next);
  return CUPTI_SUCCESS;
}
CUptiResult cuptiActivityGetNumDroppedRecords(CUcontext, uint32_t, size_t* dropped) {
  *dropped = std::exchange(state().dropped, 0);
  return outcome(__func__);
}
CUptiResult cuptiGetTimestamp(uint64_t* timestamp) {
  *timestamp = state().now;
  return outcome(__func__);
}
CUptiResult cuptiGetResultString(CUptiResult code, const char** text) {
  *text = code == CUPTI_ERROR_NOT_INITIALIZED ? "CUPTI_ERROR_NOT_INITIALIZED" : "CUPTI_ERROR";
  return CUPTI_SUCCESS;
}

}  // extern "C"
