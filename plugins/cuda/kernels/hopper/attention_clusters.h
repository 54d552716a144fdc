// SPDX-License-Identifier: Apache-2.0
// Attention of few queries for compute capability 9.0. Each block of a cluster handles a part of
// the keys and sends its result to the first block. So several multiprocessors read the keys of a
// head and write its caches.
#pragma once

#include "kernels/attention/attention.h"

namespace lapidary::cuda {

inline constexpr std::int32_t most_clustered_parts = 8, keys_of_clustered_part = 32;

/// The split for launch_attention_clusters(), which needs no memory for parts. One part where the
/// kernel does not apply: other sizes, or enough queries to fill a device anyway.
inline AttentionSplit attention_cluster_split(const AttentionArgs& args) {
    constexpr long long enough_queries = 64;
    const long long queries = static_cast<long long>(args.batch) * args.heads * args.queries;
    AttentionSplit split{1, args.keys, 0};
    if ((args.type != 10 && args.type != 16) || !is_for_rows(args) || args.value_size % 4 != 0)
        return split;
    if (queries > enough_queries || args.keys < 2 * keys_of_clustered_part) return split;
    const std::int32_t unit = keys_of_clustered_part, units = (args.keys - 1) / unit + 1;
    split.part_keys = ((units - 1) / most_clustered_parts + 1) * unit;
    split.parts = (args.keys - 1) / split.part_keys + 1;
    return split;
}

/// The kernel of launch_attention_rows() for arguments with that split.
void launch_attention_clusters(Queue& queue, const AttentionArgs& args);

}  // namespace lapidary::cuda
