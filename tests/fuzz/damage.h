// SPDX-License-Identifier: Apache-2.0
// Damaged copies of a file, for the program that runs the fixed corpus and for libFuzzer's
// mutators.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "fuzz/fuzz_target.h"

namespace lapidary::fuzz {

/// The same copy for the same number. A file of protobuf is damaged in its fields, lengths and
/// numbers (tests/mutate), text in its words, numbers and brackets, anything else in its bytes.
std::vector<std::byte> damaged(Input file, std::uint64_t number);

}  // namespace lapidary::fuzz
