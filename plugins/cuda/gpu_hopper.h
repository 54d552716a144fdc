// SPDX-License-Identifier: Apache-2.0
// What only kernels for compute capability 9.0a are written over: barriers that count bytes, copies
// of whole tiles, and multiplications of a warpgroup from shared memory. As in gpu.h, nvcc makes
// instructions of it, and the C++ compiler what runs on the emulated device.
//
// Tiles are of 128 bytes a row, swizzled: piece p (of 16 bytes) of row r lies at piece p ^ (r % 8).
// They begin at multiples of 1024 bytes of the block's shared memory, which a kernel gets by
// GPU_SHARED_MEMORY and a launch by GPU_LAUNCH_SHARED.
#pragma once

#include <type_traits>

#include "gpu_shared.h"
#include "tile_map.h"

namespace lapidary::cuda {
/// Where a window begins, in rows and columns of an image.
struct WindowPlace {
    int image = 0, row = 0, column = 0;
};
}  // namespace lapidary::cuda

#if defined(__CUDACC__)
#define GPU_TILE_MAP const __grid_constant__ ::lapidary::cuda::TileMap

namespace lapidary::cuda {

using barrier_t = std::uint64_t;

GPU_DEVICE unsigned shared_address(const void* p) {
    return static_cast<unsigned>(__cvta_generic_to_shared(p));
}

GPU_DEVICE void barrier_init(barrier_t* barrier, unsigned arrivals) {
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(shared_address(barrier)),
                 "r"(arrivals)
                 : "memory");
}
/// Call after barrier_init() and before the barrier of the block.
GPU_DEVICE void barrier_init_done() {
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
}
GPU_DEVICE void barrier_arrive(barrier_t* barrier) {
    asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(shared_address(barrier))
                 : "memory");
}
/// Arrives, and lets the phase also wait for that many copied bytes.
GPU_DEVICE void barrier_expect(barrier_t* barrier, unsigned bytes) {
    asm volatile(
        "mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(shared_address(barrier)),
        "r"(bytes)
        : "memory");
}
/// Waits until the phase of that parity has ended.
GPU_DEVICE void barrier_wait(barrier_t* barrier, unsigned parity) {
    unsigned has_ended = 0;
    while (!has_ended)
        asm volatile(
            "{\n.reg .pred p;\nmbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2;\nselp.u32 %0, "
            "1, 0, p;\n}"
            : "=r"(has_ended)
            : "r"(shared_address(barrier)), "r"(parity)
            : "memory");
}

/// Copies the tile at (row, column) of a matrix and counts its bytes on `barrier`. By one thread.
GPU_DEVICE void copy_tile(void* to, const TileMap& map, int matrix, int row, int column,
                          barrier_t* barrier) {
    asm volatile(
        "cp.async.bulk.tensor.3d.shared::cluster.global.mbarrier::complete_tx::bytes "
        "[%0], [%1, {%3, %4, %5}], [%2];" ::"r"(shared_address(to)),
        "l"(reinterpret_cast<std::uint64_t>(&map)), "r"(shared_address(barrier)), "r"(column),
        "r"(row), "r"(matrix)
        : "memory");
}

/// Prefetches the tile to the device's L2 cache. By one thread.
GPU_DEVICE void prefetch_tile(const TileMap& map, int matrix, int row, int column) {
    asm volatile("cp.async.bulk.prefetch.tensor.3d.L2.global.tile [%0, {%1, %2, %3}];" ::"l"(
                     reinterpret_cast<std::uint64_t>(&map)),
                 "r"(column), "r"(row), "r"(matrix)
                 : "memory");
}
/// Copies the inputs of one tap of consecutive windows. `tap_row` and `tap_column` count from the
/// start of a window; the first window begins at (row, column) of an image. Counts the bytes on
/// `barrier`. By one thread.
GPU_DEVICE void copy_windows(void* to, const TileMap& map, const WindowPlace& place, int tap_row,
                             int tap_column, int channel, barrier_t* barrier) {
    asm volatile(
        "cp.async.bulk.tensor.4d.shared::cluster.global.im2col.mbarrier::complete_tx::bytes "
        "[%0], [%1, {%3, %4, %5, %6}], [%2], {%7, %8};" ::"r"(shared_address(to)),
        "l"(reinterpret_cast<std::uint64_t>(&map)), "r"(shared_address(barrier)), "r"(channel),
        "r"(place.column), "r"(place.row), "r"(place.image),
        "h"(static_cast<std::uint16_t>(tap_column)), "h"(static_cast<std::uint16_t>(tap_row))
        : "memory");
}
/// Stores a tile from shared memory to (row, column) of a matrix; what lies outside the matrix is
/// not stored. By one thread. Other threads that wrote the tile must have called shared_fence().
GPU_DEVICE void store_tile_at(const void* from, const TileMap& map, int matrix, int row,
                              int column) {
    asm volatile(
        "cp.async.bulk.tensor.3d.global.shared::cta.bulk_group [%0, {%2, %3, %4}], [%1];" ::"l"(
            reinterpret_cast<std::uint64_t>(&map)),
        "r"(shared_address(from)), "r"(column), "r"(row), "r"(matrix)
        : "memory");
}
GPU_DEVICE void store_commit() { asm volatile("cp.async.bulk.commit_group;" ::: "memory"); }
/// Waits until all committed stores of this thread have read their tiles, which may then be
/// overwritten.
GPU_DEVICE void store_wait() { asm volatile("cp.async.bulk.wait_group.read 0;" ::: "memory"); }
/// Makes what this thread wrote to shared memory visible to later copies of tiles and
/// multiplications.
GPU_DEVICE void shared_fence() { asm volatile("fence.proxy.async.shared::cta;" ::: "memory"); }
/// Prefetches the map, so that the first copy with it does not wait for the map itself. By one
/// thread.
GPU_DEVICE void prefetch_map(const TileMap& map) {
    asm volatile("prefetch.tensormap [%0];" ::"l"(reinterpret_cast<std::uint64_t>(&map))
                 : "memory");
}

GPU_DEVICE void group_fence() { asm volatile("wgmma.fence.sync.aligned;" ::: "memory"); }
GPU_DEVICE void group_commit() { asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory"); }
/// Waits until all committed multiplications of the warpgroup but the newest `left` are done.
template <int left>
GPU_DEVICE void group_wait() {
    asm volatile("wgmma.wait_group.sync.aligned %0;" ::"n"(left) : "memory");
}

/// Keeps the compiler from moving reads and writes of the sums across it: multiplications change
/// the sums without its knowledge.
template <int count>
GPU_DEVICE void group_hold(float (&d)[count]) {
    GPU_UNROLL for (int i = 0; i < count; ++i) asm volatile("" : "+f"(d[i])::"memory");
}

#define LAPIDARY_GROUP_MULTIPLY_64(type)                                                          \
    asm volatile(                                                                                 \
        "wgmma.mma_async.sync.aligned.m64n64k16.f32." type "." type                               \
        " {"                                                                                      \
        "%0,%1,%2,%3,%4,%5,%6,%7,%8,%9,%10,%11,%12,%13,%14,%15,%16,%17,%18,%19,%20,%21,%22,"      \
        "%23,%24,%25,%26,%27,%28,%29,%30,%31"                                                     \
        "}, %32, %33, 1, 1, 1, 0, %34;"                                                           \
        : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]), "+f"(d[4]), "+f"(d[5]), "+f"(d[6]),     \
          "+f"(d[7]), "+f"(d[8]), "+f"(d[9]), "+f"(d[10]), "+f"(d[11]), "+f"(d[12]), "+f"(d[13]), \
          "+f"(d[14]), "+f"(d[15]), "+f"(d[16]), "+f"(d[17]), "+f"(d[18]), "+f"(d[19]),           \
          "+f"(d[20]), "+f"(d[21]), "+f"(d[22]), "+f"(d[23]), "+f"(d[24]), "+f"(d[25]),           \
          "+f"(d[26]), "+f"(d[27]), "+f"(d[28]), "+f"(d[29]), "+f"(d[30]), "+f"(d[31])            \
        : "l"(a), "l"(b), "n"(b_along_k ? 0 : 1))
#define LAPIDARY_GROUP_MULTIPLY_128(type)                                                         \
    asm volatile(                                                                                 \
        "wgmma.mma_async.sync.aligned.m64n128k16.f32." type "." type                              \
        " {"                                                                                      \
        "%0,%1,%2,%3,%4,%5,%6,%7,%8,%9,%10,%11,%12,%13,%14,%15,%16,%17,%18,%19,%20,%21,%22,"      \
        "%23,%24,%25,%26,%27,%28,%29,%30,%31,%32,%33,%34,%35,%36,%37,%38,%39,%40,%41,%42,%43,"    \
        "%44,%45,%46,%47,%48,%49,%50,%51,%52,%53,%54,%55,%56,%57,%58,%59,%60,%61,%62,%63"         \
        "}, %64, %65, 1, 1, 1, 0, %66;"                                                           \
        : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]), "+f"(d[4]), "+f"(d[5]), "+f"(d[6]),     \
          "+f"(d[7]), "+f"(d[8]), "+f"(d[9]), "+f"(d[10]), "+f"(d[11]), "+f"(d[12]), "+f"(d[13]), \
          "+f"(d[14]), "+f"(d[15]), "+f"(d[16]), "+f"(d[17]), "+f"(d[18]), "+f"(d[19]),           \
          "+f"(d[20]), "+f"(d[21]), "+f"(d[22]), "+f"(d[23]), "+f"(d[24]), "+f"(d[25]),           \
          "+f"(d[26]), "+f"(d[27]), "+f"(d[28]), "+f"(d[29]), "+f"(d[30]), "+f"(d[31]),           \
          "+f"(d[32]), "+f"(d[33]), "+f"(d[34]), "+f"(d[35]), "+f"(d[36]), "+f"(d[37]),           \
          "+f"(d[38]), "+f"(d[39]), "+f"(d[40]), "+f"(d[41]), "+f"(d[42]), "+f"(d[43]),           \
          "+f"(d[44]), "+f"(d[45]), "+f"(d[46]), "+f"(d[47]), "+f"(d[48]), "+f"(d[49]),           \
          "+f"(d[50]), "+f"(d[51]), "+f"(d[52]), "+f"(d[53]), "+f"(d[54]), "+f"(d[55]),           \
          "+f"(d[56]), "+f"(d[57]), "+f"(d[58]), "+f"(d[59]), "+f"(d[60]), "+f"(d[61]),           \
          "+f"(d[62]), "+f"(d[63])                                                                \
        : "l"(a), "l"(b), "n"(b_along_k ? 0 : 1))
#define LAPIDARY_GROUP_MULTIPLY_192(type)                                                         \
    asm volatile(                                                                                 \
        "wgmma.mma_async.sync.aligned.m64n192k16.f32." type "." type                              \
        " {"                                                                                      \
        "%0,%1,%2,%3,%4,%5,%6,%7,%8,%9,%10,%11,%12,%13,%14,%15,%16,%17,%18,%19,%20,%21,%22,"      \
        "%23,%24,%25,%26,%27,%28,%29,%30,%31,%32,%33,%34,%35,%36,%37,%38,%39,%40,%41,%42,%43,"    \
        "%44,%45,%46,%47,%48,%49,%50,%51,%52,%53,%54,%55,%56,%57,%58,%59,%60,%61,%62,%63,%64,"    \
        "%65,%66,%67,%68,%69,%70,%71,%72,%73,%74,%75,%76,%77,%78,%79,%80,%81,%82,%83,%84,%85,"    \
        "%86,%87,%88,%89,%90,%91,%92,%93,%94,%95"                                                 \
        "}, %96, %97, 1, 1, 1, 0, %98;"                                                           \
        : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]), "+f"(d[4]), "+f"(d[5]), "+f"(d[6]),     \
          "+f"(d[7]), "+f"(d[8]), "+f"(d[9]), "+f"(d[10]), "+f"(d[11]), "+f"(d[12]), "+f"(d[13]), \
          "+f"(d[14]), "+f"(d[15]), "+f"(d[16]), "+f"(d[17]), "+f"(d[18]), "+f"(d[19]),           \
          "+f"(d[20]), "+f"(d[21]), "+f"(d[22]), "+f"(d[23]), "+f"(d[24]), "+f"(d[25]),           \
          "+f"(d[26]), "+f"(d[27]), "+f"(d[28]), "+f"(d[29]), "+f"(d[30]), "+f"(d[31]),           \
          "+f"(d[32]), "+f"(d[33]), "+f"(d[34]), "+f"(d[35]), "+f"(d[36]), "+f"(d[37]),           \
          "+f"(d[38]), "+f"(d[39]), "+f"(d[40]), "+f"(d[41]), "+f"(d[42]), "+f"(d[43]),           \
          "+f"(d[44]), "+f"(d[45]), "+f"(d[46]), "+f"(d[47]), "+f"(d[48]), "+f"(d[49]),           \
          "+f"(d[50]), "+f"(d[51]), "+f"(d[52]), "+f"(d[53]), "+f"(d[54]), "+f"(d[55]),           \
          "+f"(d[56]), "+f"(d[57]), "+f"(d[58]), "+f"(d[59]), "+f"(d[60]), "+f"(d[61]),           \
          "+f"(d[62]), "+f"(d[63]), "+f"(d[64]), "+f"(d[65]), "+f"(d[66]), "+f"(d[67]),           \
          "+f"(d[68]), "+f"(d[69]), "+f"(d[70]), "+f"(d[71]), "+f"(d[72]), "+f"(d[73]),           \
          "+f"(d[74]), "+f"(d[75]), "+f"(d[76]), "+f"(d[77]), "+f"(d[78]), "+f"(d[79]),           \
          "+f"(d[80]), "+f"(d[81]), "+f"(d[82]), "+f"(d[83]), "+f"(d[84]), "+f"(d[85]),           \
          "+f"(d[86]), "+f"(d[87]), "+f"(d[88]), "+f"(d[89]), "+f"(d[90]), "+f"(d[91]),           \
          "+f"(d[92]), "+f"(d[93]), "+f"(d[94]), "+f"(d[95])                                      \
        : "l"(a), "l"(b), "n"(b_along_k ? 0 : 1))

/// d += a * b of 64 x 64 x 16, 64 x 128 x 16 or 64 x 192 x 16 halves or bfloat16s by a warpgroup.
/// `a`: stored along k. `b`: stored along its columns, or along k with a row for each column.
template <typename T, bool b_along_k>
GPU_DEVICE void group_multiply(float (&d)[32], std::uint64_t a, std::uint64_t b) {
    if constexpr (std::is_same_v<T, half_t>) LAPIDARY_GROUP_MULTIPLY_64("f16");
    else LAPIDARY_GROUP_MULTIPLY_64("bf16");
}
template <typename T, bool b_along_k>
GPU_DEVICE void group_multiply(float (&d)[64], std::uint64_t a, std::uint64_t b) {
    if constexpr (std::is_same_v<T, half_t>) LAPIDARY_GROUP_MULTIPLY_128("f16");
    else LAPIDARY_GROUP_MULTIPLY_128("bf16");
}
template <typename T, bool b_along_k>
GPU_DEVICE void group_multiply(float (&d)[96], std::uint64_t a, std::uint64_t b) {
    if constexpr (std::is_same_v<T, half_t>) LAPIDARY_GROUP_MULTIPLY_192("f16");
    else LAPIDARY_GROUP_MULTIPLY_192("bf16");
}
#undef LAPIDARY_GROUP_MULTIPLY_64
#undef LAPIDARY_GROUP_MULTIPLY_128
#undef LAPIDARY_GROUP_MULTIPLY_192

#define LAPIDARY_GROUP_MULTIPLY_TF32_64                                                           \
    asm volatile(                                                                                 \
        "wgmma.mma_async.sync.aligned.m64n64k8.f32.tf32.tf32 {"                                   \
        "%0,%1,%2,%3,%4,%5,%6,%7,%8,%9,%10,%11,%12,%13,%14,%15,%16,%17,%18,%19,%20,%21,"          \
        "%22,%23,%24,%25,%26,%27,%28,%29,%30,%31"                                                 \
        "}, {%32,%33,%34,%35}, %36, 1, 1, 1;"                                                     \
        : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]), "+f"(d[4]), "+f"(d[5]), "+f"(d[6]),     \
          "+f"(d[7]), "+f"(d[8]), "+f"(d[9]), "+f"(d[10]), "+f"(d[11]), "+f"(d[12]), "+f"(d[13]), \
          "+f"(d[14]), "+f"(d[15]), "+f"(d[16]), "+f"(d[17]), "+f"(d[18]), "+f"(d[19]),           \
          "+f"(d[20]), "+f"(d[21]), "+f"(d[22]), "+f"(d[23]), "+f"(d[24]), "+f"(d[25]),           \
          "+f"(d[26]), "+f"(d[27]), "+f"(d[28]), "+f"(d[29]), "+f"(d[30]), "+f"(d[31])            \
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(b))
#define LAPIDARY_GROUP_MULTIPLY_TF32_128                                                           \
    asm volatile(                                                                                  \
        "wgmma.mma_async.sync.aligned.m64n128k8.f32.tf32.tf32 {"                                   \
        "%0,%1,%2,%3,%4,%5,%6,%7,%8,%9,%10,%11,%12,%13,%14,%15,%16,%17,%18,%19,%20,%21,"           \
        "%22,%23,%24,%25,%26,%27,%28,%29,%30,%31,%32,%33,%34,%35,%36,%37,%38,%39,%40,%41,%42,%43," \
        "%44,%45,%46,%47,%48,%49,%50,%51,%52,%53,%54,%55,%56,%57,%58,%59,%60,%61,%62,%63"          \
        "}, {%64,%65,%66,%67}, %68, 1, 1, 1;"                                                      \
        : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]), "+f"(d[4]), "+f"(d[5]), "+f"(d[6]),      \
          "+f"(d[7]), "+f"(d[8]), "+f"(d[9]), "+f"(d[10]), "+f"(d[11]), "+f"(d[12]), "+f"(d[13]),  \
          "+f"(d[14]), "+f"(d[15]), "+f"(d[16]), "+f"(d[17]), "+f"(d[18]), "+f"(d[19]),            \
          "+f"(d[20]), "+f"(d[21]), "+f"(d[22]), "+f"(d[23]), "+f"(d[24]), "+f"(d[25]),            \
          "+f"(d[26]), "+f"(d[27]), "+f"(d[28]), "+f"(d[29]), "+f"(d[30]), "+f"(d[31]),            \
          "+f"(d[32]), "+f"(d[33]), "+f"(d[34]), "+f"(d[35]), "+f"(d[36]), "+f"(d[37]),            \
          "+f"(d[38]), "+f"(d[39]), "+f"(d[40]), "+f"(d[41]), "+f"(d[42]), "+f"(d[43]),            \
          "+f"(d[44]), "+f"(d[45]), "+f"(d[46]), "+f"(d[47]), "+f"(d[48]), "+f"(d[49]),            \
          "+f"(d[50]), "+f"(d[51]), "+f"(d[52]), "+f"(d[53]), "+f"(d[54]), "+f"(d[55]),            \
          "+f"(d[56]), "+f"(d[57]), "+f"(d[58]), "+f"(d[59]), "+f"(d[60]), "+f"(d[61]),            \
          "+f"(d[62]), "+f"(d[63])                                                                 \
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(b))
#define LAPIDARY_GROUP_MULTIPLY_TF32_256                                                           \
    asm volatile(                                                                                  \
        "wgmma.mma_async.sync.aligned.m64n256k8.f32.tf32.tf32 {"                                   \
        "%0,%1,%2,%3,%4,%5,%6,%7,%8,%9,%10,%11,%12,%13,%14,%15,%16,%17,%18,%19,%20,%21,"           \
        "%22,%23,%24,%25,%26,%27,%28,%29,%30,%31,%32,%33,%34,%35,%36,%37,%38,%39,%40,%41,%42,%43," \
        "%44,%45,%46,%47,%48,%49,%50,%51,%52,%53,%54,%55,%56,%57,%58,%59,%60,%61,%62,%63,%64,%65," \
        "%66,%67,%68,%69,%70,%71,%72,%73,%74,%75,%76,%77,%78,%79,%80,%81,%82,%83,%84,%85,%86,%87," \
        "%88,%89,%90,%91,%92,%93,%94,%95,%96,%97,%98,%99,%100,%101,%102,%103,%104,%105,%106,%107," \
        "%108,%109,"                                                                               \
        "%110,%111,%112,%113,%114,%115,%116,%117,%118,%119,%120,%121,%122,%123,%124,%125,%126,%"   \
        "127"                                                                                      \
        "}, {%128,%129,%130,%131}, %132, 1, 1, 1;"                                                 \
        : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]), "+f"(d[4]), "+f"(d[5]), "+f"(d[6]),      \
          "+f"(d[7]), "+f"(d[8]), "+f"(d[9]), "+f"(d[10]), "+f"(d[11]), "+f"(d[12]), "+f"(d[13]),  \
          "+f"(d[14]), "+f"(d[15]), "+f"(d[16]), "+f"(d[17]), "+f"(d[18]), "+f"(d[19]),            \
          "+f"(d[20]), "+f"(d[21]), "+f"(d[22]), "+f"(d[23]), "+f"(d[24]), "+f"(d[25]),            \
          "+f"(d[26]), "+f"(d[27]), "+f"(d[28]), "+f"(d[29]), "+f"(d[30]), "+f"(d[31]),            \
          "+f"(d[32]), "+f"(d[33]), "+f"(d[34]), "+f"(d[35]), "+f"(d[36]), "+f"(d[37]),            \
          "+f"(d[38]), "+f"(d[39]), "+f"(d[40]), "+f"(d[41]), "+f"(d[42]), "+f"(d[43]),            \
          "+f"(d[44]), "+f"(d[45]), "+f"(d[46]), "+f"(d[47]), "+f"(d[48]), "+f"(d[49]),            \
          "+f"(d[50]), "+f"(d[51]), "+f"(d[52]), "+f"(d[53]), "+f"(d[54]), "+f"(d[55]),            \
          "+f"(d[56]), "+f"(d[57]), "+f"(d[58]), "+f"(d[59]), "+f"(d[60]), "+f"(d[61]),            \
          "+f"(d[62]), "+f"(d[63]), "+f"(d[64]), "+f"(d[65]), "+f"(d[66]), "+f"(d[67]),            \
          "+f"(d[68]), "+f"(d[69]), "+f"(d[70]), "+f"(d[71]), "+f"(d[72]), "+f"(d[73]),            \
          "+f"(d[74]), "+f"(d[75]), "+f"(d[76]), "+f"(d[77]), "+f"(d[78]), "+f"(d[79]),            \
          "+f"(d[80]), "+f"(d[81]), "+f"(d[82]), "+f"(d[83]), "+f"(d[84]), "+f"(d[85]),            \
          "+f"(d[86]), "+f"(d[87]), "+f"(d[88]), "+f"(d[89]), "+f"(d[90]), "+f"(d[91]),            \
          "+f"(d[92]), "+f"(d[93]), "+f"(d[94]), "+f"(d[95]), "+f"(d[96]), "+f"(d[97]),            \
          "+f"(d[98]), "+f"(d[99]), "+f"(d[100]), "+f"(d[101]), "+f"(d[102]), "+f"(d[103]),        \
          "+f"(d[104]), "+f"(d[105]), "+f"(d[106]), "+f"(d[107]), "+f"(d[108]), "+f"(d[109]),      \
          "+f"(d[110]), "+f"(d[111]), "+f"(d[112]), "+f"(d[113]), "+f"(d[114]), "+f"(d[115]),      \
          "+f"(d[116]), "+f"(d[117]), "+f"(d[118]), "+f"(d[119]), "+f"(d[120]), "+f"(d[121]),      \
          "+f"(d[122]), "+f"(d[123]), "+f"(d[124]), "+f"(d[125]), "+f"(d[126]), "+f"(d[127])       \
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(b))

/// d += a * b of 64 x 64 x 8, 64 x 128 x 8 or 64 x 256 x 8 TF32 by a warpgroup. `a`: the thread's
/// fragment, as for mma_tf32(). `b`: stored along k, a row for each column. The last 13 bits of
/// both are ignored.
GPU_DEVICE void group_multiply_tf32(float (&d)[32], const std::uint32_t (&a)[4], std::uint64_t b) {
    LAPIDARY_GROUP_MULTIPLY_TF32_64;
}
GPU_DEVICE void group_multiply_tf32(float (&d)[64], const std::uint32_t (&a)[4], std::uint64_t b) {
    LAPIDARY_GROUP_MULTIPLY_TF32_128;
}
GPU_DEVICE void group_multiply_tf32(float (&d)[128], const std::uint32_t (&a)[4], std::uint64_t b) {
    LAPIDARY_GROUP_MULTIPLY_TF32_256;
}
#undef LAPIDARY_GROUP_MULTIPLY_TF32_64
#undef LAPIDARY_GROUP_MULTIPLY_TF32_128
#undef LAPIDARY_GROUP_MULTIPLY_TF32_256

}  // namespace lapidary::cuda

#else  // ------------------------------------------------------------------------------------------
       // emulated

#include "emulated/hopper.h"

#define GPU_TILE_MAP const ::lapidary::cuda::TileMap&

namespace lapidary::cuda {

using barrier_t = std::uint64_t;

GPU_DEVICE unsigned shared_address(const void* p) { return emulated::shared_address(p); }
GPU_DEVICE void barrier_init(barrier_t* barrier, unsigned arrivals) {
    emulated::barrier_init(barrier, arrivals);
}
GPU_DEVICE void barrier_init_done() {}
GPU_DEVICE void barrier_arrive(barrier_t* barrier) { emulated::barrier_arrive(barrier, 0); }
GPU_DEVICE void barrier_expect(barrier_t* barrier, unsigned bytes) {
    emulated::barrier_arrive(barrier, bytes);
}
GPU_DEVICE void barrier_wait(barrier_t* barrier, unsigned parity) {
    emulated::barrier_wait(barrier, parity);
}
GPU_DEVICE void copy_tile(void* to, const TileMap& map, int matrix, int row, int column,
                          barrier_t* barrier) {
    emulated::copy_tile(to, map, matrix, row, column, barrier);
}
GPU_DEVICE void prefetch_tile(const TileMap&, int, int, int) {}
GPU_DEVICE void copy_windows(void* to, const TileMap& map, const WindowPlace& place, int tap_row,
                             int tap_column, int channel, barrier_t* barrier) {
    emulated::copy_windows(to, map, place, tap_row, tap_column, channel, barrier);
}
GPU_DEVICE void store_tile_at(const void* from, const TileMap& map, int matrix, int row,
                              int column) {
    emulated::store_tile(from, map, matrix, row, column);
}
GPU_DEVICE void store_commit() { emulated::store_commit(); }
GPU_DEVICE void store_wait() { emulated::store_wait(); }
GPU_DEVICE void shared_fence() {}
GPU_DEVICE void prefetch_map(const TileMap&) {}
template <int count>
GPU_DEVICE void group_hold(float (&)[count]) {}
GPU_DEVICE void group_fence() {}
GPU_DEVICE void group_commit() { emulated::group_commit(); }
template <int left>
GPU_DEVICE void group_wait() {
    emulated::group_wait(left);
}
template <typename T, bool b_along_k, int count>
GPU_DEVICE void group_multiply(float (&d)[count], std::uint64_t a, std::uint64_t b) {
    static_assert(count == 32 || count == 64 || count == 96);
    emulated::group_multiply(d, count, a, b, b_along_k, std::is_same_v<T, bfloat_t>);
}
template <int count>
GPU_DEVICE void group_multiply_tf32(float (&d)[count], const std::uint32_t (&a)[4],
                                    std::uint64_t b) {
    static_assert(count == 32 || count == 64 || count == 128);
    emulated::group_multiply_tf32(d, count, a, b);
}

}  // namespace lapidary::cuda
#endif

namespace lapidary::cuda {

/// The descriptor by which multiplications find an operand: it begins at `tile`, groups of 8 rows
/// are 1024 bytes apart, tiles of further columns `next_tile` bytes apart.
GPU_DEVICE std::uint64_t operand_at(const void* tile, unsigned next_tile) {
    constexpr std::uint64_t row_group = 1024, swizzle_128 = std::uint64_t{1} << 62;
    return (shared_address(tile) & 0x3ffffu) >> 4 |
           static_cast<std::uint64_t>(next_tile >> 4) << 16 | (row_group >> 4) << 32 | swizzle_128;
}

}  // namespace lapidary::cuda
