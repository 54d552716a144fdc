// SPDX-License-Identifier: Apache-2.0
// The result of bench --decode as table and JSON.
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

#include <lapidary/generation/measure_decoding.h>

#include "cli/bench/bench_options.h"
#include "cli/output/json_value.h"

namespace lapidary::cli {

/// A decoder under one set of options at one context.
struct DecodingRow {
    std::string model;
    Level level = default_run_level;
    int threads = 1;
    std::int64_t context = 0;
    DecodingMeasurement measured;
    bool rounds_nothing = false;  // --compute asks for it, and no weight is large enough
    std::string error;            // empty: it was measured
};

struct DecodingResult {
    std::vector<DecodingRow> rows;
    std::string against;         // "ONNX Runtime 1.32.0, PATH", "itself"; empty: alone
    std::string version;         // of the other engine; empty: there was none
    bool has_processes = false;  // each engine ran in a process of its own
    bool cancelled = false;
};

void print_decoding(std::ostream& out, const DecodingResult& result);
Json decoding_json(const BenchCommandOptions& options, const DecodingResult& result);

}  // namespace lapidary::cli
