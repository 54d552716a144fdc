// SPDX-License-Identifier: Apache-2.0
#include "generation/cache_memory.h"

#include <algorithm>
#include <cstring>
#include <string>

#include <lapidary/base/error.h>

#include "base/memory/large_pages.h"

namespace lapidary {
namespace {

constexpr std::size_t line = 64;  // kernels write to storage that begins at one

std::size_t room_for(const Tensor& cache) { return (cache.byte_size() + line - 1) / line * line; }

/// A tensor over the memory at `data`, which may be null.
Tensor placed(const CacheMemory::Cache& cache, std::byte* data,
              const std::shared_ptr<std::byte>& block) {
    return Tensor::borrow(cache.dtype, cache.shape, data, block);
}

/// Large pages as far as they come quickly. All bytes are zero.
std::shared_ptr<std::byte> new_block(std::size_t bytes) {
    const auto pages = std::make_shared<LargePages>(bytes);
    if (pages->data() == nullptr)
        fail_limit("the system refused " + std::to_string(bytes) + " bytes for caches");
    for (std::int64_t piece = 0; piece < pages->pieces(); ++piece) pages->back(piece);
    std::memset(pages->data(), 0, bytes);
    return {pages, pages->data()};
}

/// The first `used` rows of a cache become zero.
void clear_rows(Tensor& cache, std::size_t axis, std::int64_t used) {
    const auto rows = static_cast<std::size_t>(cache.dim(axis));
    if (cache.byte_size() == 0) return;
    std::size_t blocks = 1;
    for (std::size_t i = 0; i < axis; ++i) blocks *= static_cast<std::size_t>(cache.shape()[i]);
    const std::size_t each = cache.byte_size() / blocks,
                      written = each / rows * std::min(rows, static_cast<std::size_t>(used));
    auto* const data = static_cast<std::byte*>(cache.mutable_raw());
    for (std::size_t b = 0; b < blocks; ++b) std::memset(data + b * each, 0, written);
}

bool is_same(const CacheMemory::Cache& a, const CacheMemory::Cache& b) {
    return a.dtype == b.dtype && a.shape == b.shape && a.axis == b.axis;
}

}  // namespace

std::vector<Tensor> CacheMemory::cleared(const std::vector<Cache>& caches, std::int64_t used) {
    const bool is_kept = block_ && std::ranges::equal(caches, caches_, is_same);
    if (!is_kept) {
        block_.reset();
        std::size_t bytes = 0;
        for (const Cache& cache : caches) bytes += room_for(placed(cache, nullptr, {}));
        block_ = new_block(std::max(bytes, line));
        caches_ = caches;
    }
    std::vector<Tensor> tensors;
    std::byte* at = block_.get();
    for (const Cache& cache : caches) {
        Tensor& tensor = tensors.emplace_back(placed(cache, at, block_));
        if (is_kept) clear_rows(tensor, cache.axis, used);
        at += room_for(tensor);
    }
    return tensors;
}

}  // namespace lapidary
