// SPDX-License-Identifier: Apache-2.0
// Writes HTML with escaped text: no name can open an element, end an attribute or leave a script.
#pragma once

#include <initializer_list>
#include <ostream>
#include <string>
#include <string_view>
#include <utility>

#include <nlohmann/json_fwd.hpp>

namespace lapidary::html {

/// Markup characters as entities, control characters and broken UTF-8 as U+FFFD. For content and
/// quoted attributes.
std::string escaped(std::string_view text);

/// ASCII JSON without <, > and &: fits into a <script type="application/json"> whatever its strings
/// hold.
std::string script_json(const nlohmann::ordered_json& json);

using Attributes = std::initializer_list<std::pair<std::string_view, std::string_view>>;

class Writer {
public:
    explicit Writer(std::ostream& out) : out_(out) {}
    Writer& raw(std::string_view markup);
    Writer& text(std::string_view text);
    Writer& open(std::string_view tag, Attributes attributes = {});
    Writer& close(std::string_view tag);
    /// An element that holds text only.
    Writer& element(std::string_view tag, std::string_view text, Attributes attributes = {});

private:
    std::ostream& out_;
};

}  // namespace lapidary::html
