// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/run/live_turn.hpp"

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstring>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <fmt/format.h>

#include "base/error.hpp"

namespace mimus::emulator {
namespace {

/// A name of the folder that is the same for every path to it.
std::string name_of(const std::string& folder) {
  struct stat found {};
  if (::stat(folder.c_str(), &found) != 0) throw IoError(folder, std::strerror(errno));
  return fmt::format("mimus-live-{:x}-{:x}", found.st_dev, found.st_ino);
}

/// Binds in Linux's abstract namespace, which is independent of file systems. The name disappears
/// with its socket.
bool bind_abstract(int socket, const std::string& name) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  ensure(name.size() + 1 <= sizeof address.sun_path, "the name that locks a live run is too long");
  std::copy(name.begin(), name.end(), address.sun_path + 1);
  const auto size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + name.size());
  void* any = &address;
  return ::bind(socket, static_cast<sockaddr*>(any), size) == 0;
}

}  // namespace

LiveTurn::LiveTurn(const std::string& folder)
    : socket_(::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0)) {
  if (socket_ < 0) throw EnvironmentError("no more files can be opened: raise \"ulimit -n\"");
  if (bind_abstract(socket_, name_of(folder))) return;
  ::close(socket_);
  throw EnvironmentError(
      fmt::format("another live run into {} has just been started on this machine; two live runs "
                  "on one machine would take each other's cores: wait for it, or stop it",
                  folder));
}

LiveTurn::~LiveTurn() {
  ::close(socket_);
}

}  // namespace mimus::emulator
