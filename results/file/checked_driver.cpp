// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "results/file/checked_driver.hpp"

#include <H5FDpublic.h>
#if __has_include(<H5FDdevelop.h>)
#include <H5FDdevelop.h>
#endif

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstring>
#include <exception>
#include <fcntl.h>
#include <memory>
#include <sys/stat.h>
#include <unistd.h>
#include <vector>

#include "results/file/checksums.hpp"
#include "results/file/h5_handle.hpp"

namespace mimus::results {

namespace {

constexpr haddr_t kMostBytes = HADDR_MAX / 2;

/// The file as HDF5 sees it. HDF5 accesses only the first member, which it fills in itself.
struct CheckedFile {
  H5FD_t known_to_h5{};
  int descriptor = -1;
  struct stat status {};
  Checksums sums;
  std::vector<bool> seen;  ///< blocks whose checksums were compared
  std::vector<std::byte> block;
  haddr_t end_of_addresses = 0;
};

CheckedFile& checked(H5FD_t* file) {
  return *reinterpret_cast<CheckedFile*>(file);
}
const CheckedFile& checked(const H5FD_t* file) {
  return *reinterpret_cast<const CheckedFile*>(file);
}

herr_t fail(const char* reason) {
  H5Epush2(H5E_DEFAULT, __FILE__, "checked_read", __LINE__, H5E_ERR_CLS, H5E_IO, H5E_READERROR,
           "%s", reason);
  return -1;
}

/// Copies the requested range from the same bytes whose checksum was compared.
herr_t read_first_time(CheckedFile& file, std::size_t block, std::size_t skipped, std::byte* to,
                       std::size_t count) {
  if (!read_block(file.descriptor, file.sums, block, file.block)) {
    return fail(damage_text(file.sums, block).c_str());
  }
  file.seen[block] = true;
  std::memcpy(to, file.block.data() + skipped, count);
  return 0;
}

herr_t read_checked(CheckedFile& file, haddr_t from, std::size_t count, std::byte* to) {
  const haddr_t content = file.sums.content_bytes;
  if (from > content || count > content - from) return fail("the file ends before its content");
  while (count > 0) {
    const auto block = static_cast<std::size_t>(from / file.sums.block_bytes);
    const auto skipped = static_cast<std::size_t>(from - file.sums.begin_of(block));
    const std::size_t part = std::min(count, file.sums.bytes_of(block) - skipped);
    if (!file.seen[block]) {
      if (read_first_time(file, block, skipped, to, part) < 0) return -1;
    } else if (!read_exactly(file.descriptor, from, to, part)) {
      return fail("the file cannot be read any more");
    }
    to += part;
    from += part;
    count -= part;
  }
  return 0;
}

H5FD_t* open_checked(const char* path, unsigned /*flags*/, hid_t /*access*/, haddr_t /*most*/) {
  try {
    auto file = std::make_unique<CheckedFile>();
    file->descriptor = open(path, O_RDONLY | O_CLOEXEC);
    if (file->descriptor < 0 || fstat(file->descriptor, &file->status) != 0) {
      fail(std::strerror(errno));
      return nullptr;
    }
    if (auto sums = read_checksums(file->descriptor)) {
      file->seen.resize(sums->blocks.size());
      file->sums = std::move(*sums);
      return &file.release()->known_to_h5;
    }
    close(file->descriptor);
    fail("it has no checksums any more");
  } catch (const std::exception& error) {  // no exception may pass through HDF5
    fail(error.what());
  }
  return nullptr;
}

herr_t close_checked(H5FD_t* file) {
  const std::unique_ptr<CheckedFile> owned(&checked(file));
  return close(owned->descriptor);
}

/// Always equal, because HDF5 never opens a file twice here.
int compare(const H5FD_t* a, const H5FD_t* b) {
  const auto order = [](auto x, auto y) { return x < y ? -1 : static_cast<int>(y < x); };
  const int device = order(checked(a).status.st_dev, checked(b).status.st_dev);
  return device != 0 ? device : order(checked(a).status.st_ino, checked(b).status.st_ino);
}

herr_t query(const H5FD_t* /*file*/, unsigned long* flags) {
  // The content is that of the default driver. Reading small objects in larger units saves calls.
  *flags = H5FD_FEAT_DATA_SIEVE | H5FD_FEAT_DEFAULT_VFD_COMPATIBLE;
  return 0;
}

herr_t read_for_h5(H5FD_t* file, H5FD_mem_t /*type*/, hid_t /*transfer*/, haddr_t from,
                   std::size_t count, void* to) {
  try {
    return read_checked(checked(file), from, count, static_cast<std::byte*>(to));
  } catch (const std::exception& error) {
    return fail(error.what());
  }
}

herr_t refuse_write(H5FD_t* /*file*/, H5FD_mem_t /*type*/, hid_t /*transfer*/, haddr_t /*from*/,
                    std::size_t /*count*/, const void* /*from*/) {
  return fail("a finished file is not written to");
}

haddr_t end_of_addresses(const H5FD_t* file, H5FD_mem_t /*type*/) {
  return checked(file).end_of_addresses;
}

herr_t set_end_of_addresses(H5FD_t* file, H5FD_mem_t /*type*/, haddr_t end) {
  checked(file).end_of_addresses = end;
  return 0;
}

haddr_t end_of_content(const H5FD_t* file, H5FD_mem_t /*type*/) {
  return checked(file).sums.content_bytes;
}

/// As in the default driver, a pointer to the file descriptor.
herr_t handle_of(H5FD_t* file, hid_t /*access*/, void** handle) {
  *handle = &checked(file).descriptor;
  return 0;
}

herr_t do_not_lock(H5FD_t* /*file*/, hbool_t /*exclusive*/) {
  return 0;
}

herr_t do_not_unlock(H5FD_t* /*file*/) {
  return 0;
}

H5FD_class_t driver_class() {
  H5FD_class_t driver{};
#if H5_VERSION_GE(1, 13, 0)
  driver.version = H5FD_CLASS_VERSION;
  driver.value = static_cast<H5FD_class_value_t>(H5_VFD_RESERVED + 64);
#endif
  driver.name = "mimus_checked";
  driver.maxaddr = kMostBytes;
  driver.fc_degree = H5F_CLOSE_WEAK;
  driver.open = open_checked;
  driver.close = close_checked;
  driver.cmp = compare;
  driver.query = query;
  driver.get_eoa = end_of_addresses;
  driver.set_eoa = set_end_of_addresses;
  driver.get_eof = end_of_content;
  driver.get_handle = handle_of;
  driver.read = read_for_h5;
  driver.write = refuse_write;
  driver.lock = do_not_lock;
  driver.unlock = do_not_unlock;
  const H5FD_mem_t map[] = H5FD_FLMAP_DICHOTOMY;
  std::ranges::copy(map, driver.fl_map);
  return driver;
}

}  // namespace

void use_checked_driver(const std::string& path, hid_t access) {
  static const H5FD_class_t kDriver = driver_class();
  static const hid_t kRegistered = H5FDregister(&kDriver);
  h5_call(path, "H5Pset_driver", H5Pset_driver, access, kRegistered,
          static_cast<const void*>(nullptr));
}

}  // namespace mimus::results
