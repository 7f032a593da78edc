// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include <hdf5.h>

namespace mimus::results {

/// Lets HDF5 read a file with checksums through a driver that checks each block before HDF5 sees
/// any of it. HDF5 does not check what it reads: in a damaged file it may follow a wrong address
/// and crash. Only blocks that are read are checked, so a summary of a file of 1 GB costs only what
/// it reads. Such an `access` opens only files with checksums, and only for reading.
void use_checked_driver(const std::string& path, hid_t access);

}  // namespace mimus::results
