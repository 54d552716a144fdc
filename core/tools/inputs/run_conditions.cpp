// SPDX-License-Identifier: Apache-2.0
#include <lapidary/inputs/run_conditions.h>

namespace lapidary {

std::map<std::string, std::int64_t> named_sizes(const UsualSizes& sizes) {
    std::map<std::string, std::int64_t> named;
    for (const auto& [name, size] : sizes.all)
        if (name.find_first_of("+-*/() ") == std::string::npos) named.emplace(name, size);
    return named;
}

std::string text_of(const RunConditions& conditions) {
    std::string text;
    const auto add = [&](const std::string& part) { text += (text.empty() ? "" : ", ") + part; };
    if (conditions.level) add("level " + std::string(name_of(*conditions.level)));
    if (conditions.threads > 0)
        add(std::to_string(conditions.threads) +
            (conditions.threads == 1 ? " thread" : " threads"));
    if (conditions.inter_threads > 1)
        add(std::to_string(conditions.inter_threads) + " operators at a time");
    for (const auto& [name, size] : named_sizes(conditions.sizes))
        add(name + ' ' + std::to_string(size));
    return text;
}

}  // namespace lapidary
