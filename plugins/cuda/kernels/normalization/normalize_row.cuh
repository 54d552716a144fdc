// SPDX-License-Identifier: Apache-2.0
// Normalization of a row that threads hold in registers, in pieces of 16 bytes. Thread t of
// `threads` holds the pieces t, t + threads ... of the row. A row is a whole number of pieces;
// elements beyond its end are held as 0.
#pragma once

#include "kernels/block_reduce.cuh"
#include "kernels/load_store.cuh"
#include "kernels/normalization/normalization.h"
#include "kernels/typed.cuh"

namespace lapidary::cuda {

/// The sum over the threads of a row: a warp, or a block of `threads`.
template <int threads>
GPU_DEVICE float row_sum(float value) {
    if constexpr (threads == 32) return warp_sum(value);
    else return block_sum<threads>(value);
}

/// Adds the piece at p.
template <typename T>
GPU_DEVICE void add_piece(float (&x)[per_piece<T>], const Piece& piece) {
    float more[per_piece<T>];
    elements_of<T>(piece, more);
    GPU_UNROLL for (int i = 0; i < per_piece<T>; ++i) x[i] += more[i];
}

/// Null where there is none.
template <typename T>
GPU_DEVICE const T* row_of_skip(const NormalizeArgs& args, int row) {
    if (!args.skip) return nullptr;
    // usually below skip_count: no division is needed
    const long long first = static_cast<long long>(row) * args.width;
    return static_cast<const T*>(args.skip) +
           (first < args.skip_count ? first : static_cast<int>(first) % args.skip_count);
}

/// Loads the pieces of a thread and adds the residuals. All loads are issued before the first
/// result is used.
template <typename T, int threads, int kept>
GPU_DEVICE void load_row(const NormalizeArgs& args, int row, int thread,
                         float (&x)[kept][per_piece<T>]) {
    constexpr int per = per_piece<T>;
    const T* const input =
        static_cast<const T*>(args.input) + static_cast<long long>(row) * args.width;
    const T* const skip = row_of_skip<T>(args, row);
    const T* const addend = static_cast<const T*>(args.addend);
    Piece of_input[kept], of_skip[kept], of_addend[kept];
    GPU_UNROLL for (int j = 0; j < kept; ++j) {
        const int first = (thread + j * threads) * per;
        of_input[j] = of_skip[j] = of_addend[j] = Piece{};
        if (first >= args.width) continue;
        of_input[j] = piece_at(input + first);
        if (args.skip) of_skip[j] = piece_at(skip + first);
        if (args.addend) of_addend[j] = piece_at(addend + first);
    }
    GPU_UNROLL for (int j = 0; j < kept; ++j) {
        elements_of<T>(of_input[j], x[j]);
        if (args.skip) add_piece<T>(x[j], of_skip[j]);
        if (args.addend) add_piece<T>(x[j], of_addend[j]);
    }
}

/// Scale and bias of pieces, loaded ahead of their use. Where a row is one or several whole
/// channels, all elements of a piece share them.
template <typename T>
struct ChannelFactors {
    Piece scale, bias;

    GPU_METHOD void load(const NormalizeArgs& args, int group, int first) {
        const bool by_element = args.channels_per_row == args.width;
        const int channel = group + (by_element ? first : first / args.spatial);
        scale = factor(args.scale, channel, by_element);
        bias = factor(args.bias, channel, by_element);
    }
    GPU_METHOD void apply(const NormalizeArgs& args, float (&y)[per_piece<T>]) const {
        const bool by_element = args.channels_per_row == args.width;
        float s[per_piece<T>], b[per_piece<T>];
        spread(scale, by_element, s);
        spread(bias, by_element, b);
        GPU_UNROLL for (int i = 0; i < per_piece<T>; ++i) {
            if (args.scale) y[i] *= s[i];
            if (args.bias) y[i] += b[i];
        }
    }

private:
    GPU_METHOD static Piece factor(const void* data, int channel, bool by_element) {
        Piece piece{};
        if (!data) return piece;
        const T* const at = static_cast<const T*>(data) + channel;
        if (by_element) return piece_at(at);
        piece.words[0] = bits_of(load_element(at));
        return piece;
    }
    GPU_METHOD static void spread(const Piece& piece, bool by_element, float (&to)[per_piece<T>]) {
        elements_of<T>(piece, to);
        if (by_element) return;
        GPU_UNROLL for (int i = 0; i < per_piece<T>; ++i) to[i] = float_of(piece.words[0]);
    }
};

/// Sums a thread's pieces. Each position in a piece has its own sum, so that additions do not wait
/// for each other.
template <int kept, int per, typename Term>
GPU_DEVICE float sum_of_pieces(const float (&x)[kept][per], const Term& term) {
    float sums[per];
    GPU_UNROLL for (int i = 0; i < per; ++i) {
        sums[i] = term(0, x[0][i]);
        GPU_UNROLL for (int j = 1; j < kept; ++j) sums[i] += term(j, x[j][i]);
    }
    GPU_UNROLL for (int gap = per / 2; gap > 0; gap /= 2) GPU_UNROLL for (int i = 0; i < gap; ++i)
        sums[i] += sums[i + gap];
    return sums[0];
}

/// Computes mean and inverse deviation of a row; each thread holds `kept` of its pieces.
template <int threads, int kept, int per>
GPU_DEVICE void measure_row(const NormalizeArgs& args, int thread, const float (&x)[kept][per],
                            float& mean, float& inverse) {
    const auto width = static_cast<float>(args.width);
    mean = 0;
    float square = 0;
    if (threads == 32 && args.width == threads * kept * per && !args.is_root_mean_square) {
        // all threads have equally many elements: sums and squared deviations are joined pairwise
        constexpr float own = kept * per;
        float sum = sum_of_pieces(x, [](int, float v) { return v; });
        const float own_mean = sum / own;
        square = sum_of_pieces(x, [&](int, float v) { return (v - own_mean) * (v - own_mean); });
        float of_pair = 0.5f / own;
        GPU_UNROLL for (int mask = 16; mask > 0; mask /= 2) {
            const float other_sum = shuffle_xor(sum, mask),
                        other_square = shuffle_xor(square, mask);
            const float difference = sum - other_sum;
            square += other_square + difference * difference * of_pair;
            sum += other_sum;
            of_pair *= 0.5f;
        }
        mean = sum / width;
    } else {
        if (!args.is_root_mean_square)
            mean = row_sum<threads>(sum_of_pieces(x, [](int, float v) { return v; })) / width;
        square = row_sum<threads>(sum_of_pieces(x, [&](int j, float v) {
            return (thread + j * threads) * per < args.width ? (v - mean) * (v - mean) : 0.0f;
        }));
    }
    inverse = 1.0f / std::sqrt(square / width + args.epsilon);
}

GPU_DEVICE void store_measures(const NormalizeArgs& args, int row, int thread, float mean,
                               float inverse) {
    if (thread == 0 && args.mean) static_cast<float*>(args.mean)[row] = mean;
    if (thread == 0 && args.inverse_deviation)
        static_cast<float*>(args.inverse_deviation)[row] = inverse;
}

/// Prefetches scale and bias, which a warp reads for every row, to the device's cache: before
/// kernel_begin(), while earlier kernels run.
template <typename T, int kept>
GPU_DEVICE void fetch_channels(const NormalizeArgs& args, int lane) {
    if (args.channels_per_row != args.width || args.row_groups != 1) return;
    GPU_UNROLL for (int j = 0; j < kept; ++j) {
        const int first = (lane + j * 32) * per_piece<T>;
        if (lane % 8 != 0 || first >= args.width) continue;  // 128 bytes each
        if (args.scale) fetch_to_cache(static_cast<const T*>(args.scale) + first);
        if (args.bias) fetch_to_cache(static_cast<const T*>(args.bias) + first);
        if (args.addend) fetch_to_cache(static_cast<const T*>(args.addend) + first);
    }
}

template <typename T, int threads, int kept>
GPU_DEVICE void normalize_kept_row(const NormalizeArgs& args, int row, int thread,
                                   const float (&x)[kept][per_piece<T>]) {
    constexpr int per = per_piece<T>;
    const int group = args.row_groups == 1 ? 0 : row % args.row_groups * args.channels_per_row;
    ChannelFactors<T> factors[kept];
    GPU_UNROLL for (int j = 0; j < kept; ++j) {
        const int first = (thread + j * threads) * per;
        factors[j].load(args, group, first < args.width ? first : 0);
    }
    float mean, inverse;
    measure_row<threads>(args, thread, x, mean, inverse);
    const long long base = static_cast<long long>(row) * args.width;
    GPU_UNROLL for (int j = 0; j < kept; ++j) {
        const int first = (thread + j * threads) * per;
        if (first >= args.width) continue;
        if (args.sum) store_piece(static_cast<T*>(args.sum) + base + first, piece_of<T>(x[j]));
        float y[per];
        GPU_UNROLL for (int i = 0; i < per; ++i) y[i] = (x[j][i] - mean) * inverse;
        factors[j].apply(args, y);
        store_piece(static_cast<T*>(args.output) + base + first, piece_of<T>(y));
    }
    store_measures(args, row, thread, mean, inverse);
}

}  // namespace lapidary::cuda
