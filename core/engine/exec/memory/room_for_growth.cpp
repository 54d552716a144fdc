// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <limits>
#include <optional>

#include "exec/memory/memory_pattern.h"
#include "exec/memory/storage_sharing.h"

namespace lapidary {
namespace {

/// What `now` is after `runs` further steps from `before`; nothing where it shrinks or is too
/// large to count.
std::optional<std::uint64_t> grown(std::uint64_t before, std::uint64_t now, std::int64_t runs) {
    constexpr std::uint64_t most = std::uint64_t{1} << 62;
    if (now < before || now > most ||
        (now - before) > (most - now) / static_cast<std::uint64_t>(runs))
        return std::nullopt;
    return now + (now - before) * static_cast<std::uint64_t>(runs);
}

/// Bytes of a value whose dimensions grow, each on its own: `now_bytes` has the shape `now`.
std::optional<std::uint64_t> grown_bytes(const Shape& before, const Shape& now,
                                         std::uint64_t now_bytes, std::int64_t runs) {
    if (before.size() != now.size()) return std::nullopt;
    std::uint64_t bytes = now_bytes;
    for (std::size_t d = 0; d < now.size(); ++d) {
        if (before[d] == now[d]) continue;
        const auto size =
            grown(static_cast<std::uint64_t>(before[d]), static_cast<std::uint64_t>(now[d]), runs);
        if (!size) return std::nullopt;
        // above the size in `before`, so not 0; elements of less than a byte round up
        const auto count = static_cast<std::uint64_t>(now[d]);
        bytes = (bytes + count - 1) / count;
        if (bytes > std::numeric_limits<std::uint64_t>::max() / *size) return std::nullopt;
        bytes *= *size;
    }
    return bytes;
}

}  // namespace

MemoryTrace with_room(const Plan& plan, const MemoryTrace& before, const MemoryTrace& now,
                      std::int64_t runs, std::uint64_t most_bytes, const CancelToken& cancel) {
    MemoryTrace trace = now;
    trace.grows.assign(now.value_bytes.size(), 0);
    for (std::size_t v = 0; v < now.value_bytes.size(); ++v) {
        if (v % 1024 == 0) cancel.throw_if_cancelled();
        const bool is_same = now.is_planned[v] == before.is_planned[v] &&
                             now.value_bytes[v] == before.value_bytes[v] &&
                             now.shapes[v] == before.shapes[v];
        if (is_same) continue;
        trace.grows[v] = 1;
        if (!now.is_planned[v]) continue;
        const auto bytes =
            before.is_planned[v] && plan.last_use[v] != never_dies
                ? grown_bytes(before.shapes[v], now.shapes[v], now.value_bytes[v], runs)
                : std::nullopt;
        if (bytes && *bytes <= most_bytes) trace.value_bytes[v] = *bytes;
        else trace.is_planned[v] = 0;
    }
    for (std::size_t step = 0; step < trace.scratch_bytes.size(); ++step) {
        std::vector<std::uint64_t>& bytes = trace.scratch_bytes[step];
        const std::vector<std::uint64_t>& earlier = before.scratch_bytes.at(step);
        for (std::size_t i = 0; i < std::min(bytes.size(), earlier.size()); ++i)
            if (const auto more = grown(earlier[i], bytes[i], runs); more && *more <= most_bytes)
                bytes[i] = *more;
    }
    return trace;
}

}  // namespace lapidary
