// SPDX-License-Identifier: Apache-2.0
// A neighbour as a case of tests/fixtures/passes.
#pragma once

#include <filesystem>
#include <string>

#include "lapgen/neighbour.h"

namespace lapidary {

/// What a fixture case reports about a result: structure, rewrites, near misses.
std::string reported_by_case(const test::PassCase& c);

/// The neighbour as text of a case that expects what the passes make of it today. Runs it to see
/// whether it can.
std::string case_text(const lapgen::Neighbour& neighbour);

/// Writes the case and reads it back. What does not hold of it, or empty.
std::string write_and_check(const std::filesystem::path& folder, const std::string& text);

}  // namespace lapidary
