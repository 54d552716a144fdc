/* SPDX-License-Identifier: Apache-2.0
 * Its engine cannot run what it loads. */
#include "plugin_abi.h"

static int32_t load(const LpHost* host, const LpModelSource* source, const LpOptions* options, LpModel* model,
                    LpError* error) {
    (void)host, (void)source, (void)options, (void)model, (void)error;
    return LP_INTERNAL;
}
static void release(LpModel model) { (void)model; }

static const LpEngine engine = {.size = sizeof(LpEngine), .name = "half", .load = load, .release = release};
static const LpPlugin plugin = {.size = sizeof(LpPlugin),
                                .major = LP_MAJOR,
                                .minor = LP_MINOR,
                                .name = "engine_half",
                                .engine = &engine};

LP_EXPORT const LpPlugin* LP_ENTRY(const LpHost* host, LpError* error) {
    (void)host, (void)error;
    return &plugin;
}
