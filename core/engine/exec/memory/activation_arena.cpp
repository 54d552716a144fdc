// SPDX-License-Identifier: Apache-2.0
#include "exec/memory/activation_arena.h"

#include <algorithm>
#include <iterator>
#include <thread>

#include "base/memory/available_memory.h"
#include "base/memory/page_memory.h"

namespace lapidary {
namespace {

std::size_t rounded(std::size_t bytes, std::size_t to) { return (bytes + to - 1) / to * to; }

}  // namespace

// A spin lock. It is held for some tens of nanoseconds, and never during a request to the system.
class ActivationArena::Lock {
public:
    explicit Lock(const ActivationArena& arena) : flag_(arena.busy_) {
        while (flag_.test_and_set(std::memory_order_acquire)) std::this_thread::yield();
    }
    Lock(const Lock&) = delete;
    Lock& operator=(const Lock&) = delete;
    ~Lock() { flag_.clear(std::memory_order_release); }

private:
    std::atomic_flag& flag_;
};

ActivationArena::~ActivationArena() { shrink(); }

void* ActivationArena::allocate(std::size_t bytes) {
    if (bytes > (std::size_t{1} << 62)) return nullptr;
    const std::size_t size = rounded(std::max<std::size_t>(bytes, 1), alignment);
    const Lock lock(*this);
    const auto best = free_.lower_bound({size, 0, nullptr});
    Chunks::iterator chunk =
        best != free_.end() ? chunks_.find(std::get<std::byte*>(*best)) : extend(size);
    if (chunk == chunks_.end()) return nullptr;
    free_.erase(key_of(*chunk));
    chunk->second.is_free = false;
    if (chunk->second.bytes > size) {
        const Chunk left{chunk->second.bytes - size, chunk->second.region, true, false};
        free_.insert(key_of(*chunks_.emplace(chunk->first + size, left).first));
        chunk->second.bytes = size;
    }
    in_use_ += size;
    return chunk->first;
}

void* ActivationArena::map(std::size_t region, bool is_large) {
    // regions one after the other; none is null
    if (backing_ == Backing::addresses) return reinterpret_cast<void*>(first_address + reserved_);
    return map_pages(region, is_large ? Pages::large : Pages::usual);
}

ActivationArena::Chunks::iterator ActivationArena::extend(std::size_t bytes) {
    // A query takes less time than to fill so much memory.
    constexpr std::size_t worth_asking = std::size_t{64} << 20;
    if (backing_ == Backing::system && bytes >= worth_asking && bytes > available_memory())
        return chunks_.end();
    const std::size_t least = rounded(bytes, page_size());
    std::size_t region = least;
    if (extend_ == ArenaExtend::next_power_of_two) {
        while (next_region_ < region) next_region_ *= 2;
        region = next_region_;
        next_region_ *= 2;
    }
    const auto chunk = add_region(region, bytes >= large_page);
    // The system may have the requested bytes, but not the next power of two.
    return chunk != chunks_.end() || region == least ? chunk
                                                     : add_region(least, bytes >= large_page);
}

ActivationArena::Chunks::iterator ActivationArena::add_region(std::size_t region, bool is_large) {
    void* data = map(region, is_large);
    if (data == nullptr) return chunks_.end();
    reserved_ += region;
    const auto chunk =
        chunks_.emplace(static_cast<std::byte*>(data), Chunk{region, regions_++, true, true}).first;
    free_.insert(key_of(*chunk));
    return chunk;
}

void ActivationArena::prepare(std::size_t bytes) {
    const std::size_t region = rounded(bytes, page_size());
    const Lock lock(*this);
    if (region == 0) return;
    const auto chunk = add_region(region, false);
    if (chunk != chunks_.end() && backing_ == Backing::system) populate_pages(chunk->first, region);
}

void ActivationArena::make_free(Chunks::iterator chunk) {
    chunk->second.is_free = true;
    if (const auto next = std::next(chunk);
        next != chunks_.end() && next->second.is_free && !next->second.begins_region) {
        free_.erase(key_of(*next));
        chunk->second.bytes += next->second.bytes;
        chunks_.erase(next);
    }
    if (!chunk->second.begins_region && std::prev(chunk)->second.is_free) {
        const auto before = std::prev(chunk);
        free_.erase(key_of(*before));
        before->second.bytes += chunk->second.bytes;
        chunks_.erase(chunk);
        chunk = before;
    }
    free_.insert(key_of(*chunk));
}

void ActivationArena::release(void* data) noexcept {
    const Lock lock(*this);
    const auto chunk = chunks_.find(static_cast<std::byte*>(data));
    in_use_ -= chunk->second.bytes;
    make_free(chunk);
}

void ActivationArena::shrink() noexcept {
    const Lock lock(*this);
    for (auto it = chunks_.begin(); it != chunks_.end();) {
        const auto next = std::next(it);
        if (!it->second.is_free) {
            it = next;
        } else if (it->second.begins_region &&
                   (next == chunks_.end() || next->second.begins_region)) {
            free_.erase(key_of(*it));
            reserved_ -= it->second.bytes;
            if (backing_ == Backing::system) unmap_pages(it->first, it->second.bytes);
            it = chunks_.erase(it);
        } else {
            if (backing_ == Backing::system) discard_pages(it->first, it->second.bytes);
            it = next;
        }
    }
    if (reserved_ == 0) next_region_ = first_region;
}

std::size_t ActivationArena::reserved() const {
    const Lock lock(*this);
    return reserved_;
}

std::size_t ActivationArena::in_use() const {
    const Lock lock(*this);
    return in_use_;
}

}  // namespace lapidary
