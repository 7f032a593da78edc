// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "emulator/campaign/build_info.hpp"
#include "emulator/cli/verbs.hpp"
#include "emulator/cuda_text.hpp"
#include "scheduler/fit/throughput_fit.hpp"

namespace mimus::emulator::cli {

std::string program_text() {
  const BuildInfo& info = build_info();
  return fmt::format("mimus {} ({}{})", info.version, info.commit,
                     info.dirty ? ", with changes" : "");
}

std::string version_text() {
  const BuildInfo& info = build_info();
  return fmt::format(
      "{}\n"
      "build     {}, {}\n"
      "MPI       {}\n"
      "HDF5      {}\n"
      "fits      {}\n"
      "Python    {}\n"
      "CUDA      {}\n"
      "NCCL      {}",
      program_text(), info.build_type, info.compiler, info.mpi, info.hdf5, scheduler::fit_method(),
      info.python.empty() ? "not compiled" : info.python + ", for planners",
      fmt::join(cuda_lines(), "\n          "), nccl_line());
}

}  // namespace mimus::emulator::cli
