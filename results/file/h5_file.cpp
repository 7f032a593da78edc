// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "results/file/h5_file.hpp"

#include <exception>

#include <fmt/format.h>

#include "results/file/checked_driver.hpp"
#include "results/file/checksums.hpp"
#include "results/schema/fixed_text.hpp"

namespace mimus::results {

namespace {

// HDF5's locks would keep readers out while the file grows. FileLock keeps second writers out.
H5Properties access_properties(const std::string& path) {
  H5Properties access(h5_call(path, "H5Pcreate", H5Pcreate, H5P_FILE_ACCESS));
  h5_call(path, "H5Pset_file_locking", H5Pset_file_locking, access.get(), hbool_t{false},
          hbool_t{true});
  h5_call(path, "H5Pset_libver_bounds", H5Pset_libver_bounds, access.get(), H5F_LIBVER_EARLIEST,
          H5F_LIBVER_V110);
  return access;
}

// Small objects never cross a page of 4 KiB. A write within one page happens completely or not at
// all, even if the writer is killed. A longer write may be cut between pages.
H5Properties creation_properties(const std::string& path) {
  H5Properties creation(h5_call(path, "H5Pcreate", H5Pcreate, H5P_FILE_CREATE));
  h5_call(path, "H5Pset_file_space_strategy", H5Pset_file_space_strategy, creation.get(),
          H5F_FSPACE_STRATEGY_PAGE, hbool_t{false}, hsize_t{1});
  h5_call(path, "H5Pset_file_space_page_size", H5Pset_file_space_page_size, creation.get(),
          hsize_t{4096});
  return creation;
}

// Metadata must reach the disk only in flush(). If the cache evicted some of it in between, a crash
// could leave half of an update behind. Metadata is small: about 0.1 % of the tables.
void keep_metadata_until_flush(const std::string& path, hid_t access) {
  H5AC_cache_config_t config{};
  config.version = H5AC__CURR_CACHE_CONFIG_VERSION;
  h5_call(path, "H5Pget_mdc_config", H5Pget_mdc_config, access, &config);
  config.evictions_enabled = hbool_t{false};
  config.incr_mode = H5C_incr__off;
  config.flash_incr_mode = H5C_flash_incr__off;
  config.decr_mode = H5C_decr__off;
  h5_call(path, "H5Pset_mdc_config", H5Pset_mdc_config, access, &config);
}

H5Space scalar(const std::string& path) {
  return H5Space(h5_call(path, "H5Screate", H5Screate, H5S_SCALAR));
}

// An existing attribute keeps its type and its place.
H5Attribute attribute_for(const std::string& path, hid_t object, const std::string& name,
                          hid_t type) {
  if (h5_call(path, "H5Aexists", H5Aexists, object, name.c_str()) > 0) {
    return H5Attribute(h5_call(path, "H5Aopen", H5Aopen, object, name.c_str(), H5P_DEFAULT));
  }
  const H5Space space = scalar(path);
  return H5Attribute(h5_call(path, "H5Acreate2", H5Acreate2, object, name.c_str(), type,
                             space.get(), H5P_DEFAULT, H5P_DEFAULT));
}

void write_attribute(const std::string& path, hid_t object, const std::string& name, hid_t type,
                     const void* value) {
  const H5Attribute attribute = attribute_for(path, object, name, type);
  h5_call(path, "H5Awrite", H5Awrite, attribute.get(), type, value);
}

std::string take_variable_text(char* text) {
  std::string copy = text == nullptr ? "" : text;
  H5free_memory(text);
  return copy;
}

std::string attribute_text(const std::string& path, hid_t attribute) {
  const H5Type type(h5_call(path, "H5Aget_type", H5Aget_type, attribute));
  switch (H5Tget_class(type.get())) {
    case H5T_INTEGER: {
      std::int64_t value = 0;
      h5_call(path, "H5Aread", H5Aread, attribute, H5T_NATIVE_INT64, static_cast<void*>(&value));
      return fmt::format("{}", value);
    }
    case H5T_FLOAT: {
      double value = 0;
      h5_call(path, "H5Aread", H5Aread, attribute, H5T_NATIVE_DOUBLE, static_cast<void*>(&value));
      return fmt::format("{}", value);
    }
    case H5T_STRING: {
      if (H5Tis_variable_str(type.get()) > 0) {
        char* text = nullptr;
        h5_call(path, "H5Aread", H5Aread, attribute, type.get(), static_cast<void*>(&text));
        return take_variable_text(text);
      }
      std::vector<std::byte> text(H5Tget_size(type.get()));
      h5_call(path, "H5Aread", H5Aread, attribute, type.get(), static_cast<void*>(text.data()));
      return decode_text(text.data(), text.size());
    }
    default:
      return "";
  }
}

/// For a single text, which is a pointer to convert. By default HDF5 clears a buffer of 1 MB for
/// it.
H5Properties small_transfer(const std::string& path) {
  constexpr std::size_t kBytes = 4096;
  H5Properties transfer(h5_call(path, "H5Pcreate", H5Pcreate, H5P_DATASET_XFER));
  h5_call(path, "H5Pset_buffer", H5Pset_buffer, transfer.get(), kBytes, static_cast<void*>(nullptr),
          static_cast<void*>(nullptr));
  return transfer;
}

struct AttributeTexts {
  const std::string& path;
  std::map<std::string, std::string> texts;
  std::exception_ptr error;  ///< no exception may pass through HDF5
};

herr_t add_attribute(hid_t object, const char* name, const H5A_info_t*, void* data) {
  auto& all = *static_cast<AttributeTexts*>(data);
  try {
    const H5Attribute attribute(h5_call(all.path, "H5Aopen", H5Aopen, object, name, H5P_DEFAULT));
    all.texts[name] = attribute_text(all.path, attribute.get());
    return 0;
  } catch (...) {
    all.error = std::current_exception();
    return 1;  // stops the iteration
  }
}

}  // namespace

H5Type variable_text_type(const std::string& path) {
  H5Type type(h5_call(path, "H5Tcopy", H5Tcopy, H5T_C_S1));
  h5_call(path, "H5Tset_size", H5Tset_size, type.get(), H5T_VARIABLE);
  h5_call(path, "H5Tset_cset", H5Tset_cset, type.get(), H5T_CSET_UTF8);
  return type;
}

H5Type fixed_text_type(const std::string& path, std::size_t width) {
  H5Type type(h5_call(path, "H5Tcopy", H5Tcopy, H5T_C_S1));
  h5_call(path, "H5Tset_size", H5Tset_size, type.get(), width);
  h5_call(path, "H5Tset_strpad", H5Tset_strpad, type.get(), H5T_STR_NULLPAD);
  h5_call(path, "H5Tset_cset", H5Tset_cset, type.get(), H5T_CSET_UTF8);
  return type;
}

void write_text_list(const std::string& path, hid_t object, const std::string& name,
                     const std::vector<std::string>& texts) {
  std::vector<const char*> pointers;
  for (const auto& text : texts) pointers.push_back(text.c_str());
  const hsize_t count = pointers.size();
  const H5Space space(h5_call(path, "H5Screate_simple", H5Screate_simple, 1, &count, nullptr));
  const H5Type type = variable_text_type(path);
  const H5Attribute attribute(h5_call(path, "H5Acreate2", H5Acreate2, object, name.c_str(),
                                      type.get(), space.get(), H5P_DEFAULT, H5P_DEFAULT));
  h5_call(path, "H5Awrite", H5Awrite, attribute.get(), type.get(),
          static_cast<const void*>(pointers.data()));
}

H5File H5File::create(const std::string& path, const std::string& known_as) {
  const H5Properties access = access_properties(path);
  keep_metadata_until_flush(path, access.get());
  const H5Properties creation = creation_properties(path);
  H5File file(known_as.empty() ? path : known_as,
              H5FileHandle(h5_call(path, "H5Fcreate", H5Fcreate, path.c_str(), H5F_ACC_TRUNC,
                                   creation.get(), access.get())));
  // The file itself has an early format (superblock 2) without the "open for writing" mark, which
  // would outlive a killed writer. Its objects have the format of HDF5 1.10. The chunk index of
  // that format only grows, so no append rewrites the path to older rows.
  h5_call(path, "H5Fset_libver_bounds", H5Fset_libver_bounds, file.id(), H5F_LIBVER_V110,
          H5F_LIBVER_V110);
  return file;
}

H5File H5File::open_read_only(const std::string& path) {
  const H5Properties access = access_properties(path);
  if (read_checksums(path)) use_checked_driver(path, access.get());
  return {path, H5FileHandle(
                    h5_call(path, "H5Fopen", H5Fopen, path.c_str(), H5F_ACC_RDONLY, access.get()))};
}

void H5File::create_group(const std::string& name) const {
  using Group = H5Handle<H5Gclose>;
  const Group group(h5_call(path_, "H5Gcreate2", H5Gcreate2, id(), name.c_str(), H5P_DEFAULT,
                            H5P_DEFAULT, H5P_DEFAULT));
}

void H5File::write_text(const std::string& name, const std::string& text) {
  const H5Type type = variable_text_type(path_);
  const H5Space space = scalar(path_);
  const H5Dataset dataset(h5_call(path_, "H5Dcreate2", H5Dcreate2, id(), name.c_str(), type.get(),
                                  space.get(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
  const char* pointer = text.c_str();
  const H5Properties transfer = small_transfer(path_);
  h5_call(path_, "H5Dwrite", H5Dwrite, dataset.get(), type.get(), H5S_ALL, H5S_ALL, transfer.get(),
          static_cast<const void*>(&pointer));
}

std::string H5File::read_text(const std::string& name) const {
  const H5Dataset dataset(h5_call(path_, "H5Dopen2", H5Dopen2, id(), name.c_str(), H5P_DEFAULT));
  const H5Type type = variable_text_type(path_);
  char* text = nullptr;
  const H5Properties transfer = small_transfer(path_);
  h5_call(path_, "H5Dread", H5Dread, dataset.get(), type.get(), H5S_ALL, H5S_ALL, transfer.get(),
          static_cast<void*>(&text));
  return take_variable_text(text);
}

bool H5File::contains(const std::string& name) const {
  return h5_call(path_, "H5Lexists", H5Lexists, id(), name.c_str(), H5P_DEFAULT) > 0;
}

void H5File::set_attribute(const std::string& name, const std::string& value) {
  const H5Type type = variable_text_type(path_);
  const char* pointer = value.c_str();
  write_attribute(path_, id(), name, type.get(), static_cast<const void*>(&pointer));
}

void H5File::set_attribute(const std::string& name, double value) {
  write_attribute(path_, id(), name, H5T_IEEE_F64LE, &value);
}

void H5File::set_attribute(const std::string& name, std::int64_t value) {
  write_attribute(path_, id(), name, H5T_STD_I64LE, &value);
}

void H5File::set_fixed_text(const std::string& name, const std::string& value, std::size_t width) {
  const H5Type type = fixed_text_type(path_, width);
  std::vector<std::byte> bytes(width);
  encode_text(value, bytes.data(), width);
  write_attribute(path_, id(), name, type.get(), bytes.data());
}

std::map<std::string, std::string> H5File::attributes() const {
  AttributeTexts all{path_, {}, nullptr};
  h5_call(path_, "H5Aiterate2", H5Aiterate2, id(), H5_INDEX_NAME, H5_ITER_NATIVE,
          static_cast<hsize_t*>(nullptr), &add_attribute, static_cast<void*>(&all));
  if (all.error != nullptr) std::rethrow_exception(all.error);
  return std::move(all.texts);
}

void H5File::flush() {
  h5_call(path_, "H5Fflush", H5Fflush, id(), H5F_SCOPE_GLOBAL);
}

void H5File::close() {
  if (!file_) return;
  flush();
  file_.reset();
}

}  // namespace mimus::results
