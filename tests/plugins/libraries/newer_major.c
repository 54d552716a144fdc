/* SPDX-License-Identifier: Apache-2.0 */
#include "plugin_abi.h"

LP_EXPORT const void* lapidary_plugin_2(const LpHost* host, LpError* error) {
    (void)host;
    (void)error;
    __builtin_trap(); /* is not to be called */
}
