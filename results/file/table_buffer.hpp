// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "results/file/h5_table.hpp"

namespace mimus::results {

/// Collects encoded rows of one table and writes them a chunk at a time.
template <class Row>
class TableBuffer {
 public:
  explicit TableBuffer(const H5File& file) : writer_(file, table_of<Row>().info()) {}

  void add(const Row& row) {
    // An earlier write failed, e.g. on a full disk. While it fails there is no room for more rows.
    if (count_ == room_) write();
    // Most files leave several tables empty.
    if (records_.empty()) records_.resize(writer_.chunk_rows() * record_bytes());
    truncated_ += table_of<Row>().encode(row, records_.data() + count_ * record_bytes());
    ++count_;
    if (count_ == room_) write();
  }

  /// Hands the collected rows to HDF5.
  void write() {
    if (count_ == 0) return;
    writer_.append(records_.data(), count_);
    count_ = 0;
    // Up to the end of the current chunk, so that no write touches two chunks.
    room_ = writer_.chunk_rows() - writer_.rows() % writer_.chunk_rows();
  }

  /// To be called between the two flushes of the file; see H5TableWriter.
  void commit() { writer_.commit(truncated_); }

 private:
  [[nodiscard]] static std::size_t record_bytes() { return table_of<Row>().info().record_bytes; }

  H5TableWriter writer_;
  std::vector<std::byte> records_;
  std::size_t count_ = 0;
  std::size_t room_ = writer_.chunk_rows();
  std::int64_t truncated_ = 0;
};

/// A small table that is rewritten as a whole whenever its rows have changed.
template <class Row>
class TableSnapshot {
 public:
  explicit TableSnapshot(const H5File& file) : writer_(file, table_of<Row>().info()) {}

  /// The rows now; never fewer than before.
  void write(const std::vector<Row>& rows) {
    const std::size_t bytes = table_of<Row>().info().record_bytes;
    std::vector<std::byte> records(rows.size() * bytes);
    std::int64_t truncated = 0;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      truncated += table_of<Row>().encode(rows[i], records.data() + i * bytes);
    }
    if (records == records_) return;
    writer_.overwrite(records.data(), rows.size());
    records_ = std::move(records);
    truncated_ = truncated;
  }

  /// To be called between the two flushes of the file; see H5TableWriter.
  void commit() { writer_.commit(truncated_); }

 private:
  H5TableWriter writer_;
  std::vector<std::byte> records_;
  std::int64_t truncated_ = 0;
};

}  // namespace mimus::results
