// SPDX-License-Identifier: Apache-2.0
#include "cli/pages/markdown_reference.h"

#include <algorithm>
#include <sstream>

#include <fmt/format.h>

#include "cli/pages/shell_text.h"

namespace lapidary::cli {
namespace {

/// Escapes the text for Markdown, also in tables.
std::string markdown_escaped(std::string_view text) {
    std::string result;
    for (const char c : text) {
        if (std::string_view("\\`*_[]<>|#").find(c) != std::string_view::npos) result += '\\';
        result += c;
    }
    return result;
}

std::string code_block(const std::string& lines) { return "```text\n" + lines + "```\n"; }

/// Joins lines into paragraphs; lines that begin with a space stay unchanged.
std::string paragraphs(const std::string& text) {
    std::istringstream lines(text);
    std::string page, block;
    const auto end_block = [&] {
        if (!block.empty()) page += '\n' + code_block(block) + '\n';
        block.clear();
    };
    for (std::string line; std::getline(lines, line);) {
        if (line.starts_with(' ')) {
            block += line.substr(line.find_first_not_of(' ')) + '\n';
        } else {
            end_block();
            page += markdown_escaped(line) + '\n';
        }
    }
    end_block();
    return page;
}

std::string words_of(const std::string& relation, const std::vector<std::string>& names) {
    return names.empty() ? std::string()
                         : fmt::format(" {} `{}`.", relation, joined(names, "`, `"));
}

std::string markdown_option_entry(const OptionInfo& info) {
    std::string head = info.is_positional() ? std::string() : joined(info.names, ", ");
    if (info.takes_value()) head += (head.empty() ? "" : " ") + info.value_name;
    std::istringstream help(info.help);
    std::string line, entry;
    std::getline(help, line);
    entry = fmt::format("- `{}`: {}", head, markdown_escaped(line));
    if (!entry.ends_with('.') && !entry.ends_with('?')) entry += '.';
    if (!info.range.empty()) entry += " A number " + info.range + '.';
    entry += words_of("Needs", info.needs) + words_of("Not together with", info.excludes) + '\n';
    while (std::getline(help, line))
        entry += "  " +
                 markdown_escaped(line.substr(std::min(line.find_first_not_of(' '), line.size()))) +
                 "  \n";
    return entry;
}

std::string options_of(const OptionList& options) {
    std::string list;
    for (const Option& option : options.all())
        if (!option.info().is_hidden) list += markdown_option_entry(option.info());
    return list;
}

std::string usage_of(const DeclaredCommand& command) {
    std::string line = "lapidary-cli " + command.name + " [OPTIONS]";
    for (const Option& option : command.options->all()) {
        const OptionInfo& info = option.info();
        if (!info.is_positional() || info.is_hidden) continue;
        line += info.is_required ? ' ' + info.value_name : " [" + info.value_name + ']';
    }
    return line + '\n';
}

}  // namespace

std::string markdown_reference(const Program& program) {
    std::string page =
        fmt::format("# Command line\n\n{} This page is made by `lapidary-cli man --markdown`.\n\n",
                    program.text.description);
    page += code_block(program.text.name + " COMMAND [OPTIONS] [ARGUMENTS]\n");
    page += "\n| command | what it does |\n|---|---|\n";
    for (const DeclaredCommand& command : program.commands)
        page +=
            fmt::format("| `{}` | {} |\n", command.name, markdown_escaped(command.text.summary));
    page += "\nOptions without a command:\n\n" + options_of(program.parser.program_options());
    for (const DeclaredCommand& command : program.commands) {
        page +=
            fmt::format("\n## {}\n\n{}.\n\n", command.name, markdown_escaped(command.text.summary));
        page += code_block(usage_of(command)) + '\n' + options_of(*command.options);
        if (!command.text.notes.empty()) page += '\n' + paragraphs(command.text.notes);
        if (!command.text.examples.empty()) {
            std::string lines;
            for (const std::string& example : command.text.examples) lines += example + '\n';
            page += "\nExamples:\n\n" + code_block(lines);
        }
    }
    return page + "\n## Exit codes\n\n" + paragraphs(program.exit_codes);
}

}  // namespace lapidary::cli
