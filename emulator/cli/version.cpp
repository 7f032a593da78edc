// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "emulator/campaign/build_info.hpp"
#include "emulator/cli/verbs.hpp"

namespace mimus::emulator::cli {
namespace {

std::string compiled(bool present) {
  return present ? "compiled in" : "not compiled";
}

}  // namespace

std::string version_text() {
  const BuildInfo& info = build_info();
  return fmt::format(
      "mimus {} ({}{})\n"
      "build     {}, {}\n"
      "MPI       {}\n"
      "HDF5      {}\n"
      "CUDA      {}\n"
      "NCCL      {}",
      info.version, info.commit, info.dirty ? ", with changes" : "", info.build_type, info.compiler,
      info.mpi, info.hdf5, compiled(info.cuda), compiled(info.nccl));
}

}  // namespace mimus::emulator::cli
