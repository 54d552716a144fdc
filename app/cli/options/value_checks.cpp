// SPDX-License-Identifier: Apache-2.0
#include "cli/options/value_checks.h"

#include <charconv>
#include <cstdint>

#include <lapidary/base/error.h>
#include <lapidary/internal/nearest_name.h>
#include <lapidary/passes/optimize.h>
#include <lapidary/exec/session.h>

#include "cli/exit_code.h"

namespace lapidary::cli {

std::string level_problem(const std::string& name) {
    if (level_from_name(name)) return {};
    const std::vector<std::string> names{"disabled",
                                         "basic",
                                         "extended",
                                         "all",
                                         "ORT_DISABLE_ALL",
                                         "ORT_ENABLE_BASIC",
                                         "ORT_ENABLE_EXTENDED",
                                         "ORT_ENABLE_LAYOUT",
                                         "ORT_ENABLE_ALL"};
    return "expected disabled, basic, extended or all, or ONNX Runtime's name of one "
           "(ORT_ENABLE_BASIC), found " +
           quote(name) + did_you_mean(name, names);
}

std::string pass_problem(const std::string& name) {
    if (!find_passes(name).empty()) return {};
    return "there is no pass " + quote(name) + did_you_mean(name, pass_names()) +
           "; \"lapidary-cli passes\" lists them";
}

std::string count_problem(const std::string& text) {
    std::uint64_t number = 0;
    const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (status == std::errc() && end == text.data() + text.size()) return {};
    return "expected a whole number from 0 to 18446744073709551615, found " + quote(text);
}

std::string config_problem(const std::string& entry) {
    const std::string key = entry.substr(0, entry.find('='));
    if (key.size() == entry.size() || key.empty())
        return "expected KEY=VALUE, found " + quote(entry);
    std::vector<std::string> keys;
    for (const ConfigKey& known : config_keys()) keys.emplace_back(known.name);
    for (const std::string& known : keys)
        if (known == key) return {};
    std::string list;
    for (const std::string& known : keys) list += (list.empty() ? "; known are " : ", ") + known;
    const std::string meant = did_you_mean(key, keys);
    return "there is no session option " + quote(key) + (meant.empty() ? list : meant);
}

std::string extension_problem(const std::string& file, const std::string& extension) {
    return file.ends_with(extension) ? std::string() : "expected a file ending in " + extension;
}

std::pair<std::string, std::string> split_assignment(const std::string& option,
                                                     const std::string& text, bool at_last) {
    const std::size_t at = at_last ? text.rfind('=') : text.find('=');
    if (at == std::string::npos || at == 0 || at + 1 == text.size())
        throw UsageError(option + ": expected " + (at_last ? "NAME=N" : "NAME=VALUE") + ", found " +
                         quote(text));
    return {text.substr(0, at), text.substr(at + 1)};
}

std::vector<std::string> pass_names() {
    std::vector<std::string> names;
    for (const PassInfo& pass : all_passes()) names.emplace_back(pass.name);
    return names;
}

}  // namespace lapidary::cli
