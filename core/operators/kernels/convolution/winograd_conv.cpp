// SPDX-License-Identifier: Apache-2.0
// com.microsoft.nchwc Conv of 3 x 3 windows, stride 1, by Winograd's minimal filtering. The result
// differs from the direct sum by at most 1e-4 (F(4x4,3x3)) or 1e-5 (F(2x2,3x3)) of the range of the
// output; KernelOptions::winograd switches it off.
#include "kernels/convolution/winograd_cost.h"
#include "kernels/convolution/winograd_direct.h"
#include "kernels/expected_input.h"
#include "kernels/input_index.h"
#include "kernels/pooling/blocked_layout.h"
#include "kernels/vector/convolution/winograd.h"
#include "ops/geometry/window.h"

namespace lapidary {
namespace {

using winograd::Problem;

constexpr std::int64_t least_group = 14;  // tiles whose products keep the registers full

/// Rounded up to an odd number of cache lines: products so far apart do not share a few sets of L1.
std::int64_t odd_lines(std::int64_t elements) { return ((elements + 15) / 16 | 1) * 16; }

class WinogradConv final : public Kernel {
public:
    struct Node {
        std::int64_t block, m, inputs, outputs;  // channels in whole blocks
        WindowAttributes window;
        Activation activation;
        bool may_overwrite_sum;
    };

    WinogradConv(Node node, std::shared_ptr<const PackedWeight> weight, std::int64_t u_stride)
        : node_(std::move(node)), weight_(std::move(weight)), u_stride_(u_stride),
          kernels_(winograd_kernels()) {}

    StorageSharing sharing() const override {
        return node_.may_overwrite_sum
                   ? StorageSharing{StorageSharing::overwrite, 1u << conv_input::sum}
                   : StorageSharing{};
    }

    void run(KernelContext& context) const override {
        const Tensor& x = expect_channels(context, 0, DType::f32, 4, node_.inputs);
        const WindowAxis height = window_axis(node_.window, 0, x.dim(2), 3),
                         width = window_axis(node_.window, 1, x.dim(3), 3);
        Tensor& y =
            context.output(0, DType::f32, {x.dim(0), node_.outputs, height.output, width.output});
        const Tensor* bias = optional_floats(context, 2, {node_.outputs});
        const Tensor* sum = optional_floats(context, conv_input::sum, y.shape());
        if (y.size() == 0) return;

        Run r{context,
              {},
              x.data<float>().data(),
              bias ? bias->data<float>().data() : nullptr,
              sum ? sum->data<float>().data() : nullptr,
              y.mutable_data<float>().data()};
        WinogradTiles& t = r.tiles;
        t = {node_.m,
             node_.block,
             height.input,
             width.input,
             height.output,
             width.output,
             height.pad_begin,
             width.pad_begin,
             (height.output + node_.m - 1) / node_.m,
             (width.output + node_.m - 1) / node_.m};
        const std::int64_t all = x.dim(0) * t.per_image();
        const int threads = context.threads().threads();
        const Problem problem{x.dim(0), height.output, width.output, node_.inputs, node_.outputs};
        std::int64_t at_once = winograd::tiles_at_once(problem, node_.m);
        // A group per thread needs no waiting between its steps; few tiles are better shared,
        // product by product.
        if (threads > 1 && all / threads >= least_group)
            at_once = std::min(at_once, (all + threads - 1) / threads);
        const std::int64_t groups = (all + at_once - 1) / at_once;
        const bool splits_groups = threads > 1 && groups >= threads;
        r.v_stride = odd_lines(node_.inputs * at_once);
        r.m_stride = odd_lines(padded_outputs() * at_once);
        const std::int64_t products = t.products(), space = products * (r.v_stride + r.m_stride);
        Tensor work = context.scratch(DType::f32, {splits_groups ? threads : 1, space});
        float* const memory = work.mutable_data<float>().data();
        const auto handle = [&](std::int64_t group, float* at, bool alone) {
            const std::int64_t first = group * at_once;
            group_of_tiles(r, first, std::min(at_once, all - first), at, at + products * r.v_stride,
                           alone);
        };
        if (splits_groups) {
            context.threads().parallel_tasks(groups, [&](std::int64_t group, int worker) {
                context.cancel().throw_if_cancelled();
                handle(group, memory + worker * space, true);
            });
        } else {
            for (std::int64_t group = 0; group < groups; ++group) {
                context.cancel().throw_if_cancelled();
                handle(group, memory, threads == 1);
            }
        }
    }

private:
    struct Run {
        KernelContext& context;
        WinogradTiles tiles;
        const float *x, *bias, *sum;
        float* y;
        std::int64_t v_stride = 0, m_stride = 0;
    };

    std::int64_t padded_outputs() const {
        return (node_.outputs + kernels_.panel / 2 - 1) / (kernels_.panel / 2) *
               (kernels_.panel / 2);
    }
    std::int64_t panels() const { return (node_.outputs + kernels_.panel - 1) / kernels_.panel; }
    std::int64_t panel_width(std::int64_t panel) const {
        return std::min(kernels_.panel, padded_outputs() - panel * kernels_.panel);
    }

    template <typename Body>
    static void each(const Run& r, bool alone, std::int64_t count, const Body& body) {
        if (alone)
            for (std::int64_t i = 0; i < count; ++i) body(i);
        else r.context.threads().parallel_tasks(count, [&](std::int64_t i, int) { body(i); });
    }

    void group_of_tiles(const Run& r, std::int64_t first, std::int64_t count, float* v, float* m,
                        bool alone) const {
        const WinogradTiles& t = r.tiles;
        const std::int64_t block = node_.block, plane = t.height * t.width * block;
        each(r, alone, node_.inputs / block, [&](std::int64_t b) {
            kernels_.inputs(r.x + b * plane, node_.inputs / block * plane, t, first, count,
                            v + b * count * block, r.v_stride);
        });
        each(r, alone, t.products(), [&](std::int64_t xi) {
            const float* u = weight_->as<float>() + xi * u_stride_;
            for (std::int64_t p = 0; p < panels(); ++p)
                kernels_.multiply(v + xi * r.v_stride, count, node_.inputs, block,
                                  u + p * kernels_.panel * node_.inputs, panel_width(p),
                                  m + xi * r.m_stride + p * kernels_.panel * count);
        });
        each(r, alone, node_.outputs / block,
             [&](std::int64_t b) { write_block(r, b, first, count, m); });
    }

    /// The tiles of one block of outputs.
    void write_block(const Run& r, std::int64_t b, std::int64_t first, std::int64_t count,
                     const float* m) const {
        const WinogradTiles& t = r.tiles;
        const std::int64_t block = node_.block, o = b * block, p = o / kernels_.panel,
                           column = o % kernels_.panel,
                           output_plane = t.output_height * t.output_width * block;
        constexpr std::int64_t tiles_at_once = 64;
        std::uint16_t spoiled[tiles_at_once];
        const WinogradOutput to{r.bias ? r.bias + o : nullptr,
                                r.sum ? r.sum + b * output_plane : nullptr,
                                r.y + b * output_plane,
                                node_.outputs / block * output_plane,
                                node_.activation,
                                spoiled};
        const winograd::TransformedFilters filters{
            weight_->as<float>() + p * kernels_.panel * node_.inputs + column, u_stride_,
            panel_width(p), node_.inputs};
        for (std::int64_t begin = 0; begin < count; begin += tiles_at_once) {
            const std::int64_t tiles = std::min(tiles_at_once, count - begin);
            const float* from = m + p * kernels_.panel * count + begin * panel_width(p) + column;
            if (!kernels_.outputs(from, r.m_stride, panel_width(p), t, first + begin, tiles, to))
                continue;
            for (std::int64_t i = 0; i < tiles; ++i)
                if (spoiled[i])
                    winograd::write_direct_tile(r.x, t.height * t.width * node_.inputs, t,
                                                first + begin + i, filters, spoiled[i], to);
        }
    }

    Node node_;
    std::shared_ptr<const PackedWeight> weight_;
    std::int64_t u_stride_;
    const WinogradKernels& kernels_;
};

/// The image's sizes for the cost, dimensions that are not known being 1 image of 56 x 56.
Problem problem_of(const KernelRequest& request, const WindowAttributes& window,
                   std::int64_t inputs, std::int64_t outputs) {
    Problem p{1, 56, 56, inputs, outputs};
    const Type& type = request.input_type(0);
    if (!type.shape || type.shape->size() != 4) return p;
    const auto known = [&](std::size_t axis, std::int64_t fallback) {
        return (*type.shape)[axis].is_known() ? (*type.shape)[axis].value() : fallback;
    };
    p.images = std::max<std::int64_t>(1, known(0, 1));
    p.output_height = std::max<std::int64_t>(
        1, window_axis(window, 0, std::max<std::int64_t>(known(2, 56), 3), 3).output);
    p.output_width = std::max<std::int64_t>(
        1, window_axis(window, 1, std::max<std::int64_t>(known(3, 56), 3), 3).output);
    return p;
}

void read_floats(const Tensor& tensor, std::int64_t begin, std::int64_t count, float* to) {
    tensor.read(static_cast<std::size_t>(begin) * sizeof(float),
                static_cast<std::size_t>(count) * sizeof(float), reinterpret_cast<std::byte*>(to));
}

/// The weight of a 3 x 3 convolution of stride 1 on whole blocks, or null with the reason.
const Tensor* usable_weight(const KernelRequest& request, std::int64_t block, std::string& reason) {
    const Node& node = request.node;
    const Tensor* w = request.constant(1);
    const auto is_one = [&](std::string_view name) {
        return std::ranges::all_of(node.ints_attribute(name),
                                   [](std::int64_t v) { return v == 1; });
    };
    if (!w) reason = "the weight is computed at run time, Winograd transforms it beforehand";
    else if (w->dtype() != DType::f32 || w->rank() != 4 || w->dim(2) != 3 || w->dim(3) != 3)
        reason = "the weight is " + std::string(name_of(w->dtype())) + to_string(w->shape()) +
                 ", Winograd is for windows of 3 x 3";
    else if (node.int_attribute("group", 1) != 1) reason = "it has groups, Winograd takes one";
    else if (!is_one("strides") || !is_one("dilations"))
        reason = "Winograd takes strides and dilations of 1";
    else if (w->dim(1) < block)
        reason =
            "its input has " + std::to_string(w->dim(1)) + " channels, too few for Winograd to pay";
    else if (w->dim(0) % block != 0 || w->dim(1) % block != 0 || w->size() == 0)
        reason = "the weight " + to_string(w->shape()) + " is not made of whole blocks of " +
                 std::to_string(block);
    else return w;
    return nullptr;
}

}  // namespace

std::unique_ptr<Kernel> make_winograd_conv(const KernelRequest& request, std::string& reason) {
    const lapidary::Node& node = request.node;
    if (!request.options.winograd) {
        reason = "Winograd convolutions are switched off";
        return nullptr;
    }
    const std::int64_t block = pooling::fast_block_of(node, reason);
    const Tensor* w = block ? usable_weight(request, block, reason) : nullptr;
    if (!w) return nullptr;
    const auto activation = activation_of(node.string_attribute("activation", ""),
                                          node.floats_attribute("activation_params"));
    if (!activation) {
        reason = "activation " + node.string_attribute("activation", "") +
                 " is served by the reference kernel";
        return nullptr;
    }
    WindowAttributes window = read_window_attributes(node, 2);
    const std::int64_t outputs = w->dim(0), inputs = w->dim(1),
                       m = winograd::best_tile(problem_of(request, window, inputs, outputs),
                                               request.options.isa);
    if (m == 0) {
        reason = "at this size Winograd would be no faster: it reads " +
                 std::to_string(outputs * inputs * 16 * 4 >> 10) + " KB of transformed weights";
        return nullptr;
    }
    const WinogradKernels& kernels = winograd_kernels();
    const std::int64_t half = kernels.panel / 2, padded = (outputs + half - 1) / half * half,
                       panels = (outputs + kernels.panel - 1) / kernels.panel;
    const std::int64_t u_stride = odd_lines(inputs * padded), blocks = inputs / block;
    const std::string format = "winograd " + std::to_string(m) + " panels " +
                               std::to_string(kernels.panel) + " block " + std::to_string(block);
    auto weight = request.weights.add(
        *w, format, static_cast<std::size_t>(u_stride * (m + 2) * (m + 2)) * sizeof(float),
        panels * blocks,
        [=, &kernels, source = *w](std::byte* to, std::int64_t begin, std::int64_t end) {
            const std::int64_t square = 9 * block * block;
            std::vector<float> squares(static_cast<std::size_t>(kernels.panel / block * square));
            for (std::int64_t unit = begin; unit < end; ++unit) {
                const std::int64_t first = unit / blocks * kernels.panel, b = unit % blocks;
                const std::int64_t width = std::min(kernels.panel, padded - first),
                                   count = std::min(width, outputs - first);
                for (std::int64_t o = 0; o < count; o += block)
                    read_floats(source, ((first + o) / block * blocks + b) * square, square,
                                squares.data() + o / block * square);
                kernels.filters(squares.data(), m, block, count, width,
                                reinterpret_cast<float*>(to) + first * inputs + b * block * width,
                                u_stride);
            }
        });
    request.unread_inputs.push_back(1);
    const bool has_sum =
        request.has_input(conv_input::sum) && node.inputs[conv_input::sum] != node.inputs[0];
    return std::make_unique<WinogradConv>(
        WinogradConv::Node{block, m, inputs, outputs, std::move(window), *activation, has_sum},
        std::move(weight), u_stride);
}

}  // namespace lapidary
