// SPDX-License-Identifier: Apache-2.0
// Devices through the CUDA runtime, which is linked statically and loads the driver at run time.
#include <cuda_runtime.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include "copy_threads.h"
#include "device_error.h"
#include "runtime.h"

namespace lapidary::cuda {
namespace {

/// Errors after which this process cannot use the device any more.
bool loses_device(cudaError_t result) {
    switch (result) {
    case cudaErrorIllegalAddress:
    case cudaErrorMisalignedAddress:
    case cudaErrorInvalidAddressSpace:
    case cudaErrorIllegalInstruction:
    case cudaErrorInvalidPc:
    case cudaErrorHardwareStackError:
    case cudaErrorLaunchFailure:
    case cudaErrorLaunchTimeout:
    case cudaErrorECCUncorrectable:
    case cudaErrorAssert: return true;
    default: return false;
    }
}

void check(cudaError_t result, const char* what) {
    if (result == cudaSuccess) return;
    cudaGetLastError();  // clears the error, which the next launch would return otherwise
    const bool is_memory = result == cudaErrorMemoryAllocation, is_lost = loses_device(result);
    throw DeviceError(is_memory ? LP_OUT_OF_MEMORY
                      : is_lost ? LP_DEVICE_LOST
                                : LP_INTERNAL,
                      std::string(what) + ": " + cudaGetErrorString(result),
                      static_cast<std::int32_t>(result));
}

std::string version_text(int version) {
    return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

}  // namespace

void check_launch(const char* kernel) { check(cudaGetLastError(), kernel); }

namespace runtime {

const char* const provider_name = "cuda";
const char* const ort_name = "CUDAExecutionProvider";
const char* const about =
    "Runs models on NVIDIA GPUs with kernels of its own; needs the driver alone.";
const bool takes_all = false;
const bool finds_libraries = true;
const int timed_launches = 20;
const double longest_timed_us = 5000;
const PeakSize peak_size{2048, std::uint64_t{512} << 20};
const bool keeps_peaks = true;

std::uint32_t count_devices(std::string& note) {
    int driver = 0, built = 0, count = 0;
    cudaDriverGetVersion(&driver);
    cudaRuntimeGetVersion(&built);
    if (driver == 0) {
        note = "no NVIDIA driver";
        return 0;
    }
    if (driver / 1000 < built / 1000) {
        note = "the NVIDIA driver supports CUDA " + version_text(driver) + ", needs " +
               version_text(built);
        return 0;
    }
    const cudaError_t result = cudaGetDeviceCount(&count);
    if (result == cudaSuccess && count > 0) return static_cast<std::uint32_t>(count);
    note = result == cudaSuccess || result == cudaErrorNoDevice ? "no NVIDIA device"
                                                                : cudaGetErrorString(result);
    return 0;
}

DeviceFacts device_facts(std::uint32_t device) {
    cudaDeviceProp properties{};
    check(cudaGetDeviceProperties(&properties, static_cast<int>(device)),
          "cudaGetDeviceProperties");
    int driver = 0;
    cudaDriverGetVersion(&driver);
    DeviceFacts facts;
    facts.id = "cuda:" + std::to_string(device);
    facts.name = properties.name;
    facts.architecture =
        "sm_" + std::to_string(properties.major) + std::to_string(properties.minor);
    facts.driver = "CUDA " + version_text(driver);
    facts.memory_bytes = properties.totalGlobalMem;
    facts.cache_bytes = static_cast<std::uint64_t>(std::max(properties.l2CacheSize, 0));
    if (properties.major < 8)
        facts.unusable = "it is of compute capability " + std::to_string(properties.major) + "." +
                         std::to_string(properties.minor) + ", needs 8.0 or newer";
    return facts;
}

namespace {

int compute_capability(std::uint32_t device) {
    int major = 0;
    check(
        cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, static_cast<int>(device)),
        "cudaDeviceGetAttribute");
    return major;
}

}  // namespace

bool has_hopper(std::uint32_t device) { return compute_capability(device) == 9; }
bool can_overlap(std::uint32_t device) { return compute_capability(device) >= 9; }

void prepare_library(void*) {}

double copy_ns(std::uint64_t bytes) { return 10000 + static_cast<double>(bytes) / 25; }  // 25 GB/s

void* allocate(std::uint32_t device, std::uint64_t bytes) {
    check(cudaSetDevice(static_cast<int>(device)), "cudaSetDevice");
    void* data = nullptr;
    check(cudaMalloc(&data, std::max<std::uint64_t>(bytes, 1)), "cudaMalloc");
    return data;
}

void release(std::uint32_t device, void* data) noexcept {
    cudaSetDevice(static_cast<int>(device));
    cudaFree(data);  // waits for running work
}

namespace {

class Event {
public:
    explicit Event(unsigned flags = cudaEventDisableTiming) {
        check(cudaEventCreateWithFlags(&event_, flags), "cudaEventCreate");
    }
    ~Event() { cudaEventDestroy(event_); }
    Event(const Event&) = delete;
    Event& operator=(const Event&) = delete;
    void record(cudaStream_t stream) { check(cudaEventRecord(event_, stream), "cudaEventRecord"); }
    void synchronize() { check(cudaEventSynchronize(event_), "cudaEventSynchronize"); }
    /// Work queued on `stream` from here on waits for the event.
    void hold_back(cudaStream_t stream) {
        check(cudaStreamWaitEvent(stream, event_, 0), "cudaStreamWaitEvent");
    }
    cudaEvent_t get() const { return event_; }

private:
    cudaEvent_t event_ = nullptr;
};

/// Pinned memory for small copies to the device, in two halves. Many copies fit before a half is
/// used again.
class SmallStaging {
public:
    static constexpr std::size_t half_bytes = std::size_t{64} << 10, most_bytes = half_bytes / 4;

    SmallStaging() {
        check(cudaHostAlloc(&data_, 2 * half_bytes, cudaHostAllocDefault), "cudaHostAlloc");
    }
    ~SmallStaging() { cudaFreeHost(data_); }
    SmallStaging(const SmallStaging&) = delete;
    SmallStaging& operator=(const SmallStaging&) = delete;

    /// `stream`: always the same.
    void upload(void* to, const void* from, std::uint64_t bytes, cudaStream_t stream) {
        if (filled_ + bytes > half_bytes) {
            free_[half_].record(stream);
            half_ = 1 - half_;
            free_[half_].synchronize();
            filled_ = 0;
        }
        char* const pinned = static_cast<char*>(data_) + half_ * half_bytes + filled_;
        std::memcpy(pinned, from, bytes);
        check(cudaMemcpyAsync(to, pinned, bytes, cudaMemcpyHostToDevice, stream),
              "copy to the device");
        filled_ += (bytes + 63) / 64 * 64;
    }

private:
    void* data_ = nullptr;
    Event free_[2];  // recorded when the device is done with a half
    std::size_t half_ = 0, filled_ = 0;
};

/// A ring of pieces of pinned memory through which pageable memory is copied: the host fills or
/// empties one while the device copies another.
class Staging {
public:
    static constexpr std::size_t piece_bytes = std::size_t{1} << 20, pieces = 4;

    Staging() {
        check(cudaHostAlloc(&data_, piece_bytes * pieces, cudaHostAllocDefault), "cudaHostAlloc");
    }
    ~Staging() { cudaFreeHost(data_); }
    Staging(const Staging&) = delete;
    Staging& operator=(const Staging&) = delete;

    void upload(void* to, const void* from, std::uint64_t bytes, cudaStream_t stream) {
        const std::uint64_t each = bytes_of_pieces(bytes);
        for (std::uint64_t at = 0; at < bytes; at += each) {
            const std::uint64_t count = std::min<std::uint64_t>(each, bytes - at);
            const std::size_t piece = next_++ % pieces;
            free_[piece].synchronize();
            std::memcpy(pinned(piece), static_cast<const char*>(from) + at, count);
            check(cudaMemcpyAsync(static_cast<char*>(to) + at, pinned(piece), count,
                                  cudaMemcpyHostToDevice, stream),
                  "copy to the device");
            free_[piece].record(stream);
        }
    }
    /// Returns when `to` is written.
    void download(void* to, const void* from, std::uint64_t bytes, cudaStream_t stream) {
        const std::uint64_t each = bytes_of_pieces(bytes);
        std::uint64_t begun = 0, done = 0;
        while (done < bytes) {
            for (; begun < bytes && begun < done + each * pieces; begun += each) {
                const std::size_t piece = begun / each % pieces;
                const std::uint64_t count = std::min<std::uint64_t>(each, bytes - begun);
                check(cudaMemcpyAsync(pinned(piece), static_cast<const char*>(from) + begun, count,
                                      cudaMemcpyDeviceToHost, stream),
                      "copy to the host");
                free_[piece].record(stream);
            }
            const std::size_t piece = done / each % pieces;
            const std::uint64_t count = std::min<std::uint64_t>(each, bytes - done);
            free_[piece].synchronize();
            std::memcpy(static_cast<char*>(to) + done, pinned(piece), count);
            done += count;
        }
    }

private:
    /// The size of pieces for a copy. A copy that would fit into one piece is split, so that host
    /// and device work at the same time; parts are large enough to be worth the calls.
    static std::uint64_t bytes_of_pieces(std::uint64_t bytes) {
        constexpr std::uint64_t least = std::uint64_t{64} << 10;
        return std::clamp<std::uint64_t>((bytes / pieces + 4095) / 4096 * 4096, least, piece_bytes);
    }
    char* pinned(std::size_t piece) { return static_cast<char*>(data_) + piece * piece_bytes; }

    void* data_ = nullptr;
    Event free_[pieces];  // recorded when the device is done with a piece
    std::size_t next_ = 0;
};

class CudaGraph final : public Recording {
public:
    CudaGraph(cudaGraph_t graph) {
        const cudaError_t made = cudaGraphInstantiate(&graph_, graph, 0);
        cudaGraphDestroy(graph);
        check(made, "cudaGraphInstantiate");
    }
    ~CudaGraph() override { cudaGraphExecDestroy(graph_); }
    cudaGraphExec_t get() const { return graph_; }

private:
    cudaGraphExec_t graph_ = nullptr;
};

/// Kernels use one stream; copies from the host that need not wait for kernels use a second one,
/// and copies to the host a third. Small copies use the kernels' stream, because events between
/// streams would cost more than they gain. Of the calls of a thread only the first after newest()
/// is timed, so a caller that wants all times calls newest() after each.
class CudaStream final : public Stream {
public:
    static constexpr std::uint64_t beside_bytes = std::uint64_t{256} << 10;
    static constexpr std::uint64_t download_beside_bytes = std::uint64_t{1} << 20;

    CudaStream(std::uint32_t device, const LpHost& host) : device_(chosen(device)), host_(host) {
        for (cudaStream_t* stream : {&stream_, &uploads_, &downloads_})
            check(cudaStreamCreateWithFlags(stream, cudaStreamNonBlocking), "cudaStreamCreate");
        check(cudaHostAlloc(reinterpret_cast<void**>(&queue_.fault), sizeof(Fault),
                            cudaHostAllocMapped),
              "cudaHostAlloc");
        *queue_.fault = Fault{};
        check(cudaMalloc(&queue_.counters, counter_count * sizeof(unsigned)), "cudaMalloc");
        check(cudaMemsetAsync(queue_.counters, 0, counter_count * sizeof(unsigned), stream_),
              "cudaMemsetAsync");
        queue_.stream = stream_;
        set_origin();
    }
    ~CudaStream() override {
        cudaSetDevice(device_);
        for (cudaStream_t stream : {stream_, uploads_, downloads_}) cudaStreamSynchronize(stream);
        spans_.clear();
        cudaFreeHost(queue_.fault);
        cudaFree(queue_.counters);
        for (cudaStream_t stream : {stream_, uploads_, downloads_}) cudaStreamDestroy(stream);
    }

    void upload(void* to, const void* from, std::uint64_t bytes, bool is_beside) override {
        const std::lock_guard lock(copying_);
        use();
        if (bytes <= SmallStaging::most_bytes) return small_.upload(to, from, bytes, stream_);
        is_beside = is_beside && bytes > beside_bytes;
        cudaStream_t stream = is_beside ? uploads_ : stream_;
        in_parts(to_device_, bytes, [&](Staging& staging, std::uint64_t at, std::uint64_t count) {
            staging.upload(static_cast<char*>(to) + at, static_cast<const char*>(from) + at, count,
                           stream);
        });
        if (!is_beside) return;
        uploaded_.record(uploads_);
        uploaded_.hold_back(stream_);
    }
    void download(void* to, const void* from, std::uint64_t bytes) override {
        const std::lock_guard lock(copying_);
        use();
        cudaStream_t stream = bytes > download_beside_bytes ? downloads_ : stream_;
        if (stream != stream_) {
            computed_.record(stream_);
            computed_.hold_back(stream);
        }
        in_parts(to_host_, bytes, [&](Staging& staging, std::uint64_t at, std::uint64_t count) {
            staging.download(static_cast<char*>(to) + at, static_cast<const char*>(from) + at,
                             count, stream);
        });
    }
    void copy_within(void* to, const void* from, std::uint64_t bytes) override {
        use();
        check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice, stream_),
              "copy on the device");
    }
    void wait() override { check(cudaStreamSynchronize(stream_), "waiting for the device"); }

    void begin_capture() override {
        use();
        check(cudaStreamBeginCapture(stream_, cudaStreamCaptureModeThreadLocal),
              "cudaStreamBeginCapture");
    }
    std::unique_ptr<Recording> end_capture() override {
        cudaGraph_t graph = nullptr;
        check(cudaStreamEndCapture(stream_, &graph), "cudaStreamEndCapture");
        return std::make_unique<CudaGraph>(graph);
    }
    void drop_capture() noexcept override {
        cudaGraph_t graph = nullptr;
        if (cudaStreamEndCapture(stream_, &graph) == cudaSuccess && graph != nullptr)
            cudaGraphDestroy(graph);
        cudaGetLastError();
    }
    void replay(const Recording& recording) override {
        use();
        replayed_.begin.record(stream_);
        check(cudaGraphLaunch(static_cast<const CudaGraph&>(recording).get(), stream_),
              "cudaGraphLaunch");
        replayed_.end.record(stream_);
        has_replayed_ = true;
    }
    std::int64_t newest_replay_ns() override {
        float milliseconds = 0;
        if (has_replayed_ && cudaEventElapsedTime(&milliseconds, replayed_.begin.get(),
                                                  replayed_.end.get()) == cudaSuccess)
            return static_cast<std::int64_t>(milliseconds * 1e6);
        cudaGetLastError();
        return 0;
    }

    void begin() override {
        use();
        Span& span = span_of_thread();
        span.is_open = !span.is_new;
        if (span.is_open) span.begin.record(stream_);
    }
    bool end() override {
        Span& span = span_of_thread();
        if (!std::exchange(span.is_open, false)) return false;
        span.end.record(stream_);
        span.is_new = true;
        return true;
    }
    LpTime newest() override {
        Span& span = span_of_thread();
        if (std::exchange(span.is_new, false)) span.reported = time_of(span);
        return span.reported;
    }

    std::int64_t clock_error_ns() const override { return clock_error_ns_; }

private:
    struct Span {
        Event begin{cudaEventDefault}, end{cudaEventDefault};
        bool is_open = false;  // between begin() and end() of a call that is timed
        bool is_new = false;   // newest() has not returned it yet
        LpTime reported{};
    };
    LpTime time_of(const Span& span) const {
        float begin = 0, end = 0;
        if (cudaEventElapsedTime(&begin, origin_->get(), span.begin.get()) != cudaSuccess ||
            cudaEventElapsedTime(&end, origin_->get(), span.end.get()) != cudaSuccess) {
            cudaGetLastError();
            return {0, 0};
        }
        return {origin_ns_ + static_cast<std::int64_t>(begin * 1e6),
                origin_ns_ + static_cast<std::int64_t>(end * 1e6)};
    }
    void use() const { check(cudaSetDevice(device_), "cudaSetDevice"); }
    /// Calls copy(staging, at, count) until all bytes are covered; several threads share a large
    /// copy.
    template <typename Copy>
    void in_parts(std::vector<std::unique_ptr<Staging>>& stagings, std::uint64_t bytes,
                  const Copy& copy) {
        const std::uint64_t parts = bytes < Staging::piece_bytes ? 1 : copies_.parts();
        while (stagings.size() < parts) stagings.push_back(std::make_unique<Staging>());
        if (parts == 1) return copy(*stagings[0], std::uint64_t{0}, bytes);
        const std::uint64_t each = (bytes / parts + 4095) / 4096 * 4096;
        copies_.run([&](unsigned part) {
            use();
            const std::uint64_t at = std::min(bytes, part * each), end = std::min(bytes, at + each);
            if (at < end) copy(*stagings[part], at, part + 1 == parts ? bytes - at : end - at);
        });
    }
    static int chosen(std::uint32_t device) {
        check(cudaSetDevice(static_cast<int>(device)), "cudaSetDevice");
        return static_cast<int>(device);
    }
    /// Measures the offset of the device's clock from the host's; takes the most precise of a few
    /// tries.
    void set_origin() {
        clock_error_ns_ = INT64_MAX;
        for (int i = 0; i < 20; ++i) {
            auto tried = std::make_unique<Event>(cudaEventDefault);
            const std::int64_t before = host_.now_ns();
            tried->record(stream_);
            tried->synchronize();
            const std::int64_t after = host_.now_ns();
            if (after - before >= clock_error_ns_) continue;
            clock_error_ns_ = after - before;
            origin_ns_ = after;
            origin_ = std::move(tried);
        }
    }
    Span& span_of_thread() {
        const std::lock_guard lock(naming_);
        return spans_[std::this_thread::get_id()];
    }

    const int device_;
    const LpHost& host_;
    cudaStream_t stream_ = nullptr, uploads_ = nullptr, downloads_ = nullptr;
    Event uploaded_, computed_;
    Span replayed_;
    bool has_replayed_ = false;
    std::unique_ptr<Event> origin_;
    std::int64_t origin_ns_ = 0, clock_error_ns_ = 0;
    std::mutex copying_, naming_;
    SmallStaging small_;                                         // to the device
    std::vector<std::unique_ptr<Staging>> to_device_, to_host_;  // one for each thread that copies
    CopyThreads copies_{CopyThreads::usual_helpers()};
    std::map<std::thread::id, Span> spans_;
};

}  // namespace

std::unique_ptr<Stream> make_stream(std::uint32_t device, const LpHost& host, std::uint32_t) {
    return std::make_unique<CudaStream>(device, host);
}

}  // namespace runtime
}  // namespace lapidary::cuda
