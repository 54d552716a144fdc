// SPDX-License-Identifier: Apache-2.0
#include "kernels/product/product_weight.h"

#include <string>
#include <vector>

#include "kernels/vector/elementwise/elementwise.h"

namespace lapidary {

void ProductWeight::put(Product& product, std::int64_t index) const {
    const float* matrix = packed->as<float>() + index * matrix_floats();
    product.packed_b = is_transposed() ? nullptr : matrix;
    product.b = is_transposed() ? matrix : nullptr;
    product.b_stride = inner;
    product.transposed_b = true;
}

std::int64_t ProductWeight::matrix_floats() const {
    if (is_transposed()) return (inner * columns + 15) / 16 * 16;
    return static_cast<std::int64_t>((packed_matrix::bytes(inner, columns) + 63) / 64 * 64 /
                                     sizeof(float));
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

}  // namespace

ProductWeight pack_weight(WeightStore& weights, const Tensor& source, std::int64_t matrices,
                          std::int64_t inner, std::int64_t columns, bool turned) {
    ProductWeight weight{nullptr, inner, columns};
    const std::int64_t floats = weight.matrix_floats(),
                       panels = weight.is_transposed() ? 1 : packed_matrix::panels(columns);
    const std::string format =
        std::string(weight.is_transposed() ? "product rows" : packed_matrix::format()) +
        (turned ? " turned " : " ") + std::to_string(inner) + "x" + std::to_string(columns);
    // pack_panel() takes floats at any address; the other ways read element by element. The store
    // keeps the source.
    const bool as_it_lies = source.dtype() == DType::f32 && !weight.is_transposed();
    Tensor view = source;
    if (!source.is_deferred()) {
        const void* raw = as_it_lies ? source.bytes().data() : source.raw();
        view = Tensor::borrow(source.dtype(), source.shape(), const_cast<void*>(raw), nullptr);
    }
    weight.packed = weights.add(
        source, format, static_cast<std::size_t>(floats * matrices) * sizeof(float),
        matrices * panels, [=](std::byte* to, std::int64_t begin, std::int64_t end) {
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
