/* SPDX-License-Identifier: Apache-2.0
 * As made before plugins could have operators, providers and engines: its struct ends with the name. */
#include "plugin_abi.h"

static const LpPlugin plugin = {.size = offsetof(LpPlugin, version),
                                .major = LP_MAJOR,
                                .minor = 0,
                                .name = "older",
                                .version = (const char*)1, /* what lies behind the struct is not to be read */
                                .licence = (const char*)1,
                                .about = (const char*)1,
                                .operators = (const LpOperator* const*)1,
                                .provider = (const LpProvider*)1,
                                .engine = (const LpEngine*)1};

LP_EXPORT const LpPlugin* LP_ENTRY(const LpHost* host, LpError* error) {
    (void)host;
    (void)error;
    return &plugin;
}
