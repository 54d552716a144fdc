// SPDX-License-Identifier: Apache-2.0
#include "support/end_process.h"

#include <signal.h>

namespace lapidary::test {
namespace {

void end_by(long process, int signal) {
    if (process > 0) ::kill(static_cast<pid_t>(process), signal);  // others are groups
}

}  // namespace

void end_process(long process) { end_by(process, SIGKILL); }
void abort_process(long process) { end_by(process, SIGABRT); }

}  // namespace lapidary::test
