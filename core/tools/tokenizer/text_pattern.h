// SPDX-License-Identifier: Apache-2.0
// {"String": "..."} or {"Regex": "..."} of tokenizer.json.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <tokenizer/json_fields.h>
#include <tokenizer/regex.h>

namespace lapidary::tokens {

class TextPattern {
public:
    explicit TextPattern(JsonFields fields);
    std::vector<Range> matches(std::string_view text) const;

private:
    std::string text_;
    std::optional<Regex> regex_;  // none: the text as it stands
};

}  // namespace lapidary::tokens
