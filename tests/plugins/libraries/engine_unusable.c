/* SPDX-License-Identifier: Apache-2.0
 * Its engine lacks what it needs on every machine. */
#include "plugin_abi.h"

static const char* unusable(void) { return "there is no abacus on the desk"; }
static int32_t load(const LpHost* host, const LpModelSource* source, const LpOptions* options, LpModel* model,
                    LpError* error) {
    (void)host, (void)source, (void)options, (void)model, (void)error;
    return LP_INTERNAL;
}
static uint32_t values(LpModel model, const LpValue** values, uint32_t* stride) {
    (void)model, (void)values, (void)stride;
    return 0;
}
static int32_t run(LpModel model, LpRun* run, LpSpans* spans, LpError* error) {
    (void)model, (void)run, (void)spans, (void)error;
    return LP_INTERNAL;
}
static void release(LpModel model) { (void)model; }

static const LpEngine engine = {sizeof(LpEngine), "absent", 0, unusable, 0, load, values, values, run, release};
static const LpPlugin plugin = {.size = sizeof(LpPlugin),
                                .major = LP_MAJOR,
                                .minor = LP_MINOR,
                                .name = "engine_unusable",
                                .version = "7",
                                .engine = &engine};

LP_EXPORT const LpPlugin* LP_ENTRY(const LpHost* host, LpError* error) {
    (void)host, (void)error;
    return &plugin;
}
