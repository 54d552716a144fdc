// SPDX-License-Identifier: Apache-2.0
#include "generation/gguf_weight.h"

#include <cstring>
#include <utility>

#include <lapidary/base/error.h>
#include <lapidary/tensor/tensor.h>

namespace lapidary {
namespace {

constexpr std::int64_t block_elements = 32;

[[noreturn]] void refuse(const Node& node, const std::string& why) {
    fail_unsupported(node.describe() + " has no form in llama.cpp's files: " + why);
}

const Tensor& constant_of(const Graph& graph, const Node& node, std::size_t input) {
    const bool is_given = input < node.inputs.size() && node.inputs[input];
    if (!is_given || !graph.value(node.inputs[input]).constant)
        refuse(node, "input " + std::to_string(input) + " is no constant");
    return *graph.value(node.inputs[input]).constant;
}

GgufType float_type(const Node& node, const Tensor& tensor) {
    if (tensor.dtype() == DType::f32) return GgufType::f32;
    if (tensor.dtype() == DType::f16) return GgufType::f16;
    refuse(node, "its weight is " + std::string(name_of(tensor.dtype())));
}

template <typename T>
void put(std::span<std::byte> to, std::size_t at, T value) {
    std::memcpy(to.data() + at, &value, sizeof(value));
}

std::uint16_t half_of(float value) { return Half(value).bits; }

/// Rows of a matrix [rows, width], or columns of one [width, rows].
GgufTensor float_rows(const Node& node, const Tensor& matrix, bool is_transposed) {
    if (matrix.rank() != 2) refuse(node, "its weight is no matrix");
    GgufTensor made;
    made.type = float_type(node, matrix);
    made.rows = matrix.dim(is_transposed ? 1 : 0);
    made.width = matrix.dim(is_transposed ? 0 : 1);
    const std::size_t size = made.type == GgufType::f32 ? 4 : 2;
    const auto rows = static_cast<std::size_t>(made.rows);
    made.write_row = [=](std::int64_t r, std::span<std::byte> to) {
        const std::byte* const from = matrix.bytes().data();
        const auto row = static_cast<std::size_t>(r);
        if (!is_transposed) {
            std::memcpy(to.data(), from + row * to.size(), to.size());
            return;
        }
        for (std::size_t i = 0; i * size < to.size(); ++i)
            std::memcpy(to.data() + i * size, from + (i * rows + row) * size, size);
    };
    return made;
}

/// Values, scales and zero points in blocks, as MatMulNBits and GatherBlockQuantized have them.
struct Blocks {
    Tensor values, scales, zeros;  // zeros: absent where the middle stands for 0
    int bits = 4;
    std::size_t in_row = 0;  // blocks

    float scale(std::size_t at) const {
        return scales.dtype() == DType::f16 ? static_cast<float>(scales.data<Half>()[at])
                                            : scales.data<float>()[at];
    }
    float zero(std::size_t row, std::size_t b) const {
        if (!zeros) return bits == 4 ? 8.0f : 128.0f;
        const auto* const bytes = reinterpret_cast<const std::uint8_t*>(zeros.bytes().data());
        const std::uint8_t two = bytes[row * ((in_row + 1) / 2) + b / 2];
        return static_cast<float>(b % 2 == 0 ? two & 15 : two >> 4);
    }
    const std::uint8_t* at(std::size_t row, std::size_t b) const {
        const std::size_t bytes = static_cast<std::size_t>(block_elements * bits) / 8;
        return reinterpret_cast<const std::uint8_t*>(values.bytes().data()) +
               (row * in_row + b) * bytes;
    }
};

/// Neighbours share a byte there; here the first half of a block has the low bits of its bytes.
void put_fours(std::span<std::byte> to, std::size_t at, const std::uint8_t* pairs) {
    const auto element = [&](std::size_t i) {
        return static_cast<std::uint8_t>(i % 2 == 0 ? pairs[i / 2] & 15 : pairs[i / 2] >> 4);
    };
    for (std::size_t i = 0; i < 16; ++i)
        to[at + i] = static_cast<std::byte>(element(i) | element(i + 16) << 4);
}

void put_block(const Blocks& blocks, std::size_t row, std::size_t b, std::span<std::byte> to) {
    const float scale = blocks.scale(row * blocks.in_row + b);
    put(to, 0, half_of(scale));
    const std::uint8_t* const from = blocks.at(row, b);
    if (blocks.bits == 8) {
        for (std::size_t i = 0; i < block_elements; ++i)
            to[2 + i] = static_cast<std::byte>(static_cast<std::int8_t>(from[i] - 128));
        return;
    }
    if (blocks.zeros) put(to, 2, half_of(-scale * blocks.zero(row, b)));
    put_fours(to, blocks.zeros ? 4 : 2, from);
}

GgufTensor block_rows(const Node& node, const Blocks& given, std::int64_t rows,
                      std::int64_t width) {
    if (node.int_attribute("block_size", 0) != block_elements)
        refuse(node, "it has blocks of " + std::to_string(node.int_attribute("block_size", 0)) +
                         " where 32 are needed");
    if (given.bits != 4 && given.bits != 8)
        refuse(node, "it has " + std::to_string(given.bits) + " bits");
    if (given.bits == 8 && given.zeros) refuse(node, "its 8 bits have zero points");
    if (given.scales.dtype() != DType::f32 && given.scales.dtype() != DType::f16)
        refuse(node, "its scales are " + std::string(name_of(given.scales.dtype())));
    if (given.zeros && given.zeros.dtype() != DType::u8) refuse(node, "its zero points are floats");
    const auto bytes = static_cast<std::size_t>(rows * width * given.bits / 8);
    const auto blocks_in_all = rows * width / block_elements;
    if (width % block_elements != 0 || given.values.byte_size() != bytes ||
        given.scales.size() != blocks_in_all)
        refuse(node, "its rows of " + std::to_string(width) + " are no whole blocks");
    Blocks blocks = given;
    blocks.in_row = static_cast<std::size_t>(width / block_elements);
    GgufTensor made;
    made.type = blocks.bits == 8 ? GgufType::q8_0 : blocks.zeros ? GgufType::q4_1 : GgufType::q4_0;
    made.rows = rows;
    made.width = width;
    const auto one = static_cast<std::size_t>(gguf_bytes(made.type, block_elements));
    made.write_row = [=](std::int64_t r, std::span<std::byte> to) {
        for (std::size_t b = 0; b < blocks.in_row; ++b)
            put_block(blocks, static_cast<std::size_t>(r), b, to.subspan(b * one, one));
    };
    return made;
}

Tensor optional_constant(const Graph& graph, const Node& node, std::size_t input) {
    const bool is_given = input < node.inputs.size() && node.inputs[input];
    return is_given ? constant_of(graph, node, input) : Tensor();
}

}  // namespace

GgufTensor gguf_weight(const Graph& graph, const Node& node) {
    const int bits = static_cast<int>(node.int_attribute("bits", 4));
    if (node.op_type == "MatMul") return float_rows(node, constant_of(graph, node, 1), true);
    if (node.op_type == "Gather") return float_rows(node, constant_of(graph, node, 0), false);
    if (node.op_type == "MatMulNBits") {
        const std::int64_t inputs = node.int_attribute("K", 0);
        if (node.inputs.size() > 4 && node.inputs[4]) refuse(node, "it has groups (g_idx)");
        return block_rows(node,
                          {constant_of(graph, node, 1), constant_of(graph, node, 2),
                           optional_constant(graph, node, 3), bits},
                          node.int_attribute("N", 0), inputs);
    }
    if (node.op_type == "GatherBlockQuantized") {
        const Tensor& values = constant_of(graph, node, 0);
        if (values.rank() != 2 || values.dtype() != DType::u8)
            refuse(node, "its table is no matrix of bytes");
        return block_rows(
            node, {values, constant_of(graph, node, 2), optional_constant(graph, node, 3), bits},
            values.dim(0), values.dim(1) * 8 / bits);
    }
    refuse(node, "it is no product of a constant");
}

GgufTensor gguf_vector(const Graph& graph, ValueId id, std::string name) {
    const Value& value = graph.value(id);
    if (!value.constant || value.constant->rank() != 1 ||
        (value.constant->dtype() != DType::f32 && value.constant->dtype() != DType::f16))
        fail_unsupported(quote(value.name) + " is no constant vector of floats");
    const Tensor held = *value.constant;
    GgufTensor made;
    made.name = std::move(name);
    made.width = held.size();
    made.is_vector = true;
    made.write_row = [held](std::int64_t, std::span<std::byte> to) {
        for (std::size_t i = 0; i * 4 < to.size(); ++i)
            put(to, i * 4,
                held.dtype() == DType::f32 ? held.data<float>()[i]
                                           : static_cast<float>(held.data<Half>()[i]));
    };
    return made;
}

GgufTensor rows_of(GgufTensor tensor, std::int64_t begin, std::int64_t count) {
    tensor.rows = count;
    tensor.write_row = [write = std::move(tensor.write_row), begin](
                           std::int64_t r, std::span<std::byte> to) { write(begin + r, to); };
    return tensor;
}

GgufTensor with_neighbours_rotated(GgufTensor tensor, std::int64_t head_size) {
    tensor.write_row = [write = std::move(tensor.write_row), head_size](std::int64_t r,
                                                                        std::span<std::byte> to) {
        const std::int64_t in_head = r % head_size;
        write(r - in_head + in_head % 2 * (head_size / 2) + in_head / 2, to);
    };
    return tensor;
}

}  // namespace lapidary
