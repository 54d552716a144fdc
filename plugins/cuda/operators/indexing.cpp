// SPDX-License-Identifier: Apache-2.0
// Views, padding, and operators whose indices are on the device: Reshape, Pad, Gather, GatherND,
// ScatterND ...
#include <algorithm>
#include <cstring>
#include <utility>

#include <lapidary/tensor/float16.h>

#include "operators/elementwise.h"
#include "operators/makers.h"
#include "operators/movement.h"

namespace lapidary::cuda {
namespace {

using Made = std::unique_ptr<NodeKernel>;

/// Input 0 with another shape.
class View : public NodeKernel {
public:
    void run(KernelRun& run) const override {
        const Array x = run.input(0);
        const Dims dims = shape(run, x.dims);
        if (count_of(dims) != x.count())
            KernelRun::fail("a view of " + std::to_string(count_of(dims)) +
                            " elements on a tensor of " + std::to_string(x.count()));
        // the output may share memory with the input
        if (void* y = run.output(0, x.type, dims); y && y != x.data)
            run.stream().copy_within(y, x.data, static_cast<std::uint64_t>(x.bytes()));
    }

private:
    virtual Dims shape(KernelRun&, const Dims& dims) const { return dims; }
};

class Reshape final : public View {
public:
    HostIntegers target;
    Dims target_attribute;
    bool allows_zero = false;

private:
    Dims shape(KernelRun& run, const Dims& dims) const override {
        Dims out = target.is_given() ? target.at(run) : target_attribute;
        std::int64_t known = 1, unknown = -1;
        for (std::size_t i = 0; i < out.size(); ++i) {
            if (out[i] == 0 && !allows_zero) {
                if (i >= dims.size())
                    KernelRun::fail("the shape copies an axis that the input has not");
                out[i] = dims[i];
            }
            if (out[i] < -1) KernelRun::fail("a size of the shape is " + std::to_string(out[i]));
            if (out[i] == -1 && unknown >= 0) KernelRun::fail("the shape leaves two sizes open");
            if (out[i] == -1) unknown = static_cast<std::int64_t>(i);
            else known = product_of(known, out[i]);
        }
        if (unknown >= 0)
            out[static_cast<std::size_t>(unknown)] = known == 0 ? 0 : count_of(dims) / known;
        return out;
    }
};

class Flatten final : public View {
public:
    explicit Flatten(std::int64_t axis) : axis_(axis) {}

private:
    Dims shape(KernelRun&, const Dims& dims) const override {
        const auto rank = static_cast<std::int64_t>(dims.size());
        const std::int64_t axis = axis_ < 0 ? axis_ + rank : axis_;
        if (axis < 0 || axis > rank)
            KernelRun::fail("axis " + std::to_string(axis_) + " of rank " + std::to_string(rank));
        Dims out{1, 1};
        for (std::int64_t i = 0; i < rank; ++i)
            out[i < axis ? 0 : 1] *= dims[static_cast<std::size_t>(i)];
        return out;
    }
    std::int64_t axis_;
};

class Squeeze final : public View {
public:
    HostIntegers axes;
    Dims axes_attribute;

private:
    Dims shape(KernelRun& run, const Dims& dims) const override {
        const Dims along = axes.is_given() ? axes.at(run) : axes_attribute;
        std::vector<char> goes(dims.size(), along.empty() ? 1 : 0);
        for (std::int64_t axis : along)
            if (std::exchange(goes[whole_axis(axis, dims.size())], char{2}) == 2)
                KernelRun::fail("axis " + std::to_string(axis) + " is listed twice");
        Dims out;
        for (std::size_t i = 0; i < dims.size(); ++i) {
            if (goes[i] == 2 && dims[i] != 1)
                KernelRun::fail("an axis to squeeze is of " + std::to_string(dims[i]));
            if (goes[i] == 0 || dims[i] != 1) out.push_back(dims[i]);
        }
        return out;
    }
};

class Unsqueeze final : public View {
public:
    HostIntegers axes;
    Dims axes_attribute;

private:
    Dims shape(KernelRun& run, const Dims& dims) const override {
        const Dims along = axes.is_given() ? axes.at(run) : axes_attribute;
        Dims out(dims.size() + along.size(), 0);
        for (std::int64_t axis : along) out[whole_axis(axis, out.size())] = 1;
        auto next = dims.begin();
        for (std::int64_t& d : out)
            if (d == 0) {
                if (next == dims.end()) KernelRun::fail("an axis of Unsqueeze is given twice");
                d = *next++;
            }
        return out;
    }
};

std::uint64_t bits_of_number(std::int32_t type, double value) {
    std::uint64_t bits = 0;
    const auto put = [&](auto v) { std::memcpy(&bits, &v, sizeof(v)); };
    switch (type) {
    case f32: put(static_cast<float>(value)); break;
    case f64: put(value); break;
    case f16: put(float_to_half_bits(static_cast<float>(value))); break;
    case bf16: put(BFloat16(static_cast<float>(value)).bits); break;
    default: put(static_cast<std::int64_t>(value)); break;  // little endian: its first bytes
    }
    return bits;
}

class Pad final : public NodeKernel {
public:
    HostIntegers pads, axes;
    Dims pads_attribute;
    PadMode mode = PadMode::constant;
    bool has_value = false;  // input 2
    double value_attribute = 0;

    void run(KernelRun& run) const override {
        const Array x = run.input(0);
        const std::size_t rank = x.dims.size();
        const Dims given = pads.is_given() ? pads.at(run) : pads_attribute;
        Dims along = axes.is_given() ? axes.at(run) : Dims();
        for (std::size_t i = 0; !axes.is_given() && i < rank; ++i)
            along.push_back(static_cast<std::int64_t>(i));
        if (given.size() != 2 * along.size())
            KernelRun::fail("pads has not two elements for each axis");
        Dims before(rank, 0), dims = x.dims;
        std::vector<char> is_padded(rank, 0);
        for (std::size_t i = 0; i < along.size(); ++i) {
            const std::size_t axis = whole_axis(along[i], rank);
            if (std::exchange(is_padded[axis], char{1}) != 0)
                KernelRun::fail("axis " + std::to_string(along[i]) + " is listed twice");
            before[axis] = given[i];
            dims[axis] = sum_of(dims[axis], sum_of(given[i], given[i + along.size()]));
            if (dims[axis] < 0) KernelRun::fail("pads take more than there is");
            if (mode != PadMode::constant && x.dims[axis] == 0 && dims[axis] > 0)
                KernelRun::fail("an axis without elements has nothing to pad from");
        }
        if (rank > copy_axes) throw DeviceError(LP_UNSUPPORTED, "a tensor of more than 10 axes");
        void* y = run.output(0, x.type, dims);
        if (!y) return;
        PadArgs args;
        args.input = x.data;
        args.output = y;
        args.element_bytes = static_cast<std::int32_t>(bytes_of(x.type));
        args.axes = static_cast<std::int32_t>(rank);
        args.count = count_32(dims);
        args.mode = mode;
        if (has_value && run.input(2).count() != 1)
            KernelRun::fail("input 2 must be one number, found " + text_of(run.input(2).dims));
        if (has_value) args.value = run.input(2).data;
        for (std::size_t i = 0; i < rank; ++i) {
            args.input_dims[i] = static_cast<std::int32_t>(x.dims[i]);
            args.dims[i] = static_cast<std::int32_t>(dims[i]);
            args.begins[i] = static_cast<std::int32_t>(before[i]);
        }
        if (value_attribute != 0) {
            void* const value = run.scratch(8);
            launch_fill(run.queue(), value, args.element_bytes, 1,
                        bits_of_number(x.type, value_attribute));
            args.value = value;
        }
        launch_pad(run.queue(), args);
    }
};

class Gather final : public NodeKernel {
public:
    explicit Gather(std::int64_t axis) : axis_(axis) {}
    void run(KernelRun& run) const override {
        const Array x = run.input(0), indices = run.input(1);
        const std::size_t axis = whole_axis(axis_, x.dims.size());
        if (x.dims[axis] == 0 && indices.count() != 0)
            KernelRun::fail("an index into an axis without elements");
        Dims dims(x.dims.begin(), x.dims.begin() + static_cast<std::ptrdiff_t>(axis)), inner;
        const Dims outer = dims;
        dims.insert(dims.end(), indices.dims.begin(), indices.dims.end());
        inner.assign(x.dims.begin() + static_cast<std::ptrdiff_t>(axis) + 1, x.dims.end());
        dims.insert(dims.end(), inner.begin(), inner.end());
        void* y = run.output(0, x.type, dims);
        if (!y) return;
        count_32(dims);
        GatherArgs args;
        args.input = x.data;
        args.indices = indices.data;
        args.output = y;
        args.index_type = indices.type;
        args.element_bytes = static_cast<std::int32_t>(bytes_of(x.type));
        args.outer = count_32(outer);
        args.extent = static_cast<std::int32_t>(x.dims[axis]);
        args.indices_count = count_32(indices.dims);
        args.inner = count_32(inner);
        args.node = run.node();
        launch_gather(run.queue(), args);
    }

private:
    std::int64_t axis_;
};

class GatherElements final : public NodeKernel {
public:
    GatherElements(std::int64_t axis, bool scatters) : axis_(axis), scatters_(scatters) {}
    void run(KernelRun& run) const override {
        const Array x = run.input(0), indices = run.input(1);
        if (indices.dims.size() != x.dims.size())
            KernelRun::fail("indices have not as many axes as the data");
        const std::size_t axis = whole_axis(axis_, x.dims.size());
        if (scatters_) run.require_dims(2, indices.dims);
        void* y = run.output(0, x.type, scatters_ ? x.dims : indices.dims);
        if (scatters_ && y)
            run.stream().copy_within(y, x.data, static_cast<std::uint64_t>(x.bytes()));
        if (!y || indices.count() == 0) return;
        if (x.dims.size() > copy_axes)
            throw DeviceError(LP_UNSUPPORTED, "a tensor of more than 10 axes");
        ElementsArgs args;
        args.input = scatters_ ? run.input(2).data : x.data;
        args.indices = indices.data;
        args.output = y;
        args.index_type = indices.type;
        args.element_bytes = static_cast<std::int32_t>(bytes_of(x.type));
        args.axes = static_cast<std::int32_t>(x.dims.size());
        args.axis = static_cast<std::int32_t>(axis);
        args.count = count_32(indices.dims);
        args.extent = static_cast<std::int32_t>(x.dims[axis]);
        const Dims strides = strides_of(x.dims);
        for (std::size_t i = 0; i < x.dims.size(); ++i) {
            if (i != axis && indices.dims[i] > x.dims[i])
                KernelRun::fail("indices are larger than the data");
            args.dims[i] = static_cast<std::int32_t>(indices.dims[i]);
            args.data_strides[i] = static_cast<std::int32_t>(strides[i]);
        }
        args.scatters = scatters_;
        args.node = run.node();
        if (args.extent == 0) KernelRun::fail("an index into an axis without elements");
        launch_elements(run.queue(), args);
    }

private:
    std::int64_t axis_;
    bool scatters_;
};

class GatherSlices final : public NodeKernel {
public:
    GatherSlices(std::int64_t batch_axes, bool scatters)
        : batch_axes_(batch_axes), scatters_(scatters) {}
    void run(KernelRun& run) const override {
        const Array x = run.input(0), indices = run.input(1);
        const auto batch = static_cast<std::size_t>(batch_axes_);
        if (indices.dims.size() <= batch) KernelRun::fail("indices have no axis behind batch_dims");
        const auto width = static_cast<std::size_t>(indices.dims.back());
        if (batch + width > x.dims.size() || width > copy_axes)
            KernelRun::fail("indices name more axes than the data has");
        const Dims slice(x.dims.begin() + static_cast<std::ptrdiff_t>(batch + width), x.dims.end());
        Dims dims(indices.dims.begin(), indices.dims.end() - 1);
        const std::int64_t rows = count_of(dims);
        dims.insert(dims.end(), slice.begin(), slice.end());
        for (std::size_t i = 0; i < batch; ++i)
            if (dims[i] != x.dims[i]) KernelRun::fail("data and indices have not the same batches");
        if (scatters_) run.require_dims(2, dims);
        void* y = run.output(0, x.type, scatters_ ? x.dims : dims);
        if (scatters_ && y)
            run.stream().copy_within(y, x.data, static_cast<std::uint64_t>(x.bytes()));
        if (!y || rows == 0) return;
        SlicesArgs args;
        args.input = scatters_ ? run.input(2).data : x.data;
        args.indices = indices.data;
        args.output = y;
        args.index_type = indices.type;
        args.element_bytes = static_cast<std::int32_t>(bytes_of(x.type));
        args.rows = static_cast<std::int32_t>(rows);
        args.width = static_cast<std::int32_t>(width);
        args.slice = count_32(slice);
        count_32(x.dims);
        const Dims strides = strides_of(x.dims);
        std::int64_t batches = 1;
        for (std::size_t i = 0; i < batch; ++i) batches *= x.dims[i];
        args.rows_per_batch = static_cast<std::int32_t>(
            std::max<std::int64_t>(rows / std::max<std::int64_t>(batches, 1), 1));
        args.batch_stride = batch == 0 ? 0 : static_cast<std::int32_t>(strides[batch - 1]);
        for (std::size_t k = 0; k < width; ++k) {
            args.extents[k] = static_cast<std::int32_t>(x.dims[batch + k]);
            args.strides[k] = static_cast<std::int32_t>(strides[batch + k]);
        }
        args.scatters = scatters_;
        args.node = run.node();
        launch_slices(run.queue(), args);
    }

private:
    std::int64_t batch_axes_;
    bool scatters_;
};

class Trilu final : public NodeKernel {
public:
    bool keeps_upper = true;
    HostIntegers diagonal;
    void run(KernelRun& run) const override {
        const Array x = run.input(0);
        if (x.dims.size() < 2) KernelRun::fail("Trilu of a tensor of rank below 2");
        void* y = run.output(0, x.type, x.dims);
        const std::int64_t k = diagonal.is_given() ? diagonal.one_at(run) : 0;
        TriangleArgs args;
        args.input = x.data;
        args.output = y;
        args.element_bytes = static_cast<std::int32_t>(bytes_of(x.type));
        args.count = count_32(x.dims);
        args.rows = static_cast<std::int32_t>(x.dims[x.dims.size() - 2]);
        args.columns = static_cast<std::int32_t>(x.dims.back());
        args.diagonal = static_cast<std::int32_t>(std::clamp<std::int64_t>(k, -(1 << 30), 1 << 30));
        args.keeps_upper = keeps_upper;
        launch_triangle(run.queue(), args);
    }
};

class ConstantOfShape final : public NodeKernel {
public:
    HostIntegers shape;
    std::int32_t type = f32;
    std::uint64_t bits = 0;
    void run(KernelRun& run) const override {
        const Dims dims = shape.at(run);
        for (std::int64_t d : dims)
            if (d < 0) KernelRun::fail("a size of the shape is " + std::to_string(d));
        void* y = run.output(0, type, dims);
        launch_fill(run.queue(), y, static_cast<std::int32_t>(bytes_of(type)), count_32(dims),
                    bits);
    }
};

}  // namespace

Made make_identity(const NodeView& node, Making& making) {
    require_plain(node, 0);
    if (node.op() == "Dropout" && node.has_output(1)) throw Refusal("its mask is asked for");
    if (node.op() == "Dropout" && node.has_input(2)) throw Refusal("training_mode is given");
    if (node.op() == "Dropout" && node.has_input(1)) making.read_on_host(1);
    making.kernel = "copy";
    return std::make_unique<View>();
}

Made make_reshape(const NodeView& node, Making& making) {
    require_plain(node, 0);
    auto kernel = std::make_unique<Reshape>();
    if (node.version() < 5) kernel->target_attribute = node.integers("shape");
    else kernel->target = HostIntegers(node, 1, making);
    kernel->allows_zero = node.integer("allowzero", 0) != 0;
    making.kernel = "copy";
    return kernel;
}

Made make_flatten(const NodeView& node, Making& making) {
    require_plain(node, 0);
    making.kernel = "copy";
    return std::make_unique<Flatten>(node.integer("axis", 1));
}

Made make_squeeze(const NodeView& node, Making& making) {
    require_plain(node, 0);
    making.kernel = "copy";
    const auto make = [&](auto kernel) -> Made {
        if (node.version() < 13) kernel->axes_attribute = node.integers("axes");
        else kernel->axes = HostIntegers(node, 1, making);
        return kernel;
    };
    if (node.op() == "Squeeze") return make(std::make_unique<Squeeze>());
    return make(std::make_unique<Unsqueeze>());
}

Made make_pad(const NodeView& node, Making& making) {
    require_plain(node, 0);
    auto kernel = std::make_unique<Pad>();
    const std::string mode = node.text("mode", "constant");
    kernel->mode = mode == "reflect" ? PadMode::reflect
                   : mode == "edge"  ? PadMode::edge
                   : mode == "wrap"  ? PadMode::wrap
                                     : PadMode::constant;
    if (node.version() < 11) {
        kernel->pads_attribute = node.integers("pads");
        kernel->value_attribute = static_cast<double>(node.real("value", 0));
    } else {
        kernel->pads = HostIntegers(node, 1, making);
        kernel->axes = HostIntegers(node, 3, making);
        kernel->has_value = node.has_input(2);
        if (kernel->has_value) require_type(node, 2, node.input_type(2) == node.input_type(0));
    }
    const std::optional<Dims> pads =
        node.version() < 11 ? std::optional(kernel->pads_attribute) : kernel->pads.constant();
    const bool takes_away =
        !pads || std::ranges::any_of(*pads, [](std::int64_t p) { return p < 0; });
    if (kernel->mode != PadMode::constant && takes_away)
        throw Refusal("its pads may take elements away, in mode " + mode);
    making.kernel = "pad";
    return kernel;
}

void require_indices(const NodeView& node) {
    require_plain(node, 0);
    require_type(node, 1, node.input_type(1) == i64 || node.input_type(1) == i32);
}

Made make_gather(const NodeView& node, Making& making) {
    require_indices(node);
    making.kernel = "gather";
    return std::make_unique<Gather>(node.integer("axis", 0));
}

Made make_gather_elements(const NodeView& node, Making& making) {
    require_indices(node);
    const bool scatters = node.op() != "GatherElements";
    if (node.text("reduction", "none") != "none")
        throw Refusal("its reduction is " + node.text("reduction", ""));
    making.kernel = scatters ? "scatter_elements" : "gather_elements";
    return std::make_unique<GatherElements>(node.integer("axis", 0), scatters);
}

Made make_gather_nd(const NodeView& node, Making& making) {
    require_indices(node);
    const bool scatters = node.op() == "ScatterND";
    if (node.text("reduction", "none") != "none")
        throw Refusal("its reduction is " + node.text("reduction", ""));
    making.kernel = scatters ? "scatter_slices" : "gather_slices";
    return std::make_unique<GatherSlices>(scatters ? 0 : node.integer("batch_dims", 0), scatters);
}

Made make_trilu(const NodeView& node, Making& making) {
    require_plain(node, 0);
    auto kernel = std::make_unique<Trilu>();
    kernel->keeps_upper = node.integer("upper", 1) != 0;
    kernel->diagonal = HostIntegers(node, 1, making);
    making.kernel = "triangle";
    return kernel;
}

Made make_constant_of_shape(const NodeView& node, Making& making) {
    auto kernel = std::make_unique<ConstantOfShape>();
    kernel->shape = HostIntegers(node, 0, making);
    if (const LpTensor* value = node.tensor("value")) {
        kernel->type = value->type;
        if (bytes_of(value->type) == 0 ||
            value->bytes < static_cast<std::uint64_t>(bytes_of(value->type)))
            throw Refusal("its value is of " + type_name(value->type));
        std::memcpy(&kernel->bits, value->data, static_cast<std::size_t>(bytes_of(value->type)));
    }
    making.kernel = "fill";
    return kernel;
}

}  // namespace lapidary::cuda
