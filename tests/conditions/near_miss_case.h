// SPDX-License-Identifier: Apache-2.0
// Writes a neighbour as a case of tests/fixtures/passes.
#pragma once

#include <filesystem>
#include <string>

#include "lapgen/neighbour.h"

namespace lapidary {

/// What a fixture case reports about a result: structure, rewrites, near misses.
std::string reported_by_case(const test::PassCase& c);

/// The neighbour as text of a case, with the present result of the passes as the expected one. Runs
/// it to find out whether it can run.
std::string case_text(const lapgen::Neighbour& neighbour);

/// Writes the case, reads it back and checks it. Returns what fails; empty: nothing.
std::string write_and_check(const std::filesystem::path& folder, const std::string& text);

}  // namespace lapidary
