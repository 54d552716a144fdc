// SPDX-License-Identifier: Apache-2.0
#include "ops/operator_traits.h"

#include <algorithm>
#include <tuple>
#include <unordered_map>
#include <vector>

#include <lapidary/graph/graph.h>

namespace lapidary {
namespace {

// The words of the tables.
namespace words {

using enum OperatorLayout;
using enum Elements;
using enum OperatorFact;

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr ValueRange everywhere{-infinity, infinity};
constexpr ValueRange from(double low) { return {low, infinity}; }
constexpr ValueRange up_to(double high) { return {-infinity, high}; }

constexpr double transcendental = 10;  // operations of a vector polynomial with its range reduction
constexpr Cost moves{CostFormula::each, 0};
constexpr Cost each(double operations) { return {CostFormula::each, operations}; }
constexpr Cost each_input(double operations) { return {CostFormula::each_input, operations}; }
constexpr Cost by(CostFormula formula) { return {formula, 0}; }
constexpr Cost integers(CostFormula formula) { return {formula, 0, true}; }
constexpr Cost unknown_cost{};

template <typename... Index>
constexpr std::uint32_t inputs(Index... index) {
    return ((1u << static_cast<unsigned>(index)) | ... | 0u);
}

/// Each of `activations` and output 0 has separate parameters; there are no weights.
constexpr Quantizing own(std::uint32_t activations, std::string_view static_8 = {}) {
    return {.role = QuantizeRole::own_parameters,
            .inputs = activations,
            .outputs = 1,
            .static_8 = static_8};
}
/// Input 0 and output 0 share parameters; the operator takes integers of `widths` itself.
constexpr Quantizing shared(std::uint8_t widths, std::string_view static_8 = {}) {
    return {.role = QuantizeRole::shared_parameters,
            .inputs = 1,
            .outputs = 1,
            .own_widths = widths,
            .static_8 = static_8};
}
constexpr Quantizing split_shared{.role = QuantizeRole::shared_parameters,
                                  .inputs = 1,
                                  .outputs = Quantizing::every,
                                  .own_widths = 8 | 16};
constexpr Quantizing absorbed_range{.role = QuantizeRole::absorbed, .inputs = 1, .outputs = 1};
/// A normalization: input 0, its scale as a weight, its bias.
constexpr Quantizing scaled{
    .role = QuantizeRole::own_parameters, .inputs = 1, .outputs = 1, .weights = 2, .bias = 2};

}  // namespace words

#define LAPIDARY_OPERATOR(DOMAIN, NAME, LAYOUT, FAMILY, COST, ...) \
    OperatorTraits{.domain = DOMAIN,                               \
                   .name = NAME,                                   \
                   .layout = OperatorLayout::LAYOUT,               \
                   .family = OperatorFamily::FAMILY,               \
                   .cost = COST __VA_OPT__(, ) __VA_ARGS__},
#define LAPIDARY_OPAQUE_OPERATOR(DOMAIN, NAME, FAMILY) \
    OperatorTraits{.domain = DOMAIN, .name = NAME, .family = OperatorFamily::FAMILY},

struct TraitTable {
    std::vector<OperatorTraits> lines;
    // all domains of one name
    std::unordered_map<std::string_view, std::span<const OperatorTraits>> by_name;

    TraitTable() : lines(written()) {
        std::ranges::sort(lines, {}, [](const OperatorTraits& t) {
            return std::tuple(t.name, t.domain, t.since);
        });
        for (std::size_t first = 0, last = 0; first < lines.size(); first = last) {
            while (last < lines.size() && lines[last].name == lines[first].name) ++last;
            by_name.emplace(lines[first].name,
                            std::span<const OperatorTraits>(lines).subspan(first, last - first));
        }
    }

    std::span<const OperatorTraits> of(std::string_view name) const {
        const auto found = by_name.find(name);
        return found == by_name.end() ? std::span<const OperatorTraits>() : found->second;
    }

private:
    static std::vector<OperatorTraits> written() {
        using namespace words;
        static constexpr OperatorTraits list[] = {
#include "ops/traits/trait_list.inc"
        };
        return {std::begin(list), std::end(list)};
    }
};

#undef LAPIDARY_OPERATOR
#undef LAPIDARY_OPAQUE_OPERATOR

const TraitTable& trait_table() {
    static const TraitTable made;
    return made;
}

}  // namespace

std::string OperatorTraits::qualified_name() const {
    return domain.empty() ? std::string(name) : std::string(domain) + "::" + std::string(name);
}

const OperatorTraits& traits_of(std::string_view domain, std::string_view op_type,
                                std::int64_t version) {
    static const OperatorTraits none;
    const OperatorTraits* found = &none;
    version = std::max<std::int64_t>(version, 1);  // 0: the domain is not imported
    for (const OperatorTraits& line : trait_table().of(op_type))
        if (line.domain == domain && line.since <= version) found = &line;
    return *found;
}

const OperatorTraits& traits_of(const Node& node) {
    return traits_of(node.domain, node.op_type, node.version);
}

const OperatorTraits& newest_traits_of(std::string_view domain, std::string_view op_type) {
    return traits_of(domain, op_type, std::numeric_limits<std::int64_t>::max());
}

std::span<const OperatorTraits> all_operator_traits() { return trait_table().lines; }

std::string operators_with(bool (*holds)(const OperatorTraits&)) {
    std::string names;
    const auto lines = all_operator_traits();
    for (std::size_t i = 0; i < lines.size(); ++i) {
        const bool newest = i + 1 == lines.size() || lines[i + 1].name != lines[i].name ||
                            lines[i + 1].domain != lines[i].domain;
        if (newest && holds(lines[i]))
            names += (names.empty() ? "" : "|") + lines[i].qualified_name();
    }
    return names;
}

OperatorFamily family_of(std::string_view op) {
    const std::string_view first = op.substr(0, op.find(' '));  // of "MatMul + Add (fused)"
    const std::size_t colons = first.rfind("::");
    const std::string_view domain =
        colons == std::string_view::npos ? std::string_view() : first.substr(0, colons);
    const auto lines =
        trait_table().of(colons == std::string_view::npos ? first : first.substr(colons + 2));
    const auto own = std::ranges::find(lines, domain, &OperatorTraits::domain);
    if (own != lines.end()) return own->family;
    return lines.empty() ? OperatorFamily::other : lines.front().family;
}

std::string_view name_of(OperatorFamily family) {
    switch (family) {
    case OperatorFamily::convolution: return "convolution";
    case OperatorFamily::matrix: return "matrix";
    case OperatorFamily::normalization: return "normalization";
    case OperatorFamily::activation: return "activation";
    case OperatorFamily::arithmetic: return "arithmetic";
    case OperatorFamily::reduction: return "reduction";
    case OperatorFamily::movement: return "movement";
    case OperatorFamily::recurrent: return "recurrent";
    case OperatorFamily::quantization: return "quantization";
    case OperatorFamily::control: return "control";
    case OperatorFamily::other: break;
    }
    return "other";
}

}  // namespace lapidary
