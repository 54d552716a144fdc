// SPDX-License-Identifier: Apache-2.0
// The options of a command, declared once: parser, help, shell completions and man pages come from
// the same declaration. CLI11, which parses, is behind this interface.
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
    std::vector<std::string> words = {};  // one that ends in "=" is the beginning of a value
    bool files = false, folders = false;
    std::vector<std::string> extensions = {};  // of the files, without a dot; empty: any file
    bool after_equals = false;                 // files belong after the "=" of NAME=FILE
};

/// An option as it is shown, or an argument that is known by its place: its one name does not begin
/// with "-".
struct OptionInfo {
    std::vector<std::string> names;  // "-o", "--output"
    std::string value_name;          // "N"; empty: a flag, which takes no value
    std::string help;                // the first line is a sentence without its period
    std::string range = {};          // of a number: "from 0 to 1024"; empty: any
    // what holds where it is not given; empty: nothing, or not known
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

/// One declared option. Functions add to what is declared and return the option itself. Those that
/// restrict the value make the parser refuse others, naming the option.
class Option {
public:
    /// Empty where the value is good, else what is wrong with it.
    using Check = std::function<std::string(const std::string& value)>;

    Option(CLI::Option& parsed, OptionInfo info) : parsed_(parsed), info_(std::move(info)) {}

    Option& required();
    /// For vectors: each occurrence of the option adds one value.
    Option& repeatable();
    /// For vectors: values separated by commas; each occurrence adds its own.
    Option& separated_by_commas();
    /// For vectors known by their place: as many values as there are.
    Option& one_or_more();
    /// For vectors: from one to `most` values.
    Option& at_most(int most);
    /// The option may stand without its value, which is then empty.
    Option& with_optional_value();
    /// An empty text is taken, which other options refuse: for names, which may be empty in a
    /// model.
    Option& may_be_empty();
    Option& between(int lowest, int highest);
    Option& between(double lowest, double highest);
    Option& positive();
    Option& not_negative();
    /// One of these words.
    Option& one_of(std::vector<std::string> words);
    /// A number of bytes that may have a unit: "4GB".
    Option& byte_size();
    /// A file that is there.
    Option& existing_file();
    Option& checked_by(Check check);
    /// What `change` makes of the value is what counts.
    Option& changed_by(std::function<std::string(std::string)> change);
    /// What a shell offers; the parser takes other values too.
    Option& suggest(Suggestions suggestions);
    /// Suggests files with one of these extensions (without a dot); none: any file.
    Option& suggest_files(std::vector<std::string> extensions = {});
    Option& suggest_folders();
    Option& needs(Option& other);
    Option& excludes(Option& other);
    Option& hidden();
    /// For OptionList: what holds where it is not given.
    Option& begins_with(std::string initial);

    /// Whether the command line has it; known once that was parsed.
    bool is_given() const;
    /// What the command line gives it, likewise.
    std::vector<std::string> values() const;
    const OptionInfo& info() const { return info_; }

private:
    CLI::Option& parsed_;
    OptionInfo info_;
};

/// The options of one command. What they fill in has to outlive parsing.
class OptionList {
public:
    /// The list of a command that so far has --help, which CLI11 gives to each.
    explicit OptionList(CLI::App& command);
    OptionList(const OptionList&) = delete;

    /// `names` is "--name", or "-n,--name". `target` becomes true where it is given.
    Option& flag(const std::string& names, bool& target, const std::string& help);
    /// `target` becomes false where it is given.
    Option& flag_off(const std::string& names, bool& target, const std::string& help);
    /// Prints `text` in place of all else.
    Option& version(const std::string& names, const std::string& text);
    /// An option, or with a name without dashes an argument known by its place. T: std::string,
    /// std::filesystem::path, int, std::int64_t, std::uint64_t, double, an std::optional of one of
    /// the last three, or a vector of std::string, int, std::int64_t. A vector takes several
    /// values; say which way.
    template <typename T>
    Option& value(const std::string& names, const std::string& value_name, T& target,
                  const std::string& help);
    /// Hands the value on, after it was checked. `take` may throw UsageError.
    Option& take(const std::string& names, const std::string& value_name,
                 std::function<void(const std::string&)> take, const std::string& help);
    /// Hands all values on.
    Option& take_all(const std::string& names, const std::string& value_name,
                     std::function<void(const std::vector<std::string>&)> take,
                     const std::string& help);
    /// Hands all numbers on.
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
