// SPDX-License-Identifier: Apache-2.0
// Operators that move elements by strides: Transpose, Slice, Split, Concat, Expand, Tile, Pad,
// DepthToSpace ...
#include "operators/movement.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "operators/elementwise.h"
#include "operators/makers.h"

namespace lapidary::cuda {

Dims strides_of(const Dims& dims) {
    Dims strides(dims.size(), 1);
    for (std::size_t i = dims.size(); i-- > 1;) strides[i - 1] = product_of(strides[i], dims[i]);
    return strides;
}

std::size_t whole_axis(std::int64_t axis, std::size_t rank) {
    const std::int64_t of = axis < 0 ? axis + static_cast<std::int64_t>(rank) : axis;
    if (of < 0 || of >= static_cast<std::int64_t>(rank))
        KernelRun::fail("axis " + std::to_string(axis) + " of a tensor of rank " +
                        std::to_string(rank));
    return static_cast<std::size_t>(of);
}

namespace {
/// Contiguous copies up to this size are done by a kernel, which starts right after earlier
/// kernels; larger ones by the device's copy engine.
constexpr std::uint64_t most_bytes_of_kernel = std::uint64_t{1} << 22;
}  // namespace

void copy_box(KernelRun& run, const void* input, Dims input_strides, void* output,
              Dims output_strides, Dims dims, std::int64_t element_bytes) {
    CopyArgs args;
    args.count = count_32(dims);
    if (args.count == 0) return;
    std::size_t kept = 0;
    for (std::size_t i = 0; i < dims.size(); ++i) {
        if (dims[i] == 1) continue;
        const bool joins = kept > 0 && input_strides[kept - 1] == input_strides[i] * dims[i] &&
                           output_strides[kept - 1] == output_strides[i] * dims[i];
        const std::size_t at = joins ? kept - 1 : kept++;
        dims[at] = joins ? dims[at] * dims[i] : dims[i];
        input_strides[at] = input_strides[i];
        output_strides[at] = output_strides[i];
    }
    if (kept > copy_axes)
        throw DeviceError(LP_UNSUPPORTED, "elements that move along more than 10 axes");
    if (kept == 0) {
        dims = input_strides = output_strides = {1};
        kept = 1;
    }
    if (kept == 1 && input_strides[0] == 1 && output_strides[0] == 1) {
        const auto bytes =
            static_cast<std::uint64_t>(args.count) * static_cast<std::uint64_t>(element_bytes);
        if (output == input) return;  // the output may share memory with the input
        if (bytes > most_bytes_of_kernel) return run.stream().copy_within(output, input, bytes);
    }
    args.input = input;
    args.output = output;
    args.element_bytes = static_cast<std::int32_t>(element_bytes);
    args.axes = static_cast<std::int32_t>(kept);
    for (std::size_t i = 0; i < kept; ++i) {
        args.dims[i] = static_cast<std::int32_t>(dims[i]);
        args.input_strides[i] = static_cast<std::int32_t>(input_strides[i]);
        args.output_strides[i] = static_cast<std::int32_t>(output_strides[i]);
    }
    launch_copy(run.queue(), args);
}

void require_plain(const NodeView& node, std::size_t input) {
    require_type(node, input, bytes_of(node.input_type(input)) != 0);
}

namespace {

using Made = std::unique_ptr<NodeKernel>;

const char* offset(const void* data, std::int64_t bytes) {
    return static_cast<const char*>(data) + bytes;
}
char* offset(void* data, std::int64_t bytes) { return static_cast<char*>(data) + bytes; }

class Transpose final : public NodeKernel {
public:
    explicit Transpose(std::optional<Dims> order) : order_(std::move(order)) {}
    void run(KernelRun& run) const override {
        const Array x = run.input(0);
        Dims order = order_.value_or(Dims()), dims, from;
        for (std::size_t i = x.dims.size(); !order_ && i-- > 0;)
            order.push_back(static_cast<std::int64_t>(i));
        if (order.size() != x.dims.size())
            KernelRun::fail("perm has not as many axes as the input");
        const Dims strides = strides_of(x.dims);
        std::vector<char> is_taken(x.dims.size(), 0);
        for (std::int64_t axis : order) {
            const std::size_t of = whole_axis(axis, x.dims.size());
            if (std::exchange(is_taken[of], char{1}) != 0)
                KernelRun::fail("perm names an axis twice");
            dims.push_back(x.dims[of]);
            from.push_back(strides[of]);
        }
        void* y = run.output(0, x.type, dims);
        copy_box(run, x.data, from, y, strides_of(dims), dims, bytes_of(x.type));
    }

private:
    std::optional<Dims> order_;  // not given: axes in reverse order
};

class Slice final : public NodeKernel {
public:
    HostIntegers starts, ends, axes, steps;
    Dims starts_attribute, ends_attribute, axes_attribute;

    void run(KernelRun& run) const override {
        const Array x = run.input(0);
        const Dims first = starts.is_given() ? starts.at(run) : starts_attribute;
        const Dims last = ends.is_given() ? ends.at(run) : ends_attribute;
        Dims along = axes.is_given() ? axes.at(run) : axes_attribute;
        const Dims by = steps.is_given() ? steps.at(run) : Dims(first.size(), 1);
        for (std::size_t i = 0; along.size() < first.size(); ++i)
            along.push_back(static_cast<std::int64_t>(i));
        if (last.size() != first.size() || along.size() != first.size() ||
            by.size() != first.size())
            KernelRun::fail("starts, ends, axes and steps have not as many elements as each other");
        Dims dims = x.dims, strides = strides_of(x.dims);
        std::vector<char> is_sliced(x.dims.size(), 0);
        std::int64_t begin = 0;
        for (std::size_t i = 0; i < first.size(); ++i) {
            const std::size_t axis = whole_axis(along[i], x.dims.size());
            if (std::exchange(is_sliced[axis], char{1}) != 0)
                KernelRun::fail("axis " + std::to_string(along[i]) + " is listed twice");
            const std::int64_t size = x.dims[axis], step = by[i];
            if (step == 0) KernelRun::fail("a step of Slice is 0");
            // `least`: the lowest position, for negative steps
            const auto place = [&](std::int64_t at, std::int64_t least) {
                const std::int64_t from_front = at < 0 ? (at < -size ? -size : at) + size : at;
                return step > 0 ? std::clamp<std::int64_t>(from_front, 0, size)
                                : std::min(at < -size ? least : from_front, size - 1);
            };
            const std::int64_t from = place(first[i], 0), to = place(last[i], -1);
            const std::int64_t span = step > 0 ? to - from : from - to;
            const std::int64_t stride = step > 0 ? step : step == INT64_MIN ? INT64_MAX : -step;
            const std::int64_t count = span <= 0 ? 0 : 1 + (span - 1) / stride;
            dims[axis] = count;
            if (dims[axis] > 0) begin += from * strides[axis];
            strides[axis] *= dims[axis] > 1 ? step : 1;
        }
        void* y = run.output(0, x.type, dims);
        if (y)
            copy_box(run, offset(x.data, begin * bytes_of(x.type)), strides, y, strides_of(dims),
                     dims, bytes_of(x.type));
    }
};

/// Moves parts of rows along one axis of `whole`, in as few launches as possible.
class RunsLaunch {
public:
    RunsLaunch(KernelRun& run, std::int32_t type, const Dims& whole, std::size_t axis) : run_(run) {
        count_32(whole);
        args_.element_bytes = static_cast<std::int32_t>(bytes_of(type));
        args_.rows = 1;
        for (std::size_t i = 0; i < axis; ++i) args_.rows *= static_cast<std::int32_t>(whole[i]);
        for (std::size_t i = axis + 1; i < whole.size(); ++i) inner_ *= whole[i];
    }
    /// Elements at one position of the axis.
    std::int64_t inner() const { return inner_; }
    /// Adds `size` positions along the axis, of which input and output have `input_size` and
    /// `output_size`.
    void add(const void* input, std::int64_t input_size, void* output, std::int64_t output_size,
             std::int64_t size) {
        // a part may share memory with the whole
        if (size * inner_ == 0 || input == output) return;
        if (args_.parts == RunsArgs::most_parts) launch();
        args_.part[args_.parts++] = {input, output, static_cast<std::int32_t>(size * inner_),
                                     static_cast<std::int32_t>(input_size * inner_),
                                     static_cast<std::int32_t>(output_size * inner_)};
    }
    void launch() {
        launch_runs(run_.queue(), args_);
        args_.parts = 0;
    }

private:
    KernelRun& run_;
    RunsArgs args_;
    std::int64_t inner_ = 1;
};

class Concat final : public NodeKernel {
public:
    Concat(std::int64_t axis, std::size_t inputs) : axis_(axis), inputs_(inputs) {}
    void run(KernelRun& run) const override {
        std::vector<Array> parts;
        for (std::size_t i = 0; i < inputs_; ++i) parts.push_back(run.input(i));
        Dims dims = parts[0].dims;
        const std::size_t axis = whole_axis(axis_, dims.size());
        for (std::size_t i = 1; i < inputs_; ++i) {
            if (parts[i].dims.size() != dims.size())
                KernelRun::fail("inputs of Concat have different ranks");
            dims[axis] += parts[i].dims[axis];
        }
        for (const Array& part : parts)
            for (std::size_t i = 0; i < dims.size(); ++i)
                if (i != axis && part.dims[i] != dims[i])
                    KernelRun::fail("inputs of Concat have different sizes");
        const std::int32_t type = parts[0].type;
        void* y = run.output(0, type, dims);
        RunsLaunch runs(run, type, dims, axis);
        std::int64_t at = 0;
        for (const Array& part : parts) {
            runs.add(part.data, part.dims[axis], offset(y, at * runs.inner() * bytes_of(type)),
                     dims[axis], part.dims[axis]);
            at += part.dims[axis];
        }
        runs.launch();
    }

private:
    std::int64_t axis_;
    std::size_t inputs_;
};

class Split final : public NodeKernel {
public:
    std::int64_t axis = 0;
    std::size_t outputs = 1;
    bool may_be_uneven = false;  // allowed where no sizes are given
    HostIntegers sizes;
    Dims sizes_attribute;

    void run(KernelRun& run) const override {
        const Array x = run.input(0);
        const std::size_t along = whole_axis(axis, x.dims.size());
        Dims parts = sizes.is_given() ? sizes.at(run) : sizes_attribute;
        const auto count = static_cast<std::int64_t>(outputs), size = x.dims[along];
        if (parts.empty() && !may_be_uneven && size % count != 0)
            KernelRun::fail("an axis of " + std::to_string(size) + " does not split into " +
                            std::to_string(count) + " equal parts");
        for (std::int64_t left = size, part = (size + count - 1) / count; parts.size() < outputs;
             left -= part)
            parts.push_back(std::clamp<std::int64_t>(left, 0, part));
        const bool is_negative =
            std::ranges::any_of(parts, [](std::int64_t part) { return part < 0; });
        if (parts.size() != outputs || is_negative ||
            std::accumulate(parts.begin(), parts.end(), std::int64_t{0}, sum_of) != size)
            KernelRun::fail("the parts of Split do not add up to " + std::to_string(size));
        RunsLaunch runs(run, x.type, x.dims, along);
        std::int64_t at = 0;
        for (std::size_t i = 0; i < outputs; ++i) {
            Dims dims = x.dims;
            dims[along] = parts[i];
            void* y = run.wants(i) ? run.output(i, x.type, dims) : nullptr;
            if (y)
                runs.add(offset(x.data, at * runs.inner() * bytes_of(x.type)), size, y, parts[i],
                         parts[i]);
            at += parts[i];
        }
        runs.launch();
    }
};

class Expand final : public NodeKernel {
public:
    HostIntegers shape;
    void run(KernelRun& run) const override {
        const Array x = run.input(0);
        const Dims dims = broadcast(x.dims, shape.at(run));
        Dims from(dims.size(), 0);
        const Dims strides = strides_of(x.dims);
        for (std::size_t i = 1; i <= x.dims.size(); ++i)
            if (x.dims[x.dims.size() - i] != 1) from[dims.size() - i] = strides[strides.size() - i];
        void* y = run.output(0, x.type, dims);
        if (y) copy_box(run, x.data, from, y, strides_of(dims), dims, bytes_of(x.type));
    }
};

class Tile final : public NodeKernel {
public:
    HostIntegers repeats;
    void run(KernelRun& run) const override {
        const Array x = run.input(0);
        const Dims times = repeats.at(run);
        if (times.size() != x.dims.size())
            KernelRun::fail("repeats has not as many elements as the input has axes");
        Dims dims = x.dims, box, from, to;
        for (std::size_t i = 0; i < dims.size(); ++i) {
            if (times[i] < 0) KernelRun::fail("a repeat is " + std::to_string(times[i]));
            dims[i] = product_of(dims[i], times[i]);
        }
        count_32(dims);
        const Dims strides = strides_of(x.dims), out = strides_of(dims);
        for (std::size_t i = 0; i < dims.size(); ++i) {
            box.insert(box.end(), {times[i], x.dims[i]});
            from.insert(from.end(), {0, strides[i]});
            to.insert(to.end(), {out[i] * x.dims[i], out[i]});
        }
        void* y = run.output(0, x.type, dims);
        if (y) copy_box(run, x.data, from, y, to, box, bytes_of(x.type));
    }
};

/// DepthToSpace and SpaceToDepth: a transposition of six axes.
class SpaceDepth final : public NodeKernel {
public:
    SpaceDepth(std::int64_t block, bool to_space, bool is_columns_first)
        : block_(block), to_space_(to_space), is_columns_first_(is_columns_first) {}
    void run(KernelRun& run) const override {
        const Array x = run.input(0);
        if (x.dims.size() != 4) KernelRun::fail("the input is not of rank 4");
        const std::int64_t n = x.dims[0], c = x.dims[1], h = x.dims[2], w = x.dims[3], b = block_;
        if (b < 1) KernelRun::fail("blocksize is " + std::to_string(b));
        const std::int64_t b2 = product_of(b, b);
        Dims split, order, dims;
        if (to_space_) {
            if (c % b2 != 0)
                KernelRun::fail("the channels are no multiple of the square of blocksize");
            split = is_columns_first_ ? Dims{n, c / b2, b, b, h, w} : Dims{n, b, b, c / b2, h, w};
            order = is_columns_first_ ? Dims{0, 1, 4, 2, 5, 3} : Dims{0, 3, 4, 1, 5, 2};
            dims = {n, c / b2, product_of(h, b), product_of(w, b)};
        } else {
            if (h % b != 0 || w % b != 0)
                KernelRun::fail("height or width is no multiple of blocksize");
            split = {n, c, h / b, b, w / b, b};
            order = {0, 3, 5, 1, 2, 4};
            dims = {n, product_of(c, b2), h / b, w / b};
        }
        Dims box, from;
        const Dims strides = strides_of(split);
        for (std::int64_t axis : order) {
            box.push_back(split[static_cast<std::size_t>(axis)]);
            from.push_back(strides[static_cast<std::size_t>(axis)]);
        }
        void* y = run.output(0, x.type, dims);
        if (y) copy_box(run, x.data, from, y, strides_of(box), box, bytes_of(x.type));
    }

private:
    std::int64_t block_;
    bool to_space_, is_columns_first_;
};

}  // namespace

Made make_transpose(const NodeView& node, Making& making) {
    require_plain(node, 0);
    making.kernel = "transpose";
    return std::make_unique<Transpose>(node.has("perm") ? std::optional(node.integers("perm"))
                                                        : std::nullopt);
}

Made make_slice(const NodeView& node, Making& making) {
    require_plain(node, 0);
    auto kernel = std::make_unique<Slice>();
    if (node.version() < 10) {
        kernel->starts_attribute = node.integers("starts");
        kernel->ends_attribute = node.integers("ends");
        kernel->axes_attribute = node.integers("axes");
    } else {
        kernel->starts = HostIntegers(node, 1, making);
        kernel->ends = HostIntegers(node, 2, making);
        kernel->axes = HostIntegers(node, 3, making);
        kernel->steps = HostIntegers(node, 4, making);
    }
    making.kernel = "slice";
    return kernel;
}

Made make_concat(const NodeView& node, Making& making) {
    require_plain(node, 0);
    making.kernel = "concat";
    return std::make_unique<Concat>(node.integer("axis", 1), node.input_count());
}

Made make_split(const NodeView& node, Making& making) {
    require_plain(node, 0);
    auto kernel = std::make_unique<Split>();
    kernel->axis = node.integer("axis", 0);
    kernel->outputs = node.output_count();
    kernel->may_be_uneven = node.has("num_outputs");
    if (node.version() < 13) kernel->sizes_attribute = node.integers("split");
    else kernel->sizes = HostIntegers(node, 1, making);
    making.kernel = "split";
    return kernel;
}

Made make_expand(const NodeView& node, Making& making) {
    require_plain(node, 0);
    auto kernel = std::make_unique<Expand>();
    kernel->shape = HostIntegers(node, 1, making);
    making.kernel = "expand";
    return kernel;
}

Made make_tile(const NodeView& node, Making& making) {
    require_plain(node, 0);
    if (node.version() < 6) throw Refusal("it is Tile of opset 1");
    auto kernel = std::make_unique<Tile>();
    kernel->repeats = HostIntegers(node, 1, making);
    making.kernel = "tile";
    return kernel;
}

Made make_space_depth(const NodeView& node, Making& making) {
    require_plain(node, 0);
    const bool to_space = node.op() == "DepthToSpace";
    making.kernel = to_space ? "depth_to_space" : "space_to_depth";
    const std::string mode = node.text("mode", "DCR");
    if (!to_space && mode != "DCR") throw Refusal("mode is " + mode);
    return std::make_unique<SpaceDepth>(node.integer("blocksize", 1), to_space, mode == "CRD");
}

}  // namespace lapidary::cuda
