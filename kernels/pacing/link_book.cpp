// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/pacing/link_book.hpp"

#include <algorithm>
#include <cmath>
#include <mutex>

#include <fmt/format.h>

#include "base/error.hpp"

namespace mimus::kernels {
namespace {

constexpr std::size_t kWordBits = 64;
constexpr std::size_t kLine = 64;  // bytes

std::size_t words_for(int links) {
  return (static_cast<std::size_t>(links) + kWordBits - 1) / kWordBits;
}

std::size_t whole_lines(std::size_t bytes) {
  return (bytes + kLine - 1) / kLine * kLine;
}

std::int64_t clock_ns(WallInstant instant) {
  return instant.time_since_epoch().count();
}

WallInstant at_ns(std::int64_t ns) {
  return WallInstant{Duration{ns}};
}

/// Of one channel.
std::size_t channel_bytes(std::size_t head, int links) {
  return whole_lines(head + 8 * words_for(links) + 8 * static_cast<std::size_t>(links));
}

}  // namespace

std::size_t LinkBook::bytes_needed(int channels, int links) {
  return whole_lines(sizeof(Header)) +
         static_cast<std::size_t>(channels) * channel_bytes(sizeof(Channel), links);
}

LinkBook::LinkBook(std::span<std::byte> memory, int channels, int links)
    : count_(channels),
      link_count_(links),
      header_(static_cast<Header*>(static_cast<void*>(memory.data()))),
      channels_(memory.data() + whole_lines(sizeof(Header))),
      lock_(header_->lock) {
  ensure(memory.size() >= bytes_needed(channels, links), "a book of links is too small");
}

LinkBook::Channel& LinkBook::channel(int slot) const {
  const std::size_t each = channel_bytes(sizeof(Channel), link_count_);
  void* at = channels_ + static_cast<std::size_t>(slot) * each;
  return *static_cast<Channel*>(at);
}

std::uint64_t* LinkBook::links(int slot) const {
  void* behind = &channel(slot) + 1;
  return static_cast<std::uint64_t*>(behind);
}

double* LinkBook::loads(int slot) const {
  void* behind = links(slot) + words_for(link_count_);
  return static_cast<double*>(behind);
}

LinkBook::Channel* LinkBook::find(const Handle& handle) const {
  if (handle.slot < 0) return nullptr;
  Channel& found = channel(handle.slot);
  return found.open != 0 && found.name == handle.name ? &found : nullptr;
}

LinkBook::Channel* LinkBook::find(const ChannelName& name) const {
  for (int slot = 0; slot < header_->used; ++slot) {
    if (Channel* found = find(Handle{slot, name})) return found;
  }
  return nullptr;
}

bool LinkBook::uses(int slot, int link) const {
  const auto at = static_cast<std::size_t>(link);
  return (links(slot)[at / kWordBits] >> (at % kWordBits) & 1U) != 0;
}

std::vector<LinkUse> LinkBook::links_of(int slot) const {
  std::vector<LinkUse> found;
  for (int link = 0; link < link_count_; ++link) {
    if (uses(slot, link)) found.push_back({link, loads(slot)[link]});
  }
  return found;
}

bool LinkBook::meet(int one, int other) const {
  for (std::size_t word = 0; word < words_for(link_count_); ++word) {
    if ((links(one)[word] & links(other)[word]) != 0) return true;
  }
  return false;
}

bool LinkBook::uses_any(int slot) const {
  return std::any_of(links(slot), links(slot) + words_for(link_count_),
                     [](std::uint64_t word) { return word != 0; });
}

int LinkBook::free_slot() const {
  for (int slot = 0; slot < count_; ++slot) {
    if (channel(slot).open == 0) return slot;
  }
  throw InternalError(fmt::format("all {} channels of a book of links are open", count_));
}

void LinkBook::make(int slot, const ChannelSpec& spec) {
  Channel& made = channel(slot);
  made = Channel{};
  made.name = spec.name;
  made.members = spec.members;
  std::fill_n(links(slot), words_for(link_count_), 0);
  for (const LinkUse& use : spec.links) {
    const auto at = static_cast<std::size_t>(use.link);
    links(slot)[at / kWordBits] |= std::uint64_t{1} << (at % kWordBits);
    loads(slot)[at] = use.load;
  }
  made.open = 1;
  header_->used = std::max(header_->used, slot + 1);
}

LinkBook::Handle LinkBook::open(const ChannelSpec& spec) {
  const std::lock_guard guard(lock_);
  for (int slot = 0; slot < header_->used; ++slot) {
    if (find({slot, spec.name}) != nullptr) return {slot, spec.name};
  }
  const int slot = free_slot();
  make(slot, spec);
  if (!spec.links.empty()) note_sharing();
  return {slot, spec.name};
}

void LinkBook::close(const Handle& handle) noexcept {
  const std::lock_guard guard(lock_);
  if (Channel* found = find(handle)) {
    found->open = 0;
    if (uses_any(handle.slot)) note_sharing();
  }
}

void LinkBook::busy_from(const ChannelName& group, WallInstant at) noexcept {
  const std::lock_guard guard(lock_);
  if (Channel* found = find(group)) found->quiet = std::min(found->quiet, clock_ns(at));
}

void LinkBook::follow(const ChannelName& group, const ChannelName& before) noexcept {
  const std::lock_guard guard(lock_);
  if (Channel* found = find(group)) {
    found->follows = 1;
    found->before = before;
  }
}

void LinkBook::note_sharing() noexcept {
  for (int slot = 0; slot < header_->used; ++slot) {
    channel(slot).is_shared = 0;
    for (int other = 0; other < header_->used && channel(slot).open != 0; ++other) {
      if (other != slot && channel(other).open != 0 && meet(slot, other)) {
        channel(slot).is_shared = 1;
      }
    }
  }
}

void LinkBook::quiet_until(const Handle& handle, WallInstant at) noexcept {
  const std::lock_guard guard(lock_);
  if (Channel* found = find(handle)) found->quiet = std::max(found->quiet, clock_ns(at));
}

void LinkBook::announce(const Handle& handle, WallInstant ready, const SoloTime& solo) {
  const std::lock_guard guard(lock_);
  Channel* found = find(handle);
  if (found == nullptr) return;  // the group is lost, and this member has not heard of it
  found->ready = std::max(found->ready, clock_ns(ready));
  if (++found->announced < found->members) return;
  found->active = 1;
  found->begin = found->position = std::max(found->ready, found->end) + solo.latency.count();
  found->remaining = static_cast<double>(solo.on_links.count());
}

LinkFlow LinkBook::flow_of(int slot) const {
  const Channel& from = channel(slot);
  return {.channel = slot,
          .links = links_of(slot),
          .begin = from.begin,
          .position = from.position,
          .remaining = from.remaining};
}

/// All transfers under way on links that other groups use, too.
std::vector<LinkFlow> LinkBook::flows() const {
  std::vector<LinkFlow> found;
  for (int slot = 0; slot < header_->used; ++slot) {
    const Channel& one = channel(slot);
    if (one.open != 0 && one.is_shared != 0 && one.active != 0) found.push_back(flow_of(slot));
  }
  return found;
}

/// The earliest instant at which an idle channel may begin a transfer. A transfer needs all
/// members, so the last one to be ready decides.
std::int64_t LinkBook::least_begin_of_idle() const {
  std::int64_t least = INT64_MAX;
  for (int slot = 0; slot < header_->used; ++slot) {
    const Channel& one = channel(slot);
    if (one.open == 0 || one.is_shared == 0 || one.active != 0) continue;
    least = std::min(least, least_begin(one));
  }
  return least;
}

std::int64_t LinkBook::least_begin(const Channel& idle) const {
  const Channel* before = idle.follows != 0 ? find(idle.before) : nullptr;
  if (before == nullptr) return idle.least_begin();
  return before->active != 0 ? least_end(*before) : before->least_begin();
}

/// Not before the first of the flows that move, for one of them.
std::int64_t LinkBook::least_end(const Channel& active) const {
  if (active.is_shared != 0) return INT64_MAX;
  return active.position + static_cast<std::int64_t>(std::ceil(active.remaining));
}

void LinkBook::end_transfer(Channel& channel, std::int64_t at) {
  channel.active = 0;
  channel.announced = 0;
  channel.ready = 0;
  channel.end = at;
  ++channel.ended;
}

/// Ends the transfers whose ends are final, earliest first, because their groups may begin others.
/// Ends to come are not: another group may open a channel before.
void LinkBook::settle(WallInstant now) {
  while (true) {
    std::vector<LinkFlow> moving = flows();
    if (moving.empty()) return;
    const std::int64_t end = move_to_first_end(moving, link_count_);
    if (end > std::min(least_begin_of_idle(), clock_ns(now))) return;
    for (const LinkFlow& flow : moving) {
      Channel& moved = channel(flow.channel);
      moved.position = flow.position;
      moved.remaining = flow.remaining;
      if (flow.end == end) end_transfer(moved, end);
    }
  }
}

LinkBook::Transfer LinkBook::look(const Handle& handle, std::int64_t number, WallInstant now) {
  const std::lock_guard guard(lock_);
  Channel* found = find(handle);
  if (found == nullptr) return {};
  if (found->is_shared != 0 && found->ended < number) settle(now);
  if (found->ended >= number) return {true, true, at_ns(found->end)};
  if (found->active == 0) return {false, false, at_ns(found->least_begin())};
  if (found->is_shared != 0) return shared_transfer(handle.slot);
  const std::int64_t end = found->position + static_cast<std::int64_t>(std::ceil(found->remaining));
  if (end <= clock_ns(now)) end_transfer(*found, end);
  return {true, end <= clock_ns(now), at_ns(end)};
}

LinkBook::Transfer LinkBook::shared_transfer(int slot) {
  std::vector<LinkFlow> moving = flows();
  move_to_all_ends(moving, link_count_);
  const auto own = std::find_if(moving.begin(), moving.end(),
                                [slot](const LinkFlow& flow) { return flow.channel == slot; });
  return {true, false, at_ns(own->end)};
}

bool LinkBook::is_shared(const Handle& handle) const {
  const std::lock_guard guard(lock_);
  const Channel* found = find(handle);
  return found != nullptr && found->is_shared != 0;
}

void LinkBook::forget_gpu(int gpu) noexcept {
  const std::lock_guard guard(lock_);
  for (int slot = 0; slot < header_->used; ++slot) {
    if (uses(slot, gpu)) channel(slot).open = 0;
  }
  note_sharing();
}

void LinkBook::reset() noexcept {
  const std::lock_guard guard(lock_);
  for (int slot = 0; slot < header_->used; ++slot) channel(slot).open = 0;
}

}  // namespace mimus::kernels
