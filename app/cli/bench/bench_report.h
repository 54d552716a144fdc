// SPDX-License-Identifier: Apache-2.0
// The result of bench as table, JSON and CSV.
#pragma once

#include <filesystem>
#include <iosfwd>

#include "cli/bench/bench_alone.h"

namespace lapidary::cli {

void print_bench(std::ostream& out, const BenchResult& result);
Json bench_json(const BenchCommandOptions& options, const BenchResult& result);
/// A line per configuration. Throws io_failure.
void save_bench_csv(const std::filesystem::path& file, const BenchResult& result);

}  // namespace lapidary::cli
