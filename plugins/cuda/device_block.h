// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "plugin_abi.h"

/// Device memory of the program.
struct LpBlock_ {
    char* data;
    // kept until both the program and deferred work have released it
    std::shared_ptr<void> memory;
};
