// SPDX-License-Identifier: Apache-2.0
// ReduceSum, Mean, L1, L2, SumSquare, Max and Min of float tensors whose reduced axes are
// neighbours, and of the small integer tensors that shapes are computed with; other types and axes
// by the reference kernels.
#include <cmath>

#include "kernels/elementwise/broadcast_walk.h"
#include "kernels/elementwise/reference_kernels.h"
#include "kernels/movement/small_ints.h"
#include "kernels/vector/reduction/reduction.h"
#include "ops/geometry/reduced_axes.h"

namespace lapidary {
namespace {

enum class Finish { none, mean, root };

struct Reduction {
    std::string_view op_type;
    ReductionKind kind;
    Finish finish;
    KernelFunction reference;
    std::int64_t axes_input_since;
};

constexpr Reduction reductions[] = {
    {"ReduceSum", ReductionKind::sum, Finish::none, reference::reduce_sum, 13},
    {"ReduceMean", ReductionKind::sum, Finish::mean, reference::reduce_mean, 18},
    {"ReduceL1", ReductionKind::magnitudes, Finish::none, reference::reduce_l1, 18},
    {"ReduceL2", ReductionKind::squares, Finish::root, reference::reduce_l2, 18},
    {"ReduceSumSquare", ReductionKind::squares, Finish::none, reference::reduce_sum_square, 18},
    {"ReduceMax", ReductionKind::max, Finish::none, reference::reduce_max, 18},
    {"ReduceMin", ReductionKind::min, Finish::none, reference::reduce_min, 18},
    {"ReduceProd", ReductionKind::count, Finish::none, reference::reduce_prod, 18},
};

class ReductionKernel final : public Kernel {
public:
    ReductionKernel(const Reduction& op, bool axes_are_input, const SmallInts& axes, bool keeps,
                    bool nothing_without)
        : op_(op), table_(reduction_kernels()), axes_(axes), axes_are_input_(axes_are_input),
          keeps_(keeps), nothing_without_(nothing_without) {}

    void run(KernelContext& context) const override {
        const Tensor& x = context.input(0);
        const Shape& dims = x.shape();
        const auto rank = static_cast<std::int64_t>(dims.size());
        SmallInts given;
        if (axes_are_input_) {
            const Tensor* tensor = context.optional_input(1);
            if (tensor && !given.read(*tensor))
                return context.run_on_reference(op_.reference, fallback::list_input);
        }
        const SmallInts& axes = axes_are_input_ ? given : axes_;
        const AxisSet reduced =
            reduced_axes({axes.values, axes.count}, dims.size(), nothing_without_);
        // [outer, length, inner] with everything reduced in the middle.
        std::int64_t outer = 1, length = 1, inner = 1;
        Shape shape;
        for (std::int64_t i = 0; i < rank; ++i) {
            const std::int64_t dim = dims[static_cast<std::size_t>(i)];
            const bool goes = reduced >> i & 1;
            if (!goes) shape.push_back(dim);
            else if (keeps_) shape.push_back(1);
            if (dim == 1) continue;
            if (goes && inner != 1)
                return context.run_on_reference(op_.reference,
                                                "axes that stay lie between the reduced ones");
            if (goes) length *= dim;
            else (length == 1 ? outer : inner) *= dim;
        }
        if (x.size() == 0) return context.run_on_reference(op_.reference, fallback::no_elements);
        if (reduced == 0) return context.run_on_reference(op_.reference, "no axis is reduced");
        if (x.dtype() == DType::f32 && op_.kind != ReductionKind::count)
            return reduce_floats(context, x, std::move(shape), outer, length, inner);
        if (x.dtype() == DType::i64 && inner == 1)
            return reduce_integers<std::int64_t>(context, x, std::move(shape), outer, length);
        if (x.dtype() == DType::i32 && inner == 1)
            return reduce_integers<std::int32_t>(context, x, std::move(shape), outer, length);
        context.run_on_reference(op_.reference, fallback::element_type);
    }

private:
    /// `x`: what was reduced, `length` elements `step` apart.
    float finished(double value, const float* x, std::int64_t length, std::int64_t step) const {
        if (op_.finish == Finish::mean) value /= static_cast<double>(length);
        if (op_.finish == Finish::root) value = root(value, x, length, step);
        return static_cast<float>(value);
    }

    /// Of a sum of squares, which is computed again where float may not have held them.
    static double root(double squares, const float* x, std::int64_t length, std::int64_t step) {
        constexpr double least = 1e-30, most = 1e36;
        if (!(squares > least && squares < most)) {
            squares = 0;
            for (std::int64_t i = 0; i < length; ++i) {
                const double v = x[i * step];
                squares += v * v;
            }
        }
        return std::sqrt(squares);
    }

    void reduce_floats(KernelContext& context, const Tensor& x, Shape shape, std::int64_t outer,
                       std::int64_t length, std::int64_t inner) const {
        auto* y =
            static_cast<float*>(context.output(0, DType::f32, std::move(shape)).mutable_raw());
        const auto* from = static_cast<const float*>(x.raw());
        if (inner == 1) {
            const auto function = table_.row[static_cast<int>(op_.kind)];
            const auto body = [&](std::int64_t begin, std::int64_t end) {
                for (std::int64_t o = begin; o < end; ++o)
                    y[o] =
                        finished(function(from + o * length, length), from + o * length, length, 1);
            };
            split(context, outer, length, body);
            return;
        }
        constexpr std::int64_t width = 64;
        const auto function = table_.column[static_cast<int>(op_.kind)];
        const std::int64_t tiles = (inner + width - 1) / width;
        split(context, outer * tiles, length * std::min(inner, width),
              [&](std::int64_t begin, std::int64_t end) {
                  double totals[width];
                  for (std::int64_t job = begin; job < end; ++job) {
                      const std::int64_t o = job / tiles, c = job % tiles * width,
                                         n = std::min(width, inner - c);
                      const float* const tile = from + o * length * inner + c;
                      function(tile, inner, length, n, totals);
                      for (std::int64_t j = 0; j < n; ++j)
                          y[o * inner + c + j] = finished(totals[j], tile + j, length, inner);
                  }
              });
    }

    /// body(begin, end) over [0, count) jobs of `elements` each.
    template <typename Body>
    static void split(KernelContext& context, std::int64_t count, std::int64_t elements,
                      const Body& body) {
        if (count * elements <= cheap_grain) return body(std::int64_t{0}, count);
        const CancelToken& cancel = context.cancel();
        const std::int64_t piece = std::max<std::int64_t>(1, (1 << 20) / elements);
        context.threads().parallel_for(count, std::max<std::int64_t>(1, cheap_grain / elements),
                                       [&](std::int64_t begin, std::int64_t end) {
                                           for (; begin < end; begin += piece) {
                                               cancel.throw_if_cancelled();
                                               body(begin, std::min(end, begin + piece));
                                           }
                                       });
    }

    /// Sums and products wrap around.
    template <typename T>
    void reduce_integers(KernelContext& context, const Tensor& x, Shape shape, std::int64_t outer,
                         std::int64_t length) const {
        if (op_.finish != Finish::none || op_.kind == ReductionKind::magnitudes ||
            op_.kind == ReductionKind::squares)
            return context.run_on_reference(op_.reference, fallback::element_type);
        const auto* from = static_cast<const T*>(x.raw());
        auto* y = static_cast<T*>(context.output(0, x.dtype(), std::move(shape)).mutable_raw());
        for (std::int64_t o = 0; o < outer; ++o, from += length) {
            std::uint64_t total = op_.kind == ReductionKind::count ? 1 : 0;
            T extreme = from[0];
            for (std::int64_t i = 0; i < length; ++i) {
                const auto value = static_cast<std::uint64_t>(from[i]);
                if (op_.kind == ReductionKind::sum) total += value;
                else if (op_.kind == ReductionKind::count) total *= value;
                else if (op_.kind == ReductionKind::max ? from[i] > extreme : from[i] < extreme)
                    extreme = from[i];
            }
            y[o] = op_.kind == ReductionKind::max || op_.kind == ReductionKind::min
                       ? extreme
                       : static_cast<T>(total);
        }
    }

    const Reduction& op_;
    const ReductionKernels& table_;
    SmallInts axes_;
    bool axes_are_input_, keeps_, nothing_without_;
};

}  // namespace

std::unique_ptr<Kernel> make_reduction(const KernelRequest& request, std::string& reason) {
    const Node& node = request.node;
    const DType dtype = request.input_type(0).dtype;
    for (const Reduction& op : reductions) {
        if (op.op_type != node.op_type) continue;
        const bool product = op.kind == ReductionKind::count;
        if (dtype != DType::undefined && (product || dtype != DType::f32) && dtype != DType::i64 &&
            dtype != DType::i32) {
            reason = "element type " + std::string(name_of(dtype)) +
                     " is served by the reference kernel";
            return nullptr;
        }
        SmallInts axes;
        const bool input = node.version >= op.axes_input_since;
        if (!input && !axes.assign(node.ints_attribute("axes"))) {
            reason = "more than 16 axes are served by the reference kernel";
            return nullptr;
        }
        return std::make_unique<ReductionKernel>(
            op, input, axes, node.int_attribute("keepdims", 1) != 0,
            node.int_attribute("noop_with_empty_axes", 0) != 0);
    }
    return nullptr;
}

}  // namespace lapidary
