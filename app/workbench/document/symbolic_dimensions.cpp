// SPDX-License-Identifier: GPL-3.0-or-later
#include "workbench/document/symbolic_dimensions.h"

#include <algorithm>

namespace lapidary::app {
namespace {

bool is_compound(const std::string& symbol) {
    return symbol.find_first_of("+*/() ") != std::string::npos;
}

void collect(const Type& type, std::vector<std::string>& names) {
    if (type.element) collect(*type.element, names);
    if (!type.shape) return;
    for (const Dim& dim : *type.shape)
        if (dim.is_symbolic() && !is_compound(dim.symbol()) &&
            std::ranges::find(names, dim.symbol()) == names.end())
            names.push_back(dim.symbol());
}

}  // namespace

std::vector<std::string> symbolicDimensions(const ModelSummary& summary) {
    std::vector<std::string> names;
    for (const auto& [name, type] : summary.inputs) collect(type, names);
    return names;
}

}  // namespace lapidary::app
