// SPDX-License-Identifier: Apache-2.0
// Descriptors of tiles, made by the driver, which is asked for the function at run time.
#include "tile_map.h"

#include <cuda.h>
#include <cuda_runtime.h>

#include <cstring>

#include "device_error.h"
#include "plugin_abi.h"

namespace lapidary::cuda {
namespace {

using Encode = CUresult (*)(CUtensorMap*, CUtensorMapDataType, cuuint32_t, void*, const cuuint64_t*, const cuuint64_t*,
                            const cuuint32_t*, const cuuint32_t*, CUtensorMapInterleave, CUtensorMapSwizzle,
                            CUtensorMapL2promotion, CUtensorMapFloatOOBfill);

Encode find_encode() {
    void* function = nullptr;
    cudaDriverEntryPointQueryResult found = cudaDriverEntryPointSymbolNotFound;
#if CUDART_VERSION >= 12050
    cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &function, 12000, cudaEnableDefault, &found);
#else
    cudaGetDriverEntryPoint("cuTensorMapEncodeTiled", &function, cudaEnableDefault, &found);
#endif
    return found == cudaDriverEntryPointSuccess ? reinterpret_cast<Encode>(function) : nullptr;
}

}  // namespace

TileMap make_tile_map(const TileShape& shape) {
    static const Encode encode = find_encode();
    if (encode == nullptr) throw DeviceError(LP_UNSUPPORTED, "the driver has no descriptors of tiles");
    const cuuint64_t dims[3] = {static_cast<cuuint64_t>(shape.columns), static_cast<cuuint64_t>(shape.rows),
                                static_cast<cuuint64_t>(shape.matrices)};
    const cuuint64_t strides[2] = {static_cast<cuuint64_t>(shape.row_bytes),
                                   static_cast<cuuint64_t>(shape.matrices == 1 ? shape.rows * shape.row_bytes
                                                                               : shape.matrix_bytes)};
    const cuuint32_t box[3] = {static_cast<cuuint32_t>(shape.tile_columns), static_cast<cuuint32_t>(shape.tile_rows),
                               1};
    const cuuint32_t steps[3] = {1, 1, 1};
    static_assert(sizeof(CUtensorMap) == sizeof(TileMap) && alignof(CUtensorMap) <= alignof(TileMap));
    CUtensorMap made;
    const CUtensorMapDataType type = shape.element == TileElement::tf32 ? CU_TENSOR_MAP_DATA_TYPE_TFLOAT32
                                                                        : CU_TENSOR_MAP_DATA_TYPE_FLOAT16;
    const CUresult result = encode(&made, type, 3, const_cast<void*>(shape.data), dims, strides, box, steps,
                                   CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_128B,
                                   CU_TENSOR_MAP_L2_PROMOTION_L2_128B, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
    if (result != CUDA_SUCCESS)
        throw DeviceError(LP_INTERNAL, "the driver refuses a descriptor of tiles", static_cast<int>(result));
    TileMap map;
    std::memcpy(map.opaque, &made, sizeof(made));
    return map;
}

}  // namespace lapidary::cuda
