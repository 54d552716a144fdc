// SPDX-License-Identifier: Apache-2.0
#include "kernels/reduction/reduction.h"

#include <algorithm>
#include <utility>

#include "operators/elementwise.h"
#include "operators/makers.h"
#include "operators/movement.h"

namespace lapidary::cuda {
namespace {

using Made = std::unique_ptr<NodeKernel>;

/// Merges axes that are contiguous in memory.
std::int32_t join_axes(const Dims& dims, const Dims& strides, std::int32_t* joined_dims,
                       std::int32_t* joined_strides) {
    std::int32_t kept = 0;
    for (std::size_t i = 0; i < dims.size(); ++i) {
        if (dims[i] == 1) continue;
        if (kept > 0 && joined_strides[kept - 1] == strides[i] * dims[i]) {
            joined_dims[kept - 1] *= static_cast<std::int32_t>(dims[i]);
            joined_strides[kept - 1] = static_cast<std::int32_t>(strides[i]);
            continue;
        }
        if (kept == reduce_axes)
            throw DeviceError(LP_UNSUPPORTED, "a reduction along more than 8 axes");
        joined_dims[kept] = static_cast<std::int32_t>(dims[i]);
        joined_strides[kept++] = static_cast<std::int32_t>(strides[i]);
    }
    return kept;
}

class Reduce final : public NodeKernel {
public:
    Reduction reduction = Reduction::sum;
    Domain domain = Domain::floats;
    HostIntegers axes;
    Dims axes_attribute;
    bool keeps_dims = true, is_noop_without_axes = false;

    void run(KernelRun& run) const override {
        const Array x = run.input(0);
        Dims along = axes.is_given() ? axes.at(run) : axes_attribute;
        std::vector<char> goes(x.dims.size(), along.empty() && !is_noop_without_axes ? 1 : 0);
        for (std::int64_t axis : along)
            if (std::exchange(goes[whole_axis(axis, x.dims.size())], char{1}) != 0)
                KernelRun::fail("axis " + std::to_string(axis) + " is listed twice");
        const Dims strides = strides_of(x.dims);
        Dims dims, kept, kept_strides, reduced, reduced_strides;
        for (std::size_t i = 0; i < x.dims.size(); ++i) {
            (goes[i] ? reduced : kept).push_back(x.dims[i]);
            (goes[i] ? reduced_strides : kept_strides).push_back(strides[i]);
            if (!goes[i]) dims.push_back(x.dims[i]);
            else if (keeps_dims) dims.push_back(1);
        }
        ReduceArgs args;
        args.input = x.data;
        args.output = run.output(0, x.type, dims);
        args.type = x.type;
        args.domain = domain;
        args.reduction = reduction;
        count_32(x.dims);
        args.outputs = count_32(kept);
        args.reduced = count_32(reduced);
        if (args.reduced == 0 && args.outputs > 0 && reduction == Reduction::mean &&
            domain == Domain::integers)
            KernelRun::fail("the mean of no elements is not defined for integers");
        args.kept_axes = join_axes(kept, kept_strides, args.kept_dims, args.kept_strides);
        args.reduced_axes =
            join_axes(reduced, reduced_strides, args.reduced_dims, args.reduced_strides);
        launch_reduce(run.queue(), args);
    }
};

LineArgs lines_of(const Array& x, std::size_t axis, void* output) {
    LineArgs args;
    args.input = x.data;
    args.output = output;
    args.type = x.type;
    count_32(x.dims);
    args.extent = static_cast<std::int32_t>(x.dims[axis]);
    args.outer = 1;
    for (std::size_t i = 0; i < axis; ++i) args.outer *= static_cast<std::int32_t>(x.dims[i]);
    for (std::size_t i = axis + 1; i < x.dims.size(); ++i)
        args.inner *= static_cast<std::int32_t>(x.dims[i]);
    return args;
}

class Softmax final : public NodeKernel {
public:
    std::int64_t axis = -1;
    bool is_flattened = false, is_log = false;
    void run(KernelRun& run) const override {
        Array x = run.input(0);
        void* y = run.output(0, x.type, x.dims);
        if (!y) return;
        // lines of one element
        const bool is_behind = is_flattened && axis == static_cast<std::int64_t>(x.dims.size());
        const bool is_scalar = x.dims.empty();
        if (is_scalar) x.dims = {1};
        const std::size_t along = is_behind                    ? x.dims.size()
                                  : is_scalar && !is_flattened ? 0
                                                               : whole_axis(axis, x.dims.size());
        if (is_flattened) {
            std::int64_t extent = 1;
            for (std::size_t i = along; i < x.dims.size(); ++i) extent *= x.dims[i];
            x.dims.resize(along);
            x.dims.push_back(extent);
        }
        launch_softmax(run.queue(), lines_of(x, along, y), is_log);
    }
};

class ArgExtreme final : public NodeKernel {
public:
    std::int64_t axis = 0;
    bool keeps_dims = true, is_max = true, takes_last = false;
    void run(KernelRun& run) const override {
        Array x = run.input(0);
        const bool is_scalar = x.dims.empty();
        if (is_scalar) x.dims = {1};
        const std::size_t along = whole_axis(axis, x.dims.size());
        Dims dims = x.dims;
        dims[along] = 1;
        if (x.dims[along] == 0 && count_of(dims) > 0)
            KernelRun::fail("the position of an extreme among no elements");
        if (!keeps_dims || is_scalar) dims.erase(dims.begin() + static_cast<std::ptrdiff_t>(along));
        void* y = run.output(0, i64, dims);
        if (y) launch_arg_extreme(run.queue(), lines_of(x, along, y), is_max, takes_last);
    }
};

class CumulativeSum final : public NodeKernel {
public:
    HostIntegers axis;
    Domain domain = Domain::floats;
    bool is_exclusive = false, is_reversed = false;
    void run(KernelRun& run) const override {
        const Array x = run.input(0);
        void* y = run.output(0, x.type, x.dims);
        const std::int64_t along = axis.one_at(run);
        if (y)
            launch_cumulative_sum(run.queue(), lines_of(x, whole_axis(along, x.dims.size()), y),
                                  domain, is_exclusive, is_reversed);
    }
};

class TopK final : public NodeKernel {
public:
    HostIntegers count;
    std::int64_t axis = -1;
    bool is_largest = true;
    void run(KernelRun& run) const override {
        const Array x = run.input(0);
        const std::size_t along = whole_axis(axis, x.dims.size());
        const std::int64_t k = count.one_at(run);
        if (k < 0 || k > x.dims[along])
            KernelRun::fail("k is " + std::to_string(k) + " of " + std::to_string(x.dims[along]));
        if (x.dims[along] > top_k_extent)
            throw DeviceError(LP_UNSUPPORTED, "TopK along more than 4096 elements");
        Dims dims = x.dims;
        dims[along] = k;
        void* values = run.output(0, x.type, dims);
        void* places = run.output(1, i64, dims);
        if (values)
            launch_top_k(run.queue(), lines_of(x, along, values), places,
                         static_cast<std::int32_t>(k), is_largest);
    }
};

}  // namespace

Made make_reduce(const NodeView& node, Making& making) {
    struct Row {
        const char* op;
        Reduction reduction;
        std::int64_t axes_input_since;
    };
    static constexpr Row rows[] = {{"ReduceSum", Reduction::sum, 13},
                                   {"ReduceMean", Reduction::mean, 18},
                                   {"ReduceMax", Reduction::max, 18},
                                   {"ReduceMin", Reduction::min, 18},
                                   {"ReduceProd", Reduction::prod, 18},
                                   {"ReduceL1", Reduction::l1, 18},
                                   {"ReduceL2", Reduction::l2, 18},
                                   {"ReduceLogSum", Reduction::log_sum, 18},
                                   {"ReduceLogSumExp", Reduction::log_sum_exp, 18},
                                   {"ReduceSumSquare", Reduction::sum_square, 18}};
    const auto* row = std::ranges::find_if(rows, [&](const Row& r) { return node.op() == r.op; });
    auto kernel = std::make_unique<Reduce>();
    kernel->reduction = row->reduction;
    kernel->domain = domain_of({node.input_type(0)});
    const bool needs_floats = row->reduction == Reduction::log_sum ||
                              row->reduction == Reduction::log_sum_exp ||
                              row->reduction == Reduction::l2;
    require_type(node, 0, kernel->domain != Domain::integers || !needs_floats);
    if (node.version() >= row->axes_input_since) kernel->axes = HostIntegers(node, 1, making);
    else kernel->axes_attribute = node.integers("axes");
    kernel->keeps_dims = node.integer("keepdims", 1) != 0;
    kernel->is_noop_without_axes = node.integer("noop_with_empty_axes", 0) != 0;
    making.kernel = "reduce";
    return kernel;
}

Made make_softmax(const NodeView& node, Making& making) {
    require_type(node, 0, is_float(node.input_type(0)));
    auto kernel = std::make_unique<Softmax>();
    kernel->is_flattened = node.version() < 13;
    kernel->axis = node.integer("axis", kernel->is_flattened ? 1 : -1);
    kernel->is_log = node.op() == "LogSoftmax";
    making.kernel = "softmax";
    return kernel;
}

Made make_arg_extreme(const NodeView& node, Making& making) {
    const std::int32_t type = node.input_type(0);
    require_type(node, 0, is_float(type) || type == i32 || type == i8 || type == u8 || type == f64);
    auto kernel = std::make_unique<ArgExtreme>();
    kernel->axis = node.integer("axis", 0);
    kernel->keeps_dims = node.integer("keepdims", 1) != 0;
    kernel->is_max = node.op() == "ArgMax";
    kernel->takes_last = node.integer("select_last_index", 0) != 0;
    making.kernel = "arg_extreme";
    return kernel;
}

Made make_cumulative_sum(const NodeView& node, Making& making) {
    auto kernel = std::make_unique<CumulativeSum>();
    kernel->domain = domain_of({node.input_type(0)});
    kernel->axis = HostIntegers(node, 1, making);
    kernel->is_exclusive = node.integer("exclusive", 0) != 0;
    kernel->is_reversed = node.integer("reverse", 0) != 0;
    making.kernel = "cumulative_sum";
    return kernel;
}

Made make_top_k(const NodeView& node, Making& making) {
    if (node.version() < 10) throw Refusal("it is TopK of opset 1");
    const auto dims = node.dims(0);
    const std::int64_t axis = node.integer("axis", -1);
    const std::int64_t along =
        dims && axis < 0 ? axis + static_cast<std::int64_t>(dims->size()) : axis;
    const bool is_known = dims && along >= 0 && along < static_cast<std::int64_t>(dims->size());
    const std::int64_t extent = is_known ? (*dims)[static_cast<std::size_t>(along)] : -1;
    if (extent < 0 || extent > top_k_extent)
        throw Refusal("its axis is not known to have at most 4096 elements");
    require_type(node, 0, is_float(node.input_type(0)));
    auto kernel = std::make_unique<TopK>();
    kernel->count = HostIntegers(node, 1, making);
    kernel->axis = axis;
    kernel->is_largest = node.integer("largest", 1) != 0;
    making.kernel = "top_k";
    return kernel;
}

}  // namespace lapidary::cuda
