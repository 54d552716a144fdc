// SPDX-License-Identifier: Apache-2.0
#include "kernels/input_index.h"
#include "kernels/product/block_weight_matrix.h"

#include <algorithm>

#include "kernels/vector/elementwise/elementwise.h"

namespace lapidary {
namespace {

/// `index` of a float32 or float16 tensor.
class Reals {
public:
    explicit Reals(const Tensor& source)
        : raw_(source.raw()), is_half_(source.dtype() == DType::f16) {}
    float operator[](std::int64_t index) const {
        if (!is_half_) return static_cast<const float*>(raw_)[index];
        float wide;
        elementwise_kernels().widen_half(static_cast<const std::uint16_t*>(raw_) + index, &wide, 1);
        return wide;
    }

private:
    const void* raw_;
    bool is_half_;
};

bool is_real(const Tensor& t) { return t.dtype() == DType::f32 || t.dtype() == DType::f16; }

/// [columns, blocks] as groups of [blocks, group], filled up with zeros.
template <typename T, typename Get>
std::shared_ptr<const PackedWeight> pack_per_block(const KernelRequest& request,
                                                   const BlockWeightMatrix& m, const Tensor& source,
                                                   const std::string& what, const Get& get) {
    const std::int64_t width = m.kernels->group, columns = m.columns, blocks = m.blocks;
    const std::string format = what + " per block " + std::to_string(columns) + "x" +
                               std::to_string(blocks) + " in groups of " + std::to_string(width);
    return request.weights.add(
        source, format, static_cast<std::size_t>(m.groups() * blocks * width) * sizeof(T),
        m.groups(), [=](std::byte* to, std::int64_t begin, std::int64_t end) {
            for (std::int64_t g = begin; g < end; ++g)
                for (std::int64_t b = 0; b < blocks; ++b)
                    for (std::int64_t i = 0; i < width; ++i)
                        reinterpret_cast<T*>(to)[(g * blocks + b) * width + i] =
                            g * width + i < columns ? static_cast<T>(get(g * width + i, b)) : T{};
        });
}

}  // namespace

BlockWeightGroup BlockWeightMatrix::group(std::int64_t index) const {
    BlockWeightGroup g;
    g.words = words->as<const std::uint32_t>() + index * words_per_column() * kernels->group;
    g.scales = scales->as<const float>() + index * blocks * kernels->group;
    if (zeros && has_byte_zeros)
        g.byte_zeros = zeros->as<const std::uint8_t>() + index * blocks * kernels->group;
    else if (zeros) g.zeros = zeros->as<const float>() + index * blocks * kernels->group;
    g.zero = zero;
    g.blocks = blocks;
    g.block = block;
    g.bits = bits;
    return g;
}

Tensor& block_weight_output(KernelContext& context, const BlockWeightMatrix& matrix, DType dtype) {
    const Tensor& a = context.input(0);
    const Tensor* bias = context.optional_input(block_weight_input::bias);
    if (a.dtype() != dtype || a.rank() < 1 || a.shape().back() != matrix.inner)
        context.fail("A: expected " + std::string(name_of(dtype)) + " with " +
                     std::to_string(matrix.inner) + " columns, found " +
                     std::string(name_of(a.dtype())) + to_string(a.shape()));
    if (bias && (bias->dtype() != dtype || bias->shape() != Shape{matrix.columns}))
        context.fail("input 5: expected a bias [" + std::to_string(matrix.columns) + "], found " +
                     to_string(bias->shape()));
    Shape shape = a.shape();
    shape.back() = matrix.columns;
    return context.output(0, dtype, shape);
}

namespace {

/// Sizes that fit the kernels' words of 32 bits, and whose products do not overflow.
bool has_served_sizes(const BlockWeightMatrix& m, std::int64_t bits) {
    constexpr std::int64_t largest = 1 << 24;
    if (bits != 2 && bits != 4 && bits != 8) return false;
    for (const std::int64_t size : {m.inner, m.columns, m.block})
        if (size < 1 || size > largest) return false;
    return m.block % (32 / bits) == 0;
}

}  // namespace

std::unique_ptr<BlockWeightMatrix> pack_block_weight(const KernelRequest& request,
                                                     std::string& reason) {
    const Node& node = request.node;
    const Tensor *weight = request.constant(1), *scales = request.constant(2),
                 *zeros = request.constant(block_weight_input::zero_points);
    if (!weight || !scales || (request.has_input(block_weight_input::zero_points) && !zeros)) {
        reason = "weights, scales or zero points are computed at run time";
        return nullptr;
    }
    if (request.has_input(block_weight_input::g_idx)) {
        reason = "a group index per row of the weight is served by the reference kernel";
        return nullptr;
    }
    auto m = std::make_unique<BlockWeightMatrix>();
    m->kernels = &block_weight_kernels();
    m->inner = node.int_attribute("K", 0);
    m->columns = node.int_attribute("N", 0);
    m->block = node.int_attribute("block_size", 0);
    const std::int64_t bits = node.int_attribute("bits", 4);
    if (!has_served_sizes(*m, bits)) {
        reason = "blocks of " + std::to_string(m->block) + " values of " + std::to_string(bits) +
                 " bits for " + std::to_string(m->inner) + " x " + std::to_string(m->columns) +
                 " weights are served by the reference kernel";
        return nullptr;
    }
    m->bits = static_cast<int>(bits);
    m->blocks = (m->inner + m->block - 1) / m->block;
    const std::int64_t per_byte = 8 / bits, zero_row = (m->blocks + per_byte - 1) / per_byte,
                       column_bytes = m->words_per_column() * 4;
    const bool packed_zeros = zeros && zeros->dtype() == DType::u8;
    const bool fits_zeros =
        !zeros || (zeros->size() == m->columns * (packed_zeros ? zero_row : m->blocks) &&
                   (packed_zeros || is_real(*zeros)));
    if (weight->dtype() != DType::u8 || weight->size() != m->columns * column_bytes ||
        !is_real(*scales) || scales->size() != m->columns * m->blocks || !fits_zeros) {
        reason = "weights " + to_string(weight->shape()) + ", scales " +
                 to_string(scales->shape()) + " or zero points do not fit the attributes";
        return nullptr;
    }
    m->words = request.weights.add(
        *weight,
        "words of " + std::to_string(bits) + " bits " + std::to_string(m->columns) + " x " +
            std::to_string(column_bytes) + " in groups of " + std::to_string(m->kernels->group),
        static_cast<std::size_t>(m->groups() * column_bytes * m->kernels->group), m->groups(),
        [m = *m, from = static_cast<const std::uint8_t*>(weight->raw()), column_bytes](
            std::byte* to, std::int64_t begin, std::int64_t end) {
            for (std::int64_t g = begin; g < end; ++g) {
                const std::int64_t first = g * m.kernels->group;
                m.kernels->pack(from + first * column_bytes, column_bytes, column_bytes / 4,
                                std::min(m.kernels->group, m.columns - first),
                                reinterpret_cast<std::uint32_t*>(to) + first * (column_bytes / 4));
            }
        });
    const std::int64_t blocks = m->blocks;
    m->scales =
        pack_per_block<float>(request, *m, *scales, "scales",
                              [values = Reals(*scales), blocks](std::int64_t n, std::int64_t b) {
                                  return values[n * blocks + b];
                              });
    if (packed_zeros) {
        m->has_byte_zeros = true;
        m->zeros = pack_per_block<std::uint8_t>(
            request, *m, *zeros, "zero points of " + std::to_string(bits) + " bits",
            [from = static_cast<const std::uint8_t*>(zeros->raw()), bits, per_byte, zero_row](
                std::int64_t n, std::int64_t b) {
                return from[n * zero_row + b / per_byte] >> (b % per_byte * bits) &
                       ((1 << bits) - 1);
            });
    } else if (zeros) {
        m->zeros =
            pack_per_block<float>(request, *m, *zeros, "zero points",
                                  [values = Reals(*zeros), blocks](std::int64_t n, std::int64_t b) {
                                      return values[n * blocks + b];
                                  });
    } else m->zero = static_cast<float>(1 << (bits - 1));
    for (const std::size_t input : {1, 2, 3})
        if (request.has_input(input)) request.unread_inputs.push_back(input);
    return m;
}

}  // namespace lapidary
