// SPDX-License-Identifier: Apache-2.0
// A decoder that computes in float with its caches in float16.
#pragma once

#include <string>
#include <vector>

#include <lapidary/base/progress.h>

#include "generation/decoder_model.h"

namespace lapidary {

/// Why a cache cannot be kept in float16; empty: it can, or is float16 already. GroupQueryAttention
/// converts what it reads of such a cache, and rounds what it appends.
std::string reason_against_halves(const Graph& graph, const DecoderCache& cache);

/// A copy of the model whose caches of float32 are of float16, as `caches` say then. There must be
/// no reason against any of them. Throws cancelled.
Model with_half_caches(const Model& model, std::vector<DecoderCache>& caches,
                       const CancelToken& cancel);

}  // namespace lapidary
