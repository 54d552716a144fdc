// SPDX-License-Identifier: Apache-2.0
#include "passes/session/channels_last_regions.h"

#include <algorithm>
#include <numeric>
#include <set>

#include "passes/permuted_operator.h"

namespace lapidary {
namespace {

constexpr std::size_t least_convolutions = 2;
constexpr std::int64_t piece = 8;  // halves that kernels load at a time
// share of the reads of a window that miss the cache with channels first
constexpr double kept_share = 0.25;
constexpr double most_elements = 1e15;

thread_local int at_any_cost = 0;  // ChannelsLastAtAnyCost that live

bool is_one_of(const Node& node, std::initializer_list<std::string_view> operators) {
    return std::ranges::find(operators, std::string_view(node.qualified_op())) != operators.end();
}

/// Elements of a value; sizes that are not known count as 1 image of 64 x 64.
double elements_of(const Scope& scope, ValueId id) {
    const Type& type = scope.type(id);
    double count = 1;
    for (std::size_t i = 0; type.shape && i < type.shape->size(); ++i) {
        const Dim& d = (*type.shape)[i];
        count *= d.is_known() ? static_cast<double>(d.value()) : i == 0 ? 1 : 64;
    }
    return std::min(count, most_elements);
}

/// True if the pixels of an image with channels first are a multiple of 8, or if their number is
/// not known.
bool has_whole_pieces(const Scope& scope, ValueId id) {
    const Type& type = scope.type(id);
    std::int64_t pixels = 1;
    for (std::size_t i = 2; type.shape && i < type.shape->size(); ++i) {
        const Dim& d = (*type.shape)[i];
        if (!d.is_known()) return true;
        pixels = pixels * (d.value() % piece) % piece;
    }
    return pixels == 0;
}

std::string image_problem(const Scope& scope, ValueId id) {
    const int rank = scope.rank(id);
    if (rank < 0) return "the rank of " + scope.value(id).name + " is not known";
    if (rank < 3 || rank > 5)
        return scope.value(id).name + " has rank " + std::to_string(rank) + ", images have 3 to 5";
    return {};
}

std::string conv_problem(const Scope& scope, const Node& node) {
    const Tensor* const weight = scope.constant(node.inputs.at(1));
    if (!weight) return "its weight is computed";
    if (weight->rank() != scope.rank(node.inputs[0]))
        return "its weight is not of the image's rank";
    const std::int64_t group = node.int_attribute("group", 1);
    if (group < 1 || weight->size() == 0 || weight->dim(0) % group != 0)
        return "its groups do not fit its weight";
    return {};
}

std::string pool_problem(const Node& node) {
    if (node.outputs.size() > 1 && node.outputs[1]) return "its indices are asked for";
    if (node.int_attribute("storage_order", 0) != 0) return "its storage_order is 1";
    return node.ints_attribute("kernel_shape").empty() ? "it has no kernel_shape" : "";
}

/// Sizes or scales that are constants, for all axes.
std::string resize_problem(const Scope& scope, const Node& node) {
    if (node.version < 11) return "it is of opset " + std::to_string(node.version);
    if (node.has_attribute("axes")) return "it names its axes";
    if (node.string_attribute("coordinate_transformation_mode", "") == "tf_crop_and_resize")
        return "it crops";
    for (std::size_t i = 1; i < node.inputs.size(); ++i)
        if (node.inputs[i] && !scope.constant(node.inputs[i]))
            return "its scales or sizes are computed";
    return {};
}

/// Bytes of memory traffic, or an equivalent, that channels last saves. With channels first every
/// element of a window is read and placed by itself, with channels last pieces of 8 channels. The
/// same holds for 1x1 convolutions if the number of pixels is no multiple of 8.
double gain_of(const Scope& scope, const Node& node) {
    const Tensor& weight = *scope.constant(node.inputs[1]);
    const std::int64_t channels = weight.dim(1), group = node.int_attribute("group", 1);
    const bool is_depthwise = channels == 1 && group == weight.dim(0) && group % piece == 0;
    if (channels % piece != 0 && !is_depthwise) return 0;
    double taps = 1;
    for (std::int64_t i = 2; i < weight.rank(); ++i) taps *= static_cast<double>(weight.dim(i));
    if (taps == 1 &&
        (is_depthwise || weight.dim(0) % piece != 0 || has_whole_pieces(scope, node.outputs[0])))
        return 0;
    const double positions =
        elements_of(scope, node.outputs[0]) / static_cast<double>(weight.dim(0));
    return 2 * kept_share * positions * taps * static_cast<double>(channels * group);
}

/// True if its image is packed before it is read, from either order.
bool packs_its_image(const Scope& scope, const Node& node) {
    const Tensor& weight = *scope.constant(node.inputs[1]);
    return packs_image(node.int_attribute("group", 1), weight.dim(1), weight.dim(0));
}

/// Joins image operators, and operators between them, into regions.
class Regions {
public:
    Regions(const Scope& scope, const std::vector<NodeId>& nodes, bool stores_halves)
        : scope_(scope), nodes_(nodes), wanted_(stores_halves ? DType::f32 : DType::f16) {}

    ChannelsLastRegions choose() {
        for (NodeId id : nodes_) visit(scope_.node(id));
        std::map<NodeId, std::vector<NodeId>> regions;
        for (NodeId id : nodes_)
            if (parent_.contains(id)) regions[root(id)].push_back(id);
        ChannelsLastRegions result;
        std::set<NodeId> chosen;
        for (const auto& [_, members] : regions) {
            const std::string problem = problem_of(members);
            for (NodeId id : members) {
                const ImageOperator kind =
                    kinds_.contains(id) ? kinds_.at(id) : ImageOperator::none;
                if (kind == ImageOperator::none) continue;
                if (problem.empty()) chosen.insert(id);
                else if (kind == ImageOperator::conv) left_[id] = problem;
            }
        }
        for (NodeId id : nodes_)
            if (chosen.contains(id)) result.chosen.push_back(id);
        result.left = std::move(left_);
        return result;
    }

private:
    void visit(const Node& node) {
        if (node.inputs.empty() || node.outputs.empty() || !node.inputs[0] || !node.outputs[0])
            return;
        if (scope_.dtype(node.inputs[0]) != wanted_ && scope_.dtype(node.inputs[0]) != DType::f16)
            return;
        std::string problem;
        const ImageOperator kind = image_operator(scope_, node, problem);
        if (kind == ImageOperator::conv && !problem.empty()) left_[node.id] = problem;
        if (kind != ImageOperator::none && problem.empty()) kinds_[node.id] = kind;
        else if (!is_carried(node)) return;
        parent_[node.id] = node.id;
        for (ValueId v : node.inputs) {
            if (!v || scope_.value(v).kind != ValueKind::node_output) continue;
            if (const NodeId writer = scope_.value(v).producer; parent_.contains(writer))
                join(writer, node.id);
        }
    }

    /// True for an operator behind a value of the region that can work with channels last.
    bool is_carried(const Node& node) const {
        for (std::size_t i = 0; i < node.inputs.size(); ++i) {
            if (!node.inputs[i] || scope_.value(node.inputs[i]).kind != ValueKind::node_output ||
                !parent_.contains(scope_.value(node.inputs[i]).producer))
                continue;
            const int rank = scope_.rank(node.inputs[i]);
            return rank >= 3 && rank <= 5 &&
                   carry(scope_, node, false, i, to_channels_first(rank)).supported;
        }
        return false;
    }

    NodeId root(NodeId id) {
        while (parent_.at(id) != id) id = parent_[id] = parent_.at(parent_.at(id));
        return id;
    }
    void join(NodeId a, NodeId b) { parent_[root(a)] = root(b); }

    std::string problem_of(const std::vector<NodeId>& members) const {
        if (at_any_cost > 0) return {};
        const std::set<NodeId> inside(members.begin(), members.end());
        std::set<ValueId> borders;
        std::size_t convolutions = 0;
        double gain = 0, cost = 0;
        for (NodeId id : members) {
            const Node& node = scope_.node(id);
            if (kinds_.contains(id) && kinds_.at(id) == ImageOperator::conv) {
                ++convolutions;
                gain += gain_of(scope_, node);
            }
            add_borders(node, inside, borders);
        }
        for (ValueId v : borders) cost += 4 * elements_of(scope_, v);  // halves read and written
        if (convolutions < least_convolutions)
            return convolutions == 0 ? "no convolution is among them"
                                     : "no other convolution is near";
        if (gain == 0)
            return "windows of 1 and of channels that are no multiple of 8 read as well with "
                   "channels first";
        if (gain <= cost)
            return "Transposes at the borders would move " +
                   std::to_string(std::llround(cost / 1e3)) + " kB, which is more than the " +
                   std::to_string(std::llround(gain / 1e3)) + " kB that are saved";
        return {};
    }

    /// Adds the cost of values that enter or leave the region.
    void add_borders(const Node& node, const std::set<NodeId>& inside,
                     std::set<ValueId>& borders) const {
        const bool is_image = kinds_.contains(node.id);
        for (std::size_t i = 0; i < node.inputs.size(); ++i) {
            const ValueId v = node.inputs[i];
            if (!v || scope_.constant(v) || scope_.rank(v) < 3 || (is_image && i != 0 && i != 3))
                continue;
            const bool is_packed = i == 0 && is_image &&
                                   kinds_.at(node.id) == ImageOperator::conv &&
                                   packs_its_image(scope_, node);
            if (is_packed) continue;
            const Value& value = scope_.value(v);
            if (value.kind != ValueKind::node_output || !inside.contains(value.producer))
                borders.insert(v);
        }
        for (ValueId v : node.outputs) {
            if (!v) continue;
            const Value& value = scope_.value(v);
            const bool leaves = value.output_uses > 0 || !value.captured_by.empty() ||
                                std::ranges::any_of(value.uses, [&](const Use& u) {
                                    return !inside.contains(u.node);
                                });
            if (leaves && scope_.rank(v) >= 3) borders.insert(v);
        }
    }

    const Scope& scope_;
    const std::vector<NodeId>& nodes_;
    const DType wanted_;
    std::map<NodeId, ImageOperator> kinds_;
    std::map<NodeId, NodeId> parent_;  // of all nodes of regions
    std::map<NodeId, std::string> left_;
};

}  // namespace

ChannelsLastAtAnyCost::ChannelsLastAtAnyCost() { ++at_any_cost; }
ChannelsLastAtAnyCost::~ChannelsLastAtAnyCost() { --at_any_cost; }

bool packs_image(std::int64_t groups, std::int64_t channels, std::int64_t filters) {
    return groups == 1 && channels % piece != 0 && filters % piece == 0;
}

Ints to_channels_first(int rank) {
    Ints permutation{0, rank - 1};
    for (int i = 1; i + 1 < rank; ++i) permutation.push_back(i);
    return permutation;
}

ImageOperator image_operator(const Scope& scope, const Node& node, std::string& problem) {
    ImageOperator kind = ImageOperator::none;
    if (is_one_of(node, {"Conv", "com.microsoft::FusedConv"})) kind = ImageOperator::conv;
    else if (is_one_of(node, {"ConvTranspose"})) kind = ImageOperator::transposed_conv;
    else if (is_one_of(node, {"MaxPool", "AveragePool"})) kind = ImageOperator::pool;
    else if (is_one_of(node, {"GlobalAveragePool", "GlobalMaxPool"}))
        kind = ImageOperator::global_pool;
    else if (is_one_of(node, {"Resize"})) kind = ImageOperator::resize;
    if (kind == ImageOperator::none) return kind;
    problem = image_problem(scope, node.inputs[0]);
    if (!problem.empty()) return kind;
    if (kind == ImageOperator::conv || kind == ImageOperator::transposed_conv)
        problem = conv_problem(scope, node);
    if (kind == ImageOperator::pool) problem = pool_problem(node);
    if (kind == ImageOperator::resize) problem = resize_problem(scope, node);
    return kind;
}

ChannelsLastRegions choose_channels_last(const Scope& scope, const std::vector<NodeId>& nodes,
                                         bool stores_halves) {
    return Regions(scope, nodes, stores_halves).choose();
}

}  // namespace lapidary
