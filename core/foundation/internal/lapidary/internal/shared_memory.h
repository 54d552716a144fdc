// SPDX-License-Identifier: Apache-2.0
// Blocks of memory that one process fills and another one takes over: how results that are too
// large for a line of text reach another process.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>

namespace lapidary {

/// A block is made by one process, which passes its name and size to another. The receiver removes
/// the name at once, so that nothing is left behind when either process dies later. The memory
/// lives as long as it is mapped. POSIX shared memory, or a file in the temporary folder if that is
/// full or missing. Only processes of the same user can open it.
class SharedMemory {
public:
    /// A new block of `bytes` (at least 1), filled with zeros. Throws Error{limit_exceeded} where
    /// there is no room for it, Error{io_failure} with the system's reason.
    static SharedMemory create(std::size_t bytes);
    /// A block of another process. Writing to it does not change other copies; its name is removed.
    /// Throws Error{invalid_input} for a name that create() cannot have made or a size that is not
    /// the block's, io_failure.
    static SharedMemory take(const std::string& name, std::size_t bytes);

    SharedMemory(SharedMemory&&) noexcept;
    SharedMemory& operator=(SharedMemory&&) noexcept;
    /// Unmaps the memory. Also removes the name of a block that was created and not handed on.
    ~SharedMemory();

    std::span<std::byte> bytes() const { return {data_, size_}; }
    const std::string& name() const { return name_; }
    /// Leaves the name to the process that receives it.
    void hand_on() { owns_name_ = false; }

    /// Removes the names that a process left behind when it died, such as a worker. True when there
    /// was one.
    static bool remove_left_by(long process);
    /// The same for all processes that have ended.
    static void remove_abandoned();

private:
    SharedMemory() = default;
    void map(int descriptor, bool is_private);
    std::byte* data_ = nullptr;
    std::size_t size_ = 0;
    std::string name_;
    bool owns_name_ = false;
};

}  // namespace lapidary
