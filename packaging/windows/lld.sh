#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# For GCC's option -wrapper: links by lld. GNU's linker reads objects with many inline functions in quadratic time,
# minutes for one program, and Debian's GCC for Windows takes no other by -fuse-ld.
case $1 in
    */collect2) shift; exec ld.lld "$@" ;;
esac
exec "$@"
