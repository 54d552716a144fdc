// SPDX-License-Identifier: Apache-2.0
// Devices of the CUDA runtime, which is linked in and asks the driver at run time.
#include <cuda_runtime.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <mutex>
#include <thread>

#include "device_error.h"
#include "runtime.h"

namespace lapidary::cuda {
namespace {

void check(cudaError_t result, const char* what) {
    if (result == cudaSuccess) return;
    const bool is_memory = result == cudaErrorMemoryAllocation;
    const bool is_lost = result == cudaErrorIllegalAddress || result == cudaErrorLaunchFailure ||
                         result == cudaErrorECCUncorrectable || result == cudaErrorHardwareStackError;
    throw DeviceError(is_memory ? LP_OUT_OF_MEMORY
                      : is_lost ? LP_DEVICE_LOST
                                : LP_INTERNAL,
                      std::string(what) + ": " + cudaGetErrorString(result), static_cast<std::int32_t>(result));
}

std::string version_text(int version) {
    return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

}  // namespace

void check_launch(const char* kernel) { check(cudaGetLastError(), kernel); }

namespace runtime {

const char* const provider_name = "cuda";
const char* const ort_name = "CUDAExecutionProvider";
const char* const about = "Runs models on NVIDIA GPUs with kernels of its own; needs the driver alone.";
const bool takes_all = false;

std::uint32_t count_devices(std::string& note) {
    int driver = 0, built = 0, count = 0;
    cudaDriverGetVersion(&driver);
    cudaRuntimeGetVersion(&built);
    if (driver == 0) {
        note = "no NVIDIA driver";
        return 0;
    }
    if (driver / 1000 < built / 1000) {
        note = "the NVIDIA driver supports CUDA " + version_text(driver) + ", needs " + version_text(built);
        return 0;
    }
    const cudaError_t result = cudaGetDeviceCount(&count);
    if (result == cudaSuccess && count > 0) return static_cast<std::uint32_t>(count);
    note = result == cudaSuccess || result == cudaErrorNoDevice ? "no NVIDIA device" : cudaGetErrorString(result);
    return 0;
}

DeviceFacts device_facts(std::uint32_t device) {
    cudaDeviceProp properties{};
    check(cudaGetDeviceProperties(&properties, static_cast<int>(device)), "cudaGetDeviceProperties");
    int driver = 0;
    cudaDriverGetVersion(&driver);
    DeviceFacts facts;
    facts.id = "cuda:" + std::to_string(device);
    facts.name = properties.name;
    facts.architecture = "sm_" + std::to_string(properties.major) + std::to_string(properties.minor);
    facts.driver = "CUDA " + version_text(driver);
    facts.memory_bytes = properties.totalGlobalMem;
    if (properties.major < 8)
        facts.unusable = "it is of compute capability " + std::to_string(properties.major) + "." +
                         std::to_string(properties.minor) + ", needs 8.0 or newer";
    return facts;
}

double copy_ns(std::uint64_t bytes) { return 10000 + static_cast<double>(bytes) / 25; }  // 25 GB/s

void* allocate(std::uint32_t device, std::uint64_t bytes) {
    check(cudaSetDevice(static_cast<int>(device)), "cudaSetDevice");
    void* data = nullptr;
    check(cudaMalloc(&data, std::max<std::uint64_t>(bytes, 1)), "cudaMalloc");
    return data;
}

void release(std::uint32_t device, void* data, std::uint64_t) noexcept {
    cudaSetDevice(static_cast<int>(device));
    cudaFree(data);  // waits for what runs
}

namespace {

/// A ring of two pieces of pinned memory through which pageable memory is copied.
class Staging {
public:
    static constexpr std::size_t piece_bytes = std::size_t{4} << 20, pieces = 2;

    Staging() {
        check(cudaHostAlloc(&data_, piece_bytes * pieces, cudaHostAllocDefault), "cudaHostAlloc");
        for (cudaEvent_t& event : free_)
            check(cudaEventCreateWithFlags(&event, cudaEventDisableTiming), "cudaEventCreate");
    }
    ~Staging() {
        for (cudaEvent_t event : free_) cudaEventDestroy(event);
        cudaFreeHost(data_);
    }
    Staging(const Staging&) = delete;
    Staging& operator=(const Staging&) = delete;

    void upload(void* to, const void* from, std::uint64_t bytes, cudaStream_t stream) {
        for (std::uint64_t at = 0; at < bytes; at += piece_bytes) {
            const std::uint64_t count = std::min<std::uint64_t>(piece_bytes, bytes - at);
            const std::size_t piece = next_++ % pieces;
            check(cudaEventSynchronize(free_[piece]), "cudaEventSynchronize");
            char* const pinned = static_cast<char*>(data_) + piece * piece_bytes;
            std::memcpy(pinned, static_cast<const char*>(from) + at, count);
            check(cudaMemcpyAsync(static_cast<char*>(to) + at, pinned, count, cudaMemcpyHostToDevice, stream),
                  "copy to the device");
            check(cudaEventRecord(free_[piece], stream), "cudaEventRecord");
        }
    }

private:
    void* data_ = nullptr;
    cudaEvent_t free_[pieces]{};
    std::size_t next_ = 0;
};

class CudaStream final : public Stream {
public:
    CudaStream(std::uint32_t device, const LpHost& host) : device_(static_cast<int>(device)), host_(host) {
        check(cudaSetDevice(device_), "cudaSetDevice");
        check(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking), "cudaStreamCreate");
        check(cudaHostAlloc(reinterpret_cast<void**>(&queue_.fault), sizeof(Fault), cudaHostAllocMapped),
              "cudaHostAlloc");
        *queue_.fault = Fault{};
        queue_.stream = stream_;
        check(cudaEventCreate(&origin_), "cudaEventCreate");
        for (int i = 0; i < 2; ++i) {  // the device's clock against the host's, once the driver is warm
            check(cudaEventRecord(origin_, stream_), "cudaEventRecord");
            check(cudaEventSynchronize(origin_), "cudaEventSynchronize");
            origin_ns_ = host_.now_ns();
        }
    }
    ~CudaStream() override {
        cudaSetDevice(device_);
        cudaStreamSynchronize(stream_);
        for (auto& [thread, span] : spans_) {
            cudaEventDestroy(span.begin);
            cudaEventDestroy(span.end);
        }
        cudaEventDestroy(origin_);
        cudaFreeHost(queue_.fault);
        cudaStreamDestroy(stream_);
    }

    void upload(void* to, const void* from, std::uint64_t bytes) override {
        const std::lock_guard lock(mutex_);
        use();
        if (!staging_) staging_ = std::make_unique<Staging>();
        staging_->upload(to, from, bytes, stream_);
    }
    void download(void* to, const void* from, std::uint64_t bytes) override {
        use();
        check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToHost, stream_), "copy to the host");
        wait();
    }
    void copy_within(void* to, const void* from, std::uint64_t bytes) override {
        use();
        check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice, stream_), "copy on the device");
    }
    void wait() override { check(cudaStreamSynchronize(stream_), "waiting for the device"); }

    void begin() override {
        use();
        check(cudaEventRecord(span_of_thread().begin, stream_), "cudaEventRecord");
    }
    void end() override { check(cudaEventRecord(span_of_thread().end, stream_), "cudaEventRecord"); }
    LpTime newest() override {
        const Span& span = span_of_thread();
        float begin = 0, end = 0;
        if (cudaEventElapsedTime(&begin, origin_, span.begin) != cudaSuccess ||
            cudaEventElapsedTime(&end, origin_, span.end) != cudaSuccess) {
            cudaGetLastError();
            return {0, 0};
        }
        return {origin_ns_ + static_cast<std::int64_t>(begin * 1e6), origin_ns_ + static_cast<std::int64_t>(end * 1e6)};
    }

private:
    struct Span {
        cudaEvent_t begin = nullptr, end = nullptr;
    };
    void use() const { check(cudaSetDevice(device_), "cudaSetDevice"); }
    Span& span_of_thread() {
        const std::lock_guard lock(mutex_);
        Span& span = spans_[std::this_thread::get_id()];
        if (span.begin == nullptr) {
            check(cudaEventCreate(&span.begin), "cudaEventCreate");
            check(cudaEventCreate(&span.end), "cudaEventCreate");
        }
        return span;
    }

    const int device_;
    const LpHost& host_;
    cudaStream_t stream_ = nullptr;
    cudaEvent_t origin_ = nullptr;
    std::int64_t origin_ns_ = 0;
    std::mutex mutex_;
    std::unique_ptr<Staging> staging_;
    std::map<std::thread::id, Span> spans_;
};

}  // namespace

std::unique_ptr<Stream> make_stream(std::uint32_t device, const LpHost& host, std::uint32_t) {
    return std::make_unique<CudaStream>(device, host);
}

}  // namespace runtime
}  // namespace lapidary::cuda
