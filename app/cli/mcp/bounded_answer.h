// SPDX-License-Identifier: Apache-2.0
// Answers of tools are read by language models: each is bounded in size, and says how to get what
// was cut off.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "cli/mcp/tool_schema.h"

namespace lapidary::cli::mcp {

/// Bytes of JSON that one answer holds.
inline constexpr std::size_t most_answer_bytes = 48 << 10;

/// A list or text that was cut.
struct CutPart {
    std::string place;               // a JSON pointer, "/nodes"
    std::size_t shown = 0, all = 0;  // items of a list, bytes of a text
};

struct BoundedAnswer {
    Json value;                 // with shorter lists and texts
    std::vector<CutPart> cuts;  // empty: it is whole
    bool fits = true;           // false: even so it is longer than most_answer_bytes
};

/// Shortens long lists and texts until the JSON fits. Members of objects all stay, so that the
/// answer fits the schema of the whole.
BoundedAnswer bounded(const Json& whole);

/// The newest results of tools, for what their answers left out.
class KeptResults {
public:
    /// Returns the number of the result, from 1.
    std::int64_t keep(Json result, std::size_t bytes);
    /// Items `from` to `from + count` of the list at a place of a result, bytes of the text there,
    /// or what else is there. Throws invalid_input for a number, place or range that there is not.
    Json part(std::int64_t number, const std::string& place, std::size_t from,
              std::size_t count) const;

private:
    struct Kept {
        Json result;
        std::size_t bytes = 0;
    };
    std::map<std::int64_t, Kept> kept_;
    std::size_t bytes_ = 0;
    std::int64_t last_ = 0;
};

/// "This answer is cut: ..." with how to get the rest of result `number`.
std::string cut_text(const BoundedAnswer& answer, std::int64_t number);

}  // namespace lapidary::cli::mcp
