// SPDX-License-Identifier: Apache-2.0
#include "kernels/product/block_weight_unpacked.h"

#include <bit>

#include "kernels/integer/workspace.h"
#include "kernels/product/packed_product.h"

namespace lapidary {
namespace {

/// Panels of the matrix as floats.
class UnpackedPanels final : public PanelSource {
public:
    explicit UnpackedPanels(const BlockWeightMatrix& matrix) : matrix_(matrix) {}

    void fill(std::int64_t column, std::int64_t columns, std::int64_t first_k, std::int64_t inner,
              std::int64_t width, float* to) const override {
        const BlockWeightKernels& kernels = *matrix_.kernels;
        for (std::int64_t at = 0; at < columns; at += kernels.vector) {
            const std::int64_t place = column + at;
            const auto vector = static_cast<int>(place % kernels.group / kernels.vector);
            kernels.unpack(matrix_.group(place / kernels.group), vector, first_k, inner, to + at,
                           width);
        }
    }

private:
    const BlockWeightMatrix& matrix_;
};

bool is_finite(const float* values, std::int64_t count) {
    constexpr std::uint32_t exponent = 0x7f800000;
    bool found = false;
    for (std::int64_t i = 0; i < count; ++i)
        found |= (std::bit_cast<std::uint32_t>(values[i]) & exponent) == exponent;
    return !found;
}

}  // namespace

void multiply_unpacked(KernelContext& context, const BlockWeightMatrix& w, std::int64_t rows,
                       const float* a, const float* bias, float* c) {
    const UnpackedPanels panels(w);
    Product p;
    p.rows = rows;
    p.inner = w.inner;
    p.columns = w.columns;
    p.a = a;
    p.a_stride = w.inner;
    p.source = &panels;
    p.c = c;
    p.c_stride = w.columns;
    p.bias = bias;
    enum class Part : std::uint8_t { product };
    Workspace<Part> work(context,
                         {{Part::product, product_workspace(p, context.threads().threads())}});
    multiply(p, context.threads(), context.cancel(), work.part<std::byte>(Part::product));
}

void multiply_rows_that_are_not_finite(KernelContext& context, const BlockWeightMatrix& w,
                                       std::int64_t rows, const float* a, const float* bias,
                                       float* c) {
    for (std::int64_t row = 0; row < rows; ++row) {
        const std::int64_t first = row;
        while (row < rows && !is_finite(a + row * w.inner, w.inner)) ++row;
        if (row > first)
            multiply_unpacked(context, w, row - first, a + first * w.inner, bias,
                              c + first * w.columns);
    }
}

}  // namespace lapidary
