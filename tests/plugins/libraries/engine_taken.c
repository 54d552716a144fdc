/* SPDX-License-Identifier: Apache-2.0
 * Its engine has the name of another one. */
#include "plugin_abi.h"

static const LpEngine engine = {.size = sizeof(LpEngine), .name = "onnxruntime"};
static const LpPlugin plugin = {.size = sizeof(LpPlugin),
                                .major = LP_MAJOR,
                                .minor = LP_MINOR,
                                .name = "engine_taken",
                                .engine = &engine};

LP_EXPORT const LpPlugin* LP_ENTRY(const LpHost* host, LpError* error) {
    (void)host, (void)error;
    return &plugin;
}
