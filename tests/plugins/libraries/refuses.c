/* SPDX-License-Identifier: Apache-2.0 */
#include "plugin_abi.h"

#include <stdio.h>

LP_EXPORT const LpPlugin* LP_ENTRY(const LpHost* host, LpError* error) {
    snprintf(error->text, sizeof(error->text), "it does not like %s", host->program);
    return NULL;
}
