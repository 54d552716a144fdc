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

/// Names of the provider in this build: "cuda" or "cuda_emulated", and ONNX Runtime's name for it
/// or null.
extern const char* const provider_name;
extern const char* const ort_name;
extern const char* const about;
/// True where every supported node is placed on the device whatever it costs: on the emulated
/// device speed does not matter.
extern const bool takes_all;
/// True where NVIDIA's libraries are searched for; otherwise only named ones are opened.
extern const bool finds_libraries;

/// Launches that are timed together, at least, where variants are compared; fewer where they would
/// take longer than longest_timed_us.
extern const int timed_launches;
extern const double longest_timed_us;

/// Sizes of the launches that measure peak rates: blocks that fill the device, memory much larger
/// than its caches.
struct PeakSize {
    int blocks = 0;
    std::uint64_t memory_bytes = 0;
};
extern const PeakSize peak_size;
/// True where the peak rates are kept in the user's cache folder unless another file is named.
extern const bool keeps_peaks;

struct DeviceFacts {
    std::string id, name, architecture, driver, unusable;
    std::uint64_t memory_bytes = 0;
    std::uint64_t cache_bytes = 0;  // of the device's L2 cache
};

/// The number of devices. 0, with the reason in `note`, where there is no driver or no device.
/// Never throws.
std::uint32_t count_devices(std::string& note);
DeviceFacts device_facts(std::uint32_t device);
/// Whether the device runs kernels for compute capability 9.0.
bool has_hopper(std::uint32_t device);
/// Whether Queue::overlaps may be set for the device.
bool can_overlap(std::uint32_t device);
/// Call once after opening a library that queues work on streams by itself.
void prepare_library(void* library);
/// The estimated time of a copy.
double copy_ns(std::uint64_t bytes);

/// Throws DeviceError.
void* allocate(std::uint32_t device, std::uint64_t bytes);
/// Frees the memory after all queued work has ended.
void release(std::uint32_t device, void* data) noexcept;

/// Captured kernels and copies on the device, which can be queued again as a whole.
class Recording {
public:
    virtual ~Recording() = default;
};

/// Work in order. Calls come from several threads, one at a time for what must stay in order.
class Stream {
public:
    virtual ~Stream() = default;  // waits for what is queued
    /// Returns when `from` may change. `is_beside`: queued work does not touch `to`, so the copy
    /// may run beside it. Work that is queued later waits for the copy.
    virtual void upload(void* to, const void* from, std::uint64_t bytes, bool is_beside) = 0;
    /// Returns when `to` is written.
    virtual void download(void* to, const void* from, std::uint64_t bytes) = 0;
    virtual void copy_within(void* to, const void* from, std::uint64_t bytes) = 0;
    virtual void wait() = 0;
    /// From here to end_capture() kernels and copies on the device are recorded and not done; any
    /// other call of the stream throws DeviceError. drop_capture() discards what was recorded.
    virtual void begin_capture() = 0;
    virtual std::unique_ptr<Recording> end_capture() = 0;
    virtual void drop_capture() noexcept = 0;
    virtual void replay(const Recording& recording) = 0;
    /// How long the newest replay took on the device, after wait(). 0: there is none, or the time
    /// is not known.
    virtual std::int64_t newest_replay_ns() = 0;
    /// The work of one call lies between begin() and end(). After wait(), newest() returns when
    /// that of the calling thread ran.
    virtual void begin() = 0;
    virtual bool end() = 0;  // true: end() itself queued work to wait for
    virtual LpTime newest() = 0;
    /// The largest error of those times against the host's clock.
    virtual std::int64_t clock_error_ns() const = 0;
    Queue& queue() { return queue_; }

protected:
    Queue queue_;
};

/// `order`: seed for the order of the emulated device's threads; 0: by number. Throws DeviceError.
std::unique_ptr<Stream> make_stream(std::uint32_t device, const LpHost& host, std::uint32_t order);

}  // namespace lapidary::cuda::runtime
