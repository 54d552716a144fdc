// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "plugin_abi.h"

/// Device memory of the program.
struct LpBlock_ {
    char* data;
    // it stays until the program and work that was put off let go of it
    std::shared_ptr<void> memory;
};
