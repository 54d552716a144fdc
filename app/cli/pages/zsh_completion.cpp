// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "cli/pages/shell_completion.h"
#include "cli/pages/shell_text.h"

namespace lapidary::cli {
namespace {

constexpr const char* helpers = R"(
# ARRAY: its words, without a space after those that end in "=".
_lapidary-cli_words() {
    local -a ended=(${(M)${(P)1}:#*=}) whole=(${${(P)1}:#*=})
    local none=1
    (($#ended)) && compadd -S '' -a ended && none=0
    (($#whole)) && compadd -a whole && none=0
    return none
}

# PATTERN [ARRAY]: files, and the words of the array.
_lapidary-cli_files() {
    local none=1
    (($# > 1)) && _lapidary-cli_words $2 && none=0
    _files -g "$1" && none=0
    return none
}

# PATTERN: files after the "=" of NAME=FILE.
_lapidary-cli_assigned() {
    compset -P '*=' && _files -g "$1"
}
)";

/// Escapes the text for an argument of _arguments, where a bracket ends a description and a colon a
/// field.
std::string zsh_escaped(const std::string& text) {
    std::string result;
    for (const char c : text) {
        if (c == '[' || c == ']' || c == ':' || c == '\\') result += '\\';
        result += c;
    }
    return result;
}

std::string pattern_of(const std::vector<std::string>& extensions) {
    if (extensions.empty()) return "*";
    // Parentheses around a single pattern would be glob qualifiers.
    return extensions.size() == 1 ? "*." + extensions[0] : "*.(" + joined(extensions, "|") + ")";
}

/// The action of _arguments that completes a value; a space: it shows what is expected and offers
/// nothing.
std::string action_of(const OptionInfo& info, WordLists& lists) {
    const Suggestions& suggestions = info.suggestions;
    const std::string words = suggestions.words.empty()
                                  ? std::string()
                                  : name_of_list(lists.number_of(suggestions.words));
    const std::string pattern = '"' + pattern_of(suggestions.extensions) + '"';
    if (suggestions.after_equals) return " _lapidary-cli_assigned " + pattern;
    if (suggestions.files)
        return " _lapidary-cli_files " + pattern + (words.empty() ? "" : ' ' + words);
    if (suggestions.folders) return "_files -/";
    if (words.empty()) return " ";
    return info.takes_list ? "_sequence -s , compadd - $" + words : " _lapidary-cli_words " + words;
}

/// The argument of _arguments for one option; several if it has several names.
std::string specification(const OptionInfo& info, WordLists& lists) {
    std::string value;
    if (info.takes_value())
        value = fmt::format("{}:{}:{}", info.value_is_optional ? ":" : "",
                            zsh_escaped(info.value_name), action_of(info, lists));
    if (info.is_positional()) {
        const std::string spec =
            (info.is_repeatable ? "*" : "") + std::string(info.is_required ? "" : ":") + value;
        return "                " + single_quoted(spec);
    }
    std::string text;
    for (const std::string& name : info.names) {
        const bool is_long = name.starts_with("--");
        std::string spec =
            info.is_repeatable || info.takes_list ? "*" : "(" + joined(info.names, " ") + ")";
        spec += name + (info.takes_value() ? is_long ? "=" : "+" : "");
        spec += "[" + zsh_escaped(first_line(info.help)) + "]" + value;
        text += (text.empty() ? "                " : " \\\n                ") + single_quoted(spec);
    }
    return text;
}

std::string arguments_of(const OptionList& options, WordLists& lists) {
    std::string text;
    for (const Option& option : options.all())
        if (!option.info().is_hidden) text += " \\\n" + specification(option.info(), lists);
    return text;
}

}  // namespace

std::string zsh_completion(const Program& program) {
    WordLists lists;
    std::string names, cases;
    for (const DeclaredCommand& command : program.commands) {
        names += "        " + single_quoted(command.name + ':' + command.text.summary) + '\n';
        cases += fmt::format("        {})\n            _arguments -s{} && return ;;\n",
                             command.name, arguments_of(*command.options, lists));
    }
    const std::string top = arguments_of(program.parser.program_options(), lists);
    std::string script =
        "#compdef lapidary-cli\n# zsh completion of lapidary-cli, made by \"lapidary-cli "
        "completion zsh\".\n";
    script += helpers;
    script +=
        "\n_lapidary-cli() {\n    local curcontext=$curcontext context state state_descr line\n"
        "    typeset -A opt_args\n";
    for (std::size_t i = 0; i < lists.lists().size(); ++i)
        script +=
            fmt::format("    local -a {}=({})\n", name_of_list(i), joined(lists.lists()[i], " "));
    script += "    local -a commands=(\n" + names + "    )\n";
    script += "    _arguments -C" + top +
              " \\\n                '1:command:->command' '*::argument:->arguments' && return\n"
              "    case $state in\n    command) _describe command commands ;;\n    arguments)\n"
              "        curcontext=\"${curcontext%:*:*}:lapidary-cli-$line[1]:\"\n        case "
              "$line[1] in\n" +
              cases +
              "        esac\n        ;;\n    esac\n    return 1\n}\n\n"
              "if [[ $funcstack[1] == _lapidary-cli ]]; then\n    _lapidary-cli \"$@\"\nelse\n"
              "    compdef _lapidary-cli lapidary-cli\nfi\n";
    return script;
}

}  // namespace lapidary::cli
