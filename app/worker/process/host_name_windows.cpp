// SPDX-License-Identifier: Apache-2.0
#include "worker/process/host_name.h"

#include <windows.h>

namespace lapidary::app {

std::string host_name() {
    char name[256] = {};
    DWORD size = sizeof name;
    return ::GetComputerNameExA(ComputerNameDnsHostname, name, &size) ? name : "";
}

}  // namespace lapidary::app
