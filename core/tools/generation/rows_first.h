// SPDX-License-Identifier: Apache-2.0
//   before:  present = Concat(past [B, heads, rows, size], new) along the rows
//   after:   present = Concat(past [B, rows, heads, size], Transpose(new)) along the rows, and
//            readers get Transpose(present)
// With one sequence a cache whose rows come first is continued where it lies; attention kernels
// take the Transpose in.
#pragma once

#include <lapidary/base/progress.h>
#include <lapidary/graph/model.h>

#include "generation/decoder_model.h"

namespace lapidary {

/// Why a cache cannot have its rows first: a phrase; empty: it can.
std::string reason_against_rows_first(const Graph& graph, const DecoderCache& cache);

/// A copy of the model with the rows of those caches first that are continued. Their shapes and
/// axes in `caches` become those of the copy.
Model with_rows_first(const Model& model, std::vector<DecoderCache>& caches,
                      const CancelToken& cancel);

}  // namespace lapidary
