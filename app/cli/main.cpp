// SPDX-License-Identifier: Apache-2.0
#include <cstdlib>
#include <iostream>

#include <lapidary/base/failure.h>

#include "worker/process/console.h"

#include "cli/command_line.h"

int main(int argc, char** argv) {
    using namespace lapidary;
    name_foreign_crashes();
    const ExitWatch watch;
    app::prepare_standard_streams();
    static const CancelToken interrupt;
    app::cancel_on_interrupt(interrupt);
    std::vector<std::string> arguments = app::program_arguments(argc, argv);
    std::vector<char*> words;
    for (std::string& argument : arguments) words.push_back(argument.data());
    words.push_back(nullptr);
    const bool is_terminal = app::is_error_terminal();
    const char* no_colour = std::getenv("NO_COLOR");  // https://no-color.org: set and not empty
    const cli::TerminalFeatures features{is_terminal, is_terminal && !(no_colour && *no_colour)};
    int code = cli::run_command_line(static_cast<int>(arguments.size()), words.data(), std::cout,
                                     std::cerr, interrupt, features);
    std::cout.flush();
    if (!std::cout && code == cli::exit_fine) {
        if (!app::is_output_closed())
            std::cerr << "lapidary-cli: the output could not be written\n";
        code = cli::exit_bad_input;
    }
    return code;
}
