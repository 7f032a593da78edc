// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/gpu/fake/nccl_segment.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

namespace mimus::fake_cuda {

std::shared_ptr<NcclSegment> open_segment(const std::string& name) {
  constexpr mode_t kOwnerOnly = 0600;
  const int file = shm_open(name.c_str(), O_RDWR | O_CREAT, kOwnerOnly);
  if (file < 0) return nullptr;
  void* memory = MAP_FAILED;
  if (ftruncate(file, sizeof(NcclSegment)) == 0) {
    memory = mmap(nullptr, sizeof(NcclSegment), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  }
  close(file);
  if (memory == MAP_FAILED) return nullptr;
  return {static_cast<NcclSegment*>(memory),
          [](NcclSegment* segment) { munmap(segment, sizeof(NcclSegment)); }};
}

void unlink_segment(const std::string& name) {
  static_cast<void>(shm_unlink(name.c_str()));
}

}  // namespace mimus::fake_cuda
