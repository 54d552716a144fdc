// SPDX-License-Identifier: Apache-2.0
#include <lapidary/export/release.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <map>

#include <fmt/format.h>
#include <lapidary/base/error.h>

#include "export/release_kernels.h"
#include "export/release_operator.h"
#include "graph/reader_demands.h"
#include "graph/traversal.h"

namespace lapidary {
namespace {

constexpr std::array<RuntimeRelease, 18> releases{{
    {15, 9, 19, 3},
    {16, 9, 19, 3},
    {17, 9, 20, 4},
    {18, 10, 21, 5},
    {19, 10, 21, 5},
    {20, 10, 21, 5},
    {21, 10, 22, 5},
    {22, 10, 22, 5},
    {23, 11, 23, 5},
    {24, 13, 25, 5},
    {25, 13, 26, 5},
    {26, 13, 26, 5},
    {27, 13, 26, 5},
    {28, 13, 26, 5},
    {29, 13, 26, 5},
    {30, 13, 26, 5},
    {31, 13, 26, 5},
    {32, 14, 28, 5},
}};

constexpr int minor_with_8_bits = 22, minor_with_other_bits = 24;  // of MatMulNBits
// packages for inference have none of them
constexpr std::string_view preview_domains = "ai.onnx.preview";

struct ReleaseOperator {
    std::string_view name;
    int minor;
    std::string_view attributes, inputs;
};
constexpr ReleaseOperator release_operators[] = {
#define LAPIDARY_RELEASE_OPERATOR(name, minor, attributes, inputs) \
    {name, minor, attributes, inputs},
#include "export/release_operators.inc"
#undef LAPIDARY_RELEASE_OPERATOR
};

struct ReleaseType {
    std::string_view name;
    std::size_t input;
    DType dtype;
    int minor;
};
constexpr ReleaseType release_types[] = {
#define LAPIDARY_RELEASE_TYPE(name, input, dtype, minor) {name, input, DType::dtype, minor},
#include "export/release_types.inc"
#undef LAPIDARY_RELEASE_TYPE
};

/// The first release of which `number` is at least `wanted`; 0: none.
int first_with(std::int64_t RuntimeRelease::*number, std::int64_t wanted) {
    for (const RuntimeRelease& release : releases)
        if (release.*number >= wanted) return release.minor;
    return 0;
}

int number_of(std::string_view text) {
    int number = 0;
    std::from_chars(text.data(), text.data() + text.size(), number);
    return number;
}

/// Calls `entry` with each "word:minor" of a list.
template <typename Entry>
void for_each_entry(std::string_view list, const Entry& entry) {
    while (!list.empty()) {
        const std::size_t end = std::min(list.find(' '), list.size()), colon = list.find(':');
        entry(list.substr(0, colon), number_of(list.substr(colon + 1, end - colon - 1)));
        list.remove_prefix(std::min(end + 1, list.size()));
    }
}

class NeedFinder {
public:
    explicit NeedFinder(const Model& model) : model_(model) {}

    std::vector<ReleaseNeed> run() {
        add(first_with(&RuntimeRelease::ir_version, model_.ir_version),
            fmt::format("IR version {}", model_.ir_version));
        add_opsets(model_.opset_imports);
        for (const Function& function : model_.functions) add_opsets(function.opset_imports);
        for_each_graph(
            model_, [&](const Graph& graph, const std::string& place) { add_graph(graph, place); });
        if (model_.graph.nodes().empty() && model_.graph.outputs().empty())
            add(0, "the model has neither nodes nor outputs");
        return std::move(needs_);
    }

private:
    void add(int minor, std::string reason) {
        if (minor != 0 && minor <= releases.front().minor) return;
        const bool is_reported =
            std::ranges::any_of(needs_, [&](const ReleaseNeed& n) { return n.reason == reason; });
        if (!is_reported) needs_.push_back({minor, std::move(reason)});
    }

    void add_opsets(const std::map<std::string, std::int64_t>& imports) {
        for (const auto& [domain, version] : imports) {
            if (domain.empty())
                add(first_with(&RuntimeRelease::opset, version), fmt::format("opset {}", version));
            if (domain == "ai.onnx.ml")
                add(first_with(&RuntimeRelease::ml_opset, version),
                    fmt::format("opset {} of ai.onnx.ml", version));
        }
    }

    void add_graph(const Graph& graph, const std::string& place) {
        const std::string where = &graph == &model_.graph ? "" : " in " + place;
        for (const NodeId id : nodes_of_taken_names(graph))
            add(0, fmt::format("several nodes have the same name {}{}", quote(graph.node(id).name),
                               where));
        if (&graph != &model_.graph)
            for (const std::size_t index : outputs_from_outside(graph))
                add(0, fmt::format("{} returns {} of the graph around it without an Identity",
                                   place, quote(graph.value(graph.outputs()[index]).name)));
        for (const NodeId id : graph.nodes()) {
            const Node& node = graph.node(id);
            if (std::string forbidden = forbidden_by_version(node); !forbidden.empty())
                add(0, fmt::format("{}{}: {}", node.describe(), where, forbidden));
            if (model_.find_function(node.domain, node.op_type, node.overload)) continue;
            if (node.domain.starts_with(preview_domains))
                add(0, fmt::format("{}{}: its domain is {}", node.describe(), where,
                                   quote(node.domain)));
            if (const ReleaseNeed need = release_need(graph, node); !need.reason.empty())
                add(need.minor, fmt::format("{}{}: {}", node.describe(), where, need.reason));
            if (const KernelNeed need = kernel_need(graph, node);
                !need.reason.empty() && !need.may_run_elsewhere)
                add(need.minor, fmt::format("{}{}: {}", node.describe(), where, need.reason));
        }
    }

    const Model& model_;
    std::vector<ReleaseNeed> needs_;
};

}  // namespace

bool shares_its_bias(const Graph& graph, const Node& node) {
    constexpr std::size_t bias = 5;
    if (node.domain != "com.microsoft" ||
        (node.op_type != "Attention" && node.op_type != "MultiHeadAttention"))
        return false;
    if (node.inputs.size() <= bias || !node.inputs[bias] || node.int_attribute("num_heads", 1) < 2)
        return false;
    const auto& shape = graph.value(node.inputs[bias]).type.shape;
    return shape && shape->size() == 4 && (*shape)[1].is_known() && (*shape)[1].value() == 1;
}

ReleaseNeed release_need(const Graph& graph, const Node& node) {
    if (node.domain != "com.microsoft") return {};
    ReleaseNeed need{releases.front().minor, {}};
    const auto raise = [&](int minor, std::string reason) {
        if (minor > need.minor) need = {minor, std::move(reason)};
    };
    if (node.op_type == "MatMulNBits") {
        const std::int64_t bits = node.int_attribute("bits", 4);
        if (bits != 4)
            raise(bits == 8 ? minor_with_8_bits : minor_with_other_bits,
                  fmt::format("its {} bits", bits));
    }
    if (shares_its_bias(graph, node))
        raise(minor_with_shared_bias, "a bias that is one for all heads");
    for (const ReleaseType& type : release_types) {
        if (type.name != node.op_type || type.input >= node.inputs.size() ||
            !node.inputs[type.input])
            continue;
        if (graph.value(node.inputs[type.input]).type.dtype == type.dtype)
            raise(type.minor, fmt::format("its input {} of {}", type.input, name_of(type.dtype)));
    }
    const auto known = std::ranges::find(release_operators, node.op_type, &ReleaseOperator::name);
    if (known == std::end(release_operators)) return need;
    raise(known->minor, "the operator itself");
    for_each_entry(known->attributes, [&](std::string_view name, int minor) {
        if (node.has_attribute(name)) raise(minor, "its attribute " + quote(name));
    });
    for_each_entry(known->inputs, [&](std::string_view count, int minor) {
        if (std::ssize(node.inputs) >= number_of(count))
            raise(minor, fmt::format("{} inputs", node.inputs.size()));
    });
    return need;
}

std::span<const RuntimeRelease> runtime_releases() { return releases; }

const RuntimeRelease& runtime_release(int minor) {
    if (minor < releases.front().minor)
        fail_unsupported(
            fmt::format("what ONNX Runtime 1.{} reads is not known here, 1.{} to 1.{} are", minor,
                        releases.front().minor, releases.back().minor));
    const auto newer =
        std::ranges::find_if(releases, [&](const RuntimeRelease& r) { return r.minor > minor; });
    return *(newer - 1);
}

int release_minor(const std::string& version) {
    int minor = -1;
    if (version.starts_with("1.")) {
        const char* end = version.data() + version.size();
        const auto [rest, status] = std::from_chars(version.data() + 2, end, minor);
        if (status != std::errc() || (rest != end && *rest != '.')) minor = -1;
    }
    if (minor < 0)
        fail_unsupported("expected a release of ONNX Runtime such as 1.20, found " +
                         quote(version));
    return minor;
}

std::vector<ReleaseNeed> release_needs(const Model& model) { return NeedFinder(model).run(); }

std::optional<int> first_release(std::span<const ReleaseNeed> needs) {
    if (needs.empty()) return std::nullopt;
    int newest = 0;
    for (const ReleaseNeed& need : needs) {
        if (need.minor == 0) return 0;
        newest = std::max(newest, need.minor);
    }
    return newest;
}

}  // namespace lapidary
