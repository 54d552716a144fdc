/* SPDX-License-Identifier: Apache-2.0 */
int nothing_to_register;
