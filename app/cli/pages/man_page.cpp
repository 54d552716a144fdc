// SPDX-License-Identifier: Apache-2.0
#include "cli/pages/man_page.h"

#include <sstream>

#include <fmt/format.h>

#include "cli/pages/shell_text.h"

namespace lapidary::cli {
namespace {

/// Escapes the text for roff.
std::string troff_escaped(std::string_view text) {
    std::string result;
    for (const char c : text) {
        switch (c) {
        case '\\': result += "\\e"; break;
        case '-': result += "\\-"; break;
        case '`': result += "\\(ga"; break;
        case '\'': result += "\\(aq"; break;
        case '^': result += "\\(ha"; break;
        case '~': result += "\\(ti"; break;
        default: result += c;
        }
    }
    return result.starts_with('.') ? "\\&" + result : result;
}

/// Joins lines into a paragraph; lines that begin with a space stay unchanged.
std::string paragraph(const std::string& text) {
    std::istringstream lines(text);
    std::string page;
    bool as_it_is = false;
    for (std::string line; std::getline(lines, line);) {
        if (line.starts_with(' ') != as_it_is) page += as_it_is ? ".fi\n.RE\n" : ".RS 2\n.nf\n";
        as_it_is = line.starts_with(' ');
        page += troff_escaped(as_it_is ? line.substr(line.find_first_not_of(' ')) : line) + '\n';
    }
    return as_it_is ? page + ".fi\n.RE\n" : page;
}

/// Adds a period unless the text ends in a punctuation mark.
std::string sentence(const std::string& text) {
    return text.ends_with('?') || text.ends_with('.') || text.empty() ? text : text + '.';
}

/// Without the commit, so that equal pages are equal files.
std::string version_of(const Program& program) { return program.text.name + " " LAPIDARY_VERSION; }

std::string heading(const std::string& name, const std::string& version,
                    const std::string& summary) {
    std::string title;
    for (const char c : name) title += static_cast<char>(c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c);
    return fmt::format(
        ".\\\" Made by \"lapidary-cli man\".\n.TH {} 1 \"\" \"{}\" \"Lapidary\"\n"
        ".SH NAME\n{} \\- {}\n",
        troff_escaped(title), troff_escaped(version), troff_escaped(name), troff_escaped(summary));
}

std::string examples_section(const std::vector<std::string>& examples) {
    if (examples.empty()) return {};
    std::string section = ".SH EXAMPLES\n.nf\n";
    for (const std::string& example : examples) section += troff_escaped(example) + '\n';
    return section + ".fi\n";
}

/// "--level" and "--case" as a sentence after `words`.
std::string relation(const std::string& words, const std::vector<std::string>& names) {
    if (names.empty()) return {};
    std::string list;
    for (std::size_t i = 0; i < names.size(); ++i)
        list += (i == 0 ? "" : i + 1 == names.size() ? " and " : ", ") + names[i];
    return ' ' + words + ' ' + list + '.';
}

std::string man_option_entry(const OptionInfo& info) {
    std::string head;
    if (!info.is_positional())
        for (const std::string& name : info.names)
            head += (head.empty() ? "\\fB" : ", \\fB") + troff_escaped(name) + "\\fR";
    if (info.takes_value()) {
        if (!head.empty()) head += ' ';
        head += "\\fI" + troff_escaped(info.value_name) + "\\fR";
    }
    std::string text = sentence(first_line(info.help));
    if (!info.range.empty()) text += " A number " + info.range + '.';
    text += relation("Needs", info.needs) + relation("Not together with", info.excludes);
    std::string entry = ".TP\n" + head + '\n' + troff_escaped(text) + '\n';
    std::istringstream rest(info.help);
    std::string line;
    std::getline(rest, line);
    if (rest.peek() == std::istringstream::traits_type::eof()) return entry;
    entry += ".RS\n.nf\n";
    while (std::getline(rest, line)) entry += troff_escaped(line) + '\n';
    return entry + ".fi\n.RE\n";
}

std::string options_section(const OptionList& options) {
    std::string arguments, named;
    for (const Option& option : options.all()) {
        if (option.info().is_hidden) continue;
        (option.info().is_positional() ? arguments : named) += man_option_entry(option.info());
    }
    return (arguments.empty() ? "" : ".SH ARGUMENTS\n" + arguments) + ".SH OPTIONS\n" + named;
}

std::string synopsis(const std::string& name, const OptionList& options) {
    std::string line = fmt::format(".SH SYNOPSIS\n\\fB{} {}\\fR [\\fIOPTIONS\\fR]",
                                   troff_escaped("lapidary-cli"), name);
    for (const Option& option : options.all()) {
        const OptionInfo& info = option.info();
        if (!info.is_positional()) continue;
        const std::string value = "\\fI" + troff_escaped(info.value_name) + "\\fR";
        line += info.is_required ? ' ' + value : " [" + value + ']';
    }
    return line + '\n';
}

std::string see_also(const std::vector<std::string>& pages) {
    std::string section = ".SH \"SEE ALSO\"\n";
    for (std::size_t i = 0; i < pages.size(); ++i)
        section +=
            ".BR " + troff_escaped(pages[i]) + " (1)" + (i + 1 < pages.size() ? "," : "") + '\n';
    return section;
}

}  // namespace

std::string man_page(const Program& program) {
    std::string page = heading(program.text.name, version_of(program), program.text.description);
    page += fmt::format(
        ".SH SYNOPSIS\n\\fB{}\\fR \\fICOMMAND\\fR [\\fIOPTIONS\\fR] [\\fIARGUMENTS\\fR]\n",
        troff_escaped(program.text.name));
    page +=
        ".SH DESCRIPTION\nEach command has a page of its own, "
        "\\fBlapidary\\-cli\\-\\fICOMMAND\\fR(1).\n"
        ".SH COMMANDS\n";
    std::vector<std::string> examples, pages;
    for (const DeclaredCommand& command : program.commands) {
        page += fmt::format(".TP\n\\fB{}\\fR\n{}\n", troff_escaped(command.name),
                            troff_escaped(sentence(command.text.summary)));
        if (!command.text.program_example.empty()) examples.push_back(command.text.program_example);
        pages.push_back(program.text.name + '-' + command.name);
    }
    page += options_section(program.parser.program_options()) + examples_section(examples);
    return page + ".SH \"EXIT STATUS\"\n" + paragraph(program.exit_codes) + see_also(pages);
}

std::string man_page(const Program& program, const DeclaredCommand& command) {
    std::string page =
        heading(program.text.name + '-' + command.name, version_of(program), command.text.summary);
    page += synopsis(command.name, *command.options) + ".SH DESCRIPTION\n";
    page += command.text.notes.empty() ? troff_escaped(sentence(command.text.summary)) + '\n'
                                       : paragraph(command.text.notes);
    page += options_section(*command.options) + examples_section(command.text.examples);
    return page + ".SH \"EXIT STATUS\"\n" + paragraph(program.exit_codes) +
           see_also({program.text.name});
}

}  // namespace lapidary::cli
