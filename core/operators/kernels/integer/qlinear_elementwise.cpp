// SPDX-License-Identifier: Apache-2.0
// QLinearAdd and QLinearMul with broadcasting; QLinearSigmoid and QLinearLeakyRelu through a table
// of 256 bytes; QLinearSoftmax.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

#include "kernels/input_index.h"
#include "kernels/integer/quantization_input.h"
#include "kernels/integer/workspace.h"
#include "kernels/vector/integer/byte_pool.h"
#include "ops/geometry/broadcast.h"

namespace lapidary {
namespace {

constexpr std::size_t most_axes = 8;

std::string why_not_bytes(const KernelRequest& request, std::size_t first, DType dtype,
                          const char* name) {
    const DType found = request.input_type(first).dtype;
    if (!is_byte(found))
        return found == DType::undefined
                   ? std::string("the element type of ") + name + " is not known"
                   : std::string(name) + " is " + std::string(name_of(found)) +
                         ", this kernel takes u8 and i8";
    if (found != dtype) return "operands and result differ in sign";
    return {};
}

/// Scale at `first`, zero point after it.
std::string why_not_scale(const KernelRequest& request, std::size_t first, DType dtype,
                          const char* name) {
    if (std::string reason = why_not_type(request, first, DType::f32, "a scale"); !reason.empty())
        return reason;
    if (std::string reason = why_not_one(request, first, "a scale"); !reason.empty()) return reason;
    if (!request.has_input(first + 1)) return {};
    if (std::string reason = why_not_one(request, first + 1, "a zero point"); !reason.empty())
        return reason;
    const DType zero = request.input_type(first + 1).dtype;
    return zero == dtype
               ? std::string()
               : std::string("the zero point of ") + name + " is " + std::string(name_of(zero)) +
                     ", the operands are " + std::string(name_of(dtype));
}

/// Two operands broadcast to one shape as lines: `inner` elements in which each operand either
/// advances or repeats one.
struct Lines {
    std::int64_t inner = 1, outer = 1;
    int a_step = 0, b_step = 0;
    std::size_t axes = 0;  // outer ones
    std::array<std::int64_t, most_axes> length{}, a_stride{}, b_stride{};

    Lines(const Shape& shape, const Shape& a, const Shape& b) {
        std::int64_t a_size = 1, b_size = 1;
        bool is_inner = true, is_first = true;
        for (std::size_t i = shape.size(); i-- > 0;) {
            const auto dim = [&](const Shape& s) {
                return i + s.size() >= shape.size() ? s[i + s.size() - shape.size()] : 1;
            };
            const std::int64_t n = shape[i], an = dim(a), bn = dim(b);
            if (n == 1) continue;
            const int as = an != 1, bs = bn != 1;
            if (is_first || (is_inner && as == a_step && bs == b_step)) {
                is_first = false;
                a_step = as;
                b_step = bs;
                inner *= n;
            } else {
                is_inner = false;
                length[axes] = n;
                a_stride[axes] = as ? a_size : 0;
                b_stride[axes++] = bs ? b_size : 0;
                outer *= n;
            }
            a_size *= an;
            b_size *= bn;
        }
    }
    /// True where one operand has the shape of the result and the other one, of `size` elements, is
    /// repeated for every line.
    bool repeats(std::int64_t size, const std::array<std::int64_t, most_axes>& stride,
                 int step) const {
        return step == 1 && size == inner &&
               std::all_of(stride.begin(), stride.begin() + static_cast<std::ptrdiff_t>(axes),
                           [](std::int64_t s) { return s == 0; });
    }
    void place(std::int64_t line, std::int64_t& a, std::int64_t& b) const {
        a = b = 0;
        for (std::size_t i = 0; i < axes; ++i) {
            a += line % length[i] * a_stride[i];
            b += line % length[i] * b_stride[i];
            line /= length[i];
        }
    }
};

class QLinearBinary final : public Kernel {
public:
    QLinearBinary(bool is_product, DType dtype) : is_product_(is_product), dtype_(dtype) {}
    StorageSharing sharing() const override {
        return {StorageSharing::overwrite, 1u | 1u << qlinear_binary_input::b};
    }
    void run(KernelContext& context) const override {
        const Tensor &a = context.input(0), &b = context.input(qlinear_binary_input::b);
        if (a.dtype() != dtype_ || b.dtype() != dtype_)
            context.fail("operands: expected " + std::string(name_of(dtype_)));
        const ByteScale a_scale = byte_scale_of(context, 1),
                        b_scale = byte_scale_of(context, qlinear_binary_input::b_scale),
                        y_scale = byte_scale_of(context, qlinear_binary_input::c_scale);
        const Shape shape = broadcast_shapes(a.shape(), b.shape());
        if (shape.size() > most_axes)
            context.fail("operands have more than " + std::to_string(most_axes) + " axes");
        const Lines lines(shape, a.shape(), b.shape());
        const auto *pa = static_cast<const std::byte*>(a.raw()),
                   *pb = static_cast<const std::byte*>(b.raw());
        Tensor& y = context.output(0, dtype_, shape);
        if (y.size() == 0) return;
        auto* to = static_cast<std::byte*>(y.mutable_raw());
        const ByteElementKernels& kernels = byte_element_kernels();
        const auto combine = is_product_ ? kernels.multiply : kernels.add;
        const auto stretch = [&](std::int64_t line, std::int64_t begin, std::int64_t end) {
            std::int64_t at_a, at_b;
            lines.place(line, at_a, at_b);
            combine(pa + at_a + lines.a_step * begin, lines.a_step, a_scale,
                    pb + at_b + lines.b_step * begin, lines.b_step, b_scale, end - begin, y_scale,
                    dtype_ == DType::i8, to + line * lines.inner + begin);
        };
        if (lines.outer == 1) {
            if (y.size() <= converted_grain) stretch(0, 0, lines.inner);
            else
                context.threads().parallel_for(
                    lines.inner, converted_grain,
                    [&](std::int64_t begin, std::int64_t end) { stretch(0, begin, end); });
            return;
        }
        const bool repeats_a = b.size() == y.size() &&
                               lines.repeats(a.size(), lines.a_stride, lines.a_step),
                   repeats_b = a.size() == y.size() &&
                               lines.repeats(b.size(), lines.b_stride, lines.b_step);
        if (lines.inner <= short_line && (repeats_a || repeats_b)) {
            const Repeated small(context, repeats_a ? pa : pb, lines.inner);
            for_each_stretch(context, y.size(), small.size(),
                             [&](std::int64_t begin, std::int64_t count) {
                                 combine(repeats_a ? small.bytes() : pa + begin, 1, a_scale,
                                         repeats_b ? small.bytes() : pb + begin, 1, b_scale, count,
                                         y_scale, dtype_ == DType::i8, to + begin);
                             });
            return;
        }
        const auto rows = [&](std::int64_t begin, std::int64_t end) {
            for (std::int64_t line = begin; line < end; ++line) stretch(line, 0, lines.inner);
        };
        if (y.size() <= converted_grain) rows(0, lines.outer);
        else
            context.threads().parallel_for(
                lines.outer, std::max<std::int64_t>(1, converted_grain / lines.inner), rows);
    }

private:
    static constexpr std::int64_t short_line = 256, repeated_bytes = 2048;

    /// A line, over and over.
    class Repeated {
    public:
        Repeated(KernelContext& context, const std::byte* line, std::int64_t bytes)
            : size_(std::max<std::int64_t>(1, repeated_bytes / bytes) * bytes),
              work_(context, {{Part::lines, static_cast<std::size_t>(size_)}}),
              bytes_(work_.part<std::byte>(Part::lines)) {
            for (std::int64_t at = 0; at < size_; at += bytes)
                std::memcpy(bytes_ + at, line, static_cast<std::size_t>(bytes));
        }
        std::int64_t size() const { return size_; }
        const std::byte* bytes() const { return bytes_; }

    private:
        enum class Part : std::uint8_t { lines };
        std::int64_t size_;
        Workspace<Part> work_;
        std::byte* bytes_;
    };

    /// Calls body(begin, count) for stretches of `step` elements, each begun at a multiple of it.
    template <typename Body>
    static void for_each_stretch(KernelContext& context, std::int64_t size, std::int64_t step,
                                 const Body& body) {
        const std::int64_t stretches = (size + step - 1) / step;
        const auto some = [&](std::int64_t begin, std::int64_t end) {
            for (std::int64_t i = begin; i < end; ++i)
                body(i * step, std::min(step, size - i * step));
        };
        if (size <= converted_grain) some(0, stretches);
        else
            context.threads().parallel_for(stretches,
                                           std::max<std::int64_t>(1, converted_grain / step), some);
    }

    bool is_product_;
    DType dtype_;
};

std::unique_ptr<Kernel> make_binary(const KernelRequest& request, bool is_product,
                                    std::string& reason) {
    const DType dtype = request.input_type(0).dtype;
    reason = why_not_bytes(request, 0, dtype, "A");
    if (reason.empty()) reason = why_not_bytes(request, 3, dtype, "B");
    const struct {
        std::size_t first;
        const char* name;
    } scales[] = {{1, "A"}, {4, "B"}, {6, "the result"}};
    for (const auto& s : scales)
        if (reason.empty()) reason = why_not_scale(request, s.first, dtype, s.name);
    for (const std::size_t i : {std::size_t{0}, std::size_t{3}})
        if (const Type& t = request.input_type(i);
            reason.empty() && (!t.has_shape() || t.shape->size() > most_axes))
            reason = "an operand has more than " + std::to_string(most_axes) +
                     " axes, or their number is not known";
    return reason.empty() ? std::make_unique<QLinearBinary>(is_product, dtype) : nullptr;
}

float logistic(float x) {
    return x >= 0 ? 1.0f / (1.0f + std::exp(-x)) : std::exp(x) / (1.0f + std::exp(x));
}

/// y = f(x) where f is known for each of the 256 bytes.
class QLinearUnary final : public Kernel {
public:
    QLinearUnary(const Node& node, DType dtype, bool is_sigmoid)
        : dtype_(dtype), is_sigmoid_(is_sigmoid), alpha_(node.float_attribute("alpha", 0.01f)) {}
    StorageSharing sharing() const override { return {StorageSharing::overwrite, 1u}; }
    void run(KernelContext& context) const override {
        const Tensor& x = context.input(0);
        if (x.dtype() != dtype_)
            context.fail("x: expected " + std::string(name_of(dtype_)) + ", found " +
                         std::string(name_of(x.dtype())));
        const ByteElementKernels& kernels = byte_element_kernels();
        std::array<std::uint8_t, 256> table;
        std::array<float, 256> values;
        for (std::size_t i = 0; i < 256; ++i) table[i] = static_cast<std::uint8_t>(i);
        kernels.dequantize(table.data(), 256, byte_scale_of(context, 1), dtype_ == DType::i8,
                           values.data());
        for (float& v : values) v = is_sigmoid_ ? logistic(v) : v < 0 ? alpha_ * v : v;
        kernels.quantize(values.data(), 256, byte_scale_of(context, qlinear_unary_input::y_scale),
                         dtype_ == DType::i8, table.data());
        const auto* from = static_cast<const std::byte*>(x.raw());
        auto* to = static_cast<std::byte*>(context.output(0, dtype_, x.shape()).mutable_raw());
        const auto body = [&](std::int64_t begin, std::int64_t end) {
            kernels.look_up(table.data(), from + begin, end - begin, to + begin);
        };
        if (x.size() <= converted_grain) body(0, x.size());
        else context.threads().parallel_for(x.size(), converted_grain, body);
    }

private:
    DType dtype_;
    bool is_sigmoid_;
    float alpha_;
};

std::string why_not_unary(const KernelRequest& request) {
    const DType dtype = request.input_type(0).dtype;
    std::string reason = why_not_bytes(request, 0, dtype, "x");
    if (reason.empty()) reason = why_not_scale(request, 1, dtype, "x");
    if (reason.empty()) reason = why_not_scale(request, 3, dtype, "the result");
    return reason;
}

/// Softmax along one axis, or over everything from `axis` on before opset 13.
class QLinearSoftmax final : public Kernel {
public:
    QLinearSoftmax(const Node& node, DType dtype)
        : dtype_(dtype), is_flat_(node.int_attribute("opset", 13) < 13),
          axis_(node.int_attribute("axis", is_flat_ ? 1 : -1)) {}
    void run(KernelContext& context) const override {
        const Tensor& x = context.input(0);
        const auto rank = static_cast<std::int64_t>(x.rank());
        const std::int64_t axis = axis_ < 0 ? axis_ + rank : axis_;
        if (x.dtype() != dtype_ || axis < 0 || axis > rank || (!is_flat_ && axis == rank))
            context.fail("x " + to_string(x.shape()) + " does not fit axis " +
                         std::to_string(axis_));
        std::int64_t length = 1, inner = 1;
        for (std::int64_t i = axis; i < rank; ++i)
            (is_flat_ || i == axis ? length : inner) *= x.dim(static_cast<std::size_t>(i));
        Tensor& y = context.output(0, dtype_, x.shape());
        if (y.size() == 0) return;
        const auto* from = static_cast<const std::byte*>(x.raw());
        auto* to = static_cast<std::byte*>(y.mutable_raw());
        if (inner == 1) along(context, from, x.size(), length, to);
        else across(context, from, x.size(), length, inner, to);
    }

private:
    /// Calls body(task, floats of the worker) for tasks [0, tasks).
    template <typename Body>
    static void with_floats(KernelContext& context, std::int64_t tasks, std::int64_t floats,
                            const Body& body) {
        const auto bytes = (static_cast<std::size_t>(floats) * sizeof(float) + 63) / 64 * 64;
        enum class Part : std::uint8_t { lines };
        Workspace<Part> work(
            context,
            {{Part::lines, bytes * static_cast<std::size_t>(context.threads().threads())}});
        const auto one = [&](std::int64_t task, int worker) {
            body(task, reinterpret_cast<float*>(work.template part<std::byte>(Part::lines) +
                                                bytes * static_cast<std::size_t>(worker)));
        };
        if (tasks == 1) one(0, 0);
        else context.threads().parallel_tasks(tasks, one);
    }

    /// Lines of neighbouring elements.
    void along(KernelContext& context, const std::byte* from, std::int64_t size,
               std::int64_t length, std::byte* to) const {
        const ByteScale x = byte_scale_of(context, 1),
                        y = byte_scale_of(context, qlinear_unary_input::y_scale);
        const std::int64_t lines = size / length,
                           block = std::max<std::int64_t>(1, converted_grain / 4 / length);
        with_floats(
            context, (lines + block - 1) / block, length, [&](std::int64_t task, float* values) {
                for (std::int64_t line = task * block; line < std::min(lines, (task + 1) * block);
                     ++line)
                    byte_pool_kernels().softmax(from + line * length, length, x, y,
                                                dtype_ == DType::i8, values, to + line * length);
            });
    }

    /// Lines whose elements are `inner` apart.
    void across(KernelContext& context, const std::byte* from, std::int64_t size,
                std::int64_t length, std::int64_t inner, std::byte* to) const {
        const ByteScale x = byte_scale_of(context, 1),
                        y = byte_scale_of(context, qlinear_unary_input::y_scale);
        const std::int64_t block = softmax_columns *
                                   std::max<std::int64_t>(
                                       1, converted_grain / 4 / softmax_columns / length),
                           blocks = (inner + block - 1) / block;
        with_floats(context, size / length / inner * blocks, length * softmax_columns,
                    [&](std::int64_t task, float* values) {
                        const std::int64_t column = task % blocks * block,
                                           at = task / blocks * length * inner + column;
                        byte_pool_kernels().softmax_across(from + at, length, inner,
                                                           std::min(block, inner - column), x, y,
                                                           dtype_ == DType::i8, values, to + at);
                    });
    }

    DType dtype_;
    bool is_flat_;
    std::int64_t axis_;
};

}  // namespace

std::unique_ptr<Kernel> make_qlinear_add(const KernelRequest& request, std::string& reason) {
    return make_binary(request, false, reason);
}
std::unique_ptr<Kernel> make_qlinear_mul(const KernelRequest& request, std::string& reason) {
    return make_binary(request, true, reason);
}

std::unique_ptr<Kernel> make_qlinear_sigmoid(const KernelRequest& request, std::string& reason) {
    reason = why_not_unary(request);
    return reason.empty()
               ? std::make_unique<QLinearUnary>(request.node, request.input_type(0).dtype, true)
               : nullptr;
}

std::unique_ptr<Kernel> make_qlinear_leaky_relu(const KernelRequest& request, std::string& reason) {
    reason = why_not_unary(request);
    return reason.empty()
               ? std::make_unique<QLinearUnary>(request.node, request.input_type(0).dtype, false)
               : nullptr;
}

std::unique_ptr<Kernel> make_qlinear_softmax(const KernelRequest& request, std::string& reason) {
    reason = why_not_unary(request);
    const Type& x = request.input_type(0);
    const std::int64_t opset = request.node.int_attribute("opset", 13);
    if (reason.empty() && opset < 1) reason = "the attribute opset is " + std::to_string(opset);
    return reason.empty() ? std::make_unique<QLinearSoftmax>(request.node, x.dtype) : nullptr;
}

}  // namespace lapidary
