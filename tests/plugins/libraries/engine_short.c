/* SPDX-License-Identifier: Apache-2.0
 * Its engine's struct ends before the functions that every engine has. */
#include "plugin_abi.h"

static const LpEngine engine = {.size = offsetof(LpEngine, run), .name = "short", .release = (void (*)(LpModel))1};
static const LpPlugin plugin = {.size = sizeof(LpPlugin),
                                .major = LP_MAJOR,
                                .minor = LP_MINOR,
                                .name = "engine_short",
                                .engine = &engine};

LP_EXPORT const LpPlugin* LP_ENTRY(const LpHost* host, LpError* error) {
    (void)host, (void)error;
    return &plugin;
}
