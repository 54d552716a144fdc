/* SPDX-License-Identifier: Apache-2.0 */
#include "plugin_abi.h"

static const LpPlugin plugin = {
    .size = sizeof(LpPlugin), .major = LP_MAJOR, .minor = 99, .needs_minor = 99, .name = "newer_minor"};

LP_EXPORT const LpPlugin* LP_ENTRY(const LpHost* host, LpError* error) {
    (void)host;
    (void)error;
    return &plugin;
}
