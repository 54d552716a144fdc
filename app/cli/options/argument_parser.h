// SPDX-License-Identifier: Apache-2.0
// Parses the command line of a program with commands. CLI11 is behind it.
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
    std::string footer;       // of the help
};

class ArgumentParser {
public:
    explicit ArgumentParser(const ProgramText& program);
    ~ArgumentParser();

    /// The options of a new command, empty but for --help; they live as long as this object.
    /// `footer` ends its help.
    OptionList& add_command(const std::string& name, const std::string& summary,
                            const std::string& footer);
    /// The options that stand without a command.
    const OptionList& program_options() const;

    /// The name of the command asked for, its options filled in; nothing where help or version was
    /// asked for, which is then printed to `out`. Throws UsageError with one sentence, naming the
    /// nearest command or option where one is unknown.
    std::optional<std::string> parse(int argc, const char* const* argv, std::ostream& out);

private:
    struct Parts;
    std::string unknown_command(int argc, const char* const* argv) const;
    std::string unknown_arguments(const std::string& otherwise) const;

    std::unique_ptr<Parts> parts_;
};

}  // namespace lapidary::cli
