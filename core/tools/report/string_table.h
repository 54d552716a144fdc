// SPDX-License-Identifier: Apache-2.0
// Strings of the page's data, each written once and named by its number.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>

#include <nlohmann/json.hpp>

namespace lapidary {

class StringTable {
public:
    std::size_t operator()(std::string_view text) {
        const auto [found, fresh] = index_.try_emplace(std::string(text), index_.size());
        if (fresh) list_.push_back(found->first);
        return found->second;
    }
    const nlohmann::ordered_json& list() const { return list_; }

private:
    std::unordered_map<std::string, std::size_t> index_;
    nlohmann::ordered_json list_ = nlohmann::ordered_json::array();
};

}  // namespace lapidary
