// SPDX-License-Identifier: Apache-2.0
// Chooses the numbers that a session holds large weights in, by what this machine gains and what
// the results lose.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <lapidary/base/progress.h>
#include <lapidary/cost/product_roofs.h>
#include <lapidary/exec/compute.h>
#include <lapidary/exec/session_options.h>
#include <lapidary/graph/model.h>
#include <lapidary/proof/lowered_precision.h>
#include <lapidary/tensor/runtime_value.h>

namespace lapidary {

/// What rounding has to win, and what it may cost. Otherwise weights stay exact.
struct ComputeLimits {
    double least_speedup = 1.05;  // times as fast as exact
    double least_sqnr_db = 30;    // of the worst float output against exact
    double most_changed = 0.01;   // share of LoweredPrecision::answers() that changed
};

/// Of products in an exact run whose weights would be rounded.
struct RoundedProduct {
    std::int64_t rows = 0;  // of the left operand
    double ms = 0;          // of a run
};

/// An exact run, as far as rounding concerns it.
struct ExactRun {
    double ms = 0;                         // of the whole run
    std::vector<RoundedProduct> products;  // large enough to be rounded
    std::uint64_t weight_bytes = 0;        // of what would be rounded, in float32
    int threads = 1;                       // of the session
    // of convolutions that kernels here would round, too
    double fp16_convolutions_ms = 0, bf16_convolutions_ms = 0;
};

/// A run that is compared.
struct TimedRun {
    NamedValues outputs;  // of the model
    double ms = 0;        // that it took
};

/// A model on the inputs that it is judged by.
class ComputeSubject {
public:
    virtual ~ComputeSubject() = default;
    /// Throws what compiling and running throw.
    virtual ExactRun measure_exact(const Progress& progress) = 0;
    /// A session whose call makes one run. First runs of two sessions are of the same inputs.
    /// Throws as above. It is called while the subject lives.
    virtual std::function<TimedRun()> open(Compute compute, const Progress& progress) = 0;
};

/// The model in a session of these options, which have no providers.
std::unique_ptr<ComputeSubject> subject_of(ModelPtr model, SessionOptions options,
                                           NamedValues inputs);
/// Bytes in float32 of the weights that rounding would take in the graph that a session of these
/// options runs; 0: there are none.
std::uint64_t large_weight_bytes(const Model& model, const SessionOptions& options,
                                 const Progress& progress = {});

/// "nothing was rounded: no product has a float32 weight large enough", of a model without such
/// bytes.
std::string nothing_rounded_text();
/// True of the loss that measure_lowered_precision() returns for such a model: nothing in it
/// rounds, and its text is the one above.
bool rounds_nothing(const LoweredPrecision& loss);
/// The least SQNR in dB that rounding of weights explains: noise of at most ten times the largest
/// relative error of one rounding, which is 2^-11 for fp16 (46.2 dB) and 2^-8 for bf16 (28.2 dB);
/// for int8 half a step is 2^-6 of a value a quarter as large as the largest of its column (16.1
/// dB). Infinity for exact weights.
double least_rounded_sqnr_db(Compute compute);

/// What rounding gains and costs, in the order in which it is said.
struct ComputePrice {
    std::optional<double> speedup;  // times as fast as exact weights; nothing: it is not known
    std::optional<double> sqnr_db;  // of the worst output; nothing: there is none that counts
    bool equal = false;             // that output has no difference at all
    std::int64_t answers = 0, changed_answers = 0;  // of all outputs that hold answers
};
/// Counts outputs of floats.
ComputePrice price_of(std::optional<double> speedup, const LoweredPrecision& loss);
/// Counts all outputs.
ComputePrice price_of(std::optional<double> speedup, const std::vector<OutputComparison>& outputs);

/// Rounded weights beside exact ones.
struct ComputeTrial {
    Compute compute = Compute::fp16;  // what they are held in
    double promised = 1;  // times as fast, by the rates of products and their time in an exact run
    /// Times as fast in runs that took turns with exact ones. Nothing: the rates promise too little
    /// for that, and it was not run.
    std::optional<double> speedup;
    std::optional<LoweredPrecision> loss;  // likewise
    std::string refusal;  // why it is not chosen, a clause; empty: nothing speaks against it
};

/// What was chosen and why.
struct ComputeChoice {
    Compute compute = Compute::exact;  // what was chosen
    std::string reason;                // why exact; empty: it is not
    std::vector<ComputeTrial> trials;  // fp16, bf16, int8; none where there is nothing to round
    ProductRoofs roofs;                // rates of products here; zeros: they were not measured

    const ComputeTrial* chosen() const;  // null: exact
};

/// Compares the rates of products in all computes here (product_roofs()). What
/// they promise to be faster by the limit, convolutions that are rounded as products of many rows,
/// is run beside exact weights, in turn, and compared; the
/// fastest of those that keep the limits is chosen, float16 where both are as fast. Throws
/// cancelled, and what measure_exact() throws; where a trial fails, its reason is the refusal.
/// `roofs`: for tests; nothing: measured.
ComputeChoice choose_compute(ComputeSubject& subject, const ComputeLimits& limits = {},
                             const Progress& progress = {},
                             const std::optional<ProductRoofs>& roofs = {});

/// "fp16: 1.70 x as fast, SQNR 61 dB, no answer changed (12)": speed against exact weights, where
/// it is known, and what it costs.
std::string verdict_text(Compute compute, std::optional<double> speedup,
                         const LoweredPrecision& loss);
/// One line for what was chosen, and one for each that was not with its reason.
std::vector<std::string> lines_of(const ComputeChoice& choice);

}  // namespace lapidary
