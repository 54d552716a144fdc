// SPDX-License-Identifier: Apache-2.0
// The words of a command in a plan.
#pragma once

#include <string>
#include <vector>

namespace lapidary::cli {

using Words = std::vector<std::string>;

/// What the declarations of a command say of its words.
struct CheckedCommand {
    std::string name;
    std::vector<std::string> models;  // its positional arguments
    bool has_json = false;            // it prints JSON
    Words given;                      // names of the options among the words: "--search"
    Words outputs = {};               // files and folders that it is to write
    Words data = {};                  // samples, labels and models that its options name
};

/// Parses the words as the command line does and runs nothing. Throws UsageError for wrong ones.
CheckedCommand checked_command(const Words& words);

/// The commands that the word "then" divides. Throws UsageError for an empty one.
std::vector<Words> steps_of(const Words& words);
/// "{}" becomes the model, "{name}" its file name without extension. Without any "{}" the model
/// stands behind the name of the command, unless a later command than the first has "{name}".
Words words_for_model(const Words& words, const std::string& model, bool is_first = true);
/// The words with more options, which stand before a "--".
Words with_options(Words words, const Words& options);
/// The files and folders that the command is to write, by the declarations of its options; none of
/// a command that the command line would refuse.
Words outputs_in(const Words& words);
/// One line that a POSIX shell reads as these words.
std::string shell_line(const Words& words);

}  // namespace lapidary::cli
