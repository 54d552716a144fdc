// SPDX-License-Identifier: Apache-2.0
// Turns the sums of a tile in shared memory into results, in pieces of 16 bytes.
#pragma once

#include "kernels/product/tile_product.cuh"

namespace lapidary::cuda {

/// The place of a tile of sums: it begins at (row, column) of a matrix of rows x columns. The
/// matrix is `y`, which begins at element `output` of the whole result.
template <typename T>
struct ResultTile {
    T* y;
    long long output;
    int row, column, rows, columns;
};

/// The epilogue of a few neighbouring columns. A bias that all rows share is read once.
template <typename T>
class PieceEpilogue {
public:
    static constexpr int per = per_piece<T>;

    /// For `count` columns from `column` on; the rest of the piece does not exist.
    GPU_METHOD PieceEpilogue(const Epilogue& e, int column, int count)
        : e_(e), column_(column), count_(count) {
        if (!e.bias || e.bias_row != 0) return;
        const T* const bias =
            static_cast<const T*>(e.bias) + static_cast<long long>(column) * e.bias_column;
        if (e.bias_column == 1 && count == per &&
            reinterpret_cast<std::uintptr_t>(bias) % sizeof(Piece) == 0) {
            elements_of<T>(piece_at(bias), bias_);
        } else {
            GPU_UNROLL for (int i = 0; i < per; ++i) if (i < count) bias_[i] =
                load_element(bias + i * e.bias_column);
        }
        GPU_UNROLL for (int i = 0; i < per; ++i) bias_[i] *= e.beta;
    }

    /// Elements of the residual; zeros where there is none.
    struct alignas(16) Residual {
        T of[per];
    };
    /// `at`: the place of the first element. `is_whole`: all elements of the piece exist.
    GPU_METHOD Residual residual_at(long long at, bool is_whole) const {
        const T* const from = static_cast<const T*>(e_.residual) + at;
        if (e_.residual && is_whole) return *reinterpret_cast<const Residual*>(from);
        Residual r{};
        if (e_.residual) GPU_UNROLL for (int i = 0; i < per; ++i) if (i < count_) r.of[i] = from[i];
        return r;
    }

    GPU_METHOD void apply(float (&v)[per], int row, const Residual& residual) const {
        GPU_UNROLL for (int i = 0; i < per; ++i) v[i] = multiply_add(e_.alpha, v[i], bias_[i]);
        if (e_.bias && e_.bias_row != 0) {
            const T* const bias = static_cast<const T*>(e_.bias) +
                                  static_cast<long long>(row) * e_.bias_row +
                                  static_cast<long long>(column_) * e_.bias_column;
            GPU_UNROLL for (int i = 0; i < per; ++i) if (i < count_) v[i] =
                multiply_add(e_.beta, load_element(bias + i * e_.bias_column), v[i]);
        }
        if (!e_.activates_before_residual)
            GPU_UNROLL for (int i = 0; i < per; ++i) v[i] += load_element(residual.of + i);
        activate<T>(e_, v);
        if (e_.activates_before_residual)
            GPU_UNROLL for (int i = 0; i < per; ++i) v[i] += load_element(residual.of + i);
    }

    GPU_METHOD void store(T* y, const float (&v)[per], bool is_whole) const {
        T elements[per];
        GPU_UNROLL for (int i = 0; i < per; ++i) store_element(elements + i, v[i]);
        if (is_whole) {
            Piece piece;
            memcpy(&piece, static_cast<const void*>(elements), sizeof(piece));
            *reinterpret_cast<Piece*>(y) = piece;
        } else {
            GPU_UNROLL for (int i = 0; i < per; ++i) if (i < count_) y[i] = elements[i];
        }
    }

private:
    const Epilogue& e_;
    int column_, count_;
    float bias_[per] = {};
};

/// Applies the epilogue to tile_m x tile_n sums and stores the results. Rows of sums are `pitch`
/// apart, aligned to 16 bytes. Called by `threads` threads; this one is number `thread`. A thread
/// handles the same columns of several rows and loads a few rows ahead.
template <int tile_m, int tile_n, int pitch, int threads, typename T>
GPU_DEVICE void store_tile(const float* sums, const Epilogue& e, const ResultTile<T>& to,
                           int thread) {
    constexpr int per = per_piece<T>, along = tile_n / per, step = threads / along,
                  rows = tile_m / step;
    constexpr int together = rows < 4 ? rows : 4;
    static_assert(threads % along == 0 && rows % together == 0 && pitch % 4 == 0);
    const int c = thread % along * per, column = to.column + c, left = to.columns - column;
    if (left <= 0) return;
    const PieceEpilogue<T> epilogue(e, column, left < per ? left : per);
    const auto addresses =
        reinterpret_cast<std::uintptr_t>(to.y) | reinterpret_cast<std::uintptr_t>(e.residual);
    const bool is_whole = to.columns % per == 0 && addresses % sizeof(Piece) == 0;
    GPU_ROLLED for (int first = thread / along; first < tile_m; first += together * step) {
        typename PieceEpilogue<T>::Residual residual[together];
        GPU_UNROLL for (int i = 0; i < together; ++i) {
            const int r = to.row + first + i * step;
            if (r < to.rows)
                residual[i] = epilogue.residual_at(
                    to.output + static_cast<long long>(r) * to.columns + column, is_whole);
        }
        GPU_UNROLL for (int i = 0; i < together; ++i) {
            const int r = first + i * step;
            if (to.row + r >= to.rows) return;
            float v[per];
            GPU_UNROLL for (int j = 0; j < per; j += 4) {
                const auto quad = *reinterpret_cast<const Quad<float>*>(sums + r * pitch + c + j);
                GPU_UNROLL for (int k = 0; k < 4; ++k) v[j + k] = quad.of[k];
            }
            epilogue.apply(v, to.row + r, residual[i]);
            epilogue.store(to.y + static_cast<long long>(to.row + r) * to.columns + column, v,
                           is_whole);
        }
    }
}

}  // namespace lapidary::cuda
