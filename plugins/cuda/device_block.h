// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "plugin_abi.h"

/// Device memory of the program.
struct LpBlock_ {
    uint32_t device;
    char* data;
    uint64_t bytes;
};
