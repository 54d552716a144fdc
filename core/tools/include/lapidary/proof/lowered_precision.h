// SPDX-License-Identifier: Apache-2.0
// What it costs that a device was opened to round floats of 32 bits, measured on the inputs of a
// run.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <lapidary/proof/compare.h>
#include <lapidary/exec/session_options.h>

namespace lapidary {

/// An output of a run on such a device against what float32 on the CPU gives.
struct LoweredOutput {
    std::string name;       // of the output
    bool is_float = false;  // SQNR is of floats; of others mismatches count
    Comparison comparison;  // with float32
};

/// A provider that rounds.
struct LoweredBy {
    std::string precision, provider;  // "fp16", "cuda"
};

/// What rounding costs a run: nothing where no provider rounds.
struct LoweredPrecision {
    std::vector<LoweredBy> by;           // in the order of the providers
    std::vector<LoweredOutput> outputs;  // in the order of the model
    std::string problem;                 // why they were not compared, a clause; empty: they were

    /// Of the floats the one with the least SQNR; null: there are none.
    const LoweredOutput* worst() const;
    /// Of outputs that are no floats: elements that differ, and all.
    struct Counts {
        std::int64_t differ = 0, all = 0;  // elements
    };
    Counts others() const;  // over all of them
};

/// "fp16 on cuda"; several with commas between.
std::string text_of(const std::vector<LoweredBy>& by);

/// Of the options' providers those that round.
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
/// Of each output the worse of two comparisons on different inputs; where one could not be made,
/// that.
LoweredPrecision worse_of(LoweredPrecision a, const LoweredPrecision& b);

/// "fp16 on cuda moves 'logits' by at most 0.0031 of values up to 4.2, 62.3 dB SQNR against float32
/// on the CPU"
std::string text_of(const LoweredPrecision& lowered);

}  // namespace lapidary
