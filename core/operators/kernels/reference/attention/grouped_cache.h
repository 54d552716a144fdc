// SPDX-License-Identifier: Apache-2.0
// The cache of keys and values of GroupQueryAttention: where its rows lie, which are new, and how
// they are stored.
#pragma once

#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "kernels/kernel.h"

namespace lapidary::reference {

/// Rows of the cache before and after a run. Positions count from the start of a sequence, rows
/// from the start of its cache: they differ where the cache holds a sliding window alone.
struct CacheRows {
    std::int64_t batch = 0, heads = 0, size = 0, sequence = 0;
    std::int64_t capacity = 0;  // rows of the past
    std::int64_t total = 0;     // total_sequence_length
    std::int64_t window = -1;   // local_window_size
    bool slides = false;        // sliding_window_cache
    // positions before the new ones and with them, by sequence
    std::vector<std::int64_t> past, length;
    std::vector<std::int64_t> held;  // rows before the new ones
    // of past and new ones together, for the longest sequence
    std::int64_t rows = 0;
    std::int64_t keys = 0;  // of them may be looked at
    std::int64_t present_rows = 0;

    /// From inputs 3 to 6 and the attributes; `batch`, `heads`, `size` and `sequence` are those of
    /// the key. Throws invalid_input for lengths that do not fit, not_supported for a window whose
    /// rows ONNX Runtime places by a history that the inputs do not contain.
    CacheRows(KernelContext& context, std::int64_t batch, std::int64_t heads, std::int64_t size,
              std::int64_t sequence);

    /// Rows [first, end) that new row s of sequence b may look at; `causal`: none behind itself.
    std::pair<std::int64_t, std::int64_t> visible(std::int64_t b, std::int64_t s,
                                                  bool causal) const;

private:
    bool fits(std::int64_t end, std::int64_t before) const;
    void slide(KernelContext& context);
};

/// One of past_key and past_value. New rows are rounded to the type of the past before anything
/// reads them. A quantized cache is worth its elements times the scale, one for all or one for each
/// channel of each head.
/// Its elements, as ONNX Runtime 1.32 stores them (k_quant_type, v_quant_type, kv_cache_bit_width):
///   i8, 8 bits: integers, rounded to even
///   u8, 4 bits: integers of -8 to 7, rounded to even, plus 8; [B, heads, P, (size + 1) / 2], the
///               first of two channels in the low half of the byte
///   f8e4m3fn, 8 bits: floats, rounded to even; a larger number becomes the largest one (448)
/// A cache of i8 without a quantization, which ONNX Runtime does not have, holds scaled bytes: [B,
/// heads, P, size + 4], behind the bytes of a row the float that they are multiplied with. The
/// largest magnitude of a row becomes 127, others are rounded to even; the scale has 16 bits of
/// precision, rounded up, so that products with it are exact. A row with a number that is not
/// finite is NaN throughout.
class GroupedCache {
public:
    /// `type`: k_quant_type or v_quant_type; `scale`: k_scale or v_scale, may be null. Throws
    /// invalid_input where type, bits, past and scale do not fit, not_supported without a past,
    /// which alone says how to store.
    GroupedCache(const KernelContext& context, const CacheRows& rows, const Tensor* past,
                 const Tensor* scale, std::string_view type, std::string_view name);
    /// [B, heads, rows, size] in f32: what is held, then `fresh` [B, heads, sequence, size], then
    /// zeros.
    Tensor joined(KernelContext& context, Tensor fresh) const;
    /// The present: all rows, or the last ones of a window, then zeros; f32, or as the past is
    /// stored where that is quantized.
    Tensor present(KernelContext& context, const Tensor& all) const;
    bool is_quantized() const { return !scales_.empty(); }
    /// The type of the present: that of the past, `floats` without one.
    DType stored_type(DType floats) const { return past_ ? past_->dtype() : floats; }

private:
    float scale_at(std::int64_t head, std::int64_t channel) const {
        return scales_[scales_.size() == 1 ? 0
                                           : static_cast<std::size_t>(head * rows_.size + channel)];
    }
    /// An element as it is stored, before it is packed: an integer, or a float of 8 bits.
    float rounded(float value, float scale) const;
    Tensor unpacked(KernelContext& context) const;
    Tensor packed(KernelContext& context, const Tensor& elements) const;
    /// Floats [B, heads, rows, size] as scaled bytes, and the other way, `count` rows of a head.
    Tensor scaled(KernelContext& context, const Tensor& rows) const;
    Tensor unscaled(KernelContext& context, const Tensor& stored, std::int64_t count) const;

    const CacheRows& rows_;
    const Tensor* past_;
    bool has_scaled_rows_ = false;
    std::vector<float> scales_;
};

}  // namespace lapidary::reference
