// SPDX-License-Identifier: Apache-2.0
#include "kernels/input_index.h"
#include "kernels/reference/attention/attention_geometry.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "ops/geometry/broadcast.h"

namespace lapidary::reference {
namespace {

void require_shape(const Tensor& tensor, const Shape& expected, const char* name) {
    if (tensor.shape() != expected)
        fail_input(std::string("Attention: expected ") + name + " " + to_string(expected) +
                   ", found " + to_string(tensor.shape()));
}

std::int64_t heads_attribute(const Node& node, const char* name, std::int64_t hidden) {
    const std::int64_t heads = node.int_attribute(name, 0);
    if (heads < 1 || hidden % heads != 0)
        fail_input(std::string("Attention: attribute ") + name + " = " + std::to_string(heads) +
                   " does not divide the hidden size " + std::to_string(hidden));
    return heads;
}

}  // namespace

AttentionGeometry::AttentionGeometry(const KernelContext& context) {
    const Node& node = context.node();
    const Tensor& q = context.input(0);
    const Tensor& k = context.input(1);
    const Tensor& v = context.input(2);
    if ((q.rank() != 3 && q.rank() != 4) || k.rank() != q.rank() || v.rank() != q.rank())
        fail_input("Attention: expected Q, K and V of one rank, 3 or 4, found " +
                   to_string(q.shape()) + ", " + to_string(k.shape()) + " and " +
                   to_string(v.shape()));
    require_same_type(q, k, "Attention Q and K");
    heads_last = q.rank() == 3;
    batch = q.dim(0);
    if (heads_last) {
        query_heads = heads_attribute(node, "q_num_heads", q.dim(2));
        key_heads = heads_attribute(node, "kv_num_heads", k.dim(2));
        queries = q.dim(1);
        new_keys = k.dim(1);
        head_size = q.dim(2) / query_heads;
        value_size = v.dim(2) / key_heads;
        require_shape(k, {batch, new_keys, key_heads * head_size}, "K");
        require_shape(v, {batch, new_keys, key_heads * value_size}, "V");
    } else {
        query_heads = q.dim(1);
        key_heads = k.dim(1);
        queries = q.dim(2);
        new_keys = k.dim(2);
        head_size = q.dim(3);
        value_size = v.dim(3);
        require_shape(k, {batch, key_heads, new_keys, head_size}, "K");
        require_shape(v, {batch, key_heads, new_keys, value_size}, "V");
    }
    if (key_heads == 0 ? query_heads != 0 : query_heads % key_heads != 0)
        fail_input("Attention: " + std::to_string(query_heads) +
                   " query heads do not divide among " + std::to_string(key_heads) + " key heads");
    const Tensor* past_key = context.optional_input(attention_input::past_key);
    const Tensor* past_value = context.optional_input(attention_input::past_value);
    if (!past_key != !past_value)
        fail_input("Attention: past_key and past_value are given only together");
    past_keys = 0;
    if (past_key) {
        if (past_key->rank() != 4)
            fail_input("Attention: expected past_key of rank 4, found " +
                       to_string(past_key->shape()));
        past_keys = past_key->dim(2);
        require_shape(*past_key, {batch, key_heads, past_keys, head_size}, "past_key");
        require_shape(*past_value, {batch, key_heads, past_keys, value_size}, "past_value");
    }
    keys = past_keys + new_keys;
    is_causal = node.int_attribute("is_causal", 0) != 0;
    const auto window = [&](const char* name) {
        const std::int64_t size = node.int_attribute(name, -1);
        if (size < -1)
            fail_model(std::string("attribute ") + name + ": expected -1 or more, found " +
                       std::to_string(size));
        return size;
    };
    left_window = window("left_window_size");
    right_window = window("right_window_size");
    scale = node.has_attribute("scale") ? node.float_attribute("scale", 1)
            : head_size > 0             ? 1 / std::sqrt(static_cast<double>(head_size))
                                        : 1;
}

std::int64_t AttentionGeometry::head_offset(std::int64_t b, std::int64_t head, std::int64_t heads,
                                            std::int64_t sequence, std::int64_t size) const {
    return heads_last ? b * sequence * heads * size + head * size
                      : (b * heads + head) * sequence * size;
}

template <typename T>
AttentionBias<T>::AttentionBias(KernelContext& context, const AttentionGeometry& geometry)
    : g_(geometry) {
    if (const Tensor* mask = context.optional_input(attention_input::attn_mask)) {
        has_mask_ = true;
        if (mask->rank() < 1 || mask->rank() > 4)
            fail_input("Attention: expected attn_mask of rank 1 to 4, found " +
                       to_string(mask->shape()));
        mask_keys_ = mask->shape().back();
        // A single column stands for all keys; fewer columns than keys are padded with masked-out
        // ones.
        const bool repeats = mask_keys_ == 1 && g_.keys != 1;
        Shape target{g_.batch, g_.query_heads, g_.queries, repeats ? g_.keys : mask_keys_};
        if (mask_keys_ > g_.keys || broadcast_shapes(mask->shape(), target) != target)
            fail_input("Attention: attn_mask " + to_string(mask->shape()) +
                       " does not broadcast to " +
                       to_string(Shape{g_.batch, g_.query_heads, g_.queries, g_.keys}));
        const Shape strides = broadcast_strides(mask->shape(), target);
        if (repeats) mask_keys_ = g_.keys;
        batch_stride_ = strides[0];
        head_stride_ = strides[1];
        query_stride_ = strides[2];
        key_stride_ = strides[3];
        if (mask->dtype() == DType::boolean) {
            for (const bool attends : mask->data<bool>())
                mask_.push_back(attends ? T(0) : -std::numeric_limits<T>::infinity());
        } else {
            for (const double value : to_doubles(*mask)) mask_.push_back(static_cast<T>(value));
        }
    }
    if (const Tensor* lengths = context.optional_input(attention_input::nonpad_kv_seqlen)) {
        require_shape(*lengths, {g_.batch}, "nonpad_kv_seqlen");
        valid_keys_ = to_int64s(*lengths);
        for (auto& n : valid_keys_)
            if (n < 0 || n > g_.keys)
                fail_input("Attention: expected nonpad_kv_seqlen in [0, " +
                           std::to_string(g_.keys) + "], found " + std::to_string(n));
    }
}

template <typename T>
typename AttentionBias<T>::Sight AttentionBias<T>::row(std::int64_t b, std::int64_t head,
                                                       std::int64_t query, T* bias) const {
    constexpr T out = -std::numeric_limits<T>::infinity();
    const std::int64_t valid =
        valid_keys_.empty() ? g_.keys : valid_keys_[static_cast<std::size_t>(b)];
    // Keys that precede the queries: those of the past, or those already in an outside cache.
    const std::int64_t before = valid_keys_.empty() || g_.past_keys > 0 ? g_.past_keys
                                                                        : valid - g_.queries,
                       place = query + before;
    std::int64_t begin = 0, end = valid;
    if (g_.is_causal) end = std::min(end, place + 1);
    if (g_.right_window >= 0 && g_.right_window < g_.keys)
        end = std::min(end, place + g_.right_window + 1);
    if (g_.left_window >= 0 && g_.left_window <= place) begin = place - g_.left_window;
    if (has_mask_) end = std::min(end, mask_keys_);
    end = std::max<std::int64_t>(end, 0);
    begin = std::min(begin, end);
    const std::int64_t start = b * batch_stride_ + head * head_stride_ + query * query_stride_;
    bool attends = false;
    std::fill(bias, bias + begin, out);
    for (std::int64_t j = begin; j < end; ++j) {
        bias[j] = has_mask_ ? mask_[static_cast<std::size_t>(start + j * key_stride_)] : T(0);
        attends = attends || bias[j] != out;
    }
    std::fill(bias + end, bias + g_.keys, out);
    return {begin, end, attends};
}

template class AttentionBias<float>;
template class AttentionBias<double>;

}  // namespace lapidary::reference
