// SPDX-License-Identifier: Apache-2.0
//   before:  present (f32) = Cast(Concat(Cast(past: f32, to f16), new))
//   after:   present (f16) = Concat(past: f16, new)
// What a model rounds when it reads a cache is kept rounded: the same numbers in half the memory,
// and no run converts the whole cache twice. Converters that keep the types of inputs and outputs
// write such models.
#pragma once

#include <vector>

#include <lapidary/base/progress.h>
#include <lapidary/graph/model.h>

#include "generation/decoder_model.h"

namespace lapidary {

/// The type that a cache can be kept in without another result: f16 or bf16, where the model reads
/// a cache of f32 as that alone and writes what has that type already; else the cache's own.
DType kept_type(const Graph& graph, const DecoderCache& cache);

/// A copy of the model whose caches have those types, as `caches` say then. Throws cancelled.
Model with_rounded_caches(const Model& model, std::vector<DecoderCache>& caches,
                          const CancelToken& cancel);

}  // namespace lapidary
