// SPDX-License-Identifier: Apache-2.0
#include "passes/lowering/attention_core.h"

#include <limits>

namespace lapidary::lowering {

MaskForm mask_form(const PassContext& context, ValueId mask, ValueId input, bool has_past, std::string& problem) {
    if (!mask) return MaskForm::none;
    const Type& type = context.scope().type(mask);
    const Type& x = context.scope().type(input);
    if (!type.shape) {
        problem = "the rank of its mask is not known, which tells the form";
        return MaskForm::none;
    }
    const SymbolicShape& shape = *type.shape;
    const Dim batch = x.shape && !x.shape->empty() ? (*x.shape)[0] : Dim();
    const Dim sequence = x.shape && x.shape->size() > 1 ? (*x.shape)[1] : Dim();
    const auto same = [](const Dim& a, const Dim& b) { return !a.is_unknown() && a == b; };
    if (shape.size() == 1) {
        if (same(shape[0], batch)) return MaskForm::lengths;
        if (shape[0].is_known() && batch.is_known() && shape[0].value() == 2 * batch.value())
            return MaskForm::start_and_end;
        if (shape[0].is_known() && batch.is_known() && shape[0].value() == 3 * batch.value() + 2)
            return MaskForm::lengths;
        problem = "whether its mask " + to_string(type) +
                  " holds lengths or starts and ends is not known for the batch " + to_string(batch);
    } else if (shape.size() == 2) {
        const bool is_dummy = shape[1].is_known() && shape[1].value() == 1 &&
                              (has_past || !(sequence.is_known() && sequence.value() == 1));
        if (is_dummy && (has_past || sequence.is_known())) return MaskForm::none;
        if (is_dummy)
            problem =
                "whether its mask " + to_string(type) + " is ONNX Runtime's placeholder depends on the sequence length";
        return MaskForm::keys;
    } else if (shape.size() == 3) {
        return MaskForm::queries_and_keys;
    } else {
        problem =
            "its mask " + to_string(type) + " has the square form of rank 4, which depends on the length of the past";
    }
    return MaskForm::none;
}

std::string opset_problem(const PassContext& context, MaskForm form, bool causal) {
    const auto asks_for = [&](std::int64_t least, const std::string& what) {
        return context.opset() < least ? what + ", which opset " + std::to_string(least) + " has; the model has " +
                                             std::to_string(context.opset())
                                       : std::string();
    };
    if (causal) return asks_for(11, "hiding the keys that follow needs Range");
    switch (form) {
        case MaskForm::none: return {};
        case MaskForm::keys:
        case MaskForm::queries_and_keys: return asks_for(9, "its mask needs Where and Greater of integers");
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
    const auto key_range = [&] { return plain.range(plain.scalar_i64(0), plain.dim_scalar(core.k, 2)); };
    if (form == MaskForm::keys || form == MaskForm::queries_and_keys) {
        const ValueId kept = plain.op("Greater", {core.mask, plain.scalar(plain.dtype(core.mask), 0)});
        hide_unless(plain.unsqueeze(
                        kept, form == MaskForm::keys ? std::vector<std::int64_t>{1, 2} : std::vector<std::int64_t>{1}),
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
        const ValueId last =
            plain.unsqueeze(plain.range(plain.sub(all_keys, plain.dim_scalar(core.q, 2)), all_keys), {1});
        const ValueId beyond = plain.op("Greater", {key_range(), last});
        scores = plain.op("Where", {beyond, plain.scalar(type, -std::numeric_limits<double>::infinity()), scores});
    }
    const ValueId heads = plain.matmul(plain.softmax_last(scores, 4), core.v);
    return plain.reshape(plain.transpose(heads, {0, 2, 1, 3}), {0, 0, -1});
}

}  // namespace lapidary::lowering
