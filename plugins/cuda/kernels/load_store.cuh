// SPDX-License-Identifier: Apache-2.0
// Loads and stores elements of any type as the numbers that kernels compute with. Types have the
// numbers of ONNX.
#pragma once

#include "gpu.h"

namespace lapidary::cuda {

GPU_DEVICE float load_element(const float* p) { return *p; }
GPU_DEVICE float load_element(const half_t* p) { return to_float(*p); }
GPU_DEVICE float load_element(const bfloat_t* p) { return to_float(*p); }
GPU_DEVICE void store_element(float* p, float v) { *p = v; }
GPU_DEVICE void store_element(half_t* p, float v) { *p = to_half(v); }
GPU_DEVICE void store_element(bfloat_t* p, float v) { *p = to_bfloat(v); }

/// x, or `largest` with the sign of x where x is finite and its magnitude is larger.
template <typename C>
GPU_DEVICE C kept_finite(C x, C largest) {
    const C magnitude = std::fabs(x);
    return magnitude > largest && magnitude < C(INFINITY) ? (x < 0 ? -largest : largest) : x;
}

/// Elements in a piece of 16 bytes.
template <typename T>
constexpr int per_piece = 16 / static_cast<int>(sizeof(T));

template <typename T>
GPU_DEVICE void elements_of(const Piece& piece, float (&to)[per_piece<T>]) {
    T elements[per_piece<T>];
    memcpy(static_cast<void*>(elements), &piece, sizeof(piece));
    GPU_UNROLL for (int i = 0; i < per_piece<T>; ++i) to[i] = load_element(elements + i);
}

template <typename T>
GPU_DEVICE Piece piece_at(const T* p) {
    return *reinterpret_cast<const Piece*>(p);
}

/// Packs elements, rounded to T.
template <typename T>
GPU_DEVICE Piece piece_of(const float (&from)[per_piece<T>]) {
    T elements[per_piece<T>];
    GPU_UNROLL for (int i = 0; i < per_piece<T>; ++i) store_element(elements + i, from[i]);
    Piece piece;
    memcpy(&piece, static_cast<const void*>(elements), sizeof(piece));
    return piece;
}

template <typename T>
GPU_DEVICE void store_piece(T* p, const Piece& piece) {
    *reinterpret_cast<Piece*>(p) = piece;
}

template <typename T>
GPU_DEVICE T at(const void* data, long long i) {
    return static_cast<const T*>(data)[i];
}

/// C is float, double or long long. Callers ask only for types that C can hold.
template <typename C>
GPU_DEVICE C load_as(const void* data, int type, long long i) {
    switch (type) {
    case 1: return static_cast<C>(at<float>(data, i));
    case 2: return static_cast<C>(at<std::uint8_t>(data, i));
    case 3: return static_cast<C>(at<std::int8_t>(data, i));
    case 4: return static_cast<C>(at<std::uint16_t>(data, i));
    case 5: return static_cast<C>(at<std::int16_t>(data, i));
    case 6: return static_cast<C>(at<std::int32_t>(data, i));
    case 7: return static_cast<C>(at<std::int64_t>(data, i));
    case 9: return static_cast<C>(at<std::uint8_t>(data, i) != 0 ? 1 : 0);
    case 10: return static_cast<C>(to_float(at<half_t>(data, i)));
    case 11: return static_cast<C>(at<double>(data, i));
    case 12: return static_cast<C>(at<std::uint32_t>(data, i));
    default: return static_cast<C>(to_float(at<bfloat_t>(data, i)));
    }
}

/// Floats round toward zero and clamp to the range of T, NaN becomes 0; integers wrap.
template <typename T, typename C>
GPU_DEVICE T to_whole(C v, C low, C high, T least, T most) {
    if (v != v) return 0;
    return v <= low ? least : v >= high ? most : static_cast<T>(v);
}
template <typename T>
GPU_DEVICE T to_whole(long long v, long long, long long, T, T) {
    return static_cast<T>(v);
}

template <typename C>
GPU_DEVICE void store_as(void* data, int type, long long i, C v) {
    switch (type) {
    case 1: static_cast<float*>(data)[i] = static_cast<float>(v); break;
    case 2:
        static_cast<std::uint8_t*>(data)[i] = to_whole<std::uint8_t>(v, C(0), C(255), 0, 255);
        break;
    case 3:
        static_cast<std::int8_t*>(data)[i] = to_whole<std::int8_t>(v, C(-128), C(127), -128, 127);
        break;
    case 4:
        static_cast<std::uint16_t*>(data)[i] = to_whole<std::uint16_t>(v, C(0), C(65535), 0, 65535);
        break;
    case 5:
        static_cast<std::int16_t*>(data)[i] =
            to_whole<std::int16_t>(v, C(-32768), C(32767), -32768, 32767);
        break;
    case 6:
        static_cast<std::int32_t*>(data)[i] =
            to_whole<std::int32_t>(v, C(-2147483648LL), C(2147483647LL), INT32_MIN, INT32_MAX);
        break;
    case 7:
        static_cast<std::int64_t*>(data)[i] =
            to_whole<std::int64_t>(v, C(INT64_MIN), C(INT64_MAX), INT64_MIN, INT64_MAX);
        break;
    case 9: static_cast<std::uint8_t*>(data)[i] = v != C(0) ? 1 : 0; break;
    case 10: static_cast<half_t*>(data)[i] = to_half(static_cast<float>(v)); break;
    case 11: static_cast<double*>(data)[i] = static_cast<double>(v); break;
    case 12:
        static_cast<std::uint32_t*>(data)[i] =
            to_whole<std::uint32_t>(v, C(0), C(4294967295LL), 0u, UINT32_MAX);
        break;
    default: static_cast<bfloat_t*>(data)[i] = to_bfloat(static_cast<float>(v)); break;
    }
}

/// Only the first fault of a queue is kept; of simultaneous ones, any.
GPU_DEVICE void report_fault(Fault* fault, int code, int node, long long found, long long limit) {
    if (fault->code != no_fault) return;
    fault->node = node;
    fault->found = found;
    fault->limit = limit;
    fault->code = code;
}

GPU_DEVICE int global_thread() {
    return static_cast<int>(block_x() * thread_count() + thread_index());
}
GPU_DEVICE int all_threads() { return static_cast<int>(grid_x() * thread_count()); }

inline constexpr unsigned free_threads = 256;
/// Blocks for `count` elements; each thread handles several, one after the other.
inline Grid grid_for(long long count) {
    const long long blocks = (count + free_threads - 1) / free_threads;
    return {static_cast<unsigned>(blocks < 4096 ? (blocks > 0 ? blocks : 1) : 4096), 1, 1};
}

/// Threads of a block whose warps each handle a row. With few rows blocks are small, to use many
/// multiprocessors.
inline unsigned threads_of_warps(long long rows) {
    return rows <= 256 ? 32 : rows <= 1024 ? 64 : 128;
}
/// Blocks of `threads` threads, with a warp for each row.
inline Grid grid_of_warps(long long rows, unsigned threads) {
    return {static_cast<unsigned>((rows * 32 + threads - 1) / threads), 1, 1};
}

}  // namespace lapidary::cuda
