// SPDX-License-Identifier: Apache-2.0
// The kernel table, made from kernel_list.inc.
#include <limits>
#include <map>

#include "kernels/added_kernels.h"
#include "kernels/kernel.h"
#include "kernels/node_reads.h"
#include "ops/schemas/schema.h"

namespace lapidary {

namespace reference {
#define LAPIDARY_KERNEL(domain, op, min_version, max_version, name, function) \
    void function(KernelContext&);
#define LAPIDARY_KERNEL_FACTORY(domain, op, min_version, max_version, name, function)
#include "kernels/kernel_list.inc"
#undef LAPIDARY_KERNEL
#undef LAPIDARY_KERNEL_FACTORY
}  // namespace reference

#define LAPIDARY_KERNEL(domain, op, min_version, max_version, name, function)
#define LAPIDARY_KERNEL_FACTORY(domain, op, min_version, max_version, name, function) \
    std::unique_ptr<Kernel> function(const KernelRequest&, std::string&);
#include "kernels/kernel_list.inc"
#undef LAPIDARY_KERNEL
#undef LAPIDARY_KERNEL_FACTORY

namespace {

constexpr std::int64_t latest = std::numeric_limits<std::int64_t>::max();

constexpr KernelEntry entries[] = {
#define LAPIDARY_KERNEL(domain, op, min_version, max_version, name, function) \
    {domain, op, min_version, max_version, name, &reference::function, nullptr},
#define LAPIDARY_KERNEL_FACTORY(domain, op, min_version, max_version, name, function) \
    {domain, op, min_version, max_version, name, nullptr, &function},
#include "kernels/kernel_list.inc"
#undef LAPIDARY_KERNEL
#undef LAPIDARY_KERNEL_FACTORY
    {"", "", 1, 0, "", nullptr, nullptr}};  // matches nothing: keeps the table from being empty

using Index = std::multimap<std::pair<std::string_view, std::string_view>, const KernelEntry*>;

// Equal keys of a multimap keep their insertion order, so the list's order is the order of
// preference.
const Index& index() {
    static const Index table = [] {
        Index t;
        for (const KernelEntry& e : kernel_entries()) t.insert({{e.domain, e.op_type}, &e});
        return t;
    }();
    return table;
}

std::string version_range(const KernelEntry& e) {
    return std::to_string(e.min_version) +
           (e.max_version == latest ? " and later" : " to " + std::to_string(e.max_version));
}

std::string qualified(std::string_view domain, std::string_view op) {
    return domain.empty() ? std::string(op) : std::string(domain) + "::" + std::string(op);
}

/// The opset that a defined operator came with.
std::int64_t first_version(std::string_view domain, std::string_view op_type) {
    std::int64_t version = 1;
    while (version < max_onnx_opset && !find_schema(domain, op_type, version)) ++version;
    return version;
}

}  // namespace

std::span<const KernelEntry> kernel_entries() {
    return std::span(entries).first(std::size(entries) - 1);
}

std::optional<std::string> why_undefined(std::string_view domain, std::string_view op_type,
                                         std::int64_t version) {
    if (!is_known_operator(domain, op_type) || find_schema(domain, op_type, version))
        return std::nullopt;
    const std::string set = domain.empty() ? "opset " : "version ";
    const std::string of = domain.empty() ? std::string() : " of domain " + quote(domain);
    if (version == 0)
        return "the model imports no opset of domain " + quote(domain.empty() ? "ai.onnx" : domain);
    const std::int64_t defined = first_version(domain, op_type);
    std::string text = "operator " + qualified(domain, op_type) + " came with " + set +
                       std::to_string(defined) + of + ", the model is of " + set +
                       std::to_string(version);
    if (domain.empty())
        text += " (raise it: lapidary-cli optimize MODEL -o RAISED.onnx --opset " +
                std::to_string(defined) + ", in the window Model > Convert)";
    return text;
}

bool has_kernel(std::string_view domain, std::string_view op_type, std::int64_t version,
                std::string* reason) {
    if (auto undefined = why_undefined(domain, op_type, version)) {
        if (reason) *reason = std::move(*undefined);
        return false;
    }
    const auto [begin, end] = index().equal_range({domain, op_type});
    std::string found;
    for (auto it = begin; it != end; ++it) {
        if (version >= it->second->min_version && version <= it->second->max_version) return true;
        found += (found.empty() ? "" : ", ") + version_range(*it->second);
    }
    if (find_added_kernel(domain, op_type, version)) return true;
    if (reason) {
        if (begin == end) *reason = "no kernel for operator " + qualified(domain, op_type);
        else
            *reason = "operator " + qualified(domain, op_type) + " at opset " +
                      std::to_string(version) + ": kernels exist for opset " + found;
    }
    return false;
}

KernelChoice choose_kernel(const KernelRequest& request) {
    const Node& node = request.node;
    KernelChoice choice;
    if (auto undefined = why_undefined(node.domain, node.op_type, node.version)) {
        choice.passed_over.push_back({"all of the operator", std::move(*undefined)});
        return choice;
    }
    if (auto unread = unread_part(node)) {
        choice.passed_over.push_back({"all of the operator", std::move(*unread)});
        return choice;
    }
    const auto [begin, end] = index().equal_range({node.domain, node.op_type});
    for (auto it = begin; it != end; ++it) {
        const KernelEntry& e = *it->second;
        if (node.version < e.min_version || node.version > e.max_version) {
            choice.passed_over.push_back({std::string(e.name), "serves opset " + version_range(e) +
                                                                   ", the node has " +
                                                                   std::to_string(node.version)});
            continue;
        }
        if (e.factory) {
            std::string reason;
            request.unread_inputs.clear();
            if (request.options.reference_only)
                reason = "the session asks for reference kernels only";
            else choice.kernel = e.factory(request, reason);
            if (!choice.kernel) {
                choice.passed_over.push_back({std::string(e.name), reason});
                continue;
            }
            choice.unread_inputs = std::move(request.unread_inputs);
        } else choice.function = e.function;
        choice.name = e.name;
        return choice;
    }
    if (const AddedKernel* added = find_added_kernel(node.domain, node.op_type, node.version)) {
        std::string reason;
        choice.kernel = added->make(request, reason);
        if (choice.kernel) choice.name = added->name;
        else choice.passed_over.push_back({added->name, std::move(reason)});
    }
    return choice;
}

}  // namespace lapidary
