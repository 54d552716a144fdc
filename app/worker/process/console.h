// SPDX-License-Identifier: Apache-2.0
// What a program of the command line has of the terminal that it runs in.
#pragma once

#include <string>
#include <vector>

#include <lapidary/base/progress.h>

namespace lapidary::app {

/// Bytes go through the standard streams as they are, and those of texts are UTF-8; a stream that
/// is closed, or a file that may grow no more, shows as a failed stream and is no signal.
void prepare_standard_streams();

/// The arguments that the program was called with, its name first, in UTF-8.
std::vector<std::string> program_arguments(int argc, char** argv);

/// Ctrl-C cancels the token, which lives until the program ends; the second time it ends the
/// program.
void cancel_on_interrupt(const CancelToken& token);

/// The end of the terminal or of the session (SIGHUP), and a request to end (SIGTERM), cancel the
/// token too; the second time they end the program. Where the system has no such signals nothing
/// happens.
void cancel_on_hangup(const CancelToken& token);

/// Whether somebody sees the standard errors as they come.
bool is_error_terminal();

}  // namespace lapidary::app
