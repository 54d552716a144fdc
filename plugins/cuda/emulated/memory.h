// SPDX-License-Identifier: Apache-2.0
// All memory of the emulated device: pages that can be accessed only while queued work runs. So the
// program crashes where the host reads or writes device memory itself, or where a copy was
// forgotten.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>

namespace lapidary::cuda::emulated {

class Memory {
public:
    static Memory& get();

    /// Memory filled with NaNs of every float type. Throws DeviceError.
    void* allocate(std::uint64_t bytes);
    /// Call only when no work is queued anywhere.
    void release(void* data) noexcept;
    std::size_t block_count();
    /// Work was queued, by any thread.
    void note_queued();
    void note_done(std::size_t pieces);
    void open();
    void close();

private:
    struct Pages {
        char* begin;
        std::uint64_t bytes;
    };
    void protect(int access);

    std::mutex mutex_;
    std::condition_variable idle_;
    std::map<char*, Pages> blocks_;
    int open_ = 0;
    std::size_t queued_ = 0;
};

}  // namespace lapidary::cuda::emulated
