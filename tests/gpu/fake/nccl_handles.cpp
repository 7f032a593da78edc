// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/gpu/fake/nccl_handles.hpp"

#include <utility>

#include <fmt/format.h>

#include "tests/gpu/fake/settings.hpp"

namespace mimus::fake_cuda {
namespace {

constexpr const char* kCommunicators = "NCCL communicators";

}  // namespace

ncclResult_t refuse(const Call& call, ncclResult_t code, const std::string& why) {
  complain(fmt::format("{}: {}", call.name(), why));
  return code;
}

bool blocks(const ncclConfig_t* config, bool otherwise) {
  if (config == nullptr || config->blocking == NCCL_CONFIG_UNDEF_INT) return otherwise;
  return config->blocking != 0;
}

int most_ctas(const ncclConfig_t* config, int parents) {
  if (config == nullptr) return parents;
  return config->maxCTAs == NCCL_CONFIG_UNDEF_INT ? 0 : config->maxCTAs;
}

ncclComm_t add(Handles& handles, std::shared_ptr<NcclState> state) {
  auto* const communicator = new ncclComm{std::move(state)};
  handles.others.emplace(kCommunicators, communicator);
  return communicator;
}

void remove(Handles& handles, ncclComm_t communicator) {
  handles.others.erase({kCommunicators, communicator});
  delete communicator;
}

void defer_child(NcclState& parent, const std::shared_ptr<NcclState>& child, ncclComm_t* result) {
  parent.defer([&parent, child, result](Call& call) {
    if (child->progress(call) == ncclInProgress) return false;
    parent.when_given_up = nullptr;
    *result = add(call.handles, child);
    return true;
  });
}

}  // namespace mimus::fake_cuda
