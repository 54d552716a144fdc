// SPDX-License-Identifier: Apache-2.0
// Constant weights in the order their kernels read them. A session's kernels ask for them while
// they are chosen; the session then fills all of them at once with all its threads. Sessions of one
// process share what is equal.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include <lapidary/base/progress.h>
#include <lapidary/tensor/tensor.h>

#include "base/memory/large_pages.h"
#include "base/threads/thread_pool.h"

namespace lapidary {

/// A packed weight, aligned to 64 bytes. It has memory and contents once the session has filled its
/// store. All weights of a store are adjacent in one block, because every run streams them from
/// memory and large pages make that a fifth faster. A destroyed weight returns its whole pages; the
/// block is freed with its last weight.
class PackedWeight {
public:
    explicit PackedWeight(std::size_t bytes) : size_(bytes) {}
    ~PackedWeight();
    PackedWeight(const PackedWeight&) = delete;
    PackedWeight& operator=(const PackedWeight&) = delete;
    std::byte* data() const { return data_; }
    std::size_t size() const { return size_; }
    template <typename T>
    T* as() const {
        return reinterpret_cast<T*>(data_);
    }

private:
    friend class WeightStore;
    std::shared_ptr<LargePages> block_;
    std::byte* data_ = nullptr;
    std::size_t size_;
};

class WeightStore {
public:
    /// Writes units [begin, end) of the `units` into which packing divides (panels, rows ...);
    /// called from several threads.
    using Fill = std::function<void(std::byte* to, std::int64_t begin, std::int64_t end)>;

    /// `source` in the order named by `format` ("product panels 48 k768", everything the bytes
    /// depend on beside the source). The same source storage, shape and format give the same
    /// weight, across sessions of the process too.
    std::shared_ptr<const PackedWeight> add(const Tensor& source, std::string_view format,
                                            std::size_t bytes, std::int64_t units, Fill fill);
    /// Allocates uninitialised memory for all that add() registered, for callers that only need the
    /// kernels' outputs described. Throws limit_exceeded if the system refuses the memory.
    void place();
    /// place(), then the work that add() left to do. Throws limit_exceeded if the system refuses
    /// the memory, and cancelled; some weights are then not filled, and the store must not be used.
    void fill(ThreadPool& pool, const CancelToken& cancel);
    std::uint64_t bytes() const { return bytes_; }
    /// The block of what fill() wrote; null: nothing.
    const std::shared_ptr<LargePages>& pages() const { return pages_; }

private:
    struct Task {
        std::shared_ptr<PackedWeight> weight;
        Tensor source;  // keeps the storage alive until it was read
        std::int64_t units;
        Fill fill;
        std::string key;
    };
    /// Makes the memory of the block resident up to the end of `last`.
    void back_up_to(const Task& last, ThreadPool& pool, const CancelToken& cancel);
    void fill_group(std::span<Task> tasks, ThreadPool& pool, const CancelToken& cancel);

    std::vector<Task> tasks_;
    std::unordered_map<std::string, std::size_t> by_key_;  // of tasks_
    std::shared_ptr<LargePages> pages_;
    std::int64_t backed_ = 0;  // pieces of it
    std::uint64_t bytes_ = 0;
};

}  // namespace lapidary
