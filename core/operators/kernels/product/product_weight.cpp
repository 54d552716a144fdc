// SPDX-License-Identifier: Apache-2.0
#include "kernels/product/product_weight.h"

#include <algorithm>
#include <string>
#include <vector>

#include "kernels/vector/elementwise/elementwise.h"

namespace lapidary {

void ProductWeight::put(Product& product, std::int64_t index) const {
    const std::int64_t first = index * matrix_elements();
    product.packed_b = nullptr;
    product.packed_half_b = nullptr;
    product.b = nullptr;
    if (half) {
        product.packed_half_b = packed->as<std::uint16_t>() + first;
        product.half_format = *half;
        product.rounds_a = rounds_inputs;
        return;
    }
    (is_transposed() ? product.b : product.packed_b) = packed->as<float>() + first;
    product.b_stride = inner;
    product.transposed_b = true;
}

void ProductWeight::allow_rounding(DType to) {
    rounds_inputs = half && to == (*half == HalfFormat::binary16 ? DType::f16 : DType::bf16);
}

std::int64_t ProductWeight::matrix_elements() const {
    const std::int64_t line = 64 / element_bytes(),
                       rows = half ? packed_matrix::half_rows(*half, inner) : inner;
    const auto floats =
                   static_cast<std::int64_t>(packed_matrix::bytes(rows, columns) / sizeof(float)),
               elements = is_transposed() ? inner * columns : floats;
    return (elements + line - 1) / line * line;
}

namespace {

/// Lines of `count` values of a float32 or float16 tensor as floats. Of a deferred one they are
/// read part by part, so that it is never computed as a whole.
class Lines {
public:
    explicit Lines(const Tensor& source)
        : deferred_(source.is_deferred() && source.dtype() == DType::f32 ? &source : nullptr),
          raw_(deferred_ ? nullptr : source.raw()), is_half_(source.dtype() == DType::f16) {}
    /// `lines` lines from element `first` on; `stride` becomes the distance of the lines returned.
    const float* read(std::int64_t first, std::int64_t lines, std::int64_t count,
                      std::int64_t& stride) {
        if (!is_half_ && !deferred_) return static_cast<const float*>(raw_) + first;
        wide_.resize(static_cast<std::size_t>(lines * count));
        if (deferred_) read_parts(first, lines, count, stride);
        for (std::int64_t i = 0; is_half_ && i < lines; ++i)
            elementwise_kernels().widen_half(
                static_cast<const std::uint16_t*>(raw_) + first + i * stride,
                wide_.data() + i * count, count);
        stride = count;
        return wide_.data();
    }

private:
    void read_parts(std::int64_t first, std::int64_t lines, std::int64_t count,
                    std::int64_t stride) {
        const bool is_whole = stride == count;
        const auto bytes = [](std::int64_t floats) {
            return static_cast<std::size_t>(floats) * sizeof(float);
        };
        for (std::int64_t i = 0; i < (is_whole ? 1 : lines); ++i)
            deferred_->read(bytes(first + i * stride), bytes(is_whole ? lines * count : count),
                            reinterpret_cast<std::byte*>(wide_.data() + i * count));
    }

    const Tensor* deferred_;
    const void* raw_;
    bool is_half_;
    std::vector<float> wide_;
};

/// Lines of a tensor of 16-bit elements, which may be deferred or lie at an odd address.
class HalfLines {
public:
    explicit HalfLines(const Tensor& source) : source_(source) {
        if (source.is_deferred()) return;
        const std::byte* const bytes = source.bytes().data();
        if (reinterpret_cast<std::uintptr_t>(bytes) % alignof(std::uint16_t) == 0)
            elements_ = reinterpret_cast<const std::uint16_t*>(bytes);
    }
    /// As Lines::read().
    const std::uint16_t* read(std::int64_t first, std::int64_t lines, std::int64_t count,
                              std::int64_t& stride) {
        if (elements_) return elements_ + first;
        copy_.resize(static_cast<std::size_t>(lines * count));
        const std::int64_t at_once = stride == count ? lines : 1;
        for (std::int64_t i = 0; i < lines; i += at_once)
            source_.read(static_cast<std::size_t>(first + i * stride) * 2,
                         static_cast<std::size_t>(at_once * count) * 2,
                         reinterpret_cast<std::byte*>(copy_.data() + i * count));
        stride = count;
        return copy_.data();
    }

private:
    const Tensor& source_;
    const std::uint16_t* elements_ = nullptr;
    std::vector<std::uint16_t> copy_;
};

std::string format_of(const ProductWeight& weight, bool turned) {
    return std::string(weight.half              ? "16-bit "
                       : weight.is_transposed() ? "product rows"
                                                : "") +
           (weight.is_transposed() ? "" : packed_matrix::format()) + (turned ? " turned " : " ") +
           std::to_string(weight.inner) + "x" + std::to_string(weight.columns);
}

/// How a matrix of 16 bits is packed in parts: some rows of all panels, which are
/// contiguous in the source, or a panel where the source is transposed.
class HalfPacking {
public:
    HalfPacking(const ProductWeight& weight, const Tensor& half, bool is_transposed)
        : half_(half), format_(*weight.half), inner_(weight.inner), columns_(weight.columns),
          elements_(weight.matrix_elements()), is_transposed_(is_transposed) {}

    std::int64_t parts() const {
        return is_transposed_ ? packed_matrix::panels(columns_) : (inner_ + rows - 1) / rows;
    }
    void pack(HalfLines& lines, std::int64_t matrix, std::int64_t part, std::uint16_t* to) const {
        to += matrix * elements_;
        const std::int64_t first = matrix * inner_ * columns_;
        std::int64_t stride = is_transposed_ ? inner_ : columns_;
        if (is_transposed_) {
            const std::int64_t column = packed_matrix::panel_begin(columns_, part),
                               count = packed_matrix::panel_begin(columns_, part + 1) - column;
            const std::uint16_t* from = lines.read(first + column * inner_, count, inner_, stride);
            packed_matrix::pack_half_panel(from, stride, true, format_, inner_, count,
                                           to + column * packed_matrix::half_rows(format_, inner_));
            return;
        }
        const std::int64_t k = part * rows, count = std::min(rows, inner_ - k);
        const std::uint16_t* from = lines.read(first + k * columns_, count, columns_, stride);
        for (std::int64_t panel = 0; panel < packed_matrix::panels(columns_); ++panel)
            pack_rows(from, stride, panel, k, count, to);
    }
    const Tensor& half() const { return half_; }

private:
    static constexpr std::int64_t rows = 64;

    /// Rows [k, k + count) of a panel; `from` is the first of the matrix.
    void pack_rows(const std::uint16_t* from, std::int64_t stride, std::int64_t panel,
                   std::int64_t k, std::int64_t count, std::uint16_t* to) const {
        const std::int64_t column = packed_matrix::panel_begin(columns_, panel),
                           width = packed_matrix::panel_begin(columns_, panel + 1) - column;
        packed_matrix::pack_half_panel(from + column, stride, false, format_, count, width,
                                       to + column * packed_matrix::half_rows(format_, inner_) +
                                           k * packed_matrix::panel_stride(width));
    }

    Tensor half_;
    HalfFormat format_;
    std::int64_t inner_, columns_, elements_;
    bool is_transposed_;
};

ProductWeight pack_halves(WeightStore& weights, const Tensor& half, std::int64_t matrices,
                          std::int64_t inner, std::int64_t columns, bool turned) {
    ProductWeight weight{nullptr, inner, columns,
                         half.dtype() == DType::f16 ? HalfFormat::binary16 : HalfFormat::bfloat16};
    const HalfPacking packing(weight, half, turned);
    const std::int64_t parts = packing.parts();
    weight.packed = weights.add(
        half, format_of(weight, turned),
        static_cast<std::size_t>(weight.matrix_elements() * matrices) * 2, matrices * parts,
        [packing, parts](std::byte* to, std::int64_t begin, std::int64_t end) {
            HalfLines lines(packing.half());
            for (std::int64_t unit = begin; unit < end; ++unit)
                packing.pack(lines, unit / parts, unit % parts,
                             reinterpret_cast<std::uint16_t*>(to));
        });
    return weight;
}

}  // namespace

ProductWeight pack_weight(WeightStore& weights, const Tensor& source, std::int64_t matrices,
                          std::int64_t inner, std::int64_t columns, bool turned) {
    const Tensor half = source.dtype() == DType::f16 ? source : source.widened_from();
    if (half && columns > 4) return pack_halves(weights, half, matrices, inner, columns, turned);
    ProductWeight weight{nullptr, inner, columns, {}};
    const std::int64_t floats = weight.matrix_elements(),
                       panels = weight.is_transposed() ? 1 : packed_matrix::panels(columns);
    // pack_panel() takes floats at any address; the other ways read element by element. The store
    // keeps the source.
    const bool as_it_lies = source.dtype() == DType::f32 && !weight.is_transposed();
    Tensor view = source;
    if (!source.is_deferred()) {
        const void* raw = as_it_lies ? source.bytes().data() : source.raw();
        view = Tensor::borrow(source.dtype(), source.shape(), const_cast<void*>(raw), nullptr);
    }
    weight.packed = weights.add(
        source, format_of(weight, turned),
        static_cast<std::size_t>(floats * matrices) * sizeof(float), matrices * panels,
        [=](std::byte* to, std::int64_t begin, std::int64_t end) {
            Lines lines(view);
            for (std::int64_t unit = begin; unit < end; ++unit) {
                const std::int64_t matrix = unit / panels, panel = unit % panels;
                float* target = reinterpret_cast<float*>(to) + matrix * floats;
                std::int64_t stride = turned ? inner : columns;
                if (weight.is_transposed()) {
                    const float* from = lines.read(matrix * inner * columns,
                                                   turned ? columns : inner, stride, stride);
                    for (std::int64_t j = 0; j < columns; ++j)
                        for (std::int64_t k = 0; k < inner; ++k)
                            target[j * inner + k] = from[turned ? j * inner + k : k * columns + j];
                    continue;
                }
                const std::int64_t first = packed_matrix::panel_begin(columns, panel);
                const std::int64_t count = packed_matrix::panel_begin(columns, panel + 1) - first;
                const float* from =
                    lines.read(matrix * inner * columns + first * (turned ? inner : 1),
                               turned ? count : inner, turned ? inner : count, stride);
                packed_matrix::pack_panel(from, stride, turned, inner, count,
                                          target + first * inner);
            }
        });
    return weight;
}

}  // namespace lapidary
