// SPDX-License-Identifier: Apache-2.0
// How much accuracy a run loses where float32 is rounded to fewer bits: on a device that was opened
// to do so, or in a session whose weights are rounded (compute.h).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <lapidary/proof/compare.h>
#include <lapidary/exec/session_options.h>

namespace lapidary {

/// An output of such a run against float32 on the CPU.
struct LoweredOutput {
    std::string name;       // of the output
    bool is_float = false;  // compared by SQNR; other outputs by mismatches
    Comparison comparison;  // with the output in float32
    /// Rows of a float output along its last axis, and those whose largest element is elsewhere.
    std::int64_t answers = 0, changed_answers = 0;
};

/// What rounds.
struct LoweredBy {
    std::string precision, provider;  // "fp16", "cuda"; "bf16 weights", "cpu"
};

/// The loss of a run by rounding.
struct LoweredPrecision {
    std::vector<LoweredBy> by;           // in the order of the providers, the CPU last
    std::vector<LoweredOutput> outputs;  // in the order of the model
    std::string problem;                 // why they were not compared, a clause; empty: they were

    /// The float output with the least SQNR. Null: there is none.
    const LoweredOutput* worst() const;
    /// Elements of outputs that are no floats.
    struct Counts {
        std::int64_t differ = 0, all = 0;  // elements; of answers(): rows
    };
    Counts others() const;  // over all such outputs
    /// LoweredOutput::answers of all float outputs.
    Counts answers() const;
};

/// "fp16 on cuda"; several with commas between.
std::string text_of(const std::vector<LoweredBy>& by);

/// The options' providers that round, and the CPU where weights are rounded for it.
std::vector<LoweredBy> lowered_by(const SessionOptions& options);

/// Runs the model on the CPU alone, on the same inputs, and compares. `outputs`: of a session of
/// `options`. Empty if lowered_by() is empty. Throws cancelled; other failures are reported as the
/// problem.
std::optional<LoweredPrecision> measure_lowered_precision(const ModelPtr& model,
                                                          const SessionOptions& options,
                                                          const NamedValues& inputs,
                                                          const NamedValues& outputs,
                                                          const Progress& progress = {});

/// Outputs of a session with providers that round, `by`, against those of the CPU on the same
/// inputs.
LoweredPrecision compare_lowered(std::vector<LoweredBy> by, const NamedValues& outputs,
                                 const NamedValues& exact);
/// For each output the worse of two comparisons on different inputs. If one of them has a problem,
/// that one.
LoweredPrecision worse_of(LoweredPrecision a, const LoweredPrecision& b);

/// "fp16 on cuda moves 'logits' by at most 0.0031 of values up to 4.2, 62.3 dB SQNR against float32
/// on the CPU; no answer changed (12)"
std::string text_of(const LoweredPrecision& lowered);

}  // namespace lapidary
