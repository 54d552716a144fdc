// SPDX-License-Identifier: Apache-2.0
#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include <lapidary/error.h>

#include "cli/command_line.h"
#include "cli/commands.h"
#include "worker/run_job.h"
#include "worker/serve.h"

namespace lapidary::cli {

int run_serve(const ServeCommandOptions& options, Terminal& terminal) {
    if (!options.fresh.empty()) {
        terminal.out << app::run_fresh(options.fresh) << '\n';
        return exit_fine;
    }
    terminal.out.flush();
    app::ServeOptions serving;
    serving.memory_limit = options.memory_limit;
    serving.version = LAPIDARY_VERSION;
    // Answers get a descriptor of their own that no child inherits; what anything else prints goes to the errors.
    serving.out = ::fcntl(1, F_DUPFD_CLOEXEC, 3);
    if (serving.out < 0 || ::dup2(2, 1) < 0) fail(ErrorCode::io_failure, std::string("no stream for the answers: ") + std::strerror(errno));
    app::serve(serving);
    return exit_fine;
}

}  // namespace lapidary::cli
