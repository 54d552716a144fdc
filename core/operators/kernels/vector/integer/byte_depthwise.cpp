// SPDX-License-Identifier: Apache-2.0
#include "kernels/vector/integer/byte_depthwise.h"

#include <hwy/highway.h>

#include "kernels/vector/integer/byte_finish.h"

namespace lapidary::LAPIDARY_ISA {
namespace {

constexpr auto lanes = static_cast<std::int64_t>(hn::MaxLanes(d32));
constexpr std::int64_t width = 4 * lanes;
#if HWY_TARGET == HWY_AVX3 && defined(__AVX512VNNI__)
constexpr bool has_dot = true;
using Element = std::uint8_t;
#else
constexpr bool has_dot = false;
using Element = std::int16_t;
#endif

/// Neighbouring pixels are one run of bytes, which is processed in full panels that need not begin
/// at a pixel. The result is the number of consecutive panels that hold whole pixels again. 0: that
/// would be too many, or panels of single pixels are full anyway.
constexpr std::int64_t most_run_panels = 16;
std::int64_t run_panels([[maybe_unused]] std::int64_t channels) {
    if constexpr (!has_dot) return 0;
    const std::int64_t padded = (channels + width - 1) / width * width;
    if (channels <= 0 || (padded != channels && padded * 8 <= channels * 9)) return 0;
    std::int64_t common = channels;
    for (std::int64_t other = width; other != 0;) {
        const std::int64_t rest = common % other;
        common = other;
        other = rest;
    }
    return channels / common <= most_run_panels ? channels / common : 0;
}

/// Pixels apart are taken in blocks of 16 channels, unless they fill panels one by one.
bool wants_runs(std::int64_t channels, std::int64_t step) {
    return run_panels(channels) > 0 && (step == 1 || (channels % 16 == 0 && channels % width != 0));
}

// Centered weights: i16 [panel][tap][width]. With vpdpbusd, weights of zero point 0: i8
// [panel][four taps][vector][lanes] in the order in which bytes of four taps interleave, those of
// pixels before those of runs.
std::int64_t bytes(std::int64_t taps, std::int64_t channels, bool is_centered) {
    const std::int64_t padded = (channels + width - 1) / width * width;
    // Where pixels fill panels exactly, the panels of runs are the same.
    const std::int64_t of_runs = padded == channels ? 0 : run_panels(channels) * width;
    return has_dot && !is_centered ? (padded + of_runs) * ((taps + 3) / 4 * 4) : padded * taps * 2;
}

void pack(const void* w, bool is_unsigned, const std::int32_t* zeros, std::int64_t taps,
          std::int64_t channels, void* to, std::int32_t* sums) {
    const auto at = [&](std::int64_t channel, std::int64_t tap) -> std::int32_t {
        if (channel >= channels || tap >= taps) return 0;
        const std::int32_t value =
            is_unsigned ? static_cast<const std::uint8_t*>(w)[channel * taps + tap] - 128
                        : static_cast<const std::int8_t*>(w)[channel * taps + tap];
        return zeros ? value - zeros[channel] : value;
    };
    const std::int64_t padded = (channels + width - 1) / width * width;
    for (std::int64_t c = 0; c < padded; ++c) {
        sums[c] = 0;
        for (std::int64_t t = 0; t < taps; ++t) sums[c] += at(c, t);
    }
    if (has_dot && !zeros) {
        auto* out = static_cast<std::int8_t*>(to);
        const auto put_panel = [&](const auto& channel_of) {
            for (std::int64_t t = 0; t < taps; t += 4)
                for (std::int64_t v = 0; v < 4; ++v)
                    for (std::int64_t lane = 0; lane < lanes;
                         ++lane)  // 16-byte block lane / 4 holds bytes 16 (lane / 4) + 4 v + ...
                        for (std::int64_t i = 0; i < 4; ++i)
                            *out++ = static_cast<std::int8_t>(
                                at(channel_of(lane / 4 * 16 + v * 4 + lane % 4), t + i));
        };
        for (std::int64_t panel = 0; panel < padded; panel += width)
            put_panel([&](std::int64_t i) { return panel + i; });
        for (std::int64_t panel = 0; padded != channels && panel < run_panels(channels); ++panel)
            put_panel([&](std::int64_t i) { return (panel * width + i) % channels; });
        return;
    }
    auto* out = static_cast<std::int16_t*>(to);
    for (std::int64_t panel = 0; panel < padded; panel += width)
        for (std::int64_t t = 0; t < taps; ++t)
            for (std::int64_t c = 0; c < width; ++c)
                *out++ = static_cast<std::int16_t>(at(panel + c, t));
}

/// Calls row(places of the taps, first channel, channels, panel index, sums) and finishes what it
/// summed up.
template <typename Row>
HWY_INLINE void for_each_row(const ByteBlock& block, const Row& row) {
    alignas(64) std::int32_t sums[width];
    for (std::int64_t column = block.column; column < block.column + block.columns;
         column += width) {
        const std::int64_t left = block.all_columns - column, count = left < width ? left : width;
        for (std::int64_t r = 0; r < block.rows; ++r) {
            row(block.places + r * block.taps, column, count, sums);
            finish_tile(block.finish, sums, width, r, 1, column, count);
        }
    }
}

#if HWY_TARGET == HWY_AVX2
constexpr std::int64_t most_pairs = 32;

/// i16 [pairs of taps][16 channels][low, high][16], in the order in which the channels of two taps
/// interleave; a last tap without a partner has one of zeros.
void pair_taps(const std::int16_t* w, std::int64_t taps, std::int16_t* to) {
    for (std::int64_t t = 0; t < taps; t += 2)
        for (std::int64_t n = 0; n < width; n += 16, to += 32) {
            const auto* at = reinterpret_cast<const __m256i*>(w + t * width + n);
            const __m256i a = _mm256_loadu_si256(at);
            const __m256i b =
                t + 1 < taps ? _mm256_loadu_si256(at + width / 16) : _mm256_setzero_si256();
            _mm256_store_si256(reinterpret_cast<__m256i*>(to), _mm256_unpacklo_epi16(a, b));
            _mm256_store_si256(reinterpret_cast<__m256i*>(to + 16), _mm256_unpackhi_epi16(a, b));
        }
}

/// Sums of all taps at the first `count` of 16 channels; `pairs` as pair_taps() has them for these
/// channels.
HWY_INLINE void add_pairs(const void* const* places, std::int64_t taps, std::int64_t channel,
                          std::int64_t count, const std::int16_t* pairs, std::int32_t* sums) {
    const hn::FixedTag<std::int16_t, 16> d16;
    __m256i low = _mm256_setzero_si256(), high = low;
    for (std::int64_t t = 0; t < taps; t += 2, pairs += 2 * width) {
        const auto* first = static_cast<const std::int16_t*>(places[t]) + channel;
        const auto* second =
            static_cast<const std::int16_t*>(places[t + 1 < taps ? t + 1 : t]) + channel;
        const __m256i a = load_some(d16, first, count).raw, b = load_some(d16, second, count).raw;
        const auto* w = reinterpret_cast<const __m256i*>(pairs);
        low = _mm256_add_epi32(
            low, _mm256_madd_epi16(_mm256_unpacklo_epi16(a, b), _mm256_load_si256(w)));
        high = _mm256_add_epi32(
            high, _mm256_madd_epi16(_mm256_unpackhi_epi16(a, b), _mm256_load_si256(w + 1)));
    }
    auto* to = reinterpret_cast<__m256i*>(sums);
    _mm256_store_si256(to, _mm256_permute2x128_si256(low, high, 0x20));
    _mm256_store_si256(to + 1, _mm256_permute2x128_si256(low, high, 0x31));
}

void multiply_pairs(const ByteBlock& block) {
    static_assert(width == 32);
    alignas(32) std::int16_t pairs[most_pairs * 2 * width];
    alignas(32) std::int32_t sums[width];
    const std::int64_t taps = block.taps;
    for (std::int64_t column = block.column; column < block.column + block.columns;
         column += width) {
        const std::int64_t left = block.all_columns - column, count = left < width ? left : width;
        pair_taps(reinterpret_cast<const std::int16_t*>(block.panels) + column * taps, taps, pairs);
        for (std::int64_t r = 0; r < block.rows; ++r) {
            for (std::int64_t n = 0; n < count; n += 16)
                add_pairs(block.places + r * taps, taps, column + n, count - n, pairs + 2 * n,
                          sums + n);
            finish_tile(block.finish, sums, width, r, 1, column, count);
        }
    }
}
#endif

void multiply_centered(const ByteBlock& block) {
#if HWY_TARGET == HWY_AVX2
    if (block.taps <= 2 * most_pairs) return multiply_pairs(block);
#endif
    const auto* weights = reinterpret_cast<const std::int16_t*>(block.panels);
    for_each_row(
        block, [&](const void* const* places, std::int64_t column, std::int64_t count,
                   std::int32_t* sums) __attribute__((always_inline)) {
            const std::int16_t* w = weights + column * block.taps;
            const hn::Rebind<std::int16_t, D32> half;
            const hn::Rebind<Element, D32> narrow;
            Sums c[4] = {hn::Zero(d32), hn::Zero(d32), hn::Zero(d32), hn::Zero(d32)};
            for (std::int64_t t = 0; t < block.taps; ++t, w += width) {
                const Element* x = static_cast<const Element*>(places[t]) + column;
#pragma GCC unroll 4
                for (int v = 0; v < 4; ++v) {
                    if (v * lanes >= count) continue;
                    const Sums in =
                        hn::PromoteTo(d32, load_some(narrow, x + v * lanes, count - v * lanes));
                    c[v] = hn::Add(c[v],
                                   hn::Mul(in, hn::PromoteTo(d32, hn::LoadU(half, w + v * lanes))));
                }
            }
            for (int v = 0; v < 4; ++v) hn::StoreU(c[v], d32, sums + v * lanes);
        });
}

#if HWY_TARGET == HWY_AVX3 && defined(__AVX512VNNI__)
/// A 4 x 4 transposition of 16-byte blocks.
HWY_INLINE void turn_blocks(const __m512i (&from)[4], __m512i (&to)[4]) {
    const __m512i a = _mm512_shuffle_i32x4(from[0], from[1], 0x44),
                  b = _mm512_shuffle_i32x4(from[0], from[1], 0xee);
    const __m512i d = _mm512_shuffle_i32x4(from[2], from[3], 0x44),
                  e = _mm512_shuffle_i32x4(from[2], from[3], 0xee);
    to[0] = _mm512_shuffle_i32x4(a, d, 0x88);
    to[1] = _mm512_shuffle_i32x4(a, d, 0xdd);
    to[2] = _mm512_shuffle_i32x4(b, e, 0x88);
    to[3] = _mm512_shuffle_i32x4(b, e, 0xdd);
}

/// Up to 64 bytes of a tap's pixels, from byte `at` on.
struct Neighbours {
    std::int64_t at;
    __mmask64 there;
    HWY_INLINE __m512i load(const void* tap) const {
        return _mm512_maskz_loadu_epi8(there, static_cast<const std::uint8_t*>(tap) + at);
    }
};

/// Adds the products of all taps at 64 channels; block b of c[v] holds channels 16 b + 4 v ...
template <typename Source>
HWY_INLINE void add_taps(const void* const* places, std::int64_t taps, const Source& source,
                         const std::int8_t* w, __m512i (&c)[4]) {
    for (std::int64_t t = 0; t < taps; t += 4, w += 256) {
        // Taps beyond the last have weight 0: any bytes do.
        const auto load = [&](std::int64_t i) __attribute__((always_inline)) {
            return source.load(places[t + i < taps ? t + i : taps - 1]);
        };
        const __m512i x0 = load(0), x1 = load(1), x2 = load(2), x3 = load(3);
        const __m512i low01 = _mm512_unpacklo_epi8(x0, x1), high01 = _mm512_unpackhi_epi8(x0, x1);
        const __m512i low23 = _mm512_unpacklo_epi8(x2, x3), high23 = _mm512_unpackhi_epi8(x2, x3);
        c[0] =
            _mm512_dpbusd_epi32(c[0], _mm512_unpacklo_epi16(low01, low23), _mm512_loadu_si512(w));
        c[1] = _mm512_dpbusd_epi32(c[1], _mm512_unpackhi_epi16(low01, low23),
                                   _mm512_loadu_si512(w + 64));
        c[2] = _mm512_dpbusd_epi32(c[2], _mm512_unpacklo_epi16(high01, high23),
                                   _mm512_loadu_si512(w + 128));
        c[3] = _mm512_dpbusd_epi32(c[3], _mm512_unpackhi_epi16(high01, high23),
                                   _mm512_loadu_si512(w + 192));
    }
}

/// The sums of all taps at 64 channels, in order.
template <typename Source>
HWY_INLINE void sum_taps(const void* const* places, std::int64_t taps, const Source& source,
                         const std::int8_t* w, std::int32_t* sums) {
    __m512i c[4] = {}, natural[4];
    add_taps(places, taps, source, w, c);
    turn_blocks(c, natural);
    for (int v = 0; v < 4; ++v) _mm512_store_si512(sums + 16 * v, natural[v]);
}

/// Offsets and factors of 64 channels in the order that add_taps() leaves sums in, which is what
/// narrowing to bytes undoes.
struct TurnedFinish {
    __m512i offsets[4];
    __m512 factors[4];

    /// `scales` may be null: `scale` for all.
    void read(const std::int32_t* offsets_in_order, const float* scales, float scale) {
        __m512i natural[4], turned[4];
        for (int v = 0; v < 4; ++v) natural[v] = _mm512_loadu_si512(offsets_in_order + 16 * v);
        turn_blocks(natural, offsets);
        for (int v = 0; v < 4; ++v)
            natural[v] = scales ? _mm512_loadu_si512(scales + 16 * v)
                                : _mm512_castps_si512(_mm512_set1_ps(scale));
        turn_blocks(natural, turned);
        for (int v = 0; v < 4; ++v) factors[v] = _mm512_castsi512_ps(turned[v]);
    }
    /// What is_plain() allows.
    template <bool is_signed, typename Source>
    HWY_INLINE void multiply(const void* const* places, std::int64_t taps, const Source& source,
                             const std::int8_t* w, __m512i zeros, std::uint8_t* out) const {
        __m512i c[4] = {offsets[0], offsets[1], offsets[2], offsets[3]};
        add_taps(places, taps, source, w, c);
        _mm512_mask_storeu_epi8(out, source.there, interleaved_bytes<is_signed>(c, factors, zeros));
    }
};

template <bool is_signed>
void multiply_to_bytes(const ByteBlock& block) {
    const ByteFinish f = block.finish;
    const std::int64_t groups = (block.taps + 3) / 4, taps = block.taps, stride = f.out_stride;
    const __m512i zeros = _mm512_set1_epi16(static_cast<short>(f.zero_point));
    for (std::int64_t column = block.column; column < block.column + block.columns;
         column += width) {
        const std::int64_t left = block.all_columns - column;
        const __mmask64 there = left >= 64 ? ~__mmask64{0} : (__mmask64{1} << left) - 1;
        TurnedFinish turned;
        turned.read(f.column_offset + column, f.column_scale ? f.column_scale + column : nullptr,
                    f.scale);
        const std::int8_t* w = block.panels + column * groups * 4;
        auto* out = static_cast<std::uint8_t*>(f.out) + column;
        for (std::int64_t r = 0; r < block.rows; ++r, out += stride)
            turned.multiply<is_signed>(block.places + r * taps, taps, Neighbours{column, there}, w,
                                       zeros, out);
    }
}

/// Pixel by pixel.
void multiply_pixels(const ByteBlock& block) {
    if (is_plain(block.finish))
        return block.finish.is_signed ? multiply_to_bytes<true>(block)
                                      : multiply_to_bytes<false>(block);
    const std::int64_t groups = (block.taps + 3) / 4;
    for_each_row(
        block, [&](const void* const* places, std::int64_t column, std::int64_t count,
                   std::int32_t* sums) __attribute__((always_inline)) {
            const __mmask64 there = count >= 64 ? ~__mmask64{0} : (__mmask64{1} << count) - 1;
            sum_taps(places, block.taps, Neighbours{column, there},
                     block.panels + column * groups * 4, sums);
        });
}

/// The same of pixels that do not lie side by side: four blocks of 16 channels, each of one pixel.
struct PixelsApart {
    std::int64_t blocks[4];  // where they begin
    __mmask64 there;
    HWY_INLINE __m512i load(const void* tap) const {
        const auto block = [&](int i) __attribute__((always_inline)) {
            return _mm_loadu_si128(reinterpret_cast<const __m128i*>(
                static_cast<const std::uint8_t*>(tap) + blocks[i]));
        };
        __m512i bytes = _mm512_castsi128_si512(block(0));
        bytes = _mm512_inserti32x4(bytes, block(1), 1);
        bytes = _mm512_inserti32x4(bytes, block(2), 2);
        return _mm512_inserti32x4(bytes, block(3), 3);
    }
};

/// Runs of pixels, with what finishes a sum for every byte of as many panels as hold
/// whole pixels.
class RunOfPixels {
public:
    RunOfPixels(const ByteBlock& block, std::int64_t panels) : block_(block), panels_(panels) {
        const std::int64_t channels = block.all_columns,
                           padded = (channels + width - 1) / width * width;
        groups_ = (block.taps + 3) / 4;
        weights_ = block.panels + (padded == channels ? 0 : padded * groups_ * 4);
        const ByteFinish& f = block.finish;
        for (std::int64_t i = 0; i < panels * width; i += channels) {
            const std::int64_t left = panels * width - i, count = left < channels ? left : channels;
            __builtin_memcpy(offsets_ + i, f.column_offset,
                             static_cast<std::size_t>(count) * sizeof(std::int32_t));
            if (f.column_scale)
                __builtin_memcpy(scales_ + i, f.column_scale,
                                 static_cast<std::size_t>(count) * sizeof(float));
        }
        for (std::int64_t panel = 0; is_plain(f) && panel < panels; ++panel)
            turned_[panel].read(offsets_ + panel * width, scales(panel), f.scale);
    }

    /// Pixels [row, row + count) of the block.
    void multiply(std::int64_t row, std::int64_t count) const {
        if (is_plain_sum(block_.finish)) {
            if (block_.finish.is_signed) multiply_to_sum<std::int8_t>(row, count);
            else multiply_to_sum<std::uint8_t>(row, count);
        } else if (!is_plain(block_.finish)) multiply_any(row, count);
        else if (block_.finish.is_signed) multiply_to_bytes<true>(row, count);
        else multiply_to_bytes<false>(row, count);
    }

private:
    const float* scales(std::int64_t panel) const {
        return block_.finish.column_scale ? scales_ + panel * width : nullptr;
    }

    /// Of the results from byte `at` of a run on; blocks beyond the `left` bytes repeat the first.
    PixelsApart pixels_apart(std::int64_t at, std::int64_t left, __mmask64 there) const {
        const std::int64_t gap = (block_.run_step - 1) * block_.all_columns;
        PixelsApart source{{}, there};
        for (std::int64_t i = 0; i < 4; ++i) {
            const std::int64_t byte = at + (16 * i < left ? 16 * i : 0);
            source.blocks[i] = byte + byte / block_.all_columns * gap;
        }
        return source;
    }

    /// Calls panel(index of the panel, first byte of the run, where its bytes come from).
    template <typename Panel>
    HWY_INLINE void for_each_panel(std::int64_t count, const Panel& panel) const {
        const std::int64_t bytes = count * block_.all_columns;
        std::int64_t index = 0;
        for (std::int64_t at = 0; at < bytes; at += width) {
            const std::int64_t left = bytes - at;
            const __mmask64 there = left >= width ? ~__mmask64{0} : (__mmask64{1} << left) - 1;
            if (block_.run_step == 1) panel(index, at, Neighbours{at, there});
            else panel(index, at, pixels_apart(at, left, there));
            index = index + 1 == panels_ ? 0 : index + 1;
        }
    }

    template <bool is_signed>
    void multiply_to_bytes(std::int64_t row, std::int64_t count) const {
        const __m512i zeros = _mm512_set1_epi16(static_cast<short>(block_.finish.zero_point));
        const void* const* places = block_.places + row * block_.taps;
        auto* out = static_cast<std::uint8_t*>(block_.finish.out) + row * block_.all_columns;
        for_each_panel(
            count, [&](std::int64_t panel, std::int64_t at,
                       const auto& source) __attribute__((always_inline)) {
                turned_[panel].template multiply<is_signed>(
                    places, block_.taps, source, weights_ + panel * groups_ * 256, zeros, out + at);
            });
    }

    template <typename T>
    void multiply_to_sum(std::int64_t row, std::int64_t count) const {
        const SumOfBytes<T> sum(block_.finish);
        const void* const* places = block_.places + row * block_.taps;
        auto* out = static_cast<T*>(block_.finish.out) + row * block_.all_columns;
        const T* addend = static_cast<const T*>(block_.finish.addend) + row * block_.all_columns;
        for_each_panel(
            count, [&](std::int64_t panel, std::int64_t at,
                       const auto& source) __attribute__((always_inline)) {
                alignas(64) std::int32_t sums[width];
                sum_taps(places, block_.taps, source, weights_ + panel * groups_ * 256, sums);
                sum.finish(sums, offsets_ + panel * width, scales(panel), addend + at, source.there,
                           out + at);
            });
    }

    void multiply_any(std::int64_t row, std::int64_t count) const {
        alignas(64) std::int32_t sums[width];
        const void* const* places = block_.places + row * block_.taps;
        ByteFinish f = block_.finish;
        f.column_offset = offsets_;
        if (f.column_scale) f.column_scale = scales_;
        for_each_panel(
            count, [&](std::int64_t panel, std::int64_t at,
                       const auto& source) __attribute__((always_inline)) {
                sum_taps(places, block_.taps, source, weights_ + panel * groups_ * 256, sums);
                const std::int64_t first = row * block_.all_columns + at - panel * width;
                f.out = static_cast<std::uint8_t*>(block_.finish.out) + first;
                if (f.addend)
                    f.addend = static_cast<const std::uint8_t*>(block_.finish.addend) + first;
                finish_tile(f, sums, width, 0, 1, panel * width,
                            __builtin_popcountll(source.there));
            });
    }

    const ByteBlock& block_;
    std::int64_t panels_, groups_;
    const std::int8_t* weights_;
    alignas(64) std::int32_t offsets_[(most_run_panels + 1) * width];
    alignas(64) float scales_[(most_run_panels + 1) * width];
    TurnedFinish turned_[most_run_panels];
};

void multiply_plain(const ByteBlock& block) {
    if (!block.runs) return multiply_pixels(block);
    const std::int64_t channels = block.all_columns;
    const RunOfPixels run(block, run_panels(channels));
    const auto single_pixels = [&](std::int64_t begin, std::int64_t end) {
        if (begin == end) return;
        ByteBlock part = block;
        part.places += begin * block.taps;
        part.rows = end - begin;
        const auto skip = [&](const void* bytes) {
            return static_cast<const std::uint8_t*>(bytes) + begin * channels;
        };
        part.finish.out = const_cast<std::uint8_t*>(skip(part.finish.out));
        if (part.finish.addend) part.finish.addend = skip(part.finish.addend);
        multiply_pixels(part);
    };
    std::int64_t done = 0;
    for (std::int64_t row = 0; row < block.rows; row += block.runs[row]) {
        if (block.runs[row] == 1) continue;
        single_pixels(done, row);
        run.multiply(row, block.runs[row]);
        done = row + block.runs[row];
    }
    single_pixels(done, block.rows);
}
#else
void multiply_plain(const ByteBlock& block) { multiply_centered(block); }
#endif

}  // namespace

const ByteDepthwiseKernels& byte_depthwise_kernels() {
    static constexpr ByteDepthwiseKernels table{width,       &bytes,          &pack,
                                                &wants_runs, &multiply_plain, &multiply_centered};
    return table;
}

}  // namespace lapidary::LAPIDARY_ISA
