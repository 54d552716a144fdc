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

/// Bytes of 64-byte alignment that have a place, and a content, once the session filled its store.
/// All weights of a store lie one after the other in one block: they are streamed from memory in
/// every run, which large pages make a fifth faster. A weight that goes gives its whole pages back,
/// the block goes with its last weight.
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
    /// Allocates memory of any content for what add() noted, for callers that only ask kernels
    /// about their outputs. Throws limit_exceeded if the system refuses the memory.
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
    /// Gives what lies in front of the end of `last` its memory.
    void back_up_to(const Task& last, ThreadPool& pool, const CancelToken& cancel);
    void fill_group(std::span<Task> tasks, ThreadPool& pool, const CancelToken& cancel);

    std::vector<Task> tasks_;
    std::unordered_map<std::string, std::size_t> by_key_;  // of tasks_
    std::shared_ptr<LargePages> pages_;
    std::int64_t backed_ = 0;  // pieces of it
    std::uint64_t bytes_ = 0;
};

}  // namespace lapidary
