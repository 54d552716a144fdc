// SPDX-License-Identifier: Apache-2.0
#include "kernels/vector/attention.h"

#include <limits>

#include "kernels/vector/attention_rows.h"
#include "kernels/vector/math.h"
#include "kernels/vector/partial.h"
#include "kernels/vector/movement/transpose_block.h"

namespace lapidary::LAPIDARY_ISA {
namespace {

constexpr std::int64_t panel = 2 * lanes;
#if HWY_TARGET == HWY_AVX3
constexpr int most_rows = 12;  // 24 sums, 2 vectors of B and a broadcast value in 32 registers
#else
constexpr int most_rows = 4;
#endif
constexpr std::int64_t row_step = 4, block_rows = 48;
constexpr std::int64_t tile_keys = 256;                // a multiple of panel
constexpr std::int64_t score_stride = tile_keys + 16;  // rows do not share places in the cache

HWY_INLINE std::int64_t smaller(std::int64_t a, std::int64_t b) { return a < b ? a : b; }
HWY_INLINE std::int64_t greater(std::int64_t a, std::int64_t b) { return a > b ? a : b; }
HWY_INLINE std::int64_t rounded(std::int64_t n, std::int64_t step) {
    return (n + step - 1) / step * step;
}

HWY_INLINE V broadcast(const float* value) {
    V v = hn::Set(d, *value);
#if HWY_TARGET == HWY_AVX3
    asm("" : "+v"(v.raw));  // an operand broadcast from memory would be loaded once per vector of B
#endif
    return v;
}

/// c[rows][panel] = a[rows][inner] b[inner][panel], or added to c.
template <int rows>
HWY_INLINE void tile(const float* a, std::int64_t a_stride, const float* b, std::int64_t inner,
                     float* c, std::int64_t c_stride, bool adds) {
    V s0[rows], s1[rows];
    if (adds) {
#pragma GCC unroll 16
        for (int i = 0; i < rows; ++i) {
            s0[i] = hn::LoadU(d, c + i * c_stride);
            s1[i] = hn::LoadU(d, c + i * c_stride + lanes);
        }
    } else {
#pragma GCC unroll 16
        for (int i = 0; i < rows; ++i) s0[i] = s1[i] = hn::Zero(d);
    }
    for (std::int64_t k = 0; k < inner; ++k) {
        const V b0 = hn::LoadU(d, b + k * panel), b1 = hn::LoadU(d, b + k * panel + lanes);
#pragma GCC unroll 16
        for (int i = 0; i < rows; ++i) {
            const V x = broadcast(a + i * a_stride + k);
            s0[i] = hn::MulAdd(x, b0, s0[i]);
            s1[i] = hn::MulAdd(x, b1, s1[i]);
        }
    }
#pragma GCC unroll 16
    for (int i = 0; i < rows; ++i) {
        hn::StoreU(s0[i], d, c + i * c_stride);
        hn::StoreU(s1[i], d, c + i * c_stride + lanes);
    }
}

/// The same for any number of rows, rounded up to row_step.
void multiply_panel(std::int64_t rows, const float* a, std::int64_t a_stride, const float* b,
                    std::int64_t inner, float* c, std::int64_t c_stride, bool adds) {
    std::int64_t i = 0;
    if constexpr (most_rows == 12) {
        for (; rows - i > 8; i += 12)
            tile<most_rows>(a + i * a_stride, a_stride, b, inner, c + i * c_stride, c_stride, adds);
        if (rows - i > 4) {
            tile<most_rows == 12 ? 8 : 4>(a + i * a_stride, a_stride, b, inner, c + i * c_stride,
                                          c_stride, adds);
            i += 8;
        }
    }
    for (; i < rows; i += 4)
        tile<4>(a + i * a_stride, a_stride, b, inner, c + i * c_stride, c_stride, adds);
}

HWY_INLINE V larger(V x, V most) {
#if HWY_TARGET <= HWY_SSSE3
    // x86 returns the second operand where either is NaN, so NaN scores are ignored
    return hn::Max(x, most);
#else
    return hn::IfThenElse(hn::Gt(x, most), x, most);
#endif
}

struct RunningSoftmax {
    float most = -HUGE_VALF, sum = 0;
    // a key of score -infinity is in sight without being masked: alone, such keys make the row NaN
    bool exposed = false;
};

/// Scores of -infinity and NaN alone: what they make of the row.
HWY_INLINE void note_no_score(const AttentionRow& row, std::int64_t begin, std::int64_t first,
                              std::int64_t last, const float* scores, RunningSoftmax& state) {
    for (std::int64_t i = first; i < last; ++i) {
        const float term =
            (row.padding ? row.padding[begin + i] : 0) + (row.bias ? row.bias[begin + i] : 0);
        if (term == -HUGE_VALF) continue;
        state.exposed = true;
        if (scores[i] != scores[i])
            state.most = 0, state.sum = std::numeric_limits<float>::quiet_NaN();
    }
}

/// The factor by which earlier sums are rescaled after `most` grew.
float factor_of(float before, float now) {
    return before == now ? 1 : hn::GetLane(exp(d, hn::Set(d, before - now)));
}

/// exp(score - most) in place of `count` scores, whole vectors of them; returns sums of these, to
/// be added over the lanes.
HWY_INLINE V exponentials(float* scores, std::int64_t count, float most) {
    const V shift = hn::Set(d, most);
    V a = hn::Zero(d), b = a;
    std::int64_t i = 0;
    for (; i + panel <= count; i += panel) {
        const V e = exp(d, hn::Sub(hn::LoadU(d, scores + i), shift)),
                f = exp(d, hn::Sub(hn::LoadU(d, scores + i + lanes), shift));
        a = hn::Add(a, e);
        b = hn::Add(b, f);
        hn::StoreU(e, d, scores + i);
        hn::StoreU(f, d, scores + i + lanes);
    }
    for (; i < count; i += lanes) {
        const V e = exp(d, hn::Sub(hn::LoadU(d, scores + i), shift));
        a = hn::Add(a, e);
        hn::StoreU(e, d, scores + i);
    }
    return hn::Add(a, b);
}

/// Turns the scores of keys [begin, begin + count) into exponentials, 0 for keys out of sight.
/// Returns what the sums of earlier tiles are to be multiplied by.
template <bool plain>
HWY_INLINE float soften(const AttentionRow& row, float softcap, std::int64_t begin,
                        std::int64_t count, float* scores, RunningSoftmax& state) {
    const std::int64_t first = greater(row.first - begin, 0),
                       last = smaller(row.last - begin, count);
    if (first >= last) {
        for (std::int64_t i = 0; i < count; i += lanes) hn::StoreU(hn::Zero(d), d, scores + i);
        return 1;
    }
    const float *padding = row.padding ? row.padding + begin : nullptr,
                *bias = row.bias ? row.bias + begin : nullptr;
    const V hidden = hn::Set(d, -HUGE_VALF);
    V most = hidden;
    const auto adjusted = [&](std::int64_t i, std::int64_t left) HWY_ATTR {
        V s = hn::LoadU(d, scores + i);
        if constexpr (!plain) {
            if (softcap > 0)
                s = hn::Mul(hn::Set(d, softcap), tanh(d, hn::Div(s, hn::Set(d, softcap))));
            if (padding)
                s = hn::Add(s, left >= lanes ? hn::LoadU(d, padding + i)
                                             : load_first(d, padding + i, left));
            if (bias)
                s = hn::Add(s,
                            left >= lanes ? hn::LoadU(d, bias + i) : load_first(d, bias + i, left));
        }
        return s;
    };
    // Vectors that hold a first or last key in sight get -infinity in their other lanes.
    const std::int64_t begin_vector = first / lanes * lanes, full = last / lanes * lanes;
    for (std::int64_t i = 0; i < begin_vector; i += lanes) hn::StoreU(hidden, d, scores + i);
    std::int64_t i = begin_vector;
    if (i < first) {
        V s = adjusted(i, last - i);
        s = hn::IfThenElse(hn::FirstN(d, static_cast<std::size_t>(first - i)), hidden, s);
        if (last - i < lanes)
            s = hn::IfThenElse(hn::FirstN(d, static_cast<std::size_t>(last - i)), s, hidden);
        hn::StoreU(s, d, scores + i);
        most = larger(s, most);
        i += lanes;
    }
    for (; i < full; i += lanes) {
        const V s = adjusted(i, lanes);
        if constexpr (!plain) hn::StoreU(s, d, scores + i);
        most = larger(s, most);
    }
    if (i < last) {
        const V s = hn::IfThenElse(hn::FirstN(d, static_cast<std::size_t>(last - i)),
                                   adjusted(i, last - i), hidden);
        hn::StoreU(s, d, scores + i);
        most = larger(s, most);
        i += lanes;
    }
    for (; i < count; i += lanes) hn::StoreU(hidden, d, scores + i);

    const float here = hn::GetLane(hn::MaxOfLanes(d, most)),
                now = here > state.most ? here : state.most;
    if (now == -HUGE_VALF) {
        note_no_score(row, begin, first, last, scores, state);
        for (i = 0; i < count; i += lanes) hn::StoreU(hn::Zero(d), d, scores + i);
        return 1;
    }
    const float factor = factor_of(state.most, now);
    const std::int64_t end = rounded(last, lanes);
    const V sums = exponentials(scores, end, now);
    for (i = end; i < count; i += lanes) hn::StoreU(hn::Zero(d), d, scores + i);
    state.sum = state.sum * factor + hn::GetLane(hn::SumOfLanes(d, sums));
    state.most = now;
    return factor;
}

HWY_INLINE void scale_sums(float* sums, std::int64_t count, float factor) {
    if (factor == 1) return;
    const V f = hn::Set(d, factor);
    for (std::int64_t i = 0; i < count; i += lanes)
        hn::StoreU(hn::Mul(f, hn::LoadU(d, sums + i)), d, sums + i);
}

/// out = sums / sum; where no key was in sight `blind`.
HWY_INLINE void finish(const AttentionBlock& b, std::int64_t width, const RunningSoftmax* states) {
    for (std::int64_t r = 0; r < b.rows; ++r) {
        const bool sees = states[r].most != -HUGE_VALF;
        const V factor = hn::Set(d, sees ? 1 / states[r].sum : 0.0f);
        const V unseen =
            hn::Set(d, states[r].exposed ? std::numeric_limits<float>::quiet_NaN() : b.blind);
        const float* sums = b.sums + r * width;
        float* out = b.row[r].out;
        const auto value = [&](std::int64_t i) HWY_ATTR {
            return sees ? hn::Mul(factor, hn::LoadU(d, sums + i)) : unseen;
        };
        std::int64_t i = 0;
        for (; i + lanes <= b.value_size; i += lanes) hn::StoreU(value(i), d, out + i);
        if (i < b.value_size) store_first(d, value(i), out + i, b.value_size - i);
    }
}

struct Sight {
    std::int64_t first, last;
    bool plain = true;  // scores are plain products, without masks or biases

    explicit Sight(const AttentionBlock& b) : first(b.keys), last(0) {
        plain = !(b.softcap > 0);
        for (std::int64_t r = 0; r < b.rows; ++r) {
            first = smaller(first, greater(b.row[r].first, 0));
            last = greater(last, smaller(b.row[r].last, b.keys));
            plain = plain && !b.row[r].padding && !b.row[r].bias;
        }
        first = first / panel * panel;
    }
};

/// Calls tile(begin, count, is_first) for the key tiles that some query sees, then finishes.
template <typename F>
HWY_INLINE void attend_by_tiles(const AttentionBlock& b, const F& each_tile) {
    const std::int64_t width = rounded(b.value_size, panel);
    RunningSoftmax states[block_rows];
    for (std::int64_t r = 0; r < b.rows; ++r)
        if (b.row[r].has_sink && b.row[r].sink != -HUGE_VALF) states[r] = {b.row[r].sink, 1};
    const Sight sight(b);
    bool is_first = true;
    for (std::int64_t begin = sight.first; begin < sight.last; begin += tile_keys) {
        each_tile(begin, smaller(tile_keys, sight.last - begin), is_first, sight.plain, states,
                  width);
        is_first = false;
    }
    if (is_first)
        for (std::int64_t i = 0; i < b.rows * width; i += lanes)
            hn::StoreU(hn::Zero(d), d, b.sums + i);
    finish(b, width, states);
}

HWY_INLINE void soften_rows(const AttentionBlock& b, std::int64_t begin, std::int64_t count,
                            bool is_first, bool plain, RunningSoftmax* states, std::int64_t width) {
    for (std::int64_t r = 0; r < b.rows; ++r) {
        float* scores = b.scores + r * score_stride;
        const float factor =
            plain ? soften<true>(b.row[r], 0, begin, count, scores, states[r])
                  : soften<false>(b.row[r], b.softcap, begin, count, scores, states[r]);
        if (!is_first) scale_sums(b.sums + r * width, width, factor);
    }
}

void attend(const AttentionBlock& b) {
    attend_by_tiles(b, [&](std::int64_t begin, std::int64_t count, bool is_first, bool plain,
                           RunningSoftmax* states, std::int64_t width) HWY_ATTR {
        for (std::int64_t k = 0; k < count; k += panel)
            multiply_panel(b.rows, b.q, b.q_stride, b.k + (begin + k) * b.size, b.size,
                           b.scores + k, score_stride, false);
        soften_rows(b, begin, count, is_first, plain, states, width);
        for (std::int64_t j = 0; j < width; j += panel)
            multiply_panel(b.rows, b.scores, score_stride, b.v + j * b.keys + begin * panel, count,
                           b.sums + j, width, !is_first);
    });
}

template <typename T>
HWY_INLINE void attend_rows(const AttentionBlock& b, const T* keys, const T* values) {
    const Sight sight(b);
    // The first query alone waits for memory: the others find keys and values in the cache.
    const auto ahead_of = [&](std::int64_t row, std::int64_t size, std::int64_t begin) {
        return RowsAhead::of(size, sizeof(T), row == 0 ? sight.last - begin : 0);
    };
    const RowsAhead first = ahead_of(0, b.value_size, sight.first);
    for (std::int64_t j = 0; j < first.distance && j < first.end; ++j)
        prefetch(values + (sight.first + j) * b.v_stride, b.value_size);
    attend_by_tiles(b, [&](std::int64_t begin, std::int64_t count, bool is_first, bool plain,
                           RunningSoftmax* states, std::int64_t width) HWY_ATTR {
        for (std::int64_t r = 0; r < b.rows; ++r)
            row_scores(b.q + r * b.q_stride, keys + begin * b.k_stride, b.k_stride, b.size, count,
                       ahead_of(r, b.size, begin), b.scores + r * score_stride);
        soften_rows(b, begin, count, is_first, plain, states, width);
        for (std::int64_t r = 0; r < b.rows; ++r) {
            float* p = b.scores + r * score_stride;
            const T* v = values + begin * b.v_stride;
            const RowsAhead ahead = ahead_of(r, b.value_size, begin);
            scale_weights(p, v, b.v_stride, b.value_size, count);
            float* sums = b.sums + r * width;
            std::int64_t i = 0;
            for (; b.value_size - i >= 4 * lanes; i += 4 * lanes)
                weigh<4>(p, v + i, b.v_stride, count, ahead, sums + i, lanes, !is_first);
            for (; i < b.value_size; i += lanes)
                weigh<1>(p, v + i, b.v_stride, count, ahead, sums + i, b.value_size - i, !is_first);
        }
    });
}

void attend_stream(const AttentionBlock& b) {
    if (b.half_k && b.halves_are_bfloat)
        attend_rows(b, reinterpret_cast<const BFloatBits*>(b.half_k),
                    reinterpret_cast<const BFloatBits*>(b.half_v));
    else if (b.half_k) attend_rows(b, b.half_k, b.half_v);
    else if (b.byte_k) attend_rows(b, b.byte_k, b.byte_v);
    else attend_rows(b, b.k, b.v);
}

void pack_keys(const float* k, std::int64_t stride, std::int64_t keys, std::int64_t size,
               float* to) {
    for (std::int64_t first = 0; first < keys; first += panel, to += size * panel) {
        for (std::int64_t half = 0; half < panel; half += lanes) {
            const std::int64_t count = smaller(lanes, keys - first - half);
            transpose_rows(k + (first + half) * stride, stride, count, size, to + half, panel);
        }
    }
}

void pack_key_columns(const float* k, std::int64_t stride, std::int64_t keys, std::int64_t size,
                      float* to) {
    for (std::int64_t first = 0; first < keys; first += panel)
        for (std::int64_t i = 0; i < size; ++i, to += panel)
            for (std::int64_t half = 0; half < panel; half += lanes) {
                const std::int64_t left = keys - first - half;
                const float* from = k + i * stride + first + half;
                hn::StoreU(left >= lanes ? hn::LoadU(d, from)
                           : left > 0    ? load_first(d, from, left)
                                         : hn::Zero(d),
                           d, to + half);
            }
}

void pack_values(const float* v, std::int64_t stride, std::int64_t keys, std::int64_t value_size,
                 float* to) {
    for (std::int64_t first = 0; first < value_size; first += panel) {
        const std::int64_t left = value_size - first;
        for (std::int64_t j = 0; j < keys; ++j, to += panel) {
            const float* from = v + j * stride + first;
            hn::StoreU(left >= lanes ? hn::LoadU(d, from) : load_first(d, from, left), d, to);
            hn::StoreU(left >= panel  ? hn::LoadU(d, from + lanes)
                       : left > lanes ? load_first(d, from + lanes, left - lanes)
                                      : hn::Zero(d),
                       d, to + lanes);
        }
    }
}

void scale_row(const float* from, const float* bias, std::int64_t count, float scale, float* to) {
    const V factor = hn::Set(d, scale);
    std::int64_t i = 0;
    for (; i + lanes <= count; i += lanes) {
        const V x = hn::LoadU(d, from + i);
        hn::StoreU(hn::Mul(bias ? hn::Add(x, hn::LoadU(d, bias + i)) : x, factor), d, to + i);
    }
    if (i == count) return;
    const V x = load_first(d, from + i, count - i);
    store_first(d, hn::Mul(bias ? hn::Add(x, load_first(d, bias + i, count - i)) : x, factor),
                to + i, count - i);
}

void rotate(const float* from, const float* cosine, const float* sine, std::int64_t half,
            bool interleaved, float* to) {
    if (interleaved) {
        for (std::int64_t i = 0; i < half; ++i) {
            const float x = from[2 * i], y = from[2 * i + 1];
            to[2 * i] = cosine[i] * x - sine[i] * y;
            to[2 * i + 1] = sine[i] * x + cosine[i] * y;
        }
        return;
    }
    std::int64_t i = 0;
    for (; i + lanes <= half; i += lanes) {
        const V x = hn::LoadU(d, from + i), y = hn::LoadU(d, from + half + i),
                c = hn::LoadU(d, cosine + i), s = hn::LoadU(d, sine + i);
        hn::StoreU(hn::Sub(hn::Mul(c, x), hn::Mul(s, y)), d, to + i);
        hn::StoreU(hn::MulAdd(s, x, hn::Mul(c, y)), d, to + half + i);
    }
    for (; i < half; ++i) {
        const float x = from[i], y = from[half + i];
        to[i] = cosine[i] * x - sine[i] * y;
        to[half + i] = sine[i] * x + cosine[i] * y;
    }
}

}  // namespace

const AttentionKernels& attention_kernels() {
    static constexpr AttentionKernels table{
        panel,        row_step, block_rows,     score_stride, &pack_keys, &pack_key_columns,
        &pack_values, &attend,  &attend_stream, &scale_row,   &rotate};
    return table;
}

}  // namespace lapidary::LAPIDARY_ISA
