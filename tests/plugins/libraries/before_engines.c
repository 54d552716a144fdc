/* SPDX-License-Identifier: Apache-2.0
 * As compiled with interface 1.0, whose struct of a plugin ends with the provider. */
#include "plugin_abi.h"

static const LpPlugin plugin = {.size = offsetof(LpPlugin, engine),
                                .major = LP_MAJOR,
                                .minor = 0,
                                .name = "before_engines",
                                .version = "1",
                                .licence = "Apache-2.0",
                                .about = "",
                                .engine = (const LpEngine*)1}; /* behind the struct: not to be read */

LP_EXPORT const LpPlugin* LP_ENTRY(const LpHost* host, LpError* error) {
    (void)host, (void)error;
    return &plugin;
}
