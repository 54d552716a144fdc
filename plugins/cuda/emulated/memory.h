// SPDX-License-Identifier: Apache-2.0
// All memory of the emulated device: pages that can be touched only while queued work runs
// somewhere, so that a kernel or copy that the host does in its place, or a copy that was
// forgotten, ends the program.
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

    /// Filled with what is not a number in all types of floats. Throws DeviceError.
    void* allocate(std::uint64_t bytes);
    /// When nothing is queued anywhere.
    void release(void* data) noexcept;
    std::size_t block_count();
    /// A piece of work of any thread.
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
