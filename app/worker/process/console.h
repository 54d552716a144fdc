// SPDX-License-Identifier: Apache-2.0
// How a command line program uses its terminal.
#pragma once

#include <string>
#include <vector>

#include <lapidary/base/progress.h>

namespace lapidary::app {

/// Makes the standard streams pass bytes unchanged, with texts in UTF-8. A closed stream or a full
/// file then sets the stream's failure state and raises no signal.
void prepare_standard_streams();

/// The arguments that the program was started with, its name first, in UTF-8.
std::vector<std::string> program_arguments(int argc, char** argv);

/// The first Ctrl-C cancels the token, the second one ends the program. The token must live until
/// then.
void cancel_on_interrupt(const CancelToken& token);

/// The same for the end of the terminal or session (SIGHUP) and a request to end (SIGTERM). Does
/// nothing on systems without these signals.
void cancel_on_hangup(const CancelToken& token);

/// True if standard output is a pipe whose reader has gone, such as `head`. False on systems that
/// do not say so.
bool is_output_closed();

/// True if standard error is a terminal.
bool is_error_terminal();

}  // namespace lapidary::app
