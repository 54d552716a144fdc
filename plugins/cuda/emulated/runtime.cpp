// SPDX-License-Identifier: Apache-2.0
// The emulated device. Its memory is pages that can be touched only while queued work runs, so that a kernel or copy
// that the host does in its place, or a copy that was forgotten, ends the program.
#include "runtime.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstring>
#include <deque>
#include <functional>
#include <list>
#include <map>
#include <mutex>
#include <thread>
#include <vector>

#include "device_error.h"
#include "emulated/machine.h"

namespace lapidary::cuda {

void check_launch(const char*) {}

namespace runtime {

const char* const provider_name = "cuda_emulated";
const char* const ort_name = nullptr;
const char* const about = "The kernels of the CUDA provider on an emulated device, for tests: right, never fast.";
const bool takes_all = true;

namespace {

/// All device memory, which is open while work runs somewhere.
class Memory {
public:
    static Memory& get() {
        static Memory memory;
        return memory;
    }

    void* allocate(std::uint64_t bytes) {
        const std::uint64_t page = page_bytes(), used = std::max<std::uint64_t>((bytes + 255) / 256 * 256, 256);
        const std::uint64_t whole = (used + page - 1) / page * page;
        // a page behind it stays closed: what overruns the block ends there
        void* base = ::mmap(nullptr, whole + page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (base == MAP_FAILED)
            throw DeviceError(LP_OUT_OF_MEMORY, "the host has no " + std::to_string(bytes) + " bytes for the device");
        auto* const begin = static_cast<char*>(base);
        ::mprotect(begin, whole, PROT_READ | PROT_WRITE);
        char* const data = begin + (whole - used);
        std::memset(data, 0xff, used);  // not a number in all types of floats
        const std::lock_guard lock(mutex_);
        if (open_ == 0) ::mprotect(begin, whole, PROT_NONE);
        blocks_[data] = {begin, whole};
        return data;
    }
    void release(void* data) noexcept {
        std::unique_lock lock(mutex_);
        idle_.wait(lock, [&] { return queued_ == 0; });
        const auto block = blocks_.find(static_cast<char*>(data));
        if (block == blocks_.end()) return;
        ::munmap(block->second.begin, block->second.bytes + page_bytes());
        blocks_.erase(block);
    }
    void note_queued() {
        const std::lock_guard lock(mutex_);
        ++queued_;
    }
    void note_done(std::size_t pieces) {
        const std::lock_guard lock(mutex_);
        queued_ -= pieces;
        if (queued_ == 0) idle_.notify_all();
    }
    void open() {
        const std::lock_guard lock(mutex_);
        if (open_++ == 0) protect(PROT_READ | PROT_WRITE);
    }
    void close() {
        const std::lock_guard lock(mutex_);
        if (--open_ == 0) protect(PROT_NONE);
    }

private:
    struct Pages {
        char* begin;
        std::uint64_t bytes;
    };
    static std::uint64_t page_bytes() { return static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE)); }
    void protect(int access) {
        for (const auto& [data, pages] : blocks_) ::mprotect(pages.begin, pages.bytes, access);
    }

    std::mutex mutex_;
    std::condition_variable idle_;
    std::map<char*, Pages> blocks_;
    int open_ = 0;
    std::size_t queued_ = 0;  // pieces of work of all streams
};

using Work = std::function<void()>;

/// A thread that does what is queued; the memory is open from the first piece to the last.
class EmulatedStream final : public Stream {
public:
    EmulatedStream(const LpHost& host, std::uint32_t order) : host_(host), order_(order) {
        queue_.stream = this;
        queue_.fault = &fault_;
        thread_ = std::thread([this] { serve(); });
    }
    ~EmulatedStream() override {
        {
            const std::lock_guard lock(mutex_);
            ends_ = true;
        }
        wake_.notify_all();
        lingers_.notify_all();
        thread_.join();
    }

    void upload(void* to, const void* from, std::uint64_t bytes) override {
        const auto* begin = static_cast<const unsigned char*>(from);
        push([to, staged = std::vector<unsigned char>(begin, begin + bytes)] {
            std::memcpy(to, staged.data(), staged.size());
        });
    }
    void download(void* to, const void* from, std::uint64_t bytes) override {
        push([=] { std::memcpy(to, from, bytes); });
        wait();
    }
    void copy_within(void* to, const void* from, std::uint64_t bytes) override {
        push([=] { std::memmove(to, from, bytes); });
    }
    void wait() override {
        std::unique_lock lock(mutex_);
        ++waiting_;
        lingers_.notify_one();
        idle_.wait(lock, [&] { return work_.empty() && !is_busy_; });
        --waiting_;
        if (failure_.empty()) return;
        const std::string text = failure_;
        failure_.clear();
        throw DeviceError(LP_INTERNAL, "emulated device: " + text);
    }

    void begin() override {
        LpTime* const time = time_of_thread();
        push([this, time] { time->begin_ns = host_.now_ns(); });
    }
    void end() override {
        LpTime* const time = time_of_thread();
        push([this, time] { time->end_ns = host_.now_ns(); });
    }
    LpTime newest() override { return *time_of_thread(); }

    void push(Work work) {
        Memory::get().note_queued();
        {
            const std::lock_guard lock(mutex_);
            work_.push_back(std::move(work));
        }
        wake_.notify_one();
        lingers_.notify_one();
    }
    std::uint32_t next_order() { return order_ == 0 ? 0 : order_ * 1000003u + ++launches_; }

private:
    LpTime* time_of_thread() {
        const std::lock_guard lock(mutex_);
        return &times_[std::this_thread::get_id()];
    }
    void run_first(std::unique_lock<std::mutex>& lock) {
        const Work work = std::move(work_.front());
        work_.pop_front();
        const bool has_failed = !failure_.empty();
        lock.unlock();
        std::string failure;
        try {
            if (!has_failed) work();
        } catch (const std::exception& e) { failure = e.what(); }
        lock.lock();
        if (!failure.empty()) failure_ = failure;
    }

    void serve() {
        std::unique_lock lock(mutex_);
        for (;;) {
            wake_.wait(lock, [&] { return ends_ || !work_.empty(); });
            if (work_.empty()) return;
            is_busy_ = true;
            lock.unlock();
            Memory::get().open();
            lock.lock();
            std::size_t pieces = 0;
            do {
                for (; !work_.empty(); ++pieces) run_first(lock);
                // opening costs more than most kernels
                lingers_.wait_for(lock, std::chrono::microseconds(300),
                                  [&] { return ends_ || waiting_ > 0 || !work_.empty(); });
            } while (!work_.empty());
            lock.unlock();
            Memory::get().close();
            Memory::get().note_done(pieces);
            lock.lock();
            is_busy_ = false;
            if (work_.empty()) idle_.notify_all();
        }
    }

    const LpHost& host_;
    const std::uint32_t order_;
    std::uint32_t launches_ = 0;
    Fault fault_;
    std::mutex mutex_;
    std::condition_variable wake_, idle_, lingers_;
    std::deque<Work> work_;
    std::map<std::thread::id, LpTime> times_;
    std::string failure_;
    int waiting_ = 0;
    bool is_busy_ = false, ends_ = false;
    std::thread thread_;
};

}  // namespace

std::uint32_t count_devices(std::string& note) {
    note.clear();
    return 1;
}

DeviceFacts device_facts(std::uint32_t) {
    return {"cuda_emulated:0", "Emulated CUDA device", "threads of the host", "none", "", std::uint64_t{4} << 30};
}

double copy_ns(std::uint64_t bytes) { return 1000 + static_cast<double>(bytes); }

void* allocate(std::uint32_t, std::uint64_t bytes) { return Memory::get().allocate(bytes); }
void release(std::uint32_t, void* data, std::uint64_t) noexcept { Memory::get().release(data); }

std::unique_ptr<Stream> make_stream(std::uint32_t, const LpHost& host, std::uint32_t order) {
    return std::make_unique<EmulatedStream>(host, order);
}

}  // namespace runtime

namespace emulated {

void launch(const Queue& queue, Grid grid, unsigned threads, bool waits, std::function<void()> body) {
    auto* stream = static_cast<runtime::EmulatedStream*>(queue.stream);
    stream->push([=, order = stream->next_order(), body = std::move(body)] { run(grid, threads, waits, order, body); });
}

}  // namespace emulated
}  // namespace lapidary::cuda
