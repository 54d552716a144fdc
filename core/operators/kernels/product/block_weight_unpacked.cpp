// SPDX-License-Identifier: Apache-2.0
#include "kernels/product/block_weight_unpacked.h"

#include <algorithm>
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

    std::int64_t factor_depth() const override {
        return matrix_.block >= least_block ? matrix_.block : 0;
    }
    void fill_apart(std::int64_t column, std::int64_t columns, std::int64_t first_k,
                    std::int64_t inner, std::int64_t width, float* to, float* factors,
                    std::int64_t factors_width) const override {
        const BlockWeightKernels& kernels = *matrix_.kernels;
        const std::int64_t first = first_k / matrix_.block,
                           blocks = (inner + matrix_.block - 1) / matrix_.block;
        for (std::int64_t at = 0; at < columns; at += kernels.vector) {
            const std::int64_t place = column + at, in_group = place % kernels.group;
            BlockWeightGroup g = matrix_.group(place / kernels.group);
            for (std::int64_t b = 0; b < blocks; ++b)
                for (std::int64_t j = 0; j < kernels.vector; ++j)
                    factors[b * factors_width + at + j] =
                        at + j < columns ? g.scales[(first + b) * kernels.group + in_group + j] : 0;
            // from block `first` on, with factors of one
            g.words += first_k / (32 / g.bits) * kernels.group;
            if (g.zeros) g.zeros += first * kernels.group;
            if (g.byte_zeros) g.byte_zeros += first * kernels.group;
            g.scales = ones.values;
            kernels.unpack(g, static_cast<int>(in_group / kernels.vector), 0, inner, to + at,
                           width);
        }
    }

private:
    static constexpr std::int64_t least_block = 32;
    /// Of the blocks of a part, for a group of 64 columns at most.
    struct Ones {
        Ones() { std::ranges::fill(values, 1.0f); }
        float values[most_apart / least_block * 64];
    };
    static const inline Ones ones;

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
