// SPDX-License-Identifier: Apache-2.0
// com.microsoft GatherBlockQuantized of tables [rows, columns] in bytes (2, 4 or 8 bits an element)
// along their rows: each requested row is dequantized directly to its place in the output.
#include <algorithm>

#include "kernels/elementwise/reference_kernels.h"
#include "kernels/input_index.h"

namespace lapidary {
namespace {

constexpr std::int64_t grain_elements = 1 << 14;
constexpr FallbackReason blocks_in_bytes = "a block or a row does not fill whole bytes";

/// A table and where its rows lie; zero points are null where all are the middle of the range.
struct BlockTable {
    const std::uint8_t *data = nullptr, *zeros = nullptr;
    const float* scales = nullptr;
    // the last three of a row
    std::int64_t rows = 0, row_bytes = 0, blocks = 0, zero_bytes = 0, block = 0;
};

/// to[i] = (element - zero point) * scale, which the subtraction of whole numbers leaves exact but
/// for the product.
template <int bits>
void read_row(const BlockTable& table, std::int64_t row, float* to) {
    constexpr int per_byte = 8 / bits, mask = (1 << bits) - 1;
    const std::uint8_t* from = table.data + row * table.row_bytes;
    const std::uint8_t* const zeros = table.zeros ? table.zeros + row * table.zero_bytes : nullptr;
    const std::int64_t block_bytes = table.block / per_byte;
    for (std::int64_t b = 0; b < table.blocks; ++b) {
        const float scale = table.scales[row * table.blocks + b];
        const int zero =
            zeros ? zeros[b / per_byte] >> (b % per_byte * bits) & mask : 1 << (bits - 1);
        const std::int64_t count = std::min(block_bytes, table.row_bytes - b * block_bytes);
        for (std::int64_t i = 0; i < count; ++i)
            for (int place = 0; place < per_byte; ++place)
                to[i * per_byte + place] =
                    static_cast<float>((from[i] >> (place * bits) & mask) - zero) * scale;
        from += count;
        to += count * per_byte;
    }
}

class GatherBlocksKernel final : public Kernel {
public:
    GatherBlocksKernel(int bits, std::int64_t block) : bits_(bits), block_(block) {}

    void run(KernelContext& context) const override {
        const DType type = context.input(1).dtype();
        FallbackReason refused;
        if (type == DType::i64) refused = gather<std::int64_t>(context);
        else if (type == DType::i32) refused = gather<std::int32_t>(context);
        else refused = fallback::index_type;
        if (refused) context.run_on_reference(reference::gather_block_quantized, refused);
    }

private:
    FallbackReason table_of(KernelContext& context, BlockTable& table) const {
        const Tensor &data = context.input(0), &scales = context.input(2);
        const Tensor* const zeros =
            context.optional_input(gather_block_quantized_input::zero_points);
        const int per_byte = 8 / bits_;
        if (data.rank() != 2) return fallback::rank;
        if (scales.dtype() != DType::f32) return fallback::unlike_types;
        table.rows = data.dim(0);
        table.row_bytes = data.dim(1);
        table.block = block_;
        if (block_ % per_byte != 0) return blocks_in_bytes;
        const std::int64_t block_bytes = block_ / per_byte;
        table.blocks = table.row_bytes / block_bytes + (table.row_bytes % block_bytes != 0 ? 1 : 0);
        table.zero_bytes = (table.blocks + per_byte - 1) / per_byte;
        if (scales.shape() != Shape{table.rows, table.blocks}) return fallback::shapes;
        if (zeros &&
            (zeros->dtype() != DType::u8 || zeros->shape() != Shape{table.rows, table.zero_bytes}))
            return fallback::parameter_sizes;
        table.data = data.data<std::uint8_t>().data();
        table.scales = scales.data<float>().data();
        table.zeros = zeros ? zeros->data<std::uint8_t>().data() : nullptr;
        return {};
    }

    template <typename Index>
    FallbackReason gather(KernelContext& context) const {
        BlockTable table;
        if (const FallbackReason refused = table_of(context, table)) return refused;
        const Tensor& indices = context.input(1);
        const auto* const positions = indices.data<Index>().data();
        for (std::int64_t i = 0; i < indices.size(); ++i)
            if (positions[i] < -table.rows || positions[i] >= table.rows)
                return fallback::index_outside;
        const std::int64_t columns = table.row_bytes * (8 / bits_);
        Shape shape = indices.shape();
        shape.push_back(columns);
        Tensor& y = context.output(0, DType::f32, std::move(shape));
        if (y.size() == 0) return {};
        float* const to = y.mutable_data<float>().data();
        const auto body = [&](std::int64_t begin, std::int64_t end) {
            for (std::int64_t i = begin; i < end; ++i) {
                const std::int64_t row =
                    positions[i] < 0 ? positions[i] + table.rows : positions[i];
                if (bits_ == 4) read_row<4>(table, row, to + i * columns);
                else if (bits_ == 8) read_row<8>(table, row, to + i * columns);
                else read_row<2>(table, row, to + i * columns);
            }
        };
        if (y.size() <= grain_elements) body(0, indices.size());
        else
            context.threads().parallel_for(
                indices.size(), std::max<std::int64_t>(1, grain_elements / columns), body);
        return {};
    }

    int bits_;
    std::int64_t block_;
};

}  // namespace

std::unique_ptr<Kernel> make_gather_block_quantized(const KernelRequest& request,
                                                    std::string& reason) {
    const Node& node = request.node;
    const DType dtype = request.input_type(0).dtype;
    const std::int64_t bits = node.int_attribute("bits", 4),
                       block = node.int_attribute("block_size", 128);
    if (dtype != DType::u8) {
        reason =
            "element type " + std::string(name_of(dtype)) + " is served by the reference kernel";
    } else if (node.int_attribute("gather_axis", 0) != 0 ||
               node.int_attribute("quantize_axis", 1) != 1) {
        reason = "only rows of tables with blocks along a row have a fast kernel";
    } else if ((bits != 2 && bits != 4 && bits != 8) || block < 1) {
        reason = "elements of " + std::to_string(bits) + " bits in blocks of " +
                 std::to_string(block) + " are served by the reference kernel";
    } else {
        return std::make_unique<GatherBlocksKernel>(static_cast<int>(bits), block);
    }
    return nullptr;
}

}  // namespace lapidary
