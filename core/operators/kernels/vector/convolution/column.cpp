// SPDX-License-Identifier: Apache-2.0
#include "kernels/vector/convolution/column.h"

#include <string.h>

#include <hwy/highway.h>

#include "kernels/vector/math.h"

namespace lapidary::LAPIDARY_ISA {
namespace {

#if HWY_TARGET == HWY_AVX3
constexpr int most_rows = 14;
#elif HWY_ARCH_ARM_A64
constexpr int most_rows = 12;
#else
constexpr int most_rows = 6;
#endif
constexpr int most_direct_rows = 8;
// registers of direct_rows()
constexpr int direct_sums = HWY_TARGET == HWY_AVX3 || HWY_ARCH_ARM_A64 ? 24 : 12;

const hn::ScalableTag<float> d;
using V = hn::Vec<decltype(d)>;
constexpr std::int64_t lanes = hn::MaxLanes(d);

#if HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX2
// Memory of masked lanes is not accessed.
HWY_INLINE V load_some(const float* p, std::int64_t count) {
    if (count >= lanes) return hn::LoadU(d, p);
    return hn::MaskedLoad(hn::FirstN(d, static_cast<std::size_t>(count)), d, p);
}

HWY_INLINE void store_some(V v, float* p, std::int64_t count) {
    if (count >= lanes) return hn::StoreU(v, d, p);
    hn::BlendedStore(v, hn::FirstN(d, static_cast<std::size_t>(count)), d, p);
}
#else
HWY_INLINE V load_some(const float* p, std::int64_t count) {
    if (count >= lanes) return hn::LoadU(d, p);
    float buffer[lanes] = {};
    for (std::int64_t i = 0; i < count; ++i) buffer[i] = p[i];
    return hn::LoadU(d, buffer);
}

HWY_INLINE void store_some(V v, float* p, std::int64_t count) {
    if (count >= lanes) return hn::StoreU(v, d, p);
    float buffer[lanes];
    hn::StoreU(v, d, buffer);
    for (std::int64_t i = 0; i < count; ++i) p[i] = buffer[i];
}
#endif

HWY_INLINE void clear(float* to, std::int64_t count) {
    for (std::int64_t i = 0; i < count; i += lanes) store_some(hn::Zero(d), to + i, count - i);
}

void deal_row(const float* row, std::int64_t width, std::int64_t pad, std::int64_t stride,
              std::int64_t length, float* to) {
    if (row == nullptr) return clear(to, stride * length);
    if (stride == 1) {
        if (pad >= length) return clear(to, length);
        const std::int64_t count = width < length - pad ? width : length - pad;
        clear(to, pad);
        for (std::int64_t i = 0; i < count; i += lanes)
            store_some(load_some(row + i, count - i), to + pad + i, count - i);
        return clear(to + pad + count, length - pad - count);
    }
    clear(to, stride * length);
    std::int64_t x = 0;
    if (stride == 2) {
        for (; x < width && (x + pad) % 2 != 0; ++x)
            if ((x + pad) / 2 < length) to[(x + pad) % 2 * length + (x + pad) / 2] = row[x];
        for (; x + 2 * lanes <= width && (x + pad) / 2 + lanes <= length; x += 2 * lanes) {
            V even, odd;
            hn::LoadInterleaved2(d, row + x, even, odd);
            hn::StoreU(even, d, to + (x + pad) / 2);
            hn::StoreU(odd, d, to + length + (x + pad) / 2);
        }
    }
    std::int64_t phase = (x + pad) % stride, place = (x + pad) / stride;
    for (; x < width && place < length; ++x) {
        to[phase * length + place] = row[x];
        if (++phase == stride) {
            phase = 0;
            ++place;
        }
    }
}

/// Elements [first, first + i) of a row whose phases lie `length` apart: `i` whole vectors of each
/// phase, `first` a multiple of the stride. Returns how many elements it made.
std::int64_t gather_vectors(const float* from, std::int64_t stride, std::int64_t length,
                            std::int64_t first, std::int64_t count, float* to) {
    const float* p = from + first / stride;
    std::int64_t i = 0;
    if (stride == 2) {
        for (; i + 2 * lanes <= count; i += 2 * lanes, p += lanes)
            hn::StoreInterleaved2(hn::LoadU(d, p), hn::LoadU(d, p + length), d, to + i);
    } else if (stride == 3) {
        for (; i + 3 * lanes <= count; i += 3 * lanes, p += lanes)
            hn::StoreInterleaved3(hn::LoadU(d, p), hn::LoadU(d, p + length),
                                  hn::LoadU(d, p + 2 * length), d, to + i);
    } else if (stride == 4) {
        for (; i + 4 * lanes <= count; i += 4 * lanes, p += lanes)
            hn::StoreInterleaved4(hn::LoadU(d, p), hn::LoadU(d, p + length),
                                  hn::LoadU(d, p + 2 * length), hn::LoadU(d, p + 3 * length), d,
                                  to + i);
    } else if (stride == 8) {
        // Phases four apart first, then the pairs of them that lie side by side.
        HWY_ALIGN float even[4 * lanes], odd[4 * lanes];
        for (; i + 8 * lanes <= count; i += 8 * lanes, p += lanes) {
            hn::StoreInterleaved4(hn::LoadU(d, p), hn::LoadU(d, p + 2 * length),
                                  hn::LoadU(d, p + 4 * length), hn::LoadU(d, p + 6 * length), d,
                                  even);
            hn::StoreInterleaved4(hn::LoadU(d, p + length), hn::LoadU(d, p + 3 * length),
                                  hn::LoadU(d, p + 5 * length), hn::LoadU(d, p + 7 * length), d,
                                  odd);
            for (std::int64_t j = 0; j < 4 * lanes; j += lanes)
                hn::StoreInterleaved2(hn::Load(d, even + j), hn::Load(d, odd + j), d,
                                      to + i + 2 * j);
        }
    }
    return i;
}

void gather_row(const float* from, std::int64_t stride, std::int64_t length, std::int64_t first,
                std::int64_t count, float* to) {
    if (stride == 1) {
        memcpy(to, from + first, static_cast<std::size_t>(count) * sizeof(float));
        return;
    }
    std::int64_t i = 0, phase = first % stride, place = first / stride;
    const auto some = [&](std::int64_t end) {
        for (; i < end; ++i) {
            to[i] = from[phase * length + place];
            if (++phase == stride) {
                phase = 0;
                ++place;
            }
        }
    };
    const std::int64_t lead = phase == 0 ? 0 : stride - phase;
    some(lead < count ? lead : count);
    const std::int64_t made = gather_vectors(from, stride, length, first + i, count - i, to + i);
    i += made;
    place += made / stride;
    some(count);
}

HWY_INLINE void copy_run(const float* from, std::int64_t count, float* to) {
    std::int64_t i = 0;
    for (; i + lanes <= count; i += lanes) hn::StoreU(hn::LoadU(d, from + i), d, to + i);
    if (i == count) return;
#if HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX2
    hn::StoreU(hn::MaskedLoad(hn::FirstN(d, static_cast<std::size_t>(count - i)), d, from + i), d,
               to + i);
#else
    for (; i < count; ++i) to[i] = from[i];
#endif
}

/// Rows in order and the runs of a row in order: what a copy writes beyond its end is overwritten
/// afterwards.
void pack(const float* from, const std::int64_t* offsets, std::int64_t count, const ColumnRun* runs,
          std::int64_t run_count, float* to) {
    constexpr std::int64_t panel = 2 * lanes;
    if (run_count == 1 && runs[0].count == panel) {
        from += runs[0].shift;
        for (std::int64_t k = 0; k < count; ++k, to += panel) {
            hn::StoreU(hn::LoadU(d, from + offsets[k]), d, to);
            hn::StoreU(hn::LoadU(d, from + offsets[k] + lanes), d, to + lanes);
        }
        return;
    }
    for (std::int64_t k = 0; k < count; ++k, to += panel)
        for (std::int64_t r = 0; r < run_count; ++r)
            copy_run(from + offsets[k] + runs[r].shift, runs[r].count, to + runs[r].column);
}

/// Activations that are worth no place in the loops.
HWY_NOINLINE void activate_stored(float* c, std::int64_t count, const Activation& activation) {
    if (count > lanes) count = lanes;
    store_some(activate(d, load_some(c, count), activation), c, count);
}

/// Stores one row of C: `vectors` vectors of sums, beginning at c.
template <int vectors>
HWY_INLINE void finish(const V (&sum)[vectors], std::int64_t row, std::int64_t columns, float* c,
                       std::int64_t c_stride, const ColumnEnd& end) {
    for (int j = 0; j < vectors; ++j) {
        const std::int64_t at = row * c_stride + j * lanes, count = columns - j * lanes;
        if (count <= 0) return;
        V v = sum[j];
        if (!end.is_first) v = hn::Add(v, load_some(c + at, count));
        if (end.is_last) {
            if (end.bias) v = hn::Add(v, hn::Set(d, end.bias[row]));
            if (end.sum) v = hn::Add(v, load_some(end.sum + at, count));
            if (end.activation.kind == ActivationKind::relu ||
                end.activation.kind == ActivationKind::clip) {
                const bool clips = end.activation.kind == ActivationKind::clip;
                const V low = hn::Set(d, clips ? end.activation.alpha : 0.0f),
                        high = hn::Set(d, clips ? end.activation.beta : HUGE_VALF);
                v = hn::IfThenElse(hn::Lt(v, low), low, v);
                v = hn::IfThenElse(hn::Gt(v, high), high, v);
            } else if (end.activation) {
                store_some(v, c + at, count);
                activate_stored(c + at, count, end.activation);
                continue;
            }
        }
        store_some(v, c + at, count);
    }
}

/// Whether store_rows() can finish the sums: only a bias is added, and the activation is none or a
/// clip.
HWY_INLINE bool ends_plainly(const ColumnEnd& end) {
    return end.is_first && end.is_last && !end.sum &&
           (!end.activation || end.activation.kind == ActivationKind::relu ||
            end.activation.kind == ActivationKind::clip);
}

/// finish() of whole vectors, from registers.
template <int rows, int vectors>
HWY_INLINE void store_rows(V (&sum)[rows][vectors], float* c, std::int64_t c_stride,
                           const ColumnEnd& end) {
    if (end.bias) {
        HWY_UNROLL(16)
        for (int r = 0; r < rows; ++r) {
            const V bias = hn::Set(d, end.bias[r]);
            for (int j = 0; j < vectors; ++j) sum[r][j] = hn::Add(sum[r][j], bias);
        }
    }
    if (end.activation) {
        const bool clips = end.activation.kind == ActivationKind::clip;
        const V low = hn::Set(d, clips ? end.activation.alpha : 0.0f),
                high = hn::Set(d, clips ? end.activation.beta : HUGE_VALF);
        HWY_UNROLL(16)
        for (int r = 0; r < rows; ++r)
            for (int j = 0; j < vectors; ++j) {
                const V v = hn::IfThenElse(hn::Lt(sum[r][j], low), low, sum[r][j]);
                sum[r][j] = hn::IfThenElse(hn::Gt(v, high), high, v);
            }
    }
    HWY_UNROLL(16)
    for (int r = 0; r < rows; ++r)
        for (int j = 0; j < vectors; ++j) hn::StoreU(sum[r][j], d, c + r * c_stride + j * lanes);
}

/// `vectors` of the panel's two: the second may hold no position.
template <int rows, int vectors>
void multiply_rows(const float* w, const float* panel, std::int64_t inner, std::int64_t columns,
                   float* c, std::int64_t c_stride, const ColumnEnd& end) {
    V sum[rows][vectors];
    // Prefetches C while the sums are computed.
    for (int r = 0; r < rows; ++r) {
        __builtin_prefetch(c + r * c_stride, 1);
        if constexpr (vectors == 2) __builtin_prefetch(c + r * c_stride + columns - 1, 1);
    }
    HWY_UNROLL(16)
    for (int r = 0; r < rows; ++r)
        for (int j = 0; j < vectors; ++j) sum[r][j] = hn::Zero(d);
    HWY_UNROLL(2)
    for (std::int64_t k = 0; k < inner; ++k, w += rows, panel += 2 * lanes) {
        V x[vectors];
        for (int j = 0; j < vectors; ++j) x[j] = hn::LoadU(d, panel + j * lanes);
        HWY_UNROLL(16)
        for (int r = 0; r < rows; ++r) {
            const V a = hn::Set(d, w[r]);
            for (int j = 0; j < vectors; ++j) sum[r][j] = hn::MulAdd(a, x[j], sum[r][j]);
        }
    }
    if (ends_plainly(end) && columns == vectors * lanes)
        return store_rows<rows, vectors>(sum, c, c_stride, end);
    V left[rows][vectors];  // whose places in memory do not keep `sum` from registers
    HWY_UNROLL(16)
    for (int r = 0; r < rows; ++r)
        for (int j = 0; j < vectors; ++j) left[r][j] = sum[r][j];
    for (int r = 0; r < rows; ++r) finish<vectors>(left[r], r, columns, c, c_stride, end);
}

template <int rows, int vectors>
void direct_rows(const float* w, const float* from, const std::int64_t* offsets, std::int64_t inner,
                 std::int64_t columns, float* c, std::int64_t c_stride, const ColumnEnd& end) {
    V sum[rows][vectors];
    for (int r = 0; r < rows; ++r)
        for (int j = 0; j < vectors; ++j) sum[r][j] = hn::Zero(d);
    for (std::int64_t k = 0; k < inner; ++k, w += rows) {
        const float* p = from + offsets[k];
        HWY_UNROLL(8)
        for (int j = 0; j < vectors; ++j) {
            const V x = hn::LoadU(d, p + j * lanes);
            HWY_UNROLL(8)
            for (int r = 0; r < rows; ++r) sum[r][j] = hn::MulAdd(hn::Set(d, w[r]), x, sum[r][j]);
        }
    }
    for (int r = 0; r < rows; ++r) finish<vectors>(sum[r], r, columns, c, c_stride, end);
}

template <int vectors>
void multiply_vectors(const float* w, std::int64_t filters, const float* panel, std::int64_t inner,
                      std::int64_t columns, float* c, std::int64_t c_stride, const ColumnEnd& end) {
    using Rows = void (*)(const float*, const float*, std::int64_t, std::int64_t, float*,
                          std::int64_t, const ColumnEnd&);
#define LAPIDARY_ROWS(n) \
    (n <= most_rows ? &multiply_rows<(n <= most_rows ? n : 1), vectors> : nullptr)
    static constexpr Rows table[] = {LAPIDARY_ROWS(1),  LAPIDARY_ROWS(2),  LAPIDARY_ROWS(3),
                                     LAPIDARY_ROWS(4),  LAPIDARY_ROWS(5),  LAPIDARY_ROWS(6),
                                     LAPIDARY_ROWS(7),  LAPIDARY_ROWS(8),  LAPIDARY_ROWS(9),
                                     LAPIDARY_ROWS(10), LAPIDARY_ROWS(11), LAPIDARY_ROWS(12),
                                     LAPIDARY_ROWS(13), LAPIDARY_ROWS(14)};
#undef LAPIDARY_ROWS
    table[filters - 1](w, panel, inner, columns, c, c_stride, end);
}

void multiply(const float* w, std::int64_t filters, const float* panel, std::int64_t inner,
              std::int64_t columns, float* c, std::int64_t c_stride, const ColumnEnd& end) {
    if (columns > lanes) multiply_vectors<2>(w, filters, panel, inner, columns, c, c_stride, end);
    else multiply_vectors<1>(w, filters, panel, inner, columns, c, c_stride, end);
}

template <int rows>
void direct_positions(const float* w, const float* from, const std::int64_t* offsets,
                      std::int64_t inner, std::int64_t columns, float* c, std::int64_t c_stride,
                      const ColumnEnd& end) {
    constexpr int most = direct_sums / rows < 8 ? direct_sums / rows : 8;
    for (std::int64_t i = 0; i < columns;) {
        ColumnEnd here = end;
        if (here.sum) here.sum += i;
        const std::int64_t left = (columns - i + lanes - 1) / lanes;
        const auto run = [&]<int vectors>() {
            direct_rows<rows, vectors>(w, from + i, offsets, inner, columns - i, c + i, c_stride,
                                       here);
            i += vectors * lanes;
        };
        if (most >= 8 && left >= 8) run.template operator()<(most >= 8 ? 8 : 1)>();
        else if (most >= 4 && left >= 4) run.template operator()<(most >= 4 ? 4 : 1)>();
        else if (most >= 3 && left >= 3) run.template operator()<(most >= 3 ? 3 : 1)>();
        else if (most >= 2 && left >= 2) run.template operator()<(most >= 2 ? 2 : 1)>();
        else run.template operator()<1>();
    }
}

void direct(const float* w, std::int64_t filters, const float* from, const std::int64_t* offsets,
            std::int64_t inner, std::int64_t columns, float* c, std::int64_t c_stride,
            const ColumnEnd& end) {
    switch (filters) {
    case 1: return direct_positions<1>(w, from, offsets, inner, columns, c, c_stride, end);
    case 2: return direct_positions<2>(w, from, offsets, inner, columns, c, c_stride, end);
    case 3: return direct_positions<3>(w, from, offsets, inner, columns, c, c_stride, end);
    case 4: return direct_positions<4>(w, from, offsets, inner, columns, c, c_stride, end);
    case 5: return direct_positions<5>(w, from, offsets, inner, columns, c, c_stride, end);
    case 6: return direct_positions<6>(w, from, offsets, inner, columns, c, c_stride, end);
    case 7: return direct_positions<7>(w, from, offsets, inner, columns, c, c_stride, end);
    default: return direct_positions<8>(w, from, offsets, inner, columns, c, c_stride, end);
    }
}

}  // namespace

const ColumnKernels& column_kernels() {
    static constexpr ColumnKernels table{2 * lanes,   most_rows, most_direct_rows, &deal_row,
                                         &gather_row, &pack,     &multiply,        &direct};
    return table;
}

}  // namespace lapidary::LAPIDARY_ISA
