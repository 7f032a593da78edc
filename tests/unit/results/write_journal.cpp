// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/results/write_journal.hpp"

#include <algorithm>
#include <dlfcn.h>
#include <fcntl.h>
#include <stdexcept>
#include <unistd.h>

namespace mimus::results {
namespace {

WriteJournal* current = nullptr;

template <class Function>
Function* next(Function* /*this one*/, const char* name) {
  return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}

}  // namespace

WriteJournal::WriteJournal() {
  if (current != nullptr) throw std::logic_error("there is a journal");
  current = this;
}

WriteJournal::~WriteJournal() {
  finish();
}

void WriteJournal::finish() {
  if (current == this) current = nullptr;
}

void replay(const WriteJournal::Change& change, const std::string& path, std::size_t most) {
  const int file = open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644);
  const auto bytes = std::min(most, change.bytes.size());
  const bool done = change.bytes.empty() ? ftruncate(file, change.offset) == 0
                                         : pwrite(file, change.bytes.data(), bytes,
                                                  change.offset) == static_cast<ssize_t>(bytes);
  close(file);
  if (!done) throw std::runtime_error(path + ": cannot be written");
}

}  // namespace mimus::results

// The program's own functions take precedence over those of the C library, for HDF5 as well.
extern "C" ssize_t pwrite(int file, const void* bytes, size_t count, off_t offset) {
  static auto* const original = mimus::results::next(&pwrite, "pwrite");
  const ssize_t written = original(file, bytes, count, offset);
  if (auto* journal = mimus::results::current; journal != nullptr && written > 0) {
    const auto* begin = static_cast<const std::byte*>(bytes);
    journal->add({offset, {begin, begin + written}});
  }
  return written;
}

extern "C" int ftruncate(int file, off_t length) noexcept {
  static auto* const original = mimus::results::next(&ftruncate, "ftruncate");
  const int result = original(file, length);
  if (auto* journal = mimus::results::current; journal != nullptr && result == 0) {
    journal->add({length, {}});
  }
  return result;
}
