// SPDX-License-Identifier: Apache-2.0
// The emulated device: a thread for kernels and one for copies that go beside them.
#include "runtime.h"

#include <dlfcn.h>

#include <atomic>
#include <cstring>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include "device_error.h"
#include "emulated/machine.h"
#include "emulated/memory.h"
#include "emulated/work_thread.h"

namespace lapidary::cuda {

void check_launch(const char*) {}

namespace runtime {

const char* const provider_name = "cuda_emulated";
const char* const ort_name = nullptr;
const char* const about =
    "The kernels of the CUDA provider on an emulated device, for tests: right, never fast.";
const bool takes_all = true;
const bool finds_libraries = false;
const int timed_launches = 1;
const double longest_timed_us = 1e9;
const PeakSize peak_size{4, std::uint64_t{4} << 20};
const bool keeps_peaks = false;  // its speed is the current speed of the host

namespace {

using emulated::Memory;
using emulated::Work;
using emulated::WorkEvent;
using emulated::WorkThread;

/// Bytes that came from the host and went there, since the process began.
std::atomic<std::uint64_t> copied_to_device{0}, copied_to_host{0};
std::atomic<std::uint64_t> largest_block{UINT64_MAX};

/// Work that was pushed during recording.
class RecordedWork final : public Recording {
public:
    explicit RecordedWork(std::vector<Work> work) : work_(std::move(work)) {}
    const std::vector<Work>& work() const { return work_; }

private:
    std::vector<Work> work_;
};

class EmulatedStream final : public Stream {
public:
    EmulatedStream(const LpHost& host, std::uint32_t order) : host_(host), order_(order) {
        queue_.stream = this;
        queue_.fault = &fault_;
        queue_.counters = counters_.data();
    }

    void upload(void* to, const void* from, std::uint64_t bytes, bool is_beside) override {
        refuse_recording("copies from the host");
        copied_to_device += bytes;
        const auto* begin = static_cast<const unsigned char*>(from);
        Work copy = [to, staged = std::vector<unsigned char>(begin, begin + bytes)] {
            std::memcpy(to, staged.data(), staged.size());
        };
        if (!is_beside) return kernels_.push(std::move(copy));
        const auto done = std::make_shared<WorkEvent>();
        copies_.push(std::move(copy));
        copies_.push_always([done] { done->set(); });
        kernels_.push_always([done] { done->wait(); });
    }
    void download(void* to, const void* from, std::uint64_t bytes) override {
        refuse_recording("copies to the host");
        copied_to_host += bytes;
        kernels_.push([=] { std::memcpy(to, from, bytes); });
        wait();
    }
    void copy_within(void* to, const void* from, std::uint64_t bytes) override {
        push([=] { std::memmove(to, from, bytes); });
    }
    void wait() override {
        refuse_recording("waits");
        kernels_.wait();
        copies_.wait();
    }

    void begin_capture() override { recorded_.emplace(); }
    std::unique_ptr<Recording> end_capture() override {
        auto recording = std::make_unique<RecordedWork>(std::move(*recorded_));
        recorded_.reset();
        return recording;
    }
    void drop_capture() noexcept override { recorded_.reset(); }
    void replay(const Recording& recording) override {
        kernels_.push([this] { replayed_.begin_ns = host_.now_ns(); });
        for (const Work& work : static_cast<const RecordedWork&>(recording).work())
            kernels_.push(work);
        kernels_.push([this] { replayed_.end_ns = host_.now_ns(); });
    }
    std::int64_t newest_replay_ns() override { return replayed_.end_ns - replayed_.begin_ns; }

    void begin() override {
        LpTime* const time = time_of_thread();
        kernels_.push([this, time] { time->begin_ns = host_.now_ns(); });
    }
    bool end() override {
        LpTime* const time = time_of_thread();
        kernels_.push([this, time] { time->end_ns = host_.now_ns(); });
        return true;
    }
    LpTime newest() override { return *time_of_thread(); }
    std::int64_t clock_error_ns() const override { return 0; }

    /// Pushes work of kernels.
    void push(Work work) {
        if (recorded_) recorded_->push_back(std::move(work));
        else kernels_.push(std::move(work));
    }
    std::uint32_t next_order() { return order_ == 0 ? 0 : order_ * 1000003u + ++launches_; }

private:
    /// Throws: a graph on a GPU cannot contain it either.
    void refuse_recording(const char* what) const {
        if (recorded_)
            throw DeviceError(LP_INTERNAL, std::string("it ") + what + " while it is captured");
    }
    LpTime* time_of_thread() {
        const std::lock_guard lock(mutex_);
        return &times_[std::this_thread::get_id()];
    }

    const LpHost& host_;
    const std::uint32_t order_;
    std::uint32_t launches_ = 0;
    Fault fault_;
    std::vector<unsigned> counters_ = std::vector<unsigned>(counter_count, 0u);
    std::mutex mutex_;
    std::map<std::thread::id, LpTime> times_;
    LpTime replayed_{};
    std::optional<std::vector<Work>> recorded_;
    // kernels_ is destroyed first, because kernels may wait for copies
    WorkThread copies_, kernels_;
};

}  // namespace

std::uint32_t count_devices(std::string& note) {
    note.clear();
    return 1;
}

DeviceFacts device_facts(std::uint32_t) {
    return {"cuda_emulated:0",
            "Emulated CUDA device",
            "threads of the host",
            "none",
            "",
            std::uint64_t{4} << 30,
            4096};
}

bool has_hopper(std::uint32_t) { return true; }
bool can_overlap(std::uint32_t) { return true; }

/// Libraries made for tests export a variable of this type, which receives the function that queues
/// their work.
void prepare_library(void* library) {
    using Push = void (*)(void* stream, void (*work)(void* argument), void* argument);
    void* const place = ::dlsym(library, "lapidary_emulated_push");
    if (!place) throw DeviceError(LP_INVALID, "the library is none for the emulated device");
    *static_cast<Push*>(place) = [](void* stream, void (*work)(void*), void* argument) {
        static_cast<EmulatedStream*>(stream)->push([=] { work(argument); });
    };
}

double copy_ns(std::uint64_t bytes) { return 1000 + static_cast<double>(bytes); }

void* allocate(std::uint32_t, std::uint64_t bytes) {
    if (bytes > largest_block)
        throw DeviceError(LP_OUT_OF_MEMORY,
                          "the device has no " + std::to_string(bytes) + " bytes");
    return Memory::get().allocate(bytes);
}
void release(std::uint32_t, void* data) noexcept { Memory::get().release(data); }

std::unique_ptr<Stream> make_stream(std::uint32_t, const LpHost& host, std::uint32_t order) {
    return std::make_unique<EmulatedStream>(host, order);
}

}  // namespace runtime

namespace emulated {

std::atomic<std::uint64_t> launches_together{0}, launches_of_clusters{0};

void launch(const Queue& queue, Grid grid, unsigned threads, bool waits,
            std::function<void()> body) {
    auto* stream = static_cast<runtime::EmulatedStream*>(queue.stream);
    stream->push([=, order = stream->next_order(), body = std::move(body)] {
        run(grid, threads, waits, order, body);
    });
}

void launch_together(const Queue& queue, Grid grid, unsigned threads, std::function<void()> body) {
    auto* stream = static_cast<runtime::EmulatedStream*>(queue.stream);
    ++launches_together;
    stream->push([=, order = stream->next_order(), body = std::move(body)] {
        run_together(grid, threads, order, body);
    });
}

void launch_clusters(const Queue& queue, Grid grid, unsigned threads, std::function<void()> body) {
    auto* stream = static_cast<runtime::EmulatedStream*>(queue.stream);
    launches_of_clusters += grid.z > 1 ? 1 : 0;
    stream->push([=, order = stream->next_order(), body = std::move(body)] {
        run_clusters(grid, threads, order, body);
    });
}

}  // namespace emulated
}  // namespace lapidary::cuda

/// For tests: the number of allocated blocks of device memory.
extern "C" LP_EXPORT std::uint64_t lapidary_emulated_blocks() {
    return lapidary::cuda::emulated::Memory::get().block_count();
}
/// For tests: from now on allocating a block of more bytes fails.
extern "C" LP_EXPORT void lapidary_emulated_largest_block(std::uint64_t bytes) {
    lapidary::cuda::runtime::largest_block = bytes;
}
/// Launches so far of kernels whose blocks wait for each other, for tests.
extern "C" LP_EXPORT std::uint64_t lapidary_emulated_launches_together() {
    return lapidary::cuda::emulated::launches_together;
}
/// Launches so far of kernels whose blocks are in clusters, for tests.
extern "C" LP_EXPORT std::uint64_t lapidary_emulated_launches_of_clusters() {
    return lapidary::cuda::emulated::launches_of_clusters;
}

/// Bytes that were copied from the host (0) or to it (1) since the process began, for tests.
extern "C" LP_EXPORT std::uint64_t lapidary_emulated_copied(std::int32_t direction) {
    using namespace lapidary::cuda::runtime;
    return direction == LP_TO_DEVICE ? copied_to_device : copied_to_host;
}
