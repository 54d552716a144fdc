// SPDX-License-Identifier: Apache-2.0
#include <lapidary/exec/compute.h>

#include <string>

#include <lapidary/base/error.h>

namespace lapidary {

std::string_view name_of(Compute compute) {
    switch (compute) {
    case Compute::exact: return "exact";
    case Compute::fp16: return "fp16";
    case Compute::bf16: return "bf16";
    case Compute::int8: return "int8";
    }
    return "";
}

std::string compute_names(std::string_view separator) {
    std::string names;
    for (const Compute compute : all_computes) {
        if (!names.empty()) names += separator;
        names += name_of(compute);
    }
    return names;
}

std::string compute_names_or() {
    std::string names = compute_names(", ");
    return names.replace(names.rfind(", "), 2, " or ");
}

std::optional<Compute> compute_from_name(std::string_view name) {
    for (const Compute compute : all_computes)
        if (name == name_of(compute)) return compute;
    return std::nullopt;
}

Compute compute_of(const SessionOptions& options) {
    for (const auto* entries : {&options.config_entries, &options.resources.config}) {
        const auto found = entries->find(std::string(compute_key));
        if (found == entries->end()) continue;
        if (const auto compute = compute_from_name(found->second)) return *compute;
        fail_input("configuration entry " + quote(std::string(compute_key)) + ": expected " +
                   compute_names_or() + ", found " + quote(found->second));
    }
    return Compute::exact;
}

std::string compute_entry(const RunResources& resources) {
    const auto found = resources.config.find(std::string(compute_key));
    return found == resources.config.end() ? std::string(name_of(Compute::exact)) : found->second;
}

}  // namespace lapidary
