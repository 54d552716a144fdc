// SPDX-License-Identifier: Apache-2.0
// QLinearConcat: an input that has the scale and zero point of the result is copied, any other goes
// through a table of the 256 bytes that it may hold.
#include <algorithm>
#include <array>
#include <cstring>

#include "kernels/integer/quantization_input.h"
#include "kernels/integer/workspace.h"
#include "ops/geometry/broadcast.h"

namespace lapidary {

namespace reference {
void qlinear_concat(KernelContext&);
}

namespace {

// after scale and zero point of the result
constexpr std::size_t first_part = 2, inputs_per_part = 3;

/// One input: it fills a range of bytes in every row of the result.
struct JoinedPart {
    const std::byte* from = nullptr;
    const std::uint8_t* table = nullptr;  // null: bytes stay as they are
    std::int64_t at = 0, bytes = 0;       // within a row
};

/// The result as rows that hold a run of bytes of each part, one after the other.
struct JoinedRows {
    const JoinedPart* parts;
    std::size_t count;
    std::int64_t bytes;  // of one row
    std::byte* to;

    /// Columns [begin, end) of `rows` rows from `row` on.
    void fill(std::int64_t row, std::int64_t rows, std::int64_t begin, std::int64_t end) const {
        for (const JoinedPart* p = parts; p != parts + count; ++p) {
            const std::int64_t first = std::max(begin, p->at),
                               width = std::min(end, p->at + p->bytes) - first;
            if (width <= 0) continue;
            const std::byte* source = p->from + row * p->bytes + first - p->at;
            std::byte* target = to + row * bytes + first;
            if (p->table) {
                byte_element_kernels().look_up_rows(p->table, source, p->bytes, width, rows, target,
                                                    bytes);
                continue;
            }
            for (std::int64_t r = 0; r < rows; ++r)
                std::memcpy(target + r * bytes, source + r * p->bytes,
                            static_cast<std::size_t>(width));
        }
    }
    /// Bytes [begin, end) of the result.
    void fill(std::int64_t begin, std::int64_t end) const {
        while (begin < end) {
            const std::int64_t row = begin / bytes, column = begin % bytes;
            if (column == 0 && end - begin >= bytes) {
                const std::int64_t whole = (end - begin) / bytes;
                fill(row, whole, 0, bytes);
                begin += whole * bytes;
            } else {
                const std::int64_t last = std::min(bytes, column + end - begin);
                fill(row, 1, column, last);
                begin += last - column;
            }
        }
    }
};

class QLinearConcat final : public Kernel {
public:
    QLinearConcat(std::int64_t axis, DType dtype) : axis_(axis), dtype_(dtype) {}

    void run(KernelContext& context) const override {
        Shape shape;
        std::int64_t rows = 1;
        if (!join(context, shape, rows))
            return context.run_on_reference(reference::qlinear_concat, fallback::shapes);
        Tensor& y = context.output(0, dtype_, std::move(shape));
        if (y.size() == 0) return;
        const std::size_t count = (context.input_count() - first_part) / inputs_per_part;
        enum class Piece : std::uint8_t { parts, tables };
        Workspace<Piece> work(context, {{Piece::parts, count * sizeof(JoinedPart)},
                                        {Piece::tables, count * table_size}});
        JoinedPart* const parts = work.part<JoinedPart>(Piece::parts);
        const ByteScale to = byte_scale_of(context, 0);
        std::int64_t at = 0;
        for (std::size_t i = 0; i < count; ++i) {
            const std::size_t input = first_part + i * inputs_per_part;
            const Tensor& x = context.input(input);
            const std::uint8_t* table =
                fill_table(x.dtype(), byte_scale_of(context, input + 1), to,
                           work.part<std::uint8_t>(Piece::tables) + i * table_size);
            parts[i] = {static_cast<const std::byte*>(x.raw()), table, at, x.size() / rows};
            at += parts[i].bytes;
        }
        const JoinedRows whole{parts, count, at, static_cast<std::byte*>(y.mutable_raw())};
        if (y.size() <= converted_grain) whole.fill(0, y.size());
        else
            context.threads().parallel_for(y.size(), converted_grain,
                                           [&](std::int64_t begin, std::int64_t end) {
                                               context.cancel().throw_if_cancelled();
                                               whole.fill(begin, end);
                                           });
    }

private:
    static constexpr std::size_t table_size = 256;

    /// The shape of the result and how many rows it has; false where inputs do not go together.
    bool join(const KernelContext& context, Shape& shape, std::int64_t& rows) const {
        const Tensor& first = context.input(first_part);
        const std::int64_t rank = first.rank(), named = axis_ < 0 ? axis_ + rank : axis_;
        if (named < 0 || named >= rank) return false;
        const auto axis = static_cast<std::size_t>(named);
        shape = first.shape();
        for (std::size_t d = 0; d < axis; ++d) rows *= shape[d];
        shape[axis] = 0;
        constexpr std::int64_t longest = std::int64_t{1} << 40;
        for (std::size_t i = first_part; i < context.input_count(); i += inputs_per_part) {
            const Tensor& x = context.input(i);
            if (!is_byte(x.dtype()) || x.rank() != rank) return false;
            for (std::size_t d = 0; d < shape.size(); ++d)
                if (d != axis && x.dim(d) != shape[d]) return false;
            shape[axis] += x.dim(axis);
            if (shape[axis] > longest) return false;
        }
        return true;
    }

    /// The table of requantized bytes; null where bytes do not change.
    const std::uint8_t* fill_table(DType from, ByteScale x, ByteScale to,
                                   std::uint8_t* table) const {
        if (from == dtype_ && x.scale == to.scale && x.zero_point == to.zero_point) return nullptr;
        std::array<std::uint8_t, table_size> bytes;
        std::array<float, table_size> values;
        for (std::size_t i = 0; i < table_size; ++i) bytes[i] = static_cast<std::uint8_t>(i);
        const ByteElementKernels& kernels = byte_element_kernels();
        kernels.dequantize(bytes.data(), table_size, x, from == DType::i8, values.data());
        kernels.quantize(values.data(), table_size, to, dtype_ == DType::i8, table);
        return std::memcmp(bytes.data(), table, table_size) == 0 ? nullptr : table;
    }

    std::int64_t axis_;
    DType dtype_;
};

}  // namespace

std::unique_ptr<Kernel> make_qlinear_concat(const KernelRequest& request, std::string& reason) {
    const std::size_t inputs = request.node.inputs.size();
    const DType dtype = request.input_type(1).dtype;
    if (inputs < first_part + inputs_per_part || (inputs - first_part) % inputs_per_part != 0)
        reason =
            "it has " + std::to_string(inputs) + " inputs, which are no 2 and 3 for each tensor";
    else if (!is_byte(dtype)) reason = "the zero point of the result is not known to be u8 or i8";
    for (std::size_t i = 0; i < inputs && reason.empty();
         i += i == 0 ? first_part : inputs_per_part) {
        const std::size_t scale = i == 0 ? 0 : i + 1;
        const DType found = i == 0 ? dtype : request.input_type(i).dtype;
        if (!is_byte(found)) reason = "input " + std::to_string(i) + " is not known to be u8 or i8";
        if (reason.empty()) reason = why_not_type(request, scale, DType::f32, "a scale");
        if (reason.empty()) reason = why_not_one(request, scale, "a scale");
        if (reason.empty()) reason = why_not_type(request, scale + 1, found, "a zero point");
        if (reason.empty()) reason = why_not_one(request, scale + 1, "a zero point");
    }
    if (!reason.empty()) return nullptr;
    return std::make_unique<QLinearConcat>(request.node.int_attribute("axis", 1), dtype);
}

}  // namespace lapidary
