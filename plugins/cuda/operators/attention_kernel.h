// SPDX-License-Identifier: Apache-2.0
// What the attention kernels share.
#pragma once

#include <cmath>
#include <optional>

#include "kernel_tuner.h"
#include "kernels/attention/attention.h"
#include "operators/elementwise.h"
#include "operators/movement.h"

namespace lapidary::cuda {

/// Throws DeviceError where the number does not fit 32 bits.
inline std::int32_t narrow(std::int64_t v) {
    if (v >= INT32_MIN && v <= INT32_MAX) return static_cast<std::int32_t>(v);
    throw DeviceError(LP_UNSUPPORTED, "a size of " + std::to_string(v) + ": kernels count to 2^31");
}

/// Strides of a packed [batch, heads, rows, size] with `capacity` rows per head.
inline HeadStrides heads_first(std::int64_t heads, std::int64_t capacity, std::int64_t size) {
    return {narrow(heads * capacity * size), narrow(capacity * size), narrow(size), 1};
}
/// Strides of [batch, rows, width], where the columns of a head are adjacent.
inline HeadStrides heads_last(std::int64_t rows, std::int64_t width, std::int64_t size) {
    return {narrow(rows * width), narrow(size), narrow(width), 1};
}

inline const void* moved(const void* data, std::int64_t elements, std::int32_t type) {
    return static_cast<const char*>(data) + elements * bytes_of(type);
}
inline void* moved(void* data, std::int64_t elements, std::int32_t type) {
    return static_cast<char*>(data) + elements * bytes_of(type);
}

/// Whether products of float32 may use tensor cores.
inline bool allows_tf32(Precision precision) {
    return precision != Precision::exact && precision != Precision::tf32x3;
}

/// Base of the attention kernels.
class AttentionKernel : public NodeKernel {
public:
    std::int64_t heads = 0, key_heads = 0;
    std::optional<float> scale;  // else one over the root of the size
    float softcap = 0, filter = -10000;
    bool is_causal = false, in_tf32 = false;
    std::shared_ptr<KernelTuner> tuner;  // null: no tuning

protected:
    float scale_for(std::int64_t size) const {
        if (scale) return *scale;
        return size == 0 ? 1 : static_cast<float>(1 / std::sqrt(static_cast<double>(size)));
    }
    static void set_sizes(AttentionArgs& args, std::int64_t batch, std::int64_t of_heads,
                          std::int64_t of_keys, std::int64_t queries, std::int64_t keys,
                          std::int64_t size, std::int64_t value_size) {
        if (size > attention_size || value_size > attention_size)
            throw DeviceError(LP_UNSUPPORTED, "heads of more than 256 elements");
        args.batch = narrow(batch);
        args.heads = narrow(of_heads);
        args.key_heads = narrow(of_keys);
        args.queries = narrow(queries);
        args.keys = narrow(keys);
        args.size = narrow(size);
        args.value_size = narrow(value_size);
    }
    /// Calls launch_attention(), split over the keys where that fills the device better. Takes
    /// working memory from the run.
    void attend(KernelRun& run, AttentionArgs args) const {
        args.in_tf32 = in_tf32 && args.type == 1;
        const bool is_empty =
            args.batch == 0 || args.heads == 0 || args.queries == 0 || args.value_size == 0;
        if (!args.y || is_empty) {
            if (args.capacity > 0) launch_caches(run.queue(), args);
            return;
        }
        if (tuner) return tuner->launch(run, args);
        const AttentionSplit split = split_of(args);
        if (split.parts > 1) {
            args.parts = split.parts;
            args.part_keys = split.part_keys;
            args.partial = static_cast<float*>(run.scratch(split.partial_bytes));
        }
        launch_attention(run.queue(), args);
    }
    /// A mask that broadcasts to [batch, heads, queries, keys].
    static void set_mask(AttentionArgs& args, const Array& mask) {
        if (!mask.data) return;
        const Dims target{args.batch, args.heads, args.queries, args.keys},
            strides = strides_of(mask.dims);
        if (mask.dims.empty() || mask.dims.size() > 4 || broadcast(mask.dims, target) != target)
            throw DeviceError(LP_UNSUPPORTED, "a mask that does not broadcast to the scores");
        std::int32_t of[4] = {};
        for (std::size_t i = 1; i <= mask.dims.size(); ++i)
            if (mask.dims[mask.dims.size() - i] != 1)
                of[4 - i] = narrow(strides[strides.size() - i]);
        args.bias_strides = {of[0], of[1], of[2], of[3]};
        if (mask.type == boolean) args.allowed = static_cast<const std::uint8_t*>(mask.data);
        else args.bias = mask.data;
        args.bias_type = mask.type;
    }
    /// mask_index or key_padding_mask: lengths of the sequences, or one number for each key.
    void set_padding(AttentionArgs& args, const Array& mask) const {
        if (!mask.data) return;
        args.key_filter = filter;
        const auto* values = static_cast<const std::int32_t*>(mask.data);
        if (mask.dims == Dims{args.batch}) {
            args.key_lengths = values;
            args.length_filters = true;
        } else if (mask.dims == Dims{args.batch, args.keys}) {
            args.key_mask = values;
        } else if (mask.dims.size() != 2 || mask.dims[1] != 1) {
            throw DeviceError(LP_UNSUPPORTED, "a mask that is none of lengths or keys");
        }
    }
    /// k and v are `fresh` new keys and values behind those of the past.
    static void set_caches(AttentionArgs& args, const Array& past_k, const Array& past_v,
                           void* present_k, void* present_v, std::int64_t fresh,
                           std::int64_t capacity) {
        args.k_cache = {past_k.data, present_k};
        args.v_cache = {past_v.data, present_v};
        args.fresh_rows = narrow(fresh);
        args.past = args.old_rows = past_k.dims.size() == 4 ? narrow(past_k.dims[2]) : 0;
        args.capacity = narrow(capacity);
    }
};

/// The scale of com.microsoft's operators, which treat 0 as not given.
inline std::optional<float> scale_unless_zero(const NodeView& node) {
    const float scale = node.real("scale", 0);
    return scale == 0 ? std::nullopt : std::optional(scale);
}

inline void require_head_types(const NodeView& node, std::initializer_list<std::size_t> inputs) {
    for (std::size_t i : inputs)
        if (node.has_input(i))
            require_type(node, i,
                         is_float(node.input_type(i)) && node.input_type(i) == node.input_type(0));
}

/// Throws Refusal where optional inputs or outputs that the kernel does not support are given.
inline void require_absent(const NodeView& node, std::initializer_list<std::size_t> inputs) {
    for (std::size_t i : inputs)
        if (node.has_input(i)) throw Refusal("input " + std::to_string(i) + " is given");
}

}  // namespace lapidary::cuda
