// SPDX-License-Identifier: Apache-2.0
// JSON that people write: its values know their lines, for messages about mistakes in them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace lapidary {

/// A value of JSON, and the line of the text in which it begins. A member of an object, and a
/// number in a list, has the line of the name that it stands behind.
struct LocatedJson {
    /// What kind of value it is, and so which of the members below has it.
    enum class Kind : std::uint8_t { null, boolean, number, text, list, object };
    Kind kind = Kind::null;
    int line = 1;                    // from 1 on
    bool boolean = false;            // of a boolean
    double number = 0;               // of a number
    std::string text;                // of a text
    std::vector<LocatedJson> items;  // of a list, or the values of an object
    std::vector<std::string> names;  // of the values of an object, in the order of the text

    bool is(Kind other) const { return kind == other; }
    /// The last member of that name of an object; null where there is none.
    const LocatedJson* find(std::string_view name) const;
};

/// Throws as parse_json() does.
LocatedJson parse_located_json(std::string_view text, std::string_view what);

}  // namespace lapidary
