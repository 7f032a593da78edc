// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "results/file/h5_handle.hpp"

namespace mimus::results {

/// An open HDF5 file with its root attributes and texts. It knows nothing of tables.
///
/// Files are written with the earliest format that can hold them and without HDF5's own locks.
/// After every flush() the file on disk is a complete HDF5 file: others may open it while it grows,
/// and it survives the death of its writer. All members throw IoError.
class H5File {
 public:
  H5File() = default;  ///< no file
  /// Creates or truncates a file. Errors name it `known_as`: its later name, if that differs from
  /// `path`.
  [[nodiscard]] static H5File create(const std::string& path, const std::string& known_as = "");
  /// In a file with checksums each byte is checked before HDF5 sees it. HDF5 may crash on other
  /// files: use open_result_file().
  [[nodiscard]] static H5File open_read_only(const std::string& path);

  [[nodiscard]] bool is_open() const { return static_cast<bool>(file_); }
  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] hid_t id() const { return file_.get(); }

  void create_group(const std::string& name) const;
  /// A scalar dataset of variable-length UTF-8.
  void write_text(const std::string& name, const std::string& text);
  [[nodiscard]] std::string read_text(const std::string& name) const;
  [[nodiscard]] bool contains(const std::string& name) const;  ///< directly under the root

  // Attributes of the root group. Setting one again overwrites it in place; its type does not
  // change.
  void set_attribute(const std::string& name, const std::string& value);
  void set_attribute(const std::string& name, double value);
  void set_attribute(const std::string& name, std::int64_t value);
  /// Keeps its place and size in the file when overwritten; longer texts are cut.
  void set_fixed_text(const std::string& name, const std::string& value, std::size_t width);
  /// All attributes as text, numbers in their shortest exact form.
  [[nodiscard]] std::map<std::string, std::string> attributes() const;

  void flush();
  void close();

 private:
  H5File(std::string path, H5FileHandle file) : path_(std::move(path)), file_(std::move(file)) {}

  std::string path_;
  H5FileHandle file_;
};

/// The type of a variable-length UTF-8 string, which Python reads best.
[[nodiscard]] H5Type variable_text_type(const std::string& path);
/// The type of a NUL-padded UTF-8 string of `width` bytes.
[[nodiscard]] H5Type fixed_text_type(const std::string& path, std::size_t width);

/// A one-dimensional attribute of texts on any object.
void write_text_list(const std::string& path, hid_t object, const std::string& name,
                     const std::vector<std::string>& texts);

}  // namespace mimus::results
