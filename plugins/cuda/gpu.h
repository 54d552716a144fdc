// SPDX-License-Identifier: Apache-2.0
// What kernels are written over. nvcc makes CUDA of it; a C++ compiler makes the same source run on
// the emulated device (emulated/machine.h), where every thread is a fiber, and barriers and warp
// operations are meeting points.
//
// Rules that keep both right: no PTX and no CUDA function outside this header; every primitive has
// its emulation here; a kernel is GPU_GLOBAL, what it calls GPU_DEVICE; shared memory is declared
// by GPU_SHARED within a kernel or a function that it calls; no thread of a block leaves before a
// barrier that others wait at; nothing in a kernel has a destructor. A kernel begins with
// kernel_begin(). GPU_LAUNCH() queues a kernel; GPU_LAUNCH_FREE() one whose threads never wait for
// each other, which the emulated device runs without fibers.
#pragma once

#include <atomic>
#include <cmath>
#include <cstdint>
#include <cstring>

#include "queue.h"

#if defined(__CUDACC__)
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#define GPU_GLOBAL static __global__
#define GPU_DEVICE static __device__ __forceinline__
#define GPU_CALLED \
    static __device__ __noinline__  // where a copy at each call would be too much code
#define GPU_METHOD __device__ __forceinline__
#define GPU_SHARED __shared__
#define GPU_SHARED_16 __shared__ __align__(16)
#define GPU_UNROLL _Pragma("unroll")
#define GPU_UNROLL_2 _Pragma("unroll 2")
#define GPU_UNROLL_4 _Pragma("unroll 4")
#define GPU_BLOCKS_OF(threads, blocks) \
    __launch_bounds__(threads, blocks)  // so many of a multiprocessor at least
#define GPU_ROLLED \
    _Pragma("unroll 1")  // where copies of the body would cost the compiler more than they win

namespace lapidary::cuda {

using half_t = __half;
using bfloat_t = __nv_bfloat16;

GPU_DEVICE float to_float(half_t h) { return __half2float(h); }
GPU_DEVICE float to_float(bfloat_t h) { return __bfloat162float(h); }
GPU_DEVICE half_t to_half(float f) { return __float2half_rn(f); }
GPU_DEVICE bfloat_t to_bfloat(float f) { return __float2bfloat16_rn(f); }

GPU_DEVICE unsigned thread_index() { return threadIdx.x; }
GPU_DEVICE unsigned thread_count() { return blockDim.x; }
GPU_DEVICE unsigned block_x() { return blockIdx.x; }
GPU_DEVICE unsigned block_y() { return blockIdx.y; }
GPU_DEVICE unsigned block_z() { return blockIdx.z; }
GPU_DEVICE unsigned grid_x() { return gridDim.x; }
GPU_DEVICE unsigned grid_z() { return gridDim.z; }

/// The first statement of every kernel: waits for the work that was queued before, and lets blocks
/// of the next kernel start once all of this one have started; see Queue::overlaps. Blocks of the
/// next kernel wait here until this one has ended. Code before this call may read only arguments
/// and constants of the model, and may write only shared memory.
GPU_DEVICE void kernel_begin() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    asm volatile("griddepcontrol.launch_dependents;\ngriddepcontrol.wait;\n" ::: "memory");
#endif
}

GPU_DEVICE void block_barrier() { __syncthreads(); }
GPU_DEVICE float shuffle_xor(float v, int mask) { return __shfl_xor_sync(0xffffffffu, v, mask); }
/// a * b + c, rounded once (a fused multiply-add).
GPU_DEVICE float multiply_add(float a, float b, float c) { return __fmaf_rn(a, b, c); }
/// 2^x and 1/x to a relative 2^-22; denormal numbers count as 0.
GPU_DEVICE float power_of_two(float x) {
    float y;
    asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
    return y;
}
GPU_DEVICE float about_reciprocal(float x) {
    float y;
    asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
    return y;
}

/// Copies 16 bytes from global to shared memory, or writes 16 zeros where not `is_valid`. Both
/// addresses are multiples of 16.
GPU_DEVICE void copy_async16(void* to, const void* from, bool is_valid) {
    const auto shared = static_cast<unsigned>(__cvta_generic_to_shared(to));
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;\n" ::"r"(shared), "l"(from),
                 "r"(is_valid ? 16 : 0)
                 : "memory");
}
GPU_DEVICE void copy_commit() { asm volatile("cp.async.commit_group;\n" ::: "memory"); }
/// Waits for all groups of copies of this thread but the newest `left`.
template <int left>
GPU_DEVICE void copy_wait() {
    asm volatile("cp.async.wait_group %0;\n" ::"n"(left) : "memory");
}

/// d += a * b on tiles of 16 x 8 x 16 halves, in the fragments that PTX describes.
GPU_DEVICE void mma_f16(float (&d)[4], const std::uint32_t (&a)[4], const std::uint32_t (&b)[2]) {
    asm volatile(
        "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, "
        "{%0,%1,%2,%3};\n"
        : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}
/// The same of bfloat16.
GPU_DEVICE void mma_bf16(float (&d)[4], const std::uint32_t (&a)[4], const std::uint32_t (&b)[2]) {
    asm volatile(
        "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, "
        "{%8,%9}, {%0,%1,%2,%3};\n"
        : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}
/// d += a * b on tiles of 16 x 8 x 8 floats that to_tf32() rounded.
GPU_DEVICE void mma_tf32(float (&d)[4], const std::uint32_t (&a)[4], const std::uint32_t (&b)[2]) {
    asm volatile(
        "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, "
        "{%0,%1,%2,%3};\n"
        : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}
GPU_DEVICE std::uint32_t to_tf32(float f) {
    std::uint32_t bits;
    asm("cvt.rna.tf32.f32 %0, %1;\n" : "=r"(bits) : "f"(f));
    return bits;
}
/// The bits of a float that multiplications in TF32 read: they ignore the last 13.
GPU_DEVICE std::uint32_t read_as_tf32(std::uint32_t bits) { return bits; }
/// Four matrices of 8 x 8 halves in shared memory, whose rows begin where lanes say: lanes 0 to 7
/// for the first one, 8 to 15 for the second, and so on; at multiples of 16 bytes. Lane l gets
/// elements 2 * (l % 4) and the next of row l / 4.
GPU_DEVICE void load_matrices(std::uint32_t (&r)[4], const void* row) {
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];\n"
                 : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
                 : "r"(static_cast<unsigned>(__cvta_generic_to_shared(row)))
                 : "memory");
}
/// Of the transposed matrices: lane l gets element l / 4 of rows 2 * (l % 4) and the next.
GPU_DEVICE void load_matrices_turned(std::uint32_t (&r)[4], const void* row) {
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0,%1,%2,%3}, [%4];\n"
                 : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
                 : "r"(static_cast<unsigned>(__cvta_generic_to_shared(row)))
                 : "memory");
}

/// A thread that sees what this thread writes afterwards also sees all that it wrote before.
/// (Weaker than __threadfence(), which also puts all fences of the device in one order.)
GPU_DEVICE void memory_fence() { asm volatile("fence.acq_rel.gpu;" ::: "memory"); }
/// Adds 1 and returns the former count.
GPU_DEVICE unsigned count_up(unsigned* counter) { return atomicAdd(counter, 1u); }
/// Prefetches the cache line of p to the device's L2 cache. It reads no value, so it may come
/// before kernel_begin().
GPU_DEVICE void fetch_to_cache(const void* p) {
    asm volatile("prefetch.global.L2 [%0];\n" ::"l"(p));
}
/// Reads what other blocks of the launch wrote before a fence, past the multiprocessor's own cache.
GPU_DEVICE float load_fresh(const float* p) { return __ldcg(p); }
/// The same for four floats, at a multiple of 16 bytes.
GPU_DEVICE void load_fresh(const float* p, float (&to)[4]) {
    const float4 v = __ldcg(reinterpret_cast<const float4*>(p));
    to[0] = v.x, to[1] = v.y, to[2] = v.z, to[3] = v.w;
}

/// The larger halves of two pairs, each pair in a word; NaN where either is NaN.
GPU_DEVICE std::uint32_t larger_halves(std::uint32_t a, std::uint32_t b) {
    __half2 of_a, of_b;
    memcpy(&of_a, &a, 4);
    memcpy(&of_b, &b, 4);
    const __half2 larger = __hmax2_nan(of_a, of_b);
    std::uint32_t word;
    memcpy(&word, &larger, 4);
    return word;
}

GPU_DEVICE std::uint32_t bits_of(float f) { return __float_as_uint(f); }
GPU_DEVICE float float_of(std::uint32_t bits) { return __uint_as_float(bits); }
/// d += a * b on tiles of 16 x 8 x 32 signed bytes, four of them along k in a word. Sums wrap.
GPU_DEVICE void mma_s8(int (&d)[4], const std::uint32_t (&a)[4], const std::uint32_t (&b)[2]) {
    asm volatile(
        "mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, "
        "{%0,%1,%2,%3};\n"
        : "+r"(d[0]), "+r"(d[1]), "+r"(d[2]), "+r"(d[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}

/// The same of bytes that are signed or not.
template <bool is_a_signed, bool is_b_signed>
GPU_DEVICE void mma_bytes(int (&d)[4], const std::uint32_t (&a)[4], const std::uint32_t (&b)[2]) {
#define LAPIDARY_MMA_BYTES(a_type, b_type)                                      \
    asm volatile("mma.sync.aligned.m16n8k32.row.col.s32." a_type "." b_type     \
                 ".s32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};\n" \
                 : "+r"(d[0]), "+r"(d[1]), "+r"(d[2]), "+r"(d[3])               \
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]))
    if constexpr (is_a_signed && is_b_signed) LAPIDARY_MMA_BYTES("s8", "s8");
    else if constexpr (is_a_signed) LAPIDARY_MMA_BYTES("s8", "u8");
    else if constexpr (is_b_signed) LAPIDARY_MMA_BYTES("u8", "s8");
    else LAPIDARY_MMA_BYTES("u8", "u8");
#undef LAPIDARY_MMA_BYTES
}
/// The sum plus the four bytes of the word. Wraps.
template <bool is_signed>
GPU_DEVICE int add_bytes(std::uint32_t word, int sum) {
    if constexpr (is_signed) return __dp4a(static_cast<int>(word), 0x01010101, sum);
    else return static_cast<int>(__dp4a(word, 0x01010101u, static_cast<unsigned>(sum)));
}
/// Picks four of the eight bytes of low and high: the bytes are numbered from the lowest, and the
/// hexadecimal digits of `which`, lowest first, give the numbers.
GPU_DEVICE std::uint32_t permute_bytes(std::uint32_t low, std::uint32_t high, std::uint32_t which) {
    return __byte_perm(low, high, which);
}

/// Asks for the largest share of shared memory in the multiprocessor's memory. For kernels that
/// need much shared memory, and for small kernels between them: a block whose kernel wants another
/// share can start on a multiprocessor only when that is empty. Not for kernels with many loads in
/// flight, because it leaves little cache.
template <typename... Parameters>
void prefer_shared_memory(const Queue& queue, void (*kernel)(Parameters...),
                          bool is_preferred = true) {
    const bool takes_all = queue.overlaps && is_preferred;
    const int share = takes_all ? cudaSharedmemCarveoutMaxShared : cudaSharedmemCarveoutDefault;
    cudaFuncSetAttribute(kernel, cudaFuncAttributePreferredSharedMemoryCarveout, share);
}

/// Queues the kernel. `bytes`: shared memory beyond what the kernel declares.
template <typename... Parameters, typename... Arguments>
void launch_kernel(const Queue& queue, Grid grid, unsigned threads, unsigned bytes,
                   void (*kernel)(Parameters...), const Arguments&... arguments) {
    cudaLaunchAttribute overlaps{};
    overlaps.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    overlaps.val.programmaticStreamSerializationAllowed = 1;
    cudaLaunchConfig_t config{};
    config.gridDim = dim3(grid.x, grid.y, grid.z);
    config.blockDim = dim3(threads);
    config.dynamicSmemBytes = bytes;
    config.stream = static_cast<cudaStream_t>(queue.stream);
    config.attrs = &overlaps;
    config.numAttrs = queue.overlaps ? 1 : 0;
    cudaLaunchKernelEx(&config, kernel, static_cast<Parameters>(arguments)...);
}

}  // namespace lapidary::cuda

#define GPU_LAUNCH(kernel, grid, threads, queue, ...)                                  \
    do {                                                                               \
        ::lapidary::cuda::launch_kernel(queue, grid, threads, 0, kernel, __VA_ARGS__); \
        ::lapidary::cuda::check_launch(#kernel);                                       \
    } while (false)
#define GPU_LAUNCH_FREE GPU_LAUNCH

#else  // ------------------------------------------------------------------------------------------
       // emulated

#include <lapidary/tensor/float16.h>

#include "emulated/machine.h"

#define GPU_GLOBAL static
#define GPU_DEVICE [[maybe_unused]] static inline
#define GPU_CALLED [[maybe_unused]] static
#define GPU_METHOD
#define GPU_SHARED static thread_local
#define GPU_SHARED_16 alignas(16) static thread_local
#define GPU_UNROLL
#define GPU_UNROLL_2
#define GPU_UNROLL_4
#define GPU_BLOCKS_OF(threads, blocks)
#define GPU_ROLLED

namespace lapidary::cuda {

using half_t = Half;
using bfloat_t = BFloat16;

GPU_DEVICE float to_float(half_t h) { return h; }
GPU_DEVICE float to_float(bfloat_t h) { return h; }
GPU_DEVICE half_t to_half(float f) { return half_t(f); }
GPU_DEVICE bfloat_t to_bfloat(float f) { return bfloat_t(f); }

GPU_DEVICE unsigned thread_index() { return emulated::thread_index(); }
GPU_DEVICE unsigned thread_count() { return emulated::position.threads; }
GPU_DEVICE unsigned block_x() { return emulated::position.block.x; }
GPU_DEVICE unsigned block_y() { return emulated::position.block.y; }
GPU_DEVICE unsigned block_z() { return emulated::position.block.z; }
GPU_DEVICE unsigned grid_x() { return emulated::position.grid.x; }
GPU_DEVICE unsigned grid_z() { return emulated::position.grid.z; }

GPU_DEVICE void kernel_begin() {}
GPU_DEVICE void block_barrier() { emulated::meet_block(); }
GPU_DEVICE float shuffle_xor(float v, int mask) { return emulated::shuffle_xor(v, mask); }
GPU_DEVICE float multiply_add(float a, float b, float c) { return a * b + c; }
GPU_DEVICE float power_of_two(float x) { return std::exp2(x); }
GPU_DEVICE float about_reciprocal(float x) { return 1 / x; }

GPU_DEVICE void copy_async16(void* to, const void* from, bool is_valid) {
    emulated::copy_async(to, from, is_valid);
}
GPU_DEVICE void copy_commit() { emulated::copy_commit(); }
template <int left>
GPU_DEVICE void copy_wait() {
    emulated::copy_wait(left);
}

GPU_DEVICE void mma_f16(float (&d)[4], const std::uint32_t (&a)[4], const std::uint32_t (&b)[2]) {
    emulated::multiply_tiles(d, a, b, emulated::TileType::f16);
}
GPU_DEVICE void mma_bf16(float (&d)[4], const std::uint32_t (&a)[4], const std::uint32_t (&b)[2]) {
    emulated::multiply_tiles(d, a, b, emulated::TileType::bf16);
}
GPU_DEVICE void mma_tf32(float (&d)[4], const std::uint32_t (&a)[4], const std::uint32_t (&b)[2]) {
    emulated::multiply_tiles(d, a, b, emulated::TileType::tf32);
}
GPU_DEVICE void load_matrices(std::uint32_t (&r)[4], const void* row) {
    emulated::load_matrices(r, row, false);
}
GPU_DEVICE void load_matrices_turned(std::uint32_t (&r)[4], const void* row) {
    emulated::load_matrices(r, row, true);
}

GPU_DEVICE void memory_fence() { std::atomic_thread_fence(std::memory_order_seq_cst); }
GPU_DEVICE unsigned count_up(unsigned* counter) {
    return std::atomic_ref<unsigned>(*counter).fetch_add(1);
}
template <typename Kernel>
void prefer_shared_memory(const Queue&, Kernel, bool = true) {}
GPU_DEVICE void fetch_to_cache(const void*) {}
GPU_DEVICE float load_fresh(const float* p) { return *p; }
GPU_DEVICE void load_fresh(const float* p, float (&to)[4]) { std::memcpy(to, p, sizeof(to)); }

GPU_DEVICE std::uint32_t larger_halves(std::uint32_t a, std::uint32_t b) {
    Half of_a[2], of_b[2];
    std::memcpy(static_cast<void*>(of_a), &a, 4);
    std::memcpy(static_cast<void*>(of_b), &b, 4);
    for (int i = 0; i < 2; ++i) {
        const float x = of_a[i], y = of_b[i];
        if (!(x != x || x > y)) of_a[i] = of_b[i];
    }
    std::uint32_t word;
    std::memcpy(&word, static_cast<const void*>(of_a), 4);
    return word;
}

GPU_DEVICE std::uint32_t bits_of(float f) {
    std::uint32_t bits;
    std::memcpy(&bits, &f, 4);
    return bits;
}
GPU_DEVICE float float_of(std::uint32_t bits) {
    float f;
    std::memcpy(&f, &bits, 4);
    return f;
}
GPU_DEVICE void mma_s8(int (&d)[4], const std::uint32_t (&a)[4], const std::uint32_t (&b)[2]) {
    emulated::multiply_byte_tiles(d, a, b, true, true);
}
template <bool is_a_signed, bool is_b_signed>
GPU_DEVICE void mma_bytes(int (&d)[4], const std::uint32_t (&a)[4], const std::uint32_t (&b)[2]) {
    emulated::multiply_byte_tiles(d, a, b, is_a_signed, is_b_signed);
}
template <bool is_signed>
GPU_DEVICE int add_bytes(std::uint32_t word, int sum) {
    auto total = static_cast<std::uint32_t>(sum);
    for (unsigned i = 0; i < 4; ++i) {
        const std::uint32_t byte = word >> (8 * i) & 0xffu;
        total += is_signed ? static_cast<std::uint32_t>(static_cast<std::int8_t>(byte)) : byte;
    }
    return static_cast<int>(total);
}
GPU_DEVICE std::uint32_t permute_bytes(std::uint32_t low, std::uint32_t high, std::uint32_t which) {
    const std::uint64_t all = std::uint64_t{high} << 32 | low;
    std::uint32_t word = 0;
    for (unsigned i = 0; i < 4; ++i)
        word |= (static_cast<std::uint32_t>(all >> (8 * (which >> (4 * i) & 7u))) & 0xffu)
                << (8 * i);
    return word;
}
GPU_DEVICE std::uint32_t read_as_tf32(std::uint32_t bits) { return bits & 0xffffe000u; }
/// Rounds to 10 bits of mantissa, ties away from zero.
GPU_DEVICE std::uint32_t to_tf32(float f) {
    const std::uint32_t bits = bits_of(f);
    return (bits & 0x7f800000u) == 0x7f800000u ? bits : (bits + 0x1000u) & ~0x1fffu;
}

}  // namespace lapidary::cuda

#define GPU_LAUNCH(kernel, grid, threads, queue, ...) \
    ::lapidary::cuda::emulated::launch(queue, grid, threads, true, [=] { kernel(__VA_ARGS__); })
#define GPU_LAUNCH_FREE(kernel, grid, threads, queue, ...) \
    ::lapidary::cuda::emulated::launch(queue, grid, threads, false, [=] { kernel(__VA_ARGS__); })
#endif

namespace lapidary::cuda {

/// Wraps.
GPU_DEVICE int multiply_add(int a, int b, int c) {
    return static_cast<int>(static_cast<unsigned>(c) +
                            static_cast<unsigned>(a) * static_cast<unsigned>(b));
}

/// 16 bytes, aligned to 16, which a thread reads with one load. Kernels call such units pieces.
struct alignas(16) Piece {
    std::uint32_t words[4];
};

GPU_DEVICE int shuffle_xor(int v, int mask) {
    return static_cast<int>(bits_of(shuffle_xor(float_of(static_cast<std::uint32_t>(v)), mask)));
}

/// The sum over the 32 threads of a warp, in each.
GPU_DEVICE float warp_sum(float v) {
    GPU_UNROLL for (int mask = 16; mask > 0; mask /= 2) v += shuffle_xor(v, mask);
    return v;
}

}  // namespace lapidary::cuda
