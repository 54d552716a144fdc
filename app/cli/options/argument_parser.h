// SPDX-License-Identifier: Apache-2.0
// Parses the command line of a program with commands, using CLI11.
#pragma once

#include <iosfwd>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/options/option_list.h"

namespace lapidary::cli {

struct ProgramText {
    std::string name;         // "lapidary-cli"
    std::string version;      // "lapidary-cli 0.1.0"
    std::string description;  // one sentence
    std::string footer;       // last lines of the help
};

class ArgumentParser {
public:
    explicit ArgumentParser(const ProgramText& program);
    ~ArgumentParser();

    /// Adds a command and returns its options, so far only --help. They live as long as this
    /// object. `footer`: the last lines of its help.
    OptionList& add_command(const std::string& name, const std::string& summary,
                            const std::string& footer);
    /// The options of the program itself.
    const OptionList& program_options() const;

    /// Parses the arguments, stores the values of options and returns the name of the command.
    /// Empty if help or version was requested, which is printed to `out`. Throws UsageError with
    /// one sentence, which suggests the nearest command or option for an unknown one.
    std::optional<std::string> parse(int argc, const char* const* argv, std::ostream& out);

private:
    struct Parts;
    std::string unknown_command(int argc, const char* const* argv) const;
    std::string empty_list(int argc, const char* const* argv) const;
    std::vector<std::string> separate_empty_values(int argc, const char* const* argv) const;
    std::string unknown_arguments(const std::string& otherwise) const;

    std::unique_ptr<Parts> parts_;
};

}  // namespace lapidary::cli
