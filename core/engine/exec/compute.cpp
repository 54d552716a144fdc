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
    }
    return "";
}

std::optional<Compute> compute_from_name(std::string_view name) {
    for (const Compute compute : {Compute::exact, Compute::fp16, Compute::bf16})
        if (name == name_of(compute)) return compute;
    return std::nullopt;
}

Compute compute_of(const SessionOptions& options) {
    for (const auto* entries : {&options.config_entries, &options.resources.config}) {
        const auto found = entries->find(std::string(compute_key));
        if (found == entries->end()) continue;
        if (const auto compute = compute_from_name(found->second)) return *compute;
        fail_input("configuration entry " + quote(std::string(compute_key)) +
                   ": expected exact, fp16 or bf16, found " + quote(found->second));
    }
    return Compute::exact;
}

std::string compute_entry(const RunResources& resources) {
    const auto found = resources.config.find(std::string(compute_key));
    return found == resources.config.end() ? std::string(name_of(Compute::exact)) : found->second;
}

}  // namespace lapidary
