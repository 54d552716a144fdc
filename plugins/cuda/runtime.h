// SPDX-License-Identifier: Apache-2.0
// Devices, their memory and their queues. Two implementations: device/runtime.cu over the CUDA
// runtime, which needs the driver alone, and emulated/runtime.cpp, whose memory nothing but queued
// work can touch.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "plugin_abi.h"
#include "queue.h"

namespace lapidary::cuda::runtime {

/// Names of this build: "cuda" or "cuda_emulated", and what ONNX Runtime calls it or null.
extern const char* const provider_name;
extern const char* const ort_name;
extern const char* const about;
/// True where nodes are worth placing whatever they cost: there is no device whose speed would
/// matter.
extern const bool takes_all;
/// True where libraries of NVIDIA's are looked for; else only those are opened that are named.
extern const bool finds_libraries;

/// Launches that are timed together, or more, where kernels are measured beside each other; fewer
/// where they would take longer than so many microseconds.
extern const int timed_launches;
extern const double longest_timed_us;

/// Launches that measure what the device reaches at most: blocks that fill it, memory far larger
/// than its caches.
struct PeakSize {
    int blocks = 0;
    std::uint64_t memory_bytes = 0;
};
extern const PeakSize peak_size;
/// True where what it reaches is kept in the user's cache unless another file is named.
extern const bool keeps_peaks;

struct DeviceFacts {
    std::string id, name, architecture, driver, unusable;
    std::uint64_t memory_bytes = 0;
    std::uint64_t cache_bytes = 0;  // of the cache between its memory and all its multiprocessors
};

/// 0 devices, and why in `note`, where there is no driver or no device. Never throws.
std::uint32_t count_devices(std::string& note);
DeviceFacts device_facts(std::uint32_t device);
/// Kernels for compute capability 9.0 alone run there.
bool has_hopper(std::uint32_t device);
/// Queue::overlaps may be set there.
bool can_overlap(std::uint32_t device);
/// Of a library that queues work on streams by itself, once it is opened.
void prepare_library(void* library);
/// What a copy costs, estimated.
double copy_ns(std::uint64_t bytes);

/// Throws DeviceError.
void* allocate(std::uint32_t device, std::uint64_t bytes);
/// After work that is queued anywhere.
void release(std::uint32_t device, void* data) noexcept;

/// Kernels and copies on the device that were captured, to be queued again as a whole.
class Recording {
public:
    virtual ~Recording() = default;
};

/// Work in order. Calls come from several threads, one at a time for what must stay in order.
class Stream {
public:
    virtual ~Stream() = default;  // waits for what is queued
    /// Returns when `from` may change. `is_beside`: nothing that is queued touches `to`, so that
    /// the copy may go beside it; what is queued later comes after the copy.
    virtual void upload(void* to, const void* from, std::uint64_t bytes, bool is_beside) = 0;
    /// Returns when `to` is written.
    virtual void download(void* to, const void* from, std::uint64_t bytes) = 0;
    virtual void copy_within(void* to, const void* from, std::uint64_t bytes) = 0;
    virtual void wait() = 0;
    /// From here to end_capture() kernels and copies on the device are recorded and not done;
    /// whatever else is asked of the stream throws DeviceError. After drop_capture() it is as if
    /// nothing had been recorded.
    virtual void begin_capture() = 0;
    virtual std::unique_ptr<Recording> end_capture() = 0;
    virtual void drop_capture() noexcept = 0;
    virtual void replay(const Recording& recording) = 0;
    /// How long the newest replay took there, after wait(); 0: there is none, or it is not known.
    virtual std::int64_t newest_replay_ns() = 0;
    /// The work of one call lies between begin() and end(). After wait(), newest() returns when
    /// that of the calling thread ran.
    virtual void begin() = 0;
    virtual bool end() = 0;  // true: that itself is work to wait for
    virtual LpTime newest() = 0;
    /// By how much those times may be off the host's clock.
    virtual std::int64_t clock_error_ns() const = 0;
    Queue& queue() { return queue_; }

protected:
    Queue queue_;
};

/// `order`: of the emulated device's threads, 0: as they are numbered. Throws DeviceError.
std::unique_ptr<Stream> make_stream(std::uint32_t device, const LpHost& host, std::uint32_t order);

}  // namespace lapidary::cuda::runtime
