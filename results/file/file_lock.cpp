// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "results/file/file_lock.hpp"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

#include <fmt/format.h>

#include "base/log.hpp"

namespace mimus::results {

namespace {

// "Open file description" locks. Unlike POSIX process locks they also work between two writers of
// one process. Unlike flock() they do not conflict with the locks of HDF5 readers.
struct flock whole_file(short type) {
  struct flock lock {};
  lock.l_type = type;
  lock.l_whence = SEEK_SET;
  return lock;
}

bool same_file(int descriptor, const std::string& path) {
  struct stat held {};
  struct stat named {};
  return fstat(descriptor, &held) == 0 && stat(path.c_str(), &named) == 0 &&
         held.st_dev == named.st_dev && held.st_ino == named.st_ino;
}

int open_or_throw(const std::string& path) {
  const int descriptor = open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (descriptor < 0) {
    throw IoError(path, fmt::format("cannot be created: {}; choose a folder that can be written",
                                    std::strerror(errno)));
  }
  return descriptor;
}

void lock_or_throw(int descriptor, const std::string& path) {
  struct flock lock = whole_file(F_WRLCK);
  if (fcntl(descriptor, F_OFD_SETLK, &lock) == 0) return;
  if (errno == EAGAIN || errno == EACCES) {
    close(descriptor);
    throw TakenError(path,
                     "is being written by another process; wait for it, stop it, or choose another "
                     "output folder");
  }
  log::warn("{}: this file system has no locks ({}); make sure that no other run writes there",
            path, std::strerror(errno));
}

}  // namespace

FileLock::FileLock(const std::string& path) : path_(path) {
  // Another writer may finish and rename the file between our open and our lock.
  do {
    if (descriptor_ >= 0) close(descriptor_);
    descriptor_ = open_or_throw(path);
    lock_or_throw(descriptor_, path);
  } while (!same_file(descriptor_, path));
}

FileLock::FileLock(FileLock&& other) noexcept
    : path_(std::move(other.path_)), descriptor_(std::exchange(other.descriptor_, -1)) {}

FileLock::~FileLock() {
  if (descriptor_ >= 0) close(descriptor_);
}

void FileLock::synchronise() const {
  if (fsync(descriptor_) != 0) {
    throw IoError(path_, fmt::format("could not be stored: {}", std::strerror(errno)));
  }
}

bool is_being_written(const std::string& path) {
  const int descriptor = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return false;
  struct flock lock = whole_file(F_WRLCK);
  const bool asked = fcntl(descriptor, F_OFD_GETLK, &lock) == 0;
  close(descriptor);
  return asked && lock.l_type != F_UNLCK;
}

}  // namespace mimus::results
