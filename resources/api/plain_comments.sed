# SPDX-License-Identifier: Apache-2.0
# sed -E -f this file HEADER: plain comments as Doxygen wants them. The block on top of a header is about the file, a
# comment behind a declaration about that one, a comment above a member about the one below.
1s|^// SPDX.*$|/// \\file|
1s|^/\* SPDX.*$|/** \\file|
2,/^#/s|^// |/// |
# rules between parts of a header
s|^/\* -+ .*\*/$||
s|^// -+ .*$||
# C
s|^([^/]*[^/ ][^/]*)/\* (.*)$|\1/**< \2|
s|^( *)/\* (.*)$|\1/** \2|
# C++
s|^([^/]*[;,{})][^/"]*) // (.*)$|\1 ///< \2|
s|^([^/]*[a-z_0-9]) +// (.*)$|\1 ///< \2|
s|^( +)// (.*)$|\1/// \2|
