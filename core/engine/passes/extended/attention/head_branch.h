// SPDX-License-Identifier: Apache-2.0
// Follows an operand of one of attention's two products (queries, keys or values) upwards through
// the splitting of heads, cached rows and the projection.
#pragma once

#include <string>
#include <vector>

#include "passes/extended/attention/head_layout.h"
#include "rewrite/pass.h"

namespace lapidary::attention {

/// X * W + b with constant W: the columns that the heads of one branch read.
struct Projection {
    ValueId source;  // X as [B,S,I]; else empty and `problem` says why
    ValueId read;    // the input of the product
    NodeId product;
    const Tensor* weight = nullptr;  // [I,C], or [C,I]
    bool transposed = false;
    double alpha = 1;
    std::vector<std::int64_t> columns;  // of W, head by head
    std::vector<double> bias;           // head by head; empty: none
    std::string problem;
};

struct Branch {
    std::string name;  // "Q", "K", "V"
    std::int64_t heads = 0, size = 0;
    Dim batch, rows;   // rows: number of new ones, without cached ones
    double scale = 1;  // product of constant factors on the way

    // [B,S,N*D]; flat_scale: product of the factors between it and the product of matrices
    ValueId flat;
    double flat_scale = 1;
    ValueId split;  // [B,S,N,D], if there is no flat value
    double split_scale = 1;
    bool has_projection = false;
    Projection projection;

    // With a cache: Concat(past, new) along the rows.
    NodeId join;
    ValueId past;         // [B,N,P,D], or empty when not in that form
    ValueId packed_past;  // [2,B,N,P,D], when it is one half of that
    std::int64_t half = -1;
    double scale_at_join = 1;
    std::vector<ValueId> all_rows;  // values that hold every row as [B,N,T,D]
};

/// Follows `operand`, an operand of a product over heads ([.., rows, items], or swapped). Returns
/// why that is not possible, or empty.
std::string follow_branch(PassContext& context, ValueId operand, bool last_two_swapped,
                          Branch& branch);

/// One step up through an operator that moves elements or scales them by a constant.
enum class Step { moved, stopped, failed };
Step step_up(PassContext& context, ValueId& value, HeadLayout& layout, double& scale);

/// The constant of shape [size] (or with leading ones, or one element) as `size` numbers; empty
/// when it is none.
std::vector<double> constant_row(const Scope& scope, ValueId value, std::int64_t size);

}  // namespace lapidary::attention
