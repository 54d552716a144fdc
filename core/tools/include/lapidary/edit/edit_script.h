// SPDX-License-Identifier: Apache-2.0
// A recipe of edits as text, one edit a line:
//
//   # Dropout does nothing after training
//   delete op:Dropout
//   set Resize_3.coordinate_transformation_mode = asymmetric
//   insert Cast(to=float) on logits
//   rename value "odd name" -> better_name
//
// Words are separated by spaces. `#` at the beginning of a word starts a comment. Names with
// spaces, commas, brackets or other signs of the language are written in double quotes; within them
// `\"`,
// `\\`, `\n`, `\r` and `\t` stand for those characters. `->` may be written as an arrow (U+2192).
// What stands in brackets belongs to its word: `Clip(min=0, max=6)`, `f32[1,3,8,8]`.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace lapidary {

/// One edit: a verb of edit_verbs() and its words.
struct EditLine {
    std::string verb;                    // "delete"
    std::vector<std::string> arguments;  // words behind the verb in normal form, quotes kept
    int line = 1;                        // in the script, from 1
    /// The line in its normal form, which reads as the same line: one space between words, `->`,
    /// quotes where a name needs them.
    std::string text;
    friend bool operator==(const EditLine&, const EditLine&) = default;
};

/// Edits in the order in which they are applied.
struct EditScript {
    std::vector<EditLine> lines;   // without comments and empty lines
    std::filesystem::path folder;  // files that lines name are found from here; empty: as they are
    friend bool operator==(const EditScript&, const EditScript&) = default;
};

/// Reads a script. Throws invalid_input, "line 3" in where(), for an unknown verb (naming near
/// ones) and for words that fit no form of the verb (naming its forms).
EditScript parse_edit_script(std::string_view text);
/// Reads one line, which is not empty and no comment; throws as parse_edit_script() does.
EditLine parse_edit_line(std::string_view text, int line = 1);
/// The script as text, one line an edit, in normal form.
std::string to_string(const EditScript& script);

/// A name as a word of a script: in quotes where it would not be read as this name, also where it
/// holds `*` or `?`, which are patterns without quotes.
std::string edit_word(std::string_view name);

}  // namespace lapidary
