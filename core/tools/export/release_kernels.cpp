// SPDX-License-Identifier: Apache-2.0
#include "export/release_kernels.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <map>
#include <tuple>
#include <vector>

#include <fmt/format.h>

#include "ops/schemas/schema.h"

namespace lapidary {
namespace {

struct ReleaseKernel {
    std::string_view domain, name;
    std::int64_t since;
    std::string_view text;

    auto key() const { return std::tie(domain, name, since); }
};
// 1.15 does not list its kernels: it is taken to have those of 1.16
constexpr int oldest_listed = 16;

/// In order of their keys.
constexpr ReleaseKernel release_kernels[] = {
#define LAPIDARY_RELEASE_KERNEL(domain, name, since, text) {domain, name, since, text},
#include "export/release_kernels.inc"
#undef LAPIDARY_RELEASE_KERNEL
};

const ReleaseKernel* find_kernels(const OpSchema& schema) {
    const std::string_view domain = schema.domain, name = schema.name;
    const auto wanted = std::tie(domain, name, schema.since_version);
    const auto* found = std::ranges::lower_bound(release_kernels, wanted, {}, &ReleaseKernel::key);
    return found != std::end(release_kernels) && found->key() == wanted ? found : nullptr;
}

/// Removes the part before the separator, and the separator, from the text. Returns that part.
std::string_view take(std::string_view& text, std::string_view separator) {
    const std::size_t end = std::min(text.find(separator), text.size());
    const std::string_view front = text.substr(0, end);
    text.remove_prefix(std::min(end + separator.size(), text.size()));
    return front;
}

using TypesOfVariables = std::map<std::string, DType, std::less<>>;

void bind(const std::vector<ValueId>& values, const Graph& graph,
          const SchemaParameter* (OpSchema::*parameter)(std::size_t) const, const OpSchema& schema,
          TypesOfVariables& types) {
    for (std::size_t i = 0; i < values.size(); ++i) {
        const SchemaParameter* declared = values[i] ? (schema.*parameter)(i) : nullptr;
        if (!declared || !declared->is_homogeneous || !schema.constraint(declared->type)) continue;
        const Type& type = graph.value(values[i]).type;
        if (type.is_tensor() && type.dtype != DType::undefined)
            types.emplace(declared->type, type.dtype);
    }
}

/// "T=f32,f64 U=i64" or "any".
bool fits(std::string_view box, const TypesOfVariables& types) {
    if (box == "any") return true;
    while (!box.empty()) {
        std::string_view allowed = take(box, " ");
        const auto bound = types.find(take(allowed, "="));
        if (bound == types.end()) continue;
        bool is_listed = false;
        while (!allowed.empty() && !is_listed)
            is_listed = take(allowed, ",") == name_of(bound->second);
        if (!is_listed) return false;
    }
    return true;
}

/// The first release with a kernel for these types; 0: none.
int first_with(std::string_view text, const TypesOfVariables& types) {
    while (!text.empty()) {  // oldest first
        std::string_view box = take(text, "; ");
        const std::string_view number = take(box, " ");
        int minor = 0;
        std::from_chars(number.data(), number.data() + number.size(), minor);
        if (fits(box, types)) return minor;
    }
    return 0;
}

bool takes_half(const Graph& graph, const Node& node) {
    return std::ranges::any_of(
        node.inputs, [&](ValueId id) { return id && graph.value(id).type.dtype == DType::f16; });
}

bool is_of_devices(DType dtype) {
    return dtype == DType::bf16 || (is_float(dtype) && bit_width(dtype) <= 8);
}

/// The main operator in the body of a function of ONNX. Releases without a kernel for the function
/// expand it.
struct Expanded {
    std::string_view name, body;
};
constexpr Expanded expanded[] = {
    {"CastLike", "Cast"}, {"GreaterOrEqual", "Greater"}, {"LessOrEqual", "Less"}};

/// The first release with kernels for the body; -1: the operator is no function whose body is known
/// here.
int first_with_body(const OpSchema& function, const TypesOfVariables& types) {
    const auto* known = std::ranges::find(expanded, function.name, &Expanded::name);
    if (known == std::end(expanded) || !function.domain.empty()) return -1;
    const OpSchema* body = find_schema(function.domain, known->body, function.since_version);
    const ReleaseKernel* kernels = body ? find_kernels(*body) : nullptr;
    if (!kernels) return oldest_listed;
    return first_with(kernels->text, types);  // the variables have the same names
}

std::string text_of(const TypesOfVariables& types) {
    std::string text;
    for (const auto& [variable, dtype] : types)
        text += fmt::format("{}{} {}", text.empty() ? " for " : ", ", variable, name_of(dtype));
    return text;
}

/// Values of attributes that some kernels, or the shape inference of older releases, refuse.
KernelNeed attribute_need(const Node& node) {
    constexpr std::array<std::string_view, 3> recurrent{"GRU", "LSTM", "RNN"};
    constexpr int minor_with_inverse_of_halves = 25;
    if (!node.domain.empty()) return {};
    if (std::ranges::find(recurrent, node.op_type) != recurrent.end() &&
        node.int_attribute("layout", 0) != 0)
        return {0, "no kernel of the CPU takes its attribute \"layout\"", false};
    if (node.op_type == "DFT" && node.int_attribute("inverse", 0) != 0 &&
        node.int_attribute("onesided", 0) != 0)
        return {minor_with_inverse_of_halves, "\"inverse\" and \"onesided\" at once", false};
    return {};
}

}  // namespace

KernelNeed kernel_need(const Graph& graph, const Node& node) {
    if (KernelNeed need = attribute_need(node); !need.reason.empty()) return need;
    const OpSchema* schema = find_schema(node.domain, node.op_type, node.version);
    const ReleaseKernel* known = schema ? find_kernels(*schema) : nullptr;
    if (!known) return {};
    TypesOfVariables types;
    bind(node.inputs, graph, &OpSchema::input, *schema, types);
    bind(node.outputs, graph, &OpSchema::output, *schema, types);
    int minor = first_with(known->text, types);
    const int body = first_with_body(*schema, types);
    if (body > 0 && (minor == 0 || body < minor)) minor = body;
    if (minor != oldest_listed && takes_half(graph, node)) {
        TypesOfVariables widened = types;
        for (auto& [variable, dtype] : widened)
            if (dtype == DType::f16) dtype = DType::f32;
        const int by_casts = first_with(known->text, widened);
        if (by_casts != 0 && (minor == 0 || by_casts < minor)) minor = by_casts;
    }
    if (minor == oldest_listed) return {minor, {}, false};
    const bool is_of_device =
        std::ranges::any_of(types, [](const auto& t) { return is_of_devices(t.second); });
    const bool has_none = known->text.empty() && body < 0;
    return {minor,
            fmt::format(
                "no kernel of the CPU{}{}",
                node.domain.empty() ? fmt::format(" for version {}", schema->since_version) : "",
                has_none ? "" : text_of(types)),
            minor == 0 && (is_of_device || (has_none && !node.domain.empty()))};
}

}  // namespace lapidary
