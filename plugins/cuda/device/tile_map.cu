// SPDX-License-Identifier: Apache-2.0
// Tile descriptors, made by a function of the driver that is looked up at run time.
#include "tile_map.h"

#include <cuda.h>
#include <cuda_runtime.h>

#include <cstring>

#include "device_error.h"
#include "plugin_abi.h"

namespace lapidary::cuda {
namespace {

using EncodeTiled = CUresult (*)(CUtensorMap*, CUtensorMapDataType, cuuint32_t, void*,
                                 const cuuint64_t*, const cuuint64_t*, const cuuint32_t*,
                                 const cuuint32_t*, CUtensorMapInterleave, CUtensorMapSwizzle,
                                 CUtensorMapL2promotion, CUtensorMapFloatOOBfill);
using EncodeWindows = CUresult (*)(CUtensorMap*, CUtensorMapDataType, cuuint32_t, void*,
                                   const cuuint64_t*, const cuuint64_t*, const int*, const int*,
                                   cuuint32_t, cuuint32_t, const cuuint32_t*, CUtensorMapInterleave,
                                   CUtensorMapSwizzle, CUtensorMapL2promotion,
                                   CUtensorMapFloatOOBfill);

template <typename Function>
Function find_encode(const char* name) {
    void* function = nullptr;
    cudaDriverEntryPointQueryResult found = cudaDriverEntryPointSymbolNotFound;
#if CUDART_VERSION >= 12050
    cudaGetDriverEntryPointByVersion(name, &function, 12000, cudaEnableDefault, &found);
#else
    cudaGetDriverEntryPoint(name, &function, cudaEnableDefault, &found);
#endif
    return found == cudaDriverEntryPointSuccess ? reinterpret_cast<Function>(function) : nullptr;
}

TileMap made_map(CUresult result, const CUtensorMap& made) {
    if (result != CUDA_SUCCESS)
        throw DeviceError(LP_INTERNAL, "the driver refuses a descriptor of tiles",
                          static_cast<int>(result));
    static_assert(sizeof(CUtensorMap) == sizeof(TileMap) &&
                  alignof(CUtensorMap) <= alignof(TileMap));
    TileMap map;
    std::memcpy(map.opaque, &made, sizeof(made));
    return map;
}

}  // namespace

TileMap make_tile_map(const TileShape& shape) {
    static const auto encode = find_encode<EncodeTiled>("cuTensorMapEncodeTiled");
    if (encode == nullptr)
        throw DeviceError(LP_UNSUPPORTED, "the driver has no descriptors of tiles");
    const cuuint64_t dims[3] = {static_cast<cuuint64_t>(shape.columns),
                                static_cast<cuuint64_t>(shape.rows),
                                static_cast<cuuint64_t>(shape.matrices)};
    const cuuint64_t strides[2] = {
        static_cast<cuuint64_t>(shape.row_bytes),
        static_cast<cuuint64_t>(shape.matrices == 1 ? shape.rows * shape.row_bytes
                                                    : shape.matrix_bytes)};
    const cuuint32_t box[3] = {static_cast<cuuint32_t>(shape.tile_columns),
                               static_cast<cuuint32_t>(shape.tile_rows), 1};
    const cuuint32_t steps[3] = {1, 1, 1};
    const bool is_tf32 = shape.element == TileElement::tf32;
    // 64 contiguous floats take two copies
    const CUtensorMapL2promotion promotion =
        is_tf32 ? CU_TENSOR_MAP_L2_PROMOTION_L2_256B : CU_TENSOR_MAP_L2_PROMOTION_L2_128B;
    CUtensorMap made;
    const CUresult result = encode(
        &made, is_tf32 ? CU_TENSOR_MAP_DATA_TYPE_TFLOAT32 : CU_TENSOR_MAP_DATA_TYPE_FLOAT16, 3,
        const_cast<void*>(shape.data), dims, strides, box, steps, CU_TENSOR_MAP_INTERLEAVE_NONE,
        CU_TENSOR_MAP_SWIZZLE_128B, promotion, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
    return made_map(result, made);
}

// The driver numbers axes from the innermost one, also for corners: columns before rows.
TileMap make_window_map(const WindowShape& shape) {
    static const auto encode = find_encode<EncodeWindows>("cuTensorMapEncodeIm2col");
    if (encode == nullptr)
        throw DeviceError(LP_UNSUPPORTED, "the driver has no descriptors of windows");
    const auto channels = static_cast<cuuint64_t>(shape.channels),
               columns = static_cast<cuuint64_t>(shape.columns),
               rows = static_cast<cuuint64_t>(shape.rows);
    const cuuint64_t dims[4] = {channels, columns, rows, static_cast<cuuint64_t>(shape.images)};
    const cuuint64_t strides[3] = {channels * 2, columns * channels * 2,
                                   rows * columns * channels * 2};
    const int first[2] = {shape.first_column, shape.first_row},
              last[2] = {shape.last_column(), shape.last_row()};
    const cuuint32_t steps[4] = {1, static_cast<cuuint32_t>(shape.column_step),
                                 static_cast<cuuint32_t>(shape.row_step), 1};
    CUtensorMap made;
    const CUresult result =
        encode(&made, CU_TENSOR_MAP_DATA_TYPE_FLOAT16, 4, const_cast<void*>(shape.data), dims,
               strides, first, last, static_cast<cuuint32_t>(shape.tile_channels),
               static_cast<cuuint32_t>(shape.tile_windows), steps, CU_TENSOR_MAP_INTERLEAVE_NONE,
               CU_TENSOR_MAP_SWIZZLE_128B, CU_TENSOR_MAP_L2_PROMOTION_L2_128B,
               CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
    return made_map(result, made);
}

}  // namespace lapidary::cuda
