// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduler/books/arrival_order.hpp"

#include <tuple>

#include "scheduler/books/job_table.hpp"

namespace mimus::scheduler {
namespace {

bool is_earlier(const JobRecord& a, const JobRecord& b) {
  return std::tie(a.view.arrival, a.view.id) < std::tie(b.view.arrival, b.view.id);
}

}  // namespace

void ArrivalOrder::add(JobRecord& job) {
  std::size_t place = places_.size();
  while (place > 0 && (places_[place - 1] == nullptr || is_earlier(job, *places_[place - 1]))) {
    --place;
  }
  places_.insert(places_.begin() + static_cast<std::ptrdiff_t>(place), &job);
  for (; place < places_.size(); ++place) {
    if (places_[place] != nullptr) places_[place]->arrival_place = place;
  }
}

void ArrivalOrder::remove(JobRecord& job) {
  places_[job.arrival_place] = nullptr;
  ++gaps_;
  for (; !places_.empty() && places_.back() == nullptr; --gaps_) places_.pop_back();
  if (gaps_ > places_.size() / 2) close_gaps();
}

void ArrivalOrder::close_gaps() {
  std::erase(places_, nullptr);
  gaps_ = 0;
  for (std::size_t place = 0; place < places_.size(); ++place) {
    places_[place]->arrival_place = place;
  }
}

}  // namespace mimus::scheduler
