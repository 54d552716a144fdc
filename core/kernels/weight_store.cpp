// SPDX-License-Identifier: Apache-2.0
#include "kernels/weight_store.h"

#include <sys/mman.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <mutex>

#include <lapidary/error.h>

namespace lapidary {
namespace {

constexpr std::size_t huge_page = std::size_t{2} << 20;

/// Weights that are filled, by source and format. The source tensor's owner is watched, so that another tensor that
/// comes to lie at the same address is not taken for it.
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

PackedWeight::PackedWeight(std::size_t bytes) : size_(bytes) {
    const bool is_large = bytes >= huge_page;
    const std::size_t alignment = is_large ? huge_page : 64;
    const std::size_t rounded = std::max((bytes + alignment - 1) / alignment * alignment, alignment);
    data_ = rounded < bytes ? nullptr : static_cast<std::byte*>(std::aligned_alloc(alignment, rounded));
    if (!data_) fail_limit("the system refused " + std::to_string(bytes) + " bytes for packed weights");
#ifdef MADV_HUGEPAGE
    if (is_large) madvise(data_, rounded, MADV_HUGEPAGE);
#endif
}

PackedWeight::~PackedWeight() { std::free(data_); }

std::shared_ptr<const PackedWeight> WeightStore::add(const Tensor& source, std::string_view format, std::size_t bytes, std::int64_t units, Fill fill) {
    std::string key = std::to_string(reinterpret_cast<std::uintptr_t>(source.raw())) + to_string(source.shape()) +
                      std::string(name_of(source.dtype())) + " " + std::string(format);
    for (const Task& t : tasks_)
        if (t.key == key) return t.weight;
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
    tasks_.push_back({weight, source, units, std::move(fill), std::move(key)});
    return weight;
}

void WeightStore::fill(ThreadPool& pool, const CancelToken& cancel) {
    // Units of all weights in one range, so that a single large weight occupies every thread.
    std::vector<std::int64_t> first{0};
    for (const Task& t : tasks_) first.push_back(first.back() + t.units);
    pool.parallel_tasks((first.back() + 7) / 8, [&](std::int64_t chunk, int) {
        cancel.throw_if_cancelled();
        std::int64_t begin = chunk * 8;
        const std::int64_t end = std::min(begin + 8, first.back());
        auto task = static_cast<std::size_t>(std::ranges::upper_bound(first, begin) - first.begin() - 1);
        for (; begin < end; ++task) {
            const std::int64_t stop = std::min(end, first[task + 1]);
            if (stop > begin) tasks_[task].fill(tasks_[task].weight->data(), begin - first[task], stop - first[task]);
            begin = std::max(begin, stop);
        }
    });
    const std::lock_guard lock(shared().mutex);
    std::erase_if(shared().entries, [](const auto& e) { return e.second.weight.expired(); });
    for (Task& t : tasks_)
        if (t.source.owner()) shared().entries[t.key] = {t.source.owner(), t.weight};
    tasks_.clear();
}

}  // namespace lapidary
