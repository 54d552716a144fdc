// SPDX-License-Identifier: Apache-2.0
// A decoder that computes in float with its caches in fewer bits.
#pragma once

#include <string>
#include <vector>

#include <lapidary/base/progress.h>

#include "generation/decoder_model.h"

namespace lapidary {

/// Why a cache cannot be kept as `dtype`: f16, or i8 with a scale for each row; empty: it can, or
/// is of that type already. GroupQueryAttention converts what it reads of such a cache, and rounds
/// what it appends.
std::string reason_against_narrow(const Graph& graph, const DecoderCache& cache, DType dtype);

/// A copy of the model whose caches of float32 are of `dtype`, as `caches` say then. There must be
/// no reason against any of them. Throws cancelled.
Model with_narrow_caches(const Model& model, std::vector<DecoderCache>& caches, DType dtype,
                         const CancelToken& cancel);

}  // namespace lapidary
