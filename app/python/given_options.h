// SPDX-License-Identifier: Apache-2.0
// Options of a call from Python, parsed as the command line parses its own: the same names, values,
// bounds and errors.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include <pybind11/pybind11.h>

#include "cli/options/option_list.h"

namespace lapidary::python {

/// Stores the values of "--name=value" in the variables that `declare` names. `what` the options
/// are of, for errors. Throws UsageError.
void parse_given(const std::string& what, const std::vector<std::string>& arguments,
                 const std::function<void(cli::OptionList&)>& declare);

/// The options that `declare` declares, as option_dicts().
pybind11::list described_options(const std::function<void(cli::OptionList&)>& declare);

/// A dict for each option that is not hidden, with the members of OptionInfo, and "words" for the
/// words that a shell offers.
pybind11::list option_dicts(const cli::OptionList& options);

}  // namespace lapidary::python
