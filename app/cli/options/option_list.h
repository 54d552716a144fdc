// SPDX-License-Identifier: Apache-2.0
// The options of a command, declared once: parser, help, shell completions and man pages use the
// same declaration. CLI11 parses, and only the implementation sees it.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <string>
#include <vector>

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace lapidary::cli {

/// What a shell can offer for the value of an option.
struct Suggestions {
    std::vector<std::string> words = {};  // a word that ends in "=" is the beginning of a value
    bool files = false, folders = false;
    std::vector<std::string> extensions = {};  // of the files, without the dot; empty: any file
    bool after_equals = false;                 // files belong after the "=" of NAME=FILE
};

/// What help shows of an option or of a positional argument. The latter has one name, which does
/// not begin with "-".
struct OptionInfo {
    std::vector<std::string> names;  // "-o", "--output"
    std::string value_name;          // "N"; empty: a flag, which takes no value
    std::string help;                // the first line is a sentence without its period
    std::string range = {};          // of a number: "from 0 to 1024"; empty: any
    // the value if the option is not given; empty: none, or not known
    std::string initial = {};
    Suggestions suggestions = {};
    std::vector<std::string> needs = {}, excludes = {};  // names of other options
    bool is_required = false;
    bool is_repeatable = false;  // may be given several times
    bool takes_list = false;     // values separated by commas
    bool value_is_optional = false;
    bool may_be_empty = false;  // an empty text is a value like others
    bool is_hidden = false;     // neither in the help nor in generated pages

    /// "--output" of "-o,--output".
    const std::string& name() const { return names.back(); }
    bool is_positional() const { return !names.front().starts_with('-'); }
    bool takes_value() const { return !value_name.empty(); }
};

/// One declared option. Functions change the declaration and return the option itself. If they
/// restrict the value, the parser refuses other values with an error that names the option.
class Option {
public:
    /// Returns what is wrong with the value; empty: nothing.
    using Check = std::function<std::string(const std::string& value)>;

    Option(CLI::Option& parsed, OptionInfo info) : parsed_(parsed), info_(std::move(info)) {}

    Option& required();
    /// For vectors: each occurrence of the option adds one value.
    Option& repeatable();
    /// For vectors: values separated by commas; each occurrence adds its own.
    Option& separated_by_commas();
    /// For positional vectors: takes one or more values.
    Option& one_or_more();
    /// For positional vectors: takes one to `most` values.
    Option& at_most(int most);
    /// The option may stand without its value, which is then empty.
    Option& with_optional_value();
    /// Accepts an empty text, which other options refuse. For names, which may be empty in a model.
    Option& may_be_empty();
    Option& between(int lowest, int highest);
    Option& between(double lowest, double highest);
    Option& positive();
    Option& not_negative();
    /// One of these words.
    Option& one_of(std::vector<std::string> words);
    /// A number of bytes that may have a unit: "4GB".
    Option& byte_size();
    /// An existing file.
    Option& existing_file();
    Option& checked_by(Check check);
    /// Replaces the value by the result of `change`.
    Option& changed_by(std::function<std::string(std::string)> change);
    /// What a shell offers; the parser takes other values too.
    Option& suggest(Suggestions suggestions);
    /// Suggests files with one of these extensions (without a dot); none: any file.
    Option& suggest_files(std::vector<std::string> extensions = {});
    Option& suggest_folders();
    Option& needs(Option& other);
    Option& excludes(Option& other);
    Option& hidden();
    /// For OptionList: sets the value that applies if the option is not given.
    Option& begins_with(std::string initial);

    /// True if the command line has the option. For use after parsing.
    bool is_given() const;
    /// The values on the command line. For use after parsing.
    std::vector<std::string> values() const;
    const OptionInfo& info() const { return info_; }

private:
    CLI::Option& parsed_;
    OptionInfo info_;
};

/// The options of one command. The variables that they set must outlive parsing.
class OptionList {
public:
    /// The options of a command that so far has only --help, which CLI11 adds.
    explicit OptionList(CLI::App& command);
    OptionList(const OptionList&) = delete;

    /// `names` is "--name", or "-n,--name". `target` becomes true where it is given.
    Option& flag(const std::string& names, bool& target, const std::string& help);
    /// `target` becomes false where it is given.
    Option& flag_off(const std::string& names, bool& target, const std::string& help);
    /// An option that prints `text` and ends the program.
    Option& version(const std::string& names, const std::string& text);
    /// An option, or, if the name has no dashes, a positional argument. T: std::string,
    /// std::filesystem::path, int, std::int64_t, std::uint64_t, double, an std::optional of one of
    /// the last three, or a vector of std::string, int, std::int64_t. A vector takes several
    /// values: also call repeatable(), separated_by_commas(), one_or_more() or at_most().
    template <typename T>
    Option& value(const std::string& names, const std::string& value_name, T& target,
                  const std::string& help);
    /// Calls `take` with the value after it was checked. `take` may throw UsageError.
    Option& take(const std::string& names, const std::string& value_name,
                 std::function<void(const std::string&)> take, const std::string& help);
    /// Calls `take` with all values.
    Option& take_all(const std::string& names, const std::string& value_name,
                     std::function<void(const std::vector<std::string>&)> take,
                     const std::string& help);
    /// Calls `take` with all numbers.
    Option& take_numbers(const std::string& names, const std::string& value_name,
                         std::function<void(const std::vector<float>&)> take,
                         const std::string& help);

    /// In the order of declaration, --help first.
    const std::deque<Option>& all() const { return options_; }

private:
    Option& add(CLI::Option* parsed, const std::string& names, const std::string& value_name,
                const std::string& help);

    CLI::App& command_;
    std::deque<Option> options_;
};

}  // namespace lapidary::cli
