// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include <hdf5.h>

namespace mimus::results {

/// Lets HDF5 read a file with checksums through a driver that compares each block with its checksum
/// before HDF5 sees any of it. HDF5 trusts what it reads: of a damaged file it may follow a wrong
/// address and die. Only what is read is compared, so that a summary of a file of 1 GB costs what
/// it reads, not 1 GB. Such an `access` opens files with checksums only, and for reading only.
void use_checked_driver(const std::string& path, hid_t access);

}  // namespace mimus::results
