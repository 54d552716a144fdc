/* SPDX-License-Identifier: Apache-2.0 */
#include <signal.h>

__attribute__((constructor)) static void crash(void) {
    signal(SIGSEGV, SIG_DFL);
    raise(SIGSEGV);
}
