// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>
#include <unordered_map>

#include <lapidary/tensor/runtime_value.h>

namespace lapidary {

/// An index over named values for many look-ups; find() would search linearly.
class ValuesByName {
public:
    /// `values` must outlive it, unchanged.
    explicit ValuesByName(const NamedValues& values) {
        by_name_.reserve(values.size());
        for (const auto& [name, value] : values) by_name_.emplace(name, &value);
    }
    /// The first value of that name, or null.
    const RuntimeValue* find(std::string_view name) const {
        const auto at = by_name_.find(name);
        return at == by_name_.end() ? nullptr : at->second;
    }

private:
    std::unordered_map<std::string_view, const RuntimeValue*> by_name_;
};

}  // namespace lapidary
