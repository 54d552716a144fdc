// SPDX-License-Identifier: Apache-2.0
// The result of `ci` as text, JSON, JUnit XML and Markdown.
#pragma once

#include <iosfwd>
#include <string>

#include "cli/ci/ci_result.h"
#include "cli/output/json_output.h"

namespace lapidary::cli {

void print_ci(std::ostream& out, const CiResult& result);
Json ci_json(const CiResult& result);

/// A test suite for each model, a test case for each check that has a verdict. What is worse is a
/// failure, what is broken an error, what is unresolved is skipped with the reason. Figures and
/// conditions are properties.
std::string ci_junit(const CiResult& result);
/// A table for each model, below a line with the verdict.
std::string ci_markdown(const CiResult& result);

/// "now", "in the baseline" and "change" as people read them; empty where there is none.
struct CiFigureTexts {
    std::string now, then, change;
};
CiFigureTexts figure_texts(const CiCheck& check);
/// "2 worse, 1 cannot be resolved, 5 kept"
std::string ci_counts_text(const CiResult& result);

}  // namespace lapidary::cli
