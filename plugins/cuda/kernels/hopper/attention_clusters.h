// SPDX-License-Identifier: Apache-2.0
// Attention of few queries for compute capability 9.0: blocks of a cluster have a part of the keys
// each and give what they have seen to the first one, so that a head's keys are read, and its
// caches written, by several multiprocessors.
#pragma once

#include "kernels/attention/attention.h"

namespace lapidary::cuda {

inline constexpr std::int32_t most_clustered_parts = 8, keys_of_clustered_part = 32;

/// How launch_attention_clusters() wants it split, without memory for parts; one part where it does
/// not take it: other sizes, or queries enough to fill a device as they are.
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

/// The part of launch_attention_rows() for those that are split so.
void launch_attention_clusters(Queue& queue, const AttentionArgs& args);

}  // namespace lapidary::cuda
