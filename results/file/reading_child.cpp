// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "results/file/reading_child.hpp"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <optional>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>

#include <fmt/format.h>
#include <hdf5.h>

#include "base/error.hpp"
#include "results/file/checksums.hpp"

namespace mimus::results {

namespace {

enum class Kind : char { question, answer, damage, error };

/// Precedes each message on the socket.
struct Header {
  std::uint64_t bytes = 0;
  Kind kind = Kind::question;
};

struct Message {
  Kind kind = Kind::question;
  std::string text;
};

bool send_all(int socket, const char* bytes, std::size_t count) {
  while (count > 0) {
    const ssize_t put = send(socket, bytes, count, MSG_NOSIGNAL);
    if (put < 0 && errno == EINTR) continue;
    if (put <= 0) return false;
    bytes += put;
    count -= static_cast<std::size_t>(put);
  }
  return true;
}

bool receive_all(int socket, char* bytes, std::size_t count) {
  while (count > 0) {
    const ssize_t got = recv(socket, bytes, count, 0);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    bytes += got;
    count -= static_cast<std::size_t>(got);
  }
  return true;
}

bool send_message(int socket, Kind kind, const std::string& text) {
  std::array<char, sizeof(Header)> begin{};
  const Header header{text.size(), kind};
  std::memcpy(begin.data(), &header, sizeof header);
  return send_all(socket, begin.data(), begin.size()) && send_all(socket, text.data(), text.size());
}

std::optional<Message> receive_message(int socket) {
  std::array<char, sizeof(Header)> begin{};
  if (!receive_all(socket, begin.data(), begin.size())) return std::nullopt;
  Header header;
  std::memcpy(&header, begin.data(), sizeof header);
  Message message{header.kind, std::string(header.bytes, '\0')};
  if (!receive_all(socket, message.text.data(), message.text.size())) return std::nullopt;
  return message;
}

/// A damaged file can also make HDF5 loop for ever.
void limit_time(const std::string& path) {
  constexpr std::uintmax_t kLeastSeconds = 20;
  constexpr std::uintmax_t kBytesPerSecond = 10'000'000;
  std::error_code unknown;
  const std::uintmax_t bytes = std::filesystem::file_size(path, unknown);
  const rlim_t seconds = kLeastSeconds + (unknown ? 0 : bytes / kBytesPerSecond);
  const rlimit time{seconds, seconds + 1};
  setrlimit(RLIMIT_CPU, &time);
}

/// Leaves no trace: no core file, no output of a library that aborts, no process that outlives its
/// parent.
void behave_as_child(const std::string& path) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  for (const int deadly : {SIGSEGV, SIGBUS, SIGABRT, SIGFPE, SIGILL, SIGXCPU}) {
    std::signal(deadly, SIG_DFL);
  }
  const rlimit none{0, 0};
  setrlimit(RLIMIT_CORE, &none);
  limit_time(path);
  const int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
  if (nowhere >= 0) dup2(nowhere, STDERR_FILENO);
}

void answer(int socket, const ReadingChild::Serve& serve, const std::string& question) {
  try {
    send_message(socket, Kind::answer, serve(question));
  } catch (const DamagedError& error) {
    send_message(socket, Kind::damage, error.what());
  } catch (const std::exception& error) {
    send_message(socket, Kind::error, error.what());
  }
}

std::string how_it_died(int status) {
  if (!WIFSIGNALED(status)) return "reading it failed";
  if (WTERMSIG(status) == SIGXCPU || WTERMSIG(status) == SIGKILL) return "reading it did not end";
  return fmt::format("HDF5 crashes while reading it ({})", strsignal(WTERMSIG(status)));
}

std::string without_path(const std::string& path, const std::string& message) {
  const std::string begin = path + ": ";
  return message.starts_with(begin) ? message.substr(begin.size()) : message;
}

}  // namespace

ReadingChild::ReadingChild(std::string path, const Serve& serve) : path_(std::move(path)) {
  std::array<int, 2> ends{};
  H5open();  // once in the parent, not in every child
  const bool connected = socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) == 0;
  child_ = connected ? fork() : -1;
  if (child_ == 0) {
    close(ends[0]);
    behave_as_child(path_);
    while (const auto question = receive_message(ends[1])) answer(ends[1], serve, question->text);
    _exit(0);  // skips exit handlers, which belong to the parent
  }
  const int reason = errno;
  if (connected) close(ends[1]);
  socket_ = connected ? ends[0] : -1;
  if (child_ > 0) return;
  if (connected) close(socket_);
  throw IoError(path_, fmt::format("cannot be read: {}", std::strerror(reason)));
}

ReadingChild::~ReadingChild() {
  close(socket_);
  if (child_ <= 0) return;
  kill(child_, SIGKILL);  // children of other files may hold its socket open
  while (waitpid(child_, nullptr, 0) < 0 && errno == EINTR) {
  }
}

void ReadingChild::throw_death() {
  int status = 0;
  while (waitpid(child_, &status, 0) < 0 && errno == EINTR) {
  }
  child_ = -1;
  throw DamagedError::of(path_, "is damaged: " + how_it_died(status));
}

std::string ReadingChild::ask(const std::string& question) {
  if (child_ <= 0) throw DamagedError::of(path_, "is damaged: HDF5 crashed while reading it");
  if (!send_message(socket_, Kind::question, question)) throw_death();
  auto said = receive_message(socket_);
  if (!said) throw_death();
  if (said->kind == Kind::damage) throw DamagedError(path_, without_path(path_, said->text));
  if (said->kind == Kind::error) throw IoError(path_, without_path(path_, said->text));
  return std::move(said->text);
}

}  // namespace mimus::results
