// SPDX-License-Identifier: GPL-3.0-or-later
#include "workbench/project/json_rescue.h"

namespace lapidary::app {

std::string rescuedJson(std::string_view text) {
    // open brackets: now, and after the last complete value
    std::string open, open_there;
    std::size_t complete = 0;  // where the last complete value ends
    bool in_string = false, is_escaped = false, is_value = false;
    const auto keep = [&](std::size_t end) {
        complete = end;
        open_there = open;
    };
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (in_string) {
            if (is_escaped) is_escaped = false;
            else if (c == '\\') is_escaped = true;
            else if (c == '"') {
                in_string = false;
                if (is_value || open.ends_with('[')) keep(i + 1);
            }
            continue;
        }
        switch (c) {
        case '"': in_string = true; break;
        case ':': is_value = true; break;
        case ',':
            keep(i);
            is_value = false;
            break;
        case '{':
        case '[':
            open += c;
            is_value = false;
            break;
        case '}':
        case ']':
            if (open.empty()) return {};
            open.pop_back();
            is_value = false;
            keep(i + 1);
            break;
        default: break;
        }
    }
    std::string out(text.substr(0, complete));
    for (std::size_t i = complete == 0 ? 0 : open_there.size(); i-- > 0;)
        out += open_there[i] == '{' ? '}' : ']';
    return out;
}

}  // namespace lapidary::app
