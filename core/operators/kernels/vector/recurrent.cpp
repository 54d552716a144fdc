// SPDX-License-Identifier: Apache-2.0
#include "kernels/vector/recurrent.h"

#include "kernels/vector/math.h"
#include "kernels/vector/partial.h"

namespace lapidary::LAPIDARY_ISA {
namespace {

const hn::ScalableTag<float> d;
using V = hn::Vec<decltype(d)>;
constexpr std::int64_t lanes = hn::MaxLanes(d);
#if HWY_TARGET == HWY_AVX3
constexpr int sums_limit = 24;
#else
constexpr int sums_limit = 8;
#endif

HWY_INLINE V broadcast(const float* value) {
    V v = hn::Set(d, *value);
#if HWY_TARGET == HWY_AVX3
    asm("" : "+v"(v.raw));  // an operand broadcast from memory would be loaded once per gate
#endif
    return v;
}

HWY_INLINE V load(const float* from, std::int64_t left) {
    return left >= lanes ? hn::LoadU(d, from) : load_first(d, from, left);
}
HWY_INLINE void store(V v, float* to, std::int64_t left) {
    if (left >= lanes) hn::StoreU(v, d, to);
    else store_first(d, v, to, left);
}

/// sum[row][gate] = state of row times one block of the weights. Few sums are split over k, to keep
/// two units busy.
template <int gates, int rows>
HWY_INLINE void multiply(const float* const (&state)[rows], const float* w, std::int64_t hidden,
                         V (&sum)[rows][gates]) {
    constexpr int wanted = sums_limit < 8 ? sums_limit : 8;
    constexpr int splits = gates * rows >= wanted ? 1 : gates * rows * 2 >= wanted ? 2 : 4;
    V part[splits][rows][gates];
#pragma GCC unroll 4
    for (int p = 0; p < splits; ++p)
#pragma GCC unroll 24
        for (int r = 0; r < rows; ++r)
#pragma GCC unroll 4
            for (int g = 0; g < gates; ++g) part[p][r][g] = hn::Zero(d);
    const auto step = [&](std::int64_t k, int p) HWY_ATTR {
        V weight[gates];
#pragma GCC unroll 4
        for (int g = 0; g < gates; ++g) weight[g] = hn::LoadU(d, w + (k * gates + g) * lanes);
#pragma GCC unroll 24
        for (int r = 0; r < rows; ++r) {
            const V x = broadcast(state[r] + k);
#pragma GCC unroll 4
            for (int g = 0; g < gates; ++g) part[p][r][g] = hn::MulAdd(x, weight[g], part[p][r][g]);
        }
    };
    std::int64_t k = 0;
    for (; k + splits <= hidden; k += splits) {
#pragma GCC unroll 4
        for (int p = 0; p < splits; ++p) step(k + p, p);
    }
    for (; k < hidden; ++k) step(k, 0);
#pragma GCC unroll 24
    for (int r = 0; r < rows; ++r)
#pragma GCC unroll 4
        for (int g = 0; g < gates; ++g) {
            sum[r][g] = part[0][r][g];
#pragma GCC unroll 4
            for (int p = 1; p < splits; ++p) sum[r][g] = hn::Add(sum[r][g], part[p][r][g]);
        }
}

HWY_INLINE V clipped(V x, float clip) {
    return clip > 0 ? at_most(d, at_least(d, x, -clip), clip) : x;
}

/// finish(row, unit, left, sums of the gates) for all rows and the step's blocks.
template <int gates, int rows, bool of_reset, typename F>
HWY_INLINE void each_row(const RecurrentStep& s, const RecurrentRow* row, const float* w,
                         std::int64_t unit, const F& finish) {
    const float* state[rows];
#pragma GCC unroll 24
    for (int r = 0; r < rows; ++r) state[r] = of_reset ? row[r].reset : row[r].state;
    V sum[rows][gates];
    multiply<gates, rows>(state, w, s.hidden, sum);
#pragma GCC unroll 24
    for (int r = 0; r < rows; ++r) finish(row[r], unit, s.hidden - unit, sum[r]);
}

template <int gates, bool of_reset, typename F>
HWY_INLINE void each_block(const RecurrentStep& s, const F& finish) {
    constexpr int most = sums_limit / gates < 6 ? sums_limit / gates : 6;
    for (std::int64_t block = s.first_block; block < s.last_block; ++block) {
        const float* w = s.weights + block * s.hidden * gates * lanes;
        const RecurrentRow* row = s.rows;
        std::int64_t left = s.count;
        for (; left >= most; left -= most, row += most)
            each_row<gates, most, of_reset>(s, row, w, block * lanes, finish);
        if constexpr (most > 2)
            for (; left >= 2; left -= 2, row += 2)
                each_row<gates, 2, of_reset>(s, row, w, block * lanes, finish);
        for (; left > 0; --left, ++row)
            each_row<gates, 1, of_reset>(s, row, w, block * lanes, finish);
    }
}

template <bool usual>
HWY_INLINE void finish_lstm(const RecurrentStep& s, const RecurrentRow& row, std::int64_t unit,
                            std::int64_t left, const V (&sum)[4]) {
    const std::int64_t hidden = s.hidden;
    const float* input = row.input + unit;
    V i = hn::Add(sum[0], load(input, left)), o = hn::Add(sum[1], load(input + hidden, left));
    V f = hn::Add(sum[2], load(input + 2 * hidden, left)),
      g = hn::Add(sum[3], load(input + 3 * hidden, left));
    V c = load(row.cell + unit, left);
    if constexpr (usual) {
        c = hn::MulAdd(sigmoid(d, f), c, hn::Mul(sigmoid(d, i), tanh(d, g)));
        store(c, row.cell + unit, left);
        store(hn::Mul(sigmoid(d, o), tanh(d, c)), row.out + unit, left);
    } else {
        const float* p = s.peepholes ? s.peepholes + unit : nullptr;
        if (p) i = hn::MulAdd(load(p, left), c, i);
        i = activate(d, clipped(i, s.clip), s.gate);
        if (s.couples_gates) {
            f = hn::Sub(hn::Set(d, 1.0f), i);
        } else {
            if (p) f = hn::MulAdd(load(p + 2 * hidden, left), c, f);
            f = activate(d, clipped(f, s.clip), s.gate);
        }
        g = activate(d, clipped(g, s.clip), s.candidate);
        c = hn::MulAdd(f, c, hn::Mul(i, g));
        if (p) o = hn::MulAdd(load(p + hidden, left), c, o);
        o = activate(d, clipped(o, s.clip), s.gate);
        store(c, row.cell + unit, left);
        store(hn::Mul(o, activate(d, c, s.output)), row.out + unit, left);
    }
}

template <bool usual>
void lstm_step(const RecurrentStep& s) {
    each_block<4, false>(
        s, [&](const RecurrentRow& row, std::int64_t unit, std::int64_t left, const V(&sum)[4])
               HWY_ATTR { finish_lstm<usual>(s, row, unit, left, sum); });
}

template <bool usual>
void lstm_gates_step(const RecurrentStep& s) {
    for (std::int64_t block = s.first_block; block < s.last_block; ++block)
        for (std::int64_t r = 0; r < s.count; ++r) {
            const std::int64_t unit = block * lanes, left = s.hidden - unit;
            V sum[4];
            for (int g = 0; g < 4; ++g)
                sum[g] = load(s.rows[r].product + g * s.hidden + unit, left);
            finish_lstm<usual>(s, s.rows[r], unit, left, sum);
        }
}

void lstm_gates(const RecurrentStep& s) {
    s.usual ? lstm_gates_step<true>(s) : lstm_gates_step<false>(s);
}
void lstm(const RecurrentStep& s) { s.usual ? lstm_step<true>(s) : lstm_step<false>(s); }

/// (1 - z) c + z h
HWY_INLINE V mixed(V z, V c, V h) { return hn::MulAdd(z, hn::Sub(h, c), c); }

template <bool usual>
void gru_step(const RecurrentStep& s) {
    const std::int64_t hidden = s.hidden;
    each_block<3, false>(s, [&](const RecurrentRow& row, std::int64_t unit, std::int64_t left,
                                const V(&sum)[3]) HWY_ATTR {
        const float* input = row.input + unit;
        const V h = load(row.state + unit, left),
                product = s.recurrent_bias ? hn::Add(sum[2], load(s.recurrent_bias + unit, left))
                                           : sum[2];
        V z = hn::Add(sum[0], load(input, left)), r = hn::Add(sum[1], load(input + hidden, left));
        V c = load(input + 2 * hidden, left);
        if constexpr (usual) {
            c = tanh(d, hn::MulAdd(sigmoid(d, r), product, c));
            z = sigmoid(d, z);
        } else {
            z = activate(d, clipped(z, s.clip), s.gate);
            r = activate(d, clipped(r, s.clip), s.gate);
            c = activate(d, clipped(hn::MulAdd(r, product, c), s.clip), s.candidate);
        }
        store(mixed(z, c, h), row.out + unit, left);
    });
}

void gru(const RecurrentStep& s) { s.usual ? gru_step<true>(s) : gru_step<false>(s); }

void gru_gates(const RecurrentStep& s) {
    each_block<2, false>(s, [&](const RecurrentRow& row, std::int64_t unit, std::int64_t left,
                                const V(&sum)[2]) HWY_ATTR {
        const float* input = row.input + unit;
        const V z = activate(d, clipped(hn::Add(sum[0], load(input, left)), s.clip), s.gate);
        const V r =
            activate(d, clipped(hn::Add(sum[1], load(input + s.hidden, left)), s.clip), s.gate);
        store(z, row.update + unit, left);
        store(hn::Mul(r, load(row.state + unit, left)), row.reset + unit, left);
    });
}

void gru_candidate(const RecurrentStep& s) {
    each_block<1, true>(s, [&](const RecurrentRow& row, std::int64_t unit, std::int64_t left,
                               const V(&sum)[1]) HWY_ATTR {
        const V c = activate(
            d, clipped(hn::Add(sum[0], load(row.input + 2 * s.hidden + unit, left)), s.clip),
            s.candidate);
        store(mixed(load(row.update + unit, left), c, load(row.state + unit, left)), row.out + unit,
              left);
    });
}

void rnn(const RecurrentStep& s) {
    each_block<1, false>(s, [&](const RecurrentRow& row, std::int64_t unit, std::int64_t left,
                                const V(&sum)[1]) HWY_ATTR {
        store(activate(d, clipped(hn::Add(sum[0], load(row.input + unit, left)), s.clip), s.gate),
              row.out + unit, left);
    });
}

void pack(const float* r, std::int64_t gates, std::int64_t gate_stride, std::int64_t hidden,
          std::int64_t begin, std::int64_t end, float* to) {
    for (std::int64_t block = begin; block < end; ++block)
        for (std::int64_t g = 0; g < gates; ++g)
            for (std::int64_t lane = 0; lane < lanes; ++lane) {
                const std::int64_t unit = block * lanes + lane;
                const float* from = r + g * gate_stride + unit * hidden;
                float* column = to + block * hidden * gates * lanes + g * lanes + lane;
                for (std::int64_t k = 0; k < hidden; ++k)
                    column[k * gates * lanes] = unit < hidden ? from[k] : 0.0f;
            }
}

}  // namespace

const RecurrentKernels& recurrent_kernels() {
    static constexpr RecurrentKernels table{lanes, &pack,      &lstm,          &lstm_gates,
                                            &gru,  &gru_gates, &gru_candidate, &rnn};
    return table;
}

}  // namespace lapidary::LAPIDARY_ISA
