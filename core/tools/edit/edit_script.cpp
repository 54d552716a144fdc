// SPDX-License-Identifier: Apache-2.0
#include <lapidary/edit/edit_script.h>

#include <lapidary/base/error.h>

#include "edit/edit_form.h"
#include "edit/edit_words.h"

namespace lapidary {
namespace {

/// The words of a line as an edit. Throws invalid_input.
EditLine edit_of(std::vector<std::string> words, int line) {
    EditLine edit;
    edit.text = join_edit_words(words);
    edit.verb = std::move(words.front());
    edit.arguments.assign(std::make_move_iterator(words.begin() + 1),
                          std::make_move_iterator(words.end()));
    edit.line = line;
    find_edit_form(edit);
    return edit;
}

std::string place_of_line(int line) { return "line " + std::to_string(line); }

}  // namespace

EditLine parse_edit_line(std::string_view text, int line) {
    try {
        if (text.find('\n') != std::string_view::npos) fail_input("expected one line, found more");
        std::vector<std::string> words = split_edit_words(text);
        if (words.empty()) fail_input("expected an edit, found an empty line");
        return edit_of(std::move(words), line);
    } catch (Error& error) {
        error.at(place_of_line(line));
        throw;
    }
}

EditScript parse_edit_script(std::string_view text) {
    if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);  // a byte order mark
    EditScript script;
    for (int line = 1; !text.empty(); ++line) {
        const std::size_t end = text.find('\n');
        try {
            std::vector<std::string> words = split_edit_words(text.substr(0, end));
            if (!words.empty()) script.lines.push_back(edit_of(std::move(words), line));
        } catch (Error& error) {
            error.at(place_of_line(line));
            throw;
        }
        if (end == std::string_view::npos) break;
        text.remove_prefix(end + 1);
    }
    return script;
}

std::string to_string(const EditScript& script) {
    std::string text;
    for (const EditLine& line : script.lines) text += line.text + "\n";
    return text;
}

}  // namespace lapidary
