// SPDX-License-Identifier: Apache-2.0
#include "worker/process/host_name.h"

#include <unistd.h>

namespace lapidary::app {

std::string host_name() {
    char name[256] = {};
    return ::gethostname(name, sizeof name - 1) == 0 ? name : "";
}

}  // namespace lapidary::app
