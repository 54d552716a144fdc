// SPDX-License-Identifier: Apache-2.0
#include "operators/normalization.h"

#include "kernels/elementwise/elementwise.h"
#include "kernels/normalization/embedding.h"
#include "operators/elementwise.h"
#include "operators/makers.h"
#include "operators/movement.h"

namespace lapidary::cuda {
namespace {

using Made = std::unique_ptr<NodeKernel>;

NormalizeArgs rows_of(const Array& x, std::int64_t width, float epsilon) {
    NormalizeArgs args;
    args.input = x.data;
    args.type = x.type;
    args.scale_type = x.type;
    count_32(x.dims);
    args.width = static_cast<std::int32_t>(width);
    args.rows = width == 0 ? 0 : static_cast<std::int32_t>(x.count() / width);
    args.channels_per_row = args.width;
    args.epsilon = epsilon;
    return args;
}

void set_scale(NormalizeArgs& args, const Array& scale, const Array& bias, std::int64_t channels) {
    if ((scale.data && scale.count() != channels) || (bias.data && bias.count() != channels))
        throw DeviceError(LP_UNSUPPORTED,
                          "a scale or bias that broadcasts along a normalized axis");
    args.scale = scale.data;
    args.bias = bias.data;
    if (scale.data) args.scale_type = scale.type;
}

}  // namespace

NormalizeArgs skipped_rows(const KernelRun& run, float epsilon, bool is_root_mean_square) {
    const Array x = run.input(0), skip = run.input(1), scale = run.input(2);
    const std::size_t bias_input = is_root_mean_square ? 3 : 4;
    if (x.dims.size() < 2) KernelRun::fail("the input is of rank below 2");
    NormalizeArgs args = rows_of(x, x.dims.back(), epsilon);
    set_scale(args, scale, is_root_mean_square ? Array{} : run.input(3), x.dims.back());
    if (broadcast(skip.dims, x.dims) != x.dims)
        KernelRun::fail("skip does not broadcast to the input");
    args.skip = skip.data;
    args.skip_count = static_cast<std::int32_t>(skip.count());
    run.require_dims(bias_input, {x.dims.back()});
    args.addend = run.input(bias_input).data;
    args.is_root_mean_square = is_root_mean_square;
    return args;
}

void require_leading_skip(const NodeView& node) {
    const auto dims = node.dims(0), skip = node.dims(1);
    if (!dims || !skip) throw Refusal("shapes of its inputs are not known");
    for (std::size_t i = 1; i <= std::min(dims->size(), skip->size()); ++i)
        if ((*skip)[skip->size() - i] == 1 && (*dims)[dims->size() - i] != 1 && i < skip->size())
            throw Refusal("input 1 broadcasts along an axis that is not the first");
}

namespace {

class LayerNormalization final : public NodeKernel {
public:
    std::int64_t axis = -1;
    float epsilon = 1e-5f;
    bool is_root_mean_square = false;
    void run(KernelRun& run) const override {
        const Array x = run.input(0);
        const std::size_t along = whole_axis(axis, x.dims.size());
        Dims rows(x.dims.begin(), x.dims.begin() + static_cast<std::ptrdiff_t>(along));
        const std::int64_t width =
            count_of({x.dims.begin() + static_cast<std::ptrdiff_t>(along), x.dims.end()});
        rows.resize(x.dims.size(), 1);
        NormalizeArgs args = rows_of(x, width, epsilon);
        set_scale(args, run.input(1), run.input(2), width);
        args.is_root_mean_square = is_root_mean_square;
        args.output = run.output(0, args.scale ? run.input(1).type : x.type, x.dims);
        if (!is_root_mean_square && run.wants(1)) args.mean = run.output(1, f32, rows);
        if (!is_root_mean_square && run.wants(2)) args.inverse_deviation = run.output(2, f32, rows);
        launch_normalize(run.queue(), args);
        if (width > 0) return;
        for (void* statistic : {args.mean, args.inverse_deviation})
            // same as the CPU kernel
            if (statistic) launch_fill(run.queue(), statistic, 4, count_32(rows), 0);
    }
};

class SkipNormalization final : public NodeKernel {
public:
    float epsilon = 1e-12f;
    bool is_root_mean_square = false;
    void run(KernelRun& run) const override {
        const Array x = run.input(0);
        NormalizeArgs args = skipped_rows(run, epsilon, is_root_mean_square);
        args.output = run.output(0, x.type, x.dims);
        Dims rows = x.dims;
        rows.back() = 1;
        if (run.wants(1)) args.mean = run.output(1, f32, rows);
        if (run.wants(2)) args.inverse_deviation = run.output(2, f32, rows);
        if (run.wants(3)) args.sum = run.output(3, x.type, x.dims);
        launch_normalize(run.queue(), args);
    }
};

/// InstanceNormalization and GroupNormalization, channels on axis 1.
class GroupNormalization final : public NodeKernel {
public:
    std::int64_t groups = 0;  // 0: as many as channels
    float epsilon = 1e-5f;
    void run(KernelRun& run) const override {
        const Array x = run.input(0);
        if (x.dims.size() < 3) KernelRun::fail("the input is of rank below 3");
        const std::int64_t channels = x.dims[1], of = groups == 0 ? channels : groups;
        if (channels > 0 && (of <= 0 || channels % of != 0))
            KernelRun::fail("the channels are no multiple of num_groups");
        std::int64_t spatial = 1;
        for (std::size_t i = 2; i < x.dims.size(); ++i) spatial *= x.dims[i];
        void* const y = run.output(0, x.type, x.dims);
        if (!y) return;
        NormalizeArgs args = rows_of(x, channels / of * spatial, epsilon);
        set_scale(args, run.input(1), run.input(2), channels);
        args.row_groups = static_cast<std::int32_t>(of);
        args.channels_per_row = static_cast<std::int32_t>(channels / of);
        args.spatial = static_cast<std::int32_t>(spatial);
        args.output = y;
        launch_normalize(run.queue(), args);
    }
};

class EmbedLayerNormalization final : public NodeKernel {
public:
    float epsilon = 1e-12f;
    void run(KernelRun& run) const override {
        const Array ids = run.input(0), words = run.input(2), positions = run.input(3),
                    segments = run.input(4), position_ids = run.input(8);
        run.require_dims(0, {-1, -1});
        run.require_dims(1, ids.dims);
        run.require_dims(2, {-1, -1});
        for (std::size_t table : {3, 4}) run.require_dims(table, {-1, words.dims[1]});
        run.require_dims(7, ids.dims);
        if (position_ids.data && position_ids.dims != ids.dims)
            run.require_dims(8, {1, ids.dims[1]});
        const Dims dims{ids.dims[0], ids.dims[1], words.dims[1]};
        EmbedArgs args;
        args.words = ids_of(ids);
        args.segments = ids_of(run.input(1));
        args.positions = ids_of(position_ids);
        args.position_batches = position_ids.data && position_ids.count() == ids.count() ? 2 : 1;
        args.word_table = words.data;
        args.position_table = positions.data;
        args.segment_table = segments.data;
        args.type = words.type;
        count_32(dims);
        args.batch = static_cast<std::int32_t>(dims[0]);
        args.length = static_cast<std::int32_t>(dims[1]);
        args.width = static_cast<std::int32_t>(dims[2]);
        args.word_count = static_cast<std::int32_t>(words.dims[0]);
        args.position_count = static_cast<std::int32_t>(positions.dims[0]);
        args.segment_count = segments.data ? static_cast<std::int32_t>(segments.dims[0]) : 0;
        args.node = run.node();
        if (run.wants(1)) {
            args.mask = static_cast<const std::int32_t*>(run.input(7).data);
            args.counts = static_cast<std::int32_t*>(run.output(1, i32, {dims[0]}));
        }
        Array sum{words.type, dims, nullptr};
        NormalizeArgs norm = rows_of(sum, dims[2], epsilon);
        set_scale(norm, run.input(5), run.input(6), dims[2]);
        norm.output = run.output(0, words.type, dims);
        if (run.wants(2)) norm.sum = run.output(2, words.type, dims);
        if (!embeds_in_one(args, norm)) {
            args.output = norm.sum ? norm.sum : run.scratch(sum.bytes());
            norm.input = args.output;
            norm.sum = nullptr;
        }
        launch_embed_normalize(run.queue(), args, norm);
    }

private:
    static EmbedIds ids_of(const Array& ids) { return {ids.data, ids.type == i64}; }
};

/// Throws Refusal where tables are known not to have one entry per channel.
void require_channels(const NodeView& node, std::size_t input, std::size_t rank) {
    const auto dims = node.dims(input);
    if (node.has_input(input) && (!dims || dims->size() != rank))
        throw Refusal("input " + std::to_string(input) + " is not known to be of rank " +
                      std::to_string(rank));
}

}  // namespace

Made make_layer_normalization(const NodeView& node, Making& making) {
    auto kernel = std::make_unique<LayerNormalization>();
    kernel->is_root_mean_square = node.op() != "LayerNormalization";
    kernel->axis = node.integer("axis", -1);
    kernel->epsilon = node.real("epsilon", 1e-5f);
    for (std::size_t i = 0; i < 3; ++i)
        if (node.has_input(i))
            require_type(node, i,
                         is_float(node.input_type(i)) && node.input_type(i) == node.input_type(0));
    if (kernel->is_root_mean_square && node.has_output(1))
        throw Refusal("its second output is asked for");
    const auto dims = node.dims(0);
    const std::int64_t rank = dims ? static_cast<std::int64_t>(dims->size()) : -1;
    if (rank < 0) throw Refusal("the rank of input 0 is not known");
    const std::int64_t normalized = kernel->axis < 0 ? -kernel->axis : rank - kernel->axis;
    for (std::size_t i : {1, 2}) {
        const auto of = node.dims(i);
        if (!node.has_input(i)) continue;
        if (!of || static_cast<std::int64_t>(of->size()) != normalized)
            throw Refusal("input " + std::to_string(i) +
                          " is not known to have the normalized axes");
        for (std::size_t k = 0; k < of->size(); ++k)
            if ((*of)[k] != (*dims)[dims->size() - of->size() + k])
                throw Refusal("input " + std::to_string(i) +
                              " is not known to have the normalized axes");
    }
    making.kernel = kernel->is_root_mean_square ? "rms_normalization" : "layer_normalization";
    return kernel;
}

Made make_skip_normalization(const NodeView& node, Making& making) {
    auto kernel = std::make_unique<SkipNormalization>();
    kernel->is_root_mean_square = node.op() == "SkipSimplifiedLayerNormalization";
    kernel->epsilon = node.real("epsilon", 1e-12f);
    for (std::size_t i = 0; i < node.input_count(); ++i)
        if (node.has_input(i)) require_type(node, i, is_float(node.input_type(i)));
    if (kernel->is_root_mean_square && (node.has_output(1) || node.has_output(2)))
        throw Refusal("its second or third output is asked for");
    require_channels(node, 2, 1);
    require_leading_skip(node);
    making.kernel = "skip_normalization";
    return kernel;
}

Made make_group_normalization(const NodeView& node, Making& making) {
    auto kernel = std::make_unique<GroupNormalization>();
    if (node.op() == "GroupNormalization") {
        if (node.version() < 21) throw Refusal("its scale is one of groups, as before opset 21");
        kernel->groups = node.integer("num_groups", 0);
        if (kernel->groups <= 0) throw Refusal("num_groups is not positive");
    }
    kernel->epsilon = node.real("epsilon", 1e-5f);
    for (std::size_t i = 0; i < 3; ++i) require_type(node, i, is_float(node.input_type(i)));
    const auto dims = node.dims(0);
    if (!dims || dims->size() < 3) throw Refusal("input 0 is not known to be of rank 3 or more");
    making.kernel = "group_normalization";
    return kernel;
}

Made make_embed_layer_normalization(const NodeView& node, Making& making) {
    auto kernel = std::make_unique<EmbedLayerNormalization>();
    kernel->epsilon = node.real("epsilon", 1e-12f);
    for (std::size_t i : {2, 3})
        require_type(node, i, node.input_type(i) == f32 || node.input_type(i) == f16);
    for (std::size_t i : {0, 1, 8})
        if (node.has_input(i))
            require_type(node, i, node.input_type(i) == i32 || node.input_type(i) == i64);
    if (node.has_input(7)) require_type(node, 7, node.input_type(7) == i32);
    require_both(node, 1, 4);
    making.kernel = "embed_normalization";
    return kernel;
}

}  // namespace lapidary::cuda
