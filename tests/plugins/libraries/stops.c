// SPDX-License-Identifier: Apache-2.0
// A library that stops the process that opens it: no timer of that process ends it then.
#define _POSIX_C_SOURCE 200809L
#include <signal.h>

__attribute__((constructor)) static void on_load(void) { raise(SIGSTOP); }
