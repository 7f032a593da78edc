// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdlib>
#include <filesystem>
#include <string>

#include "tests/support/temporary_folder.hpp"

namespace mimus::kernels::cuda {

/// Puts a program nvidia-cuda-mps-control first in PATH that behaves as NVIDIA's does towards its
/// callers: `-d` leaves a daemon behind, and commands come on stdin. What goes wrong is said by
/// `misbehave()`. What `get_server_list` and `get_client_list 4711` print are the files `servers`
/// and `clients-4711` of the pipe directory.
class FakeMps {
 public:
  FakeMps() : path_(std::getenv("PATH")) {
    folder_.write("bin/nvidia-cuda-mps-control", kScript);
    std::filesystem::permissions(folder_.file("bin/nvidia-cuda-mps-control"),
                                 std::filesystem::perms::owner_all);
    ::setenv("PATH", (folder_.file("bin") + ":" + path_).c_str(), 1);
    misbehave("");
  }
  FakeMps(const FakeMps&) = delete;
  FakeMps& operator=(const FakeMps&) = delete;
  ~FakeMps() {
    ::setenv("PATH", path_.c_str(), 1);
    ::unsetenv("FAKE_MPS");
  }

  /// `fails`, `hangs_at_start`, `dies_early`, `never_answers`, `ignores_quit`, or "" for none.
  static void misbehave(const std::string& how) { ::setenv("FAKE_MPS", how.c_str(), 1); }
  /// As on a host without the driver.
  void uninstall() const { std::filesystem::remove(folder_.file("bin/nvidia-cuda-mps-control")); }
  [[nodiscard]] const TemporaryFolder& folder() const { return folder_; }

 private:
  static constexpr const char* kScript = R"sh(#!/bin/sh
pipe="$CUDA_MPS_PIPE_DIRECTORY"
pid_file="$pipe/nvidia-cuda-mps-control.pid"
case "$1" in
  -d)
    [ "$FAKE_MPS" = fails ] && { echo "cannot find a device"; exit 3; }
    [ "$FAKE_MPS" = hangs_at_start ] && exec sleep 60
    "$0" --daemon </dev/null >/dev/null 2>&1 &
    exit 0 ;;
  --daemon)
    log="$CUDA_MPS_LOG_DIRECTORY/control.log"
    echo "Starting control daemon using socket $pipe/control" >>"$log"
    if [ "$FAKE_MPS" = dies_early ]; then
      echo "no permission for the device" >>"$log"
      exit 1
    fi
    echo $$ >"$pid_file"
    while [ ! -e "$pipe/quit" ]; do sleep 0.05; done
    rm -f "$pid_file"
    exit 0 ;;
esac
read -r command server
[ "$FAKE_MPS" = never_answers ] && exec sleep 60
if ! kill -0 "$(cat "$pid_file" 2>/dev/null)" 2>/dev/null; then
  echo "Cannot find MPS control daemon process"
  exit 0
fi
case "$command" in
  get_server_list) cat "$pipe/servers" 2>/dev/null; exit 0 ;;
  get_client_list) cat "$pipe/clients-$server" ;;
  quit)
    [ "$FAKE_MPS" = ignores_quit ] || : >"$pipe/quit" ;;
  *) echo "Unrecognized command"; exit 1 ;;
esac
)sh";
  TemporaryFolder folder_;
  std::string path_;
};

}  // namespace mimus::kernels::cuda
