// SPDX-License-Identifier: Apache-2.0
// Masks of scores as com.microsoft's attention operators take them: unidirectional, a 0/1 mask of
// keys, a bias.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "passes/extended/attention/score_chain.h"

namespace lapidary::attention {

/// The sizes that a mask must fit.
struct ScoreSizes {
    Dim batch, queries, keys;  // keys: with the cached ones
    std::int64_t heads = 0;
};

/// A mask [B,T]. Keys are used where it is not 0 (or true); reversed: where it is 0.
struct KeyMask {
    ValueId value;
    bool reversed = false;
    double filler = -10000;
};

struct ScoreMask {
    bool causal = false;
    std::optional<KeyMask> keys;
    // other masks, innermost first, each usable as a bias; a Where replaces the scores before it
    std::vector<MaskTerm> biases;
};

/// Splits the masks into the parts of ScoreMask such that completely masked rows keep their
/// results. Edits nothing. `dtype`: of the scores. Returns why they do not fit, or empty.
std::string read_masks(PassContext& context, const ScoreChain& chain, const ScoreSizes& sizes,
                       DType dtype, ScoreMask& mask);

/// A condition or 0/1 value that is 1 exactly where key t <= query s + (T - S).
bool is_causal(PassContext& context, ValueId value, const ScoreSizes& sizes);
/// Follows a value that masks scores [B,N,S,T] and is proven 0 or 1 to a mask [B,T]; nothing where
/// it is not proven, the mask has another shape, or broadcasting gives it another batch.
std::optional<KeyMask> key_mask_of(const Scope& scope, ValueId value, const ScoreSizes& sizes);

/// True if the dimension of a mask may be that of the keys. It may have another name: since it
/// broadcasts with them, it has the same size, or is 1, which masks nothing.
bool may_be_keys(const Dim& dim, const ScoreSizes& sizes);

/// Add nodes that make the operators' inputs. `queries_of`: a value whose dimension 1 is the number
/// of queries.
ValueId make_key_mask(PassContext& context, const KeyMask& mask);
ValueId make_bias(PassContext& context, const ScoreMask& mask, const ScoreSizes& sizes,
                  ValueId queries_of, DType dtype);

}  // namespace lapidary::attention
