// SPDX-License-Identifier: Apache-2.0
#include "kernels/input_index.h"
#include "kernels/reference/attention/grouped_cache.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <span>
#include <string>

#include <lapidary/tensor/float16.h>

#include "kernels/reference/attention/head_attention.h"
#include "kernels/reference/control_flow/nested_kernel.h"
#include "kernels/reference/elementwise/elementwise_binary.h"

namespace lapidary::reference {
namespace {

constexpr std::int64_t scale_bytes = sizeof(float);  // behind a row of scaled bytes

/// Elements of a row of the cache: channels, or bytes of two, or scaled bytes.
std::int64_t stored_size(const Node& node, DType dtype, std::int64_t size) {
    const bool is_quantized = node.string_attribute("k_quant_type", "NONE") != "NONE" ||
                              node.string_attribute("v_quant_type", "NONE") != "NONE";
    if (!is_quantized && dtype == DType::i8) return size + scale_bytes;
    return is_quantized && node.int_attribute("kv_cache_bit_width", 0) == 4 ? (size + 1) / 2 : size;
}

/// Rows of `size` floats as scaled bytes.
void store_scaled(std::span<const float> from, std::int64_t size, std::int8_t* to) {
    for (std::size_t at = 0; at < from.size(); at += static_cast<std::size_t>(size)) {
        const std::span<const float> row = from.subspan(at, static_cast<std::size_t>(size));
        float largest = 0;
        for (const float value : row) largest = std::max(largest, std::abs(value));
        float scale = std::numeric_limits<float>::quiet_NaN();
        if (std::ranges::all_of(row, [](float value) { return std::isfinite(value); })) {
            // 16 bits of precision, rounded up
            const float exact = largest / 127;
            int exponent = 0;
            const float digits = std::frexp(exact, &exponent);
            scale = std::ldexp(std::ceil(std::ldexp(digits, 16)), exponent - 16);
        }
        for (const float value : row)
            *to++ = scale > 0 ? static_cast<std::int8_t>(std::nearbyint(value / scale)) : 0;
        std::memcpy(to, &scale, scale_bytes);
        to += scale_bytes;
    }
}

/// The floats of rows of scaled bytes.
void load_scaled(const std::int8_t* from, std::int64_t size, std::span<float> to) {
    for (std::size_t at = 0; at < to.size(); at += static_cast<std::size_t>(size)) {
        float scale = 0;
        std::memcpy(&scale, from + size, scale_bytes);
        for (std::int64_t i = 0; i < size; ++i)
            to[at + static_cast<std::size_t>(i)] = static_cast<float>(from[i]) * scale;
        from += size + scale_bytes;
    }
}

bool is_plain_float(DType dtype) {
    return dtype == DType::f32 || dtype == DType::f16 || dtype == DType::bf16;
}

}  // namespace

CacheRows::CacheRows(KernelContext& context, std::int64_t batch_size, std::int64_t key_heads,
                     std::int64_t head_size, std::int64_t new_rows)
    : batch(batch_size), heads(key_heads), size(head_size), sequence(new_rows),
      window(context.node().int_attribute("local_window_size", -1)),
      slides(context.node().int_attribute("sliding_window_cache", 0) != 0) {
    const Tensor *past_key = context.optional_input(group_query_input::past_key),
                 *past_value = context.optional_input(group_query_input::past_value);
    const Tensor &lengths = context.input(group_query_input::seqlens_k),
                 &all = context.input(group_query_input::total_sequence_length);
    if (lengths.size() != batch)
        context.fail("seqlens_k: expected " + std::to_string(batch) + " elements, found " +
                     to_string(lengths.shape()));
    if (all.size() != 1)
        context.fail("total_sequence_length: expected a scalar, found " + to_string(all.shape()));
    total = to_int64s(all)[0];
    if (past_key) {
        const std::int64_t stored = stored_size(context.node(), past_key->dtype(), size);
        capacity = past_key->rank() == 4 ? past_key->dim(2) : 0;
        if (!past_value || past_key->shape() != Shape{batch, heads, capacity, stored} ||
            past_value->shape() != past_key->shape())
            context.fail("past_key and past_value: expected [" + std::to_string(batch) + "," +
                         std::to_string(heads) + ",P," + std::to_string(stored) + "], found " +
                         to_string(past_key->shape()) + " and " +
                         (past_value ? to_string(past_value->shape()) : std::string("none")));
    }
    if (total < 0 || (!slides && total > capacity + sequence))
        context.fail("total_sequence_length " + std::to_string(total) + " is more than the past " +
                     std::to_string(capacity) + " and the " + std::to_string(sequence) +
                     " new ones");
    rows = slides ? 0 : std::max(capacity, total);
    keys = total;
    present_rows = rows;
    for (const std::int64_t used : to_int64s(lengths)) {
        length.push_back(used + 1);
        past.push_back(sequence == total ? 0 : length.back() - sequence);
        if (!fits(length.back(), past.back()))
            context.fail("seqlens_k: " + std::to_string(used) + " does not fit " +
                         std::to_string(slides ? total : rows) + " keys and " +
                         std::to_string(sequence) + " new ones");
    }
    held = past;
    if (slides) slide(context);
}

std::pair<std::int64_t, std::int64_t> CacheRows::visible(std::int64_t b, std::int64_t s,
                                                         bool causal) const {
    const auto i = static_cast<std::size_t>(b);
    const std::int64_t end = held[i] + (causal ? s + 1 : length[i] - past[i]);
    return {window > 0 ? std::max<std::int64_t>(0, end - window) : 0, end};
}

/// A sequence that has `end` keys, of which `before` were there before the new ones.
bool CacheRows::fits(std::int64_t end, std::int64_t before) const {
    if (end < 0 || before < 0) return false;
    return slides ? end <= total : end <= rows && before <= capacity && before + sequence <= rows;
}

/// A full cache starts again with the last `window` rows. One of just these drops as many as are
/// new; a longer one fills up again, one row in a run as far as the inputs show.
void CacheRows::slide(KernelContext& context) {
    if (capacity == 0)
        context.fail("attribute sliding_window_cache: past_key and past_value are missing");
    if (window < 1 || window > capacity)
        context.fail("attribute sliding_window_cache: local_window_size " + std::to_string(window) +
                     " does not fit a cache of " + std::to_string(capacity) + " rows");
    if (context.optional_input(group_query_input::attention_bias))
        fail_unsupported(
            "attribute sliding_window_cache beside an attention_bias is not supported");
    if (context.output_count() > 3 && context.wants_output(3))
        fail_unsupported("attribute sliding_window_cache with output_qk wanted is not supported");
    for (std::size_t b = 0; b < held.size(); ++b) {
        if (past[b] > capacity)
            held[b] = window + (past[b] - capacity - 1) % (capacity - window + 1);
        if (held[b] > 0 && sequence > 1 && window < capacity && past[b] + sequence > capacity)
            fail_unsupported("attribute sliding_window_cache: " + std::to_string(sequence) +
                             " new rows at once on a full cache of more rows (" +
                             std::to_string(capacity) + ") than the window (" +
                             std::to_string(window) + ") are not supported");
        rows = std::max(rows, held[b] + sequence);
    }
    keys = rows;
    present_rows = capacity;
}

GroupedCache::GroupedCache(const KernelContext& context, const CacheRows& rows, const Tensor* past,
                           const Tensor* scale, std::string_view type, std::string_view name)
    : rows_(rows), past_(past) {
    const std::string what(name), attribute = what.substr(0, 1) + "_quant_type";
    const std::int64_t channels = rows.heads * rows.size;
    if (type == "NONE") {
        has_scaled_rows_ =
            past && past->dtype() == DType::i8 && past->dim(3) == rows.size + scale_bytes;
        if (past && !has_scaled_rows_ && !is_plain_float(past->dtype()))
            context.fail("past_" + what + ": its type " + std::string(name_of(past->dtype())) +
                         " needs a quantization, found " + attribute + " NONE");
        return;
    }
    if (type != "PER_TENSOR" && type != "PER_CHANNEL")
        fail_model(attribute + ": expected NONE, PER_TENSOR or PER_CHANNEL, found " +
                   quote(std::string(type)));
    const std::int64_t bits = context.node().int_attribute("kv_cache_bit_width", 0);
    if (bits != 4 && bits != 8)
        fail_model("attribute kv_cache_bit_width: expected 4 or 8 beside " + attribute + " " +
                   std::string(type) + ", found " + std::to_string(bits));
    if (!past)
        fail_unsupported("a quantized cache (" + attribute + " " + std::string(type) +
                         ") without past_" + what +
                         " is not supported: its type says how to store it");
    const bool fits = bits == 4 ? past->dtype() == DType::u8
                                : past->dtype() == DType::i8 || past->dtype() == DType::f8e4m3fn;
    if (!fits)
        context.fail("past_" + what + ": expected " + (bits == 4 ? "u8" : "i8 or f8e4m3fn") +
                     " for " + std::to_string(bits) + " bits, found " +
                     std::string(name_of(past->dtype())));
    const std::int64_t expected = type == "PER_TENSOR" ? 1 : channels;
    if (!scale || scale->size() != expected)
        context.fail(what.substr(0, 1) + "_scale: expected " + std::to_string(expected) +
                     " elements, found " + (scale ? to_string(scale->shape()) : "none"));
    const auto values = scale->data<float>();
    scales_.assign(values.begin(), values.end());
}

float GroupedCache::rounded(float value, float scale) const {
    const float element = value / scale;
    if (past_->dtype() == DType::f8e4m3fn) return f8e4m3fn_to_float(float_to_f8e4m3fn(element));
    if (std::isnan(element)) return 0;
    const float most = past_->dtype() == DType::u8 ? 7.0f : 127.0f;
    return std::clamp(std::nearbyint(element), -most - 1, most);
}

Tensor GroupedCache::unpacked(KernelContext& context) const {
    if (past_->dtype() != DType::u8) return converted(context, *past_, DType::f32);
    const CacheRows& r = rows_;
    Tensor elements = context.scratch(DType::f32, {r.batch, r.heads, r.capacity, r.size});
    const auto bytes = past_->data<std::uint8_t>();
    const auto to = elements.mutable_data<float>();
    const std::int64_t stored = (r.size + 1) / 2;
    for (std::int64_t i = 0; i < elements.size(); ++i) {
        const std::int64_t channel = i % r.size;
        const std::uint8_t byte =
            bytes[static_cast<std::size_t>(i / r.size * stored + channel / 2)];
        to[static_cast<std::size_t>(i)] =
            static_cast<float>(channel % 2 == 0 ? byte & 15 : byte >> 4) - 8;
    }
    return elements;
}

Tensor GroupedCache::packed(KernelContext& context, const Tensor& elements) const {
    const auto from = elements.data<float>();
    if (past_->dtype() != DType::u8) {
        Tensor stored = context.scratch(past_->dtype(), elements.shape());
        auto* const bytes = static_cast<std::uint8_t*>(stored.mutable_raw());
        for (std::size_t i = 0; i < from.size(); ++i)
            bytes[i] = past_->dtype() == DType::i8
                           ? static_cast<std::uint8_t>(static_cast<std::int8_t>(from[i]))
                           : float_to_f8e4m3fn(from[i]);
        return stored;
    }
    const std::int64_t width = (rows_.size + 1) / 2;
    Tensor stored =
        context.scratch(DType::u8, {rows_.batch, rows_.heads, rows_.present_rows, width});
    const auto bytes = stored.mutable_data<std::uint8_t>();
    std::ranges::fill(bytes, std::uint8_t{0});
    for (std::size_t i = 0; i < from.size(); ++i) {
        const auto at = static_cast<std::int64_t>(i), channel = at % rows_.size;
        const auto half = static_cast<std::uint8_t>(static_cast<int>(from[i]) + 8);
        std::uint8_t& byte = bytes[static_cast<std::size_t>(at / rows_.size * width + channel / 2)];
        byte = static_cast<std::uint8_t>(byte | (channel % 2 == 0 ? half : half << 4));
    }
    return stored;
}

Tensor GroupedCache::scaled(KernelContext& context, const Tensor& rows) const {
    Shape shape = rows.shape();
    shape[3] += scale_bytes;
    Tensor stored = context.scratch(DType::i8, std::move(shape));
    store_scaled(rows.data<float>(), rows_.size, stored.mutable_data<std::int8_t>().data());
    return stored;
}

Tensor GroupedCache::unscaled(KernelContext& context, const Tensor& stored,
                              std::int64_t count) const {
    Tensor rows = context.scratch(DType::f32, {rows_.batch, rows_.heads, count, rows_.size});
    load_scaled(stored.data<std::int8_t>().data(), rows_.size, rows.mutable_data<float>());
    return rows;
}

Tensor GroupedCache::joined(KernelContext& context, Tensor fresh) const {
    const CacheRows& r = rows_;
    Tensor old = !past_             ? Tensor()
                 : has_scaled_rows_ ? unscaled(context, *past_, r.capacity)
                 : is_quantized()   ? unpacked(context)
                                    : converted(context, *past_, DType::f32);
    if (has_scaled_rows_) fresh = unscaled(context, scaled(context, fresh), r.sequence);
    const std::int64_t old_part = r.heads * r.capacity * r.size,
                       part = r.heads * r.sequence * r.size;
    if (is_quantized()) {
        Tensor wide = context.scratch(DType::f32, old.shape());
        float* const to = wide.mutable_data<float>().data();
        for (std::int64_t i = 0; i < wide.size(); ++i)
            to[i] = old.data<float>()[static_cast<std::size_t>(i)] *
                    scale_at(i / (r.capacity * r.size) % r.heads, i % r.size);
        old = std::move(wide);
        float* const values = fresh.mutable_data<float>().data();
        for (std::int64_t i = 0; i < fresh.size(); ++i) {
            const float scale = scale_at(i / (r.sequence * r.size) % r.heads, i % r.size);
            values[i] = rounded(values[i], scale) * scale;
        }
    }
    if (past_ && past_->dtype() == DType::f16)
        for (float& value : fresh.mutable_data<float>()) value = static_cast<float>(Half(value));
    if (past_ && past_->dtype() == DType::bf16)
        for (float& value : fresh.mutable_data<float>())
            value = static_cast<float>(BFloat16(value));
    Tensor all = context.scratch(DType::f32, {r.batch, r.heads, r.rows, r.size});
    for (std::int64_t b = 0; b < r.batch; ++b)
        join_past(past_ ? old.data<float>().data() + b * old_part : nullptr,
                  r.held[static_cast<std::size_t>(b)], r.capacity,
                  fresh.data<float>().data() + b * part, r.sequence, r.heads, r.size, r.rows, false,
                  all.mutable_data<float>().data() + b * r.heads * r.rows * r.size);
    return all;
}

Tensor GroupedCache::present(KernelContext& context, const Tensor& all) const {
    const CacheRows& r = rows_;
    Tensor kept = all;
    if (r.slides) {
        kept = context.scratch(DType::f32, {r.batch, r.heads, r.present_rows, r.size});
        float* to = kept.mutable_data<float>().data();
        for (std::int64_t i = 0; i < r.batch * r.heads; ++i, to += r.present_rows * r.size) {
            const std::int64_t used = r.held[static_cast<std::size_t>(i / r.heads)] + r.sequence;
            const std::int64_t first = used > r.capacity ? used - r.window : 0;
            std::fill_n(to, r.present_rows * r.size, 0.0f);
            std::copy_n(all.data<float>().data() + (i * r.rows + first) * r.size,
                        (used - first) * r.size, to);
        }
    }
    if (has_scaled_rows_) return scaled(context, kept);
    if (!is_quantized()) return kept;
    Tensor elements = context.scratch(DType::f32, kept.shape());
    const auto values = kept.data<float>();
    const auto to = elements.mutable_data<float>();
    for (std::size_t i = 0; i < values.size(); ++i) {
        const auto at = static_cast<std::int64_t>(i);
        to[i] = rounded(values[i], scale_at(at / (r.present_rows * r.size) % r.heads, at % r.size));
    }
    return packed(context, elements);
}

}  // namespace lapidary::reference
