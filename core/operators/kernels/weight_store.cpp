// SPDX-License-Identifier: Apache-2.0
#include "kernels/weight_store.h"

#include <algorithm>
#include <atomic>
#include <map>
#include <mutex>

#include <lapidary/base/error.h>

#include "base/memory/large_pages.h"
#include "base/files/mapping_guard.h"
#include "base/memory/page_memory.h"

namespace lapidary {
namespace {

/// Filled weights, by source and format. Each entry tracks the owner of its source tensor, so that
/// another tensor at the same address later is not mistaken for it.
struct Shared {
    struct Entry {
        std::weak_ptr<const void> source;
        std::weak_ptr<const PackedWeight> weight;
    };
    std::mutex mutex;
    std::map<std::string, Entry> entries;
};

Shared& shared() {
    static Shared instance;
    return instance;
}

}  // namespace

PackedWeight::~PackedWeight() {
    if (block_ && block_.use_count() > 1) discard_pages(data_, size_);
}

std::shared_ptr<const PackedWeight> WeightStore::add(const Tensor& source, std::string_view format,
                                                     std::size_t bytes, std::int64_t units,
                                                     Fill fill) {
    std::string key = std::to_string(reinterpret_cast<std::uintptr_t>(source.identity())) +
                      to_string(source.shape()) + std::string(name_of(source.dtype())) + " " +
                      std::string(format);
    if (const auto task = by_key_.find(key); task != by_key_.end())
        return tasks_[task->second].weight;
    {
        const std::lock_guard lock(shared().mutex);
        if (const auto it = shared().entries.find(key); it != shared().entries.end()) {
            auto weight = it->second.weight.lock();
            const auto owner = it->second.source.lock();
            if (weight && owner && owner == source.owner()) return weight;
            shared().entries.erase(it);
        }
    }
    auto weight = std::make_shared<PackedWeight>(bytes);
    bytes_ += bytes;
    by_key_.emplace(key, tasks_.size());
    tasks_.push_back({weight, source, units, std::move(fill), std::move(key)});
    return weight;
}

void WeightStore::place() {
    if (tasks_.empty()) return;
    // Large ones on page borders, so that giving one back leaves little of it.
    constexpr std::size_t line = 64, page = 4096, large = 16 * page;
    std::vector<std::size_t> places;
    std::size_t bytes = 0;
    for (const Task& t : tasks_) {
        const std::size_t alignment = t.weight->size_ >= large ? page : line;
        bytes = (bytes + alignment - 1) / alignment * alignment;
        places.push_back(bytes);
        bytes += t.weight->size_;
    }
    pages_ = std::make_shared<LargePages>(bytes);
    backed_ = 0;
    if (pages_->data() == nullptr)
        fail_limit("the system refused " + std::to_string(bytes) + " bytes for packed weights");
    for (std::size_t i = 0; i < tasks_.size(); ++i) {
        tasks_[i].weight->block_ = pages_;
        tasks_[i].weight->data_ = pages_->data() + places[i];
    }
}

void WeightStore::back_up_to(const Task& last, ThreadPool& pool, const CancelToken& cancel) {
    const auto end_byte =
        static_cast<std::size_t>(last.weight->data_ - pages_->data()) + last.weight->size_;
    const std::int64_t begin = backed_,
                       end = std::min(
                           pages_->pieces(),
                           static_cast<std::int64_t>((end_byte + large_page - 1) / large_page));
    if (end <= begin) return;
    backed_ = end;
    pool.parallel_tasks(end - begin, [&](std::int64_t piece, int) {
        cancel.throw_if_cancelled();
        pages_->back(begin + piece);
    });
}

void WeightStore::fill_group(std::span<Task> tasks, ThreadPool& pool, const CancelToken& cancel) {
    // Units of all weights in one range, so that a single large weight occupies every thread.
    constexpr std::int64_t chunk_units = 8;
    std::vector<std::int64_t> first{0};
    for (const Task& t : tasks) first.push_back(first.back() + t.units);
    std::vector<std::atomic<std::int64_t>> left(tasks.size());
    for (std::size_t i = 0; i < tasks.size(); ++i) left[i] = tasks[i].units;
    const auto fill_part = [&](std::size_t task, std::int64_t begin, std::int64_t end) {
        Task& t = tasks[task];
        t.fill(t.weight->data(), begin, end);
        if (left[task].fetch_sub(end - begin) != end - begin) return;
        MappingGuard::require_files_unchanged(t.source.identity());
        // Nothing reads the source here any more. Dropping its pages leaves one copy in memory, not
        // two.
        t.source.drop_pages();
        t.fill = {};
        t.source = {};
    };
    pool.parallel_tasks((first.back() + chunk_units - 1) / chunk_units, [&](std::int64_t chunk,
                                                                            int) {
        cancel.throw_if_cancelled();
        std::int64_t begin = chunk * chunk_units;
        const std::int64_t end = std::min(begin + chunk_units, first.back());
        auto task =
            static_cast<std::size_t>(std::ranges::upper_bound(first, begin) - first.begin() - 1);
        for (; begin < end; ++task) {
            const std::int64_t stop = std::min(end, first[task + 1]);
            if (stop > begin) fill_part(task, begin - first[task], stop - first[task]);
            begin = std::max(begin, stop);
        }
    });
}

void WeightStore::fill(ThreadPool& pool, const CancelToken& cancel) {
    place();
    std::vector<std::weak_ptr<const void>> owners;
    for (const Task& t : tasks_) owners.push_back(t.source.owner());
    // Some at a time: sources go as they are read, so that memory never holds all of both.
    constexpr std::size_t group_bytes = std::size_t{32} << 20;
    for (std::size_t begin = 0, end = 0; begin < tasks_.size(); begin = end) {
        for (std::size_t bytes = 0; end < tasks_.size() && bytes < group_bytes; ++end)
            bytes += tasks_[end].weight->size_;
        back_up_to(tasks_[end - 1], pool, cancel);
        fill_group(std::span(tasks_).subspan(begin, end - begin), pool, cancel);
    }
    const std::lock_guard lock(shared().mutex);
    std::erase_if(shared().entries, [](const auto& e) { return e.second.weight.expired(); });
    for (std::size_t i = 0; i < tasks_.size(); ++i)
        if (!owners[i].expired()) shared().entries[tasks_[i].key] = {owners[i], tasks_[i].weight};
    tasks_.clear();
    by_key_.clear();
}

}  // namespace lapidary
