// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "cli/pages/shell_completion.h"
#include "cli/pages/shell_text.h"

namespace lapidary::cli {
namespace {

constexpr const char* fish_machinery =
    R"(# fish completion of lapidary-cli, made by "lapidary-cli completion fish".

# COMMAND: whether the first word of the line that is no option is this command; without COMMAND, whether there is none.
function __lapidary_cli_at
    for word in (commandline -opc)[2..-1]
        if not string match -q -- '-*' $word
            test "$word" = "$argv[1]"
            return
        end
    end
    test -z "$argv[1]"
end

# EXTENSION...: folders, and files with one of the extensions, or all where none is given.
function __lapidary_cli_files
    set -l pattern '.'
    if set -q argv[1]
        set pattern '^.*(?:/|\.(?:'(string join '|' $argv)'))$'
    end
    # What fish offers to a command that it has no completions of: files.
    set -l begun (commandline -ct | string replace -r -- '^--[^=]*=' '')
    complete -C "__lapidary_cli_no_command $begun" | string match -e -r -- $pattern
end

complete -c lapidary-cli -f
)";

/// The text in single quotes for fish.
std::string fish_quoted(const std::string& text) {
    std::string quoted = "'";
    for (const char c : text) {
        if (c == '\'' || c == '\\') quoted += '\\';
        quoted += c;
    }
    return quoted + "'";
}

/// The options of `complete` for the value.
std::string value_of(const OptionInfo& info) {
    const Suggestions& suggestions = info.suggestions;
    if (suggestions.after_equals) return " -r -F";  // fish completes files after "=" by itself
    std::string text = info.is_positional() || info.value_is_optional ? "" : " -x";
    const std::string words = joined(suggestions.words, " ");
    if (info.takes_list && !words.empty())
        return text + " -a " + fish_quoted("(__fish_append , " + words + ")");
    std::vector<std::string> parts;
    if (!words.empty()) parts.push_back(words);
    if (suggestions.files)
        parts.push_back(
            "(" + joined({"__lapidary_cli_files", joined(suggestions.extensions, " ")}, " ") + ")");
    if (suggestions.folders) parts.emplace_back("(__fish_complete_directories)");
    return parts.empty() ? text : text + " -a " + fish_quoted(joined(parts, " "));
}

std::string line_for(const OptionInfo& info, const std::string& condition) {
    std::string line = "complete -c lapidary-cli -n " + fish_quoted(condition);
    if (!info.is_positional()) {
        for (const std::string& name : info.names)
            line += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
        line += " -d " + fish_quoted(first_line(info.help));
    }
    return line + (info.takes_value() ? value_of(info) : "") + '\n';
}

std::string lines_for(const OptionList& options, const std::string& condition) {
    std::string lines;
    for (const Option& option : options.all())
        if (!option.info().is_hidden) lines += line_for(option.info(), condition);
    return lines;
}

}  // namespace

std::string fish_completion(const Program& program) {
    std::string script = fish_machinery;
    script += lines_for(program.parser.program_options(), "__lapidary_cli_at");
    for (const DeclaredCommand& command : program.commands)
        script += fmt::format("complete -c lapidary-cli -n __lapidary_cli_at -a {} -d {}\n",
                              command.name, fish_quoted(command.text.summary));
    for (const DeclaredCommand& command : program.commands)
        script += '\n' + lines_for(*command.options, "__lapidary_cli_at " + command.name);
    return script;
}

}  // namespace lapidary::cli
