// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/trace/kernel_activity.hpp"

#include <array>
#include <memory>
#include <mutex>
#include <new>
#include <vector>

#include <fmt/format.h>

#include "base/error.hpp"
#include "kernels/cuda/trace/cupti_functions.hpp"

namespace mimus::kernels::cuda {
namespace {

// CUPTI writes records of its own version, even if it was built with older headers. Later
// structures only append to earlier ones. Every libcupti since CUDA 11 therefore has the members
// read here: kind, start, end, streamId, name, bytes and copyKind. These are the oldest structures
// that the headers of CUDA 12.0 and later declare. The newest kernel record is that of 13.0.
using KernelRecord = CUpti_ActivityKernel8;
using MemcpyRecord = CUpti_ActivityMemcpy5;
using MemsetRecord = CUpti_ActivityMemset4;
static_assert(offsetof(KernelRecord, start) == 16 && offsetof(KernelRecord, end) == 24 &&
              offsetof(KernelRecord, streamId) == 48 && offsetof(KernelRecord, name) == 104);
static_assert(offsetof(MemcpyRecord, copyKind) == 4 && offsetof(MemcpyRecord, bytes) == 8 &&
              offsetof(MemcpyRecord, start) == 16 && offsetof(MemcpyRecord, streamId) == 40);
static_assert(offsetof(MemsetRecord, bytes) == 8 && offsetof(MemsetRecord, start) == 16 &&
              offsetof(MemsetRecord, streamId) == 40);

/// CONCURRENT_KERNEL, because KERNEL would run one kernel at a time while tracing.
constexpr std::array kKinds{CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL, CUPTI_ACTIVITY_KIND_MEMCPY,
                            CUPTI_ACTIVITY_KIND_MEMSET};
constexpr std::size_t kBufferBytes = std::size_t{1} << 20;

const char* copy_name(std::uint8_t kind) {
  switch (kind) {
    case CUPTI_ACTIVITY_MEMCPY_KIND_HTOD:
      return "memcpy HtoD";
    case CUPTI_ACTIVITY_MEMCPY_KIND_DTOH:
      return "memcpy DtoH";
    case CUPTI_ACTIVITY_MEMCPY_KIND_DTOD:
      return "memcpy DtoD";
    case CUPTI_ACTIVITY_MEMCPY_KIND_HTOH:
      return "memcpy HtoH";
    case CUPTI_ACTIVITY_MEMCPY_KIND_PTOP:
      return "memcpy PtoP";
    default:
      return "memcpy";
  }
}

/// The state of CUPTI's callbacks, to which we cannot pass an argument.
class Tracer {
 public:
  explicit Tracer(const std::string& library)
      : library_(SharedLibrary::open_first(
            library.empty()
                ? std::vector<std::string>{"libcupti.so.13", "libcupti.so.12", "libcupti.so"}
                : std::vector<std::string>{library})) {
    if (!library_.is_open()) {
      throw EnvironmentError(fmt::format(
          "kernels cannot be traced: CUPTI cannot be loaded ({}); add the folder of libcupti.so of "
          "the CUDA toolkit to LD_LIBRARY_PATH",
          library_.reason()));
    }
    cupti_ = load_cupti(library_);
  }

  void start(const KernelActivity::Limits& limits);
  [[nodiscard]] ActivityTrace stop();

  void give_buffer(std::uint8_t** buffer, std::size_t* size);
  void take_buffer(CUcontext context, std::uint32_t stream, std::uint8_t* buffer,
                   std::size_t valid);
  void note_lost_record();

 private:
  [[nodiscard]] ClockPair read_clocks() const;
  void disable(std::size_t kinds);
  void read_records(std::uint8_t* buffer, std::size_t valid);
  void read_record(const CUpti_Activity* record);

  SharedLibrary library_;
  CuptiFunctions cupti_;
  std::mutex mutex_;  // callbacks run on CUPTI's thread and on the caller's
  bool is_active_ = false;
  ClockPair began_{};
  ActivityLog log_{0};
  std::size_t max_buffers_ = 0;
  std::vector<std::unique_ptr<std::uint8_t[]>> buffers_;  // owns all buffers
  std::vector<std::uint8_t*> free_buffers_;
};

Tracer* the_tracer = nullptr;

extern "C" void CUPTIAPI mimus_cupti_buffer_requested(std::uint8_t** buffer, std::size_t* size,
                                                      std::size_t* max_records) {
  *max_records = 0;   // as many as fit
  *buffer = nullptr;  // without a buffer CUPTI drops records and counts them
  *size = 0;
  try {
    the_tracer->give_buffer(buffer, size);
  } catch (const std::bad_alloc&) {  // must not pass through CUPTI
  }
}

extern "C" void CUPTIAPI mimus_cupti_buffer_completed(CUcontext context, std::uint32_t stream,
                                                      std::uint8_t* buffer, std::size_t /*size*/,
                                                      std::size_t valid) {
  try {
    the_tracer->take_buffer(context, stream, buffer, valid);
  } catch (const std::bad_alloc&) {  // must not pass through CUPTI
    the_tracer->note_lost_record();
  }
}

/// Made once and never destroyed, because CUPTI flushes from its own thread until the process ends.
Tracer& tracer(const std::string& library = "") {
  static std::mutex mutex;
  const std::lock_guard lock(mutex);
  if (the_tracer == nullptr) the_tracer = std::make_unique<Tracer>(library).release();
  return *the_tracer;
}

void Tracer::start(const KernelActivity::Limits& limits) {
  {
    const std::lock_guard lock(mutex_);
    ensure(!is_active_, "a trace of kernels was started while another was running");
    is_active_ = true;
    log_ = ActivityLog{limits.activities};
    max_buffers_ = limits.buffers;
  }
  std::size_t enabled = 0;
  try {
    check_cupti(
        cupti_,
        cupti_.register_callbacks(&mimus_cupti_buffer_requested, &mimus_cupti_buffer_completed),
        "cuptiActivityRegisterCallbacks");
    began_ = read_clocks();
    for (; enabled < kKinds.size(); ++enabled) {
      check_cupti(cupti_, cupti_.enable(kKinds[enabled]), "cuptiActivityEnable");
    }
  } catch (...) {
    disable(enabled);
    const std::lock_guard lock(mutex_);
    is_active_ = false;
    throw;
  }
}

void Tracer::disable(std::size_t kinds) {
  for (std::size_t i = 0; i < kinds; ++i) (void)cupti_.disable(kKinds[i]);
}

ActivityTrace Tracer::stop() {
  disable(kKinds.size());
  // Forced, so that CUPTI also hands back buffers with incomplete records.
  const CUptiResult flushed = cupti_.flush_all(CUPTI_ACTIVITY_FLAG_FLUSH_FORCED);
  std::size_t dropped = 0;
  if (cupti_.dropped_records(nullptr, 0, &dropped) != CUPTI_SUCCESS) dropped = 0;
  const std::lock_guard lock(mutex_);
  is_active_ = false;
  log_.add_dropped(dropped);
  auto trace = log_.take(began_, read_clocks());
  check_cupti(cupti_, flushed, "cuptiActivityFlushAll");
  return trace;
}

ClockPair Tracer::read_clocks() const {
  ClockPair pair;
  check_cupti(cupti_, cupti_.timestamp(&pair.device), "cuptiGetTimestamp");
  pair.host = wall_now();
  return pair;
}

void Tracer::give_buffer(std::uint8_t** buffer, std::size_t* size) {
  const std::lock_guard lock(mutex_);
  if (free_buffers_.empty()) {
    if (buffers_.size() >= max_buffers_) return;
    free_buffers_.reserve(max_buffers_);  // so that taking a buffer back cannot fail
    buffers_.push_back(std::make_unique<std::uint8_t[]>(kBufferBytes));
    free_buffers_.push_back(buffers_.back().get());
  }
  *buffer = free_buffers_.back();
  *size = kBufferBytes;
  free_buffers_.pop_back();
}

void Tracer::take_buffer(CUcontext context, std::uint32_t stream, std::uint8_t* buffer,
                         std::size_t valid) {
  std::size_t dropped = 0;
  if (cupti_.dropped_records(context, stream, &dropped) != CUPTI_SUCCESS) dropped = 0;
  const std::lock_guard lock(mutex_);
  free_buffers_.push_back(buffer);  // it cannot be taken before the lock is released
  if (!is_active_) return;
  log_.add_dropped(dropped);
  read_records(buffer, valid);
}

void Tracer::note_lost_record() {
  const std::lock_guard lock(mutex_);
  log_.add_dropped(1);
}

void Tracer::read_records(std::uint8_t* buffer, std::size_t valid) {
  CUpti_Activity* record = nullptr;
  while (cupti_.next_record(buffer, valid, &record) == CUPTI_SUCCESS) read_record(record);
}

void Tracer::read_record(const CUpti_Activity* record) {
  switch (record->kind) {
    case CUPTI_ACTIVITY_KIND_KERNEL:
    case CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL: {
      const auto* kernel = reinterpret_cast<const KernelRecord*>(record);
      log_.add_kernel(kernel->name, kernel->streamId, kernel->start, kernel->end);
      break;
    }
    case CUPTI_ACTIVITY_KIND_MEMCPY: {
      const auto* copy = reinterpret_cast<const MemcpyRecord*>(record);
      log_.add_memory(copy_name(copy->copyKind), KernelClass::copy, copy->streamId, copy->start,
                      copy->end, copy->bytes);
      break;
    }
    case CUPTI_ACTIVITY_KIND_MEMSET: {
      const auto* set = reinterpret_cast<const MemsetRecord*>(record);
      log_.add_memory("memset", KernelClass::memset, set->streamId, set->start, set->end,
                      set->bytes);
      break;
    }
    default:
      break;
  }
}

}  // namespace

KernelActivity::KernelActivity(Limits limits, const std::string& library) : limits_(limits) {
  (void)tracer(library);
}

KernelActivity::~KernelActivity() {
  if (!is_running_) return;
  try {
    (void)tracer().stop();
  } catch (const Error&) {  // this trace is no longer needed
  }
}

void KernelActivity::start() {
  tracer().start(limits_);
  is_running_ = true;
}

ActivityTrace KernelActivity::stop() {
  ensure(is_running_, "a trace of kernels was stopped that had not been started");
  is_running_ = false;
  return tracer().stop();
}

}  // namespace mimus::kernels::cuda
