/* SPDX-License-Identifier: Apache-2.0 */
__attribute__((visibility("default"))) int some_function(void);
int some_function(void) { return 0; }
