// SPDX-License-Identifier: Apache-2.0
#include "passes/lowering/attention_core.h"

#include <limits>

namespace lapidary::lowering {

namespace {

bool same_known(const Dim& a, const Dim& b) { return !a.is_unknown() && a == b; }

/// Of one dimension: lengths [B], ends and starts [2B], or lengths and sums of them [3B + 2].
MaskForm form_of_line(const Type& mask, const Dim& batch, std::string& problem) {
    const Dim& size = (*mask.shape)[0];
    if (same_known(size, batch)) return MaskForm::lengths;
    if (size.is_known() && batch.is_known()) {
        if (size.value() == 2 * batch.value()) return MaskForm::start_and_end;
        if (size.value() == 3 * batch.value() + 2) return MaskForm::lengths;
    }
    problem = "whether its mask " + to_string(mask) +
              " holds lengths or starts and ends is not known for the batch " + to_string(batch);
    return MaskForm::none;
}

/// Of two dimensions: keys [B, T], or ONNX Runtime's placeholder [B, 1], which hides nothing.
MaskForm form_of_matrix(const Type& mask, const Dim& sequence, bool has_past,
                        std::string& problem) {
    const Dim& size = (*mask.shape)[1];
    const bool one_key = size.is_known() && size.value() == 1;
    if (!one_key) return MaskForm::keys;
    if (has_past) return MaskForm::none;
    if (sequence.is_known()) return sequence.value() == 1 ? MaskForm::keys : MaskForm::none;
    problem = "whether its mask " + to_string(mask) +
              " is ONNX Runtime's placeholder depends on the sequence length";
    return MaskForm::keys;
}

}  // namespace

MaskForm mask_form(const PassContext& context, ValueId mask, ValueId input, bool has_past,
                   std::string& problem) {
    if (!mask) return MaskForm::none;
    const Type& type = context.scope().type(mask);
    const Type& x = context.scope().type(input);
    if (!type.shape) {
        problem = "the rank of its mask, which decides its form, is not known";
        return MaskForm::none;
    }
    switch (type.shape->size()) {
    case 1:
        return form_of_line(type, x.shape && !x.shape->empty() ? (*x.shape)[0] : Dim(), problem);
    case 2:
        return form_of_matrix(type, x.shape && x.shape->size() > 1 ? (*x.shape)[1] : Dim(),
                              has_past, problem);
    case 3: return MaskForm::queries_and_keys;
    default:
        problem = "its mask " + to_string(type) +
                  " has the square form of rank 4, which depends on the length of the past";
        return MaskForm::none;
    }
}

std::string opset_problem(const PassContext& context, MaskForm form, bool causal) {
    const auto asks_for = [&](std::int64_t least, const std::string& what) {
        return context.opset() < least
                   ? what + ", which opset " + std::to_string(least) + " has; the model has " +
                         std::to_string(context.opset())
                   : std::string();
    };
    if (causal) return asks_for(11, "hiding the keys that follow needs Range");
    switch (form) {
    case MaskForm::none: return {};
    case MaskForm::keys:
    case MaskForm::queries_and_keys:
        return asks_for(9, "its mask needs Where and Greater of integers");
    default: return asks_for(11, "its mask of lengths needs Range");
    }
}

ValueId attend(PlainNodes& plain, const AttentionCore& core, MaskForm form) {
    const DType type = plain.dtype(core.q);
    ValueId scores = plain.matmul(core.q, plain.transpose(core.k, {0, 1, 3, 2}));
    if (core.scale != 1) scores = plain.mul(scores, core.scale);
    const ValueId zero = plain.scalar(type, 0);
    const auto hide_unless = [&](ValueId visible, double by) {
        scores = plain.add(scores, plain.op("Where", {visible, zero, plain.scalar(type, by)}));
    };
    const auto key_range = [&] {
        return plain.range(plain.scalar_i64(0), plain.dim_scalar(core.k, 2));
    };
    if (form == MaskForm::keys || form == MaskForm::queries_and_keys) {
        const ValueId kept =
            plain.op("Greater", {core.mask, plain.scalar(plain.dtype(core.mask), 0)});
        hide_unless(plain.unsqueeze(kept, form == MaskForm::keys ? std::vector<std::int64_t>{1, 2}
                                                                 : std::vector<std::int64_t>{1}),
                    core.filter);
    } else if (form != MaskForm::none) {
        // [B or 2B or 3B+2]: the first B are ends, the next B starts
        const ValueId batch = plain.dim_of(core.q, 0);
        const auto column = [&](ValueId begin, ValueId end) {
            const ValueId part = plain.op("Slice", {core.mask, begin, end, plain.ints({0})});
            return plain.unsqueeze(plain.cast(part, DType::i64), {1, 2, 3});
        };
        const ValueId keys = key_range();
        ValueId visible = plain.op("Less", {keys, column(plain.ints({0}), batch)});
        if (form == MaskForm::start_and_end) {
            const ValueId early = plain.op("Less", {keys, column(batch, plain.add(batch, batch))});
            visible = plain.op("And", {visible, plain.op("Not", {early})});
        }
        hide_unless(visible, core.filter);
    }
    if (core.bias) scores = plain.add(scores, plain.cast(core.bias, type));
    if (core.causal) {
        // query s sees the keys up to (all keys - all queries) + s
        const ValueId all_keys = plain.dim_scalar(core.k, 2);
        const ValueId last = plain.unsqueeze(
            plain.range(plain.sub(all_keys, plain.dim_scalar(core.q, 2)), all_keys), {1});
        const ValueId beyond = plain.op("Greater", {key_range(), last});
        scores = plain.op(
            "Where",
            {beyond, plain.scalar(type, -std::numeric_limits<double>::infinity()), scores});
    }
    const ValueId heads = plain.matmul(plain.softmax_last(scores, 4), core.v);
    return plain.reshape(plain.transpose(heads, {0, 2, 1, 3}), {0, 0, -1});
}

}  // namespace lapidary::lowering
