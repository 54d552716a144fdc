// SPDX-License-Identifier: Apache-2.0
#include "python/given_options.h"

#include <sstream>

#include <pybind11/stl.h>

#include "cli/options/argument_parser.h"

namespace lapidary::python {
namespace py = pybind11;

namespace {

py::dict option_dict(const cli::OptionInfo& info) {
    py::dict option;
    option["names"] = info.names;
    option["value_name"] = info.value_name;
    option["help"] = info.help;
    option["range"] = info.range;
    option["initial"] = info.initial;
    option["words"] = info.suggestions.words;
    option["needs"] = info.needs;
    option["excludes"] = info.excludes;
    option["is_positional"] = info.is_positional();
    option["is_required"] = info.is_required;
    option["is_repeatable"] = info.is_repeatable;
    option["takes_list"] = info.takes_list;
    option["value_is_optional"] = info.value_is_optional;
    return option;
}

}  // namespace

py::list option_dicts(const cli::OptionList& options) {
    py::list dicts;
    for (const cli::Option& option : options.all())
        if (!option.info().is_hidden) dicts.append(option_dict(option.info()));
    return dicts;
}

py::list described_options(const std::function<void(cli::OptionList&)>& declare) {
    cli::ArgumentParser parser({"lapidary", "lapidary", "", ""});
    cli::OptionList& options = parser.add_command("options", "", "");
    declare(options);
    return option_dicts(options);
}

void parse_given(const std::string& what, const std::vector<std::string>& arguments,
                 const std::function<void(cli::OptionList&)>& declare) {
    cli::ArgumentParser parser({"lapidary", "lapidary", "", ""});
    declare(parser.add_command(what, what, ""));
    std::vector<const char*> words{"lapidary", what.c_str()};
    for (const std::string& argument : arguments) words.push_back(argument.c_str());
    std::ostringstream help;
    parser.parse(static_cast<int>(words.size()), words.data(), help);
}

}  // namespace lapidary::python
