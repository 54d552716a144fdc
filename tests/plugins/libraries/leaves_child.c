// SPDX-License-Identifier: Apache-2.0
// A library that leaves a process behind, which holds the streams of whoever opened it open.
#define _POSIX_C_SOURCE 200809L
#include <unistd.h>

__attribute__((constructor)) static void on_load(void) {
    if (fork() != 0) return;
    setsid();
    sleep(40);
    _exit(0);
}
