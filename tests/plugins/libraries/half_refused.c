/* SPDX-License-Identifier: Apache-2.0
 * Its second operator is in a domain that is not open to others: then the first is not known either. */
#include "plugin_abi.h"

static int32_t run(LpKernel kernel, LpRun* run, LpError* error) {
    (void)kernel, (void)run, (void)error;
    return LP_INTERNAL;
}
static void destroy(LpKernel kernel) { (void)kernel; }

static const LpOperator first = {sizeof(LpOperator), "half", "First", 1, "X:T", "Y:T", "T=f32", "", "", 0, 0,
                                 run, destroy};
static const LpOperator second = {sizeof(LpOperator), "com.microsoft", "Second", 1,   "X:T",  "Y:T",
                                  "T=f32",            "",              "",       0, 0, run, destroy};
static const LpOperator* const operators[] = {&first, &second, 0};
static const LpPlugin plugin = {sizeof(LpPlugin), LP_MAJOR, LP_MINOR,  0, "half", "1",
                                "Apache-2.0",     "",       operators, 0, 0};

LP_EXPORT const LpPlugin* LP_ENTRY(const LpHost* host, LpError* error) {
    (void)host, (void)error;
    return &plugin;
}
