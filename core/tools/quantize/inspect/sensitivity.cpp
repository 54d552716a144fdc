// SPDX-License-Identifier: Apache-2.0
#include <lapidary/quantize/sensitivity.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <map>
#include <utility>

#include <lapidary/base/error.h>

#include "graph/copy_model.h"
#include "quantize/quantize_parts.h"
#include "quantize/writers/quantize_writer.h"
#include "quantize/quantized_operator.h"
#include "quantize/inspect/output_errors.h"
#include "quantize/inspect/sensitivity_curve.h"
#include "quantize/weights/tied_weights.h"

namespace lapidary {
namespace {

/// With one decimal.
std::string decibel_text(double db) {
    if (std::isinf(db)) return db > 0 ? "nothing" : "everything";
    const long tenths = std::lround(std::abs(db) * 10);
    return std::to_string(tenths / 10) + "." + std::to_string(tenths % 10) + " dB";
}

/// The first samples of a source.
SampleSourcePtr first_of(const SampleSourcePtr& samples, std::size_t most,
                         const CancelToken& cancel) {
    std::vector<NamedValues> taken;
    for (std::size_t i = 0; i < samples->size() && taken.size() < most; ++i) try {
            taken.push_back(samples->at(i, cancel));
        } catch (const Error& error) {  // one that cannot be read judges nothing
            if (error.code() == ErrorCode::cancelled) throw;
        }
    return given_samples(std::move(taken));
}

/// Quantizes the model repeatedly with the same samples.
class Trials {
public:
    Trials(const Model& model, const SampleSourcePtr& samples, std::size_t judging,
           const Progress& progress, Level level = Level::all)
        : model_(model), split_(split_samples(samples)),
          evaluation_samples_(judging > 0
                                  ? first_of(split_.evaluation_samples, judging, progress.cancel)
                                  : split_.evaluation_samples),
          original_(std::make_shared<const Model>(copy_model(model, progress.cancel))),
          progress_(progress), level_(level) {}

    QuantizeResult made(const QuantizeOptions& options,
                        QuantizedParts parts = QuantizedParts::both) const {
        return quantize_parts(model_, options, parts, split_.calibration_samples.get(),
                              {progress_.cancel, {}});
    }
    QuantizedAccuracy accuracy_of(const QuantizeResult& made,
                                  const QuantizeOptions& options) const {
        return evaluate_quantized(
            original_, std::make_shared<const Model>(copy_model(made.model, {})),
            *evaluation_samples_, options.calibration.threads, {progress_.cancel, {}}, level_);
    }
    double sqnr_of(const QuantizeResult& made, const QuantizeOptions& options) const {
        return accuracy_of(made, options).sqnr_db();
    }
    /// On the evaluation samples.
    double top1_lost_by(const QuantizeResult& made, const SampleSource& samples,
                        const Labels& labels, const QuantizeOptions& options) const {
        const LabelledJudgement found =
            judge_labelled(original_, std::make_shared<const Model>(copy_model(made.model, {})),
                           samples, labels, options.calibration.threads, {progress_.cancel, {}});
        return top1_lost(found.original, found.quantized);
    }
    double sqnr_of(const QuantizeOptions& options) const { return sqnr_of(made(options), options); }
    OutputErrors errors(int threads) const {
        return {*original_, evaluation_samples_, threads, progress_};
    }

private:
    const Model& model_;
    SampleSplit split_;
    SampleSourcePtr evaluation_samples_;
    ModelPtr original_;
    const Progress& progress_;
    Level level_;
};

/// Groups of nodes with a weight. Those that read the same value are one group, since its integers
/// are made once for all of them. Other nodes are quantized with their neighbours.
std::vector<NodeSensitivity> groups_of(const QuantizeResult& whole, const Model& prepared) {
    std::map<std::string, std::string> read;  // value, by the node's name
    for (NodeId id : prepared.graph.nodes()) {
        const Node& node = prepared.graph.node(id);
        std::string ignored;
        if (const auto product = weighted_product(prepared.graph, node, ignored))
            read[keep_name(prepared.graph, node)] = prepared.graph.value(product->data).name;
    }
    std::vector<NodeSensitivity> groups;
    std::map<std::string, std::size_t> of_value;
    for (const NodeDecision& decision : whole.nodes) {
        const bool counts =
            decision.quantized && decision.place == "main" &&
            (decision.reason.starts_with("weight") || decision.reason.starts_with("table") ||
             decision.reason.starts_with("computes"));
        if (!counts) continue;
        const auto value = read.find(decision.name);
        const auto [at, is_new] = of_value.try_emplace(
            value == read.end() ? "node " + decision.name : "value " + value->second,
            groups.size());
        if (is_new) groups.emplace_back();
        groups[at->second].nodes.push_back(decision.node);
        groups[at->second].names.push_back(decision.name);
    }
    return groups;
}

QuantizeOptions with_float(QuantizeOptions options, const std::vector<NodeSensitivity>& groups,
                           std::size_t count) {
    for (std::size_t i = 0; i < count && i < groups.size(); ++i)
        options.keep_float.insert(options.keep_float.end(), groups[i].names.begin(),
                                  groups[i].names.end());
    return options;
}

/// The worst first, with their shares.
void order(std::vector<NodeSensitivity>& groups) {
    std::ranges::stable_sort(groups, {}, &NodeSensitivity::alone_db);
    double all = 0;
    for (const NodeSensitivity& group : groups) all += noise_of(group.alone_db);
    for (NodeSensitivity& group : groups)
        group.share = all > 0 ? noise_of(group.alone_db) / all : 0;
}

/// The values that a group quantizes by itself, and the resulting errors of the outputs.
struct AloneOutcome {
    std::set<std::string> values;
    std::vector<float> errors;
};

/// The noise that groups share if they quantize a value of the same name. If their error vectors
/// are equal, all of the smaller noise.
std::vector<SharedNoise> shared_noise(const std::vector<NodeSensitivity>& groups,
                                      const std::map<std::string, AloneOutcome>& alone) {
    std::vector<SharedNoise> shared;
    for (std::size_t i = 0; i < groups.size(); ++i)
        for (std::size_t k = i + 1; k < groups.size(); ++k) {
            const AloneOutcome &a = alone.at(groups[i].names.front()),
                               &b = alone.at(groups[k].names.front());
            if (std::ranges::none_of(
                    a.values, [&](const std::string& name) { return b.values.contains(name); }))
                continue;
            const double first = noise_of(groups[i].alone_db),
                         second = noise_of(groups[k].alone_db);
            const double common = cosine_similarity(a.errors, b.errors) * std::sqrt(first * second);
            if (common > 0) shared.push_back({i, k, std::min({common, first, second})});
        }
    return shared;
}

}  // namespace

std::string QuantizeDiagnosis::sentence() const {
    constexpr double alike = 1;  // dB
    if (weights_db - activations_db > alike)
        return "activations cost most: SQNR is " + decibel_text(activations_db) +
               " with them alone in integers, " + decibel_text(weights_db) + " with weights alone";
    if (activations_db - weights_db > alike)
        return "weights cost most: SQNR is " + decibel_text(weights_db) +
               " with them alone in integers, " + decibel_text(activations_db) +
               " with activations alone";
    return "weights and activations cost the same: SQNR is " + decibel_text(weights_db) + " and " +
           decibel_text(activations_db) + " with one of them alone in integers";
}

QuantizeDiagnosis diagnose_quantization(const Model& model, const QuantizeOptions& options,
                                        const SampleSourcePtr& samples, const Progress& progress) {
    const Trials trials(model, samples, 0, progress);
    QuantizeOptions asked = options;
    asked.mode = QuantizeMode::static_qdq;
    QuantizeDiagnosis found;
    const auto with = [&](QuantizedParts parts, const char* what, double fraction) {
        progress.step(what, fraction);
        return trials.sqnr_of(trials.made(asked, parts), asked);
    };
    found.weights_db = with(QuantizedParts::weights, "weights alone", 0);
    found.activations_db = with(QuantizedParts::activations, "activations alone", 1.0 / 3);
    found.both_db = with(QuantizedParts::both, "both", 2.0 / 3);
    return found;
}

double predicted_db(const Sensitivity& sensitivity, const std::set<std::string>& kept) {
    if (sensitivity.curve.empty()) return 0;
    const auto known_db = [&](std::size_t at) {
        const SensitivityPoint& point = sensitivity.curve[at];
        return point.measured_db.value_or(point.predicted_db);
    };
    double share = 0;
    for (const NodeSensitivity& group : sensitivity.groups)
        if (!std::ranges::all_of(group.names,
                                 [&](const std::string& name) { return kept.contains(name); }))
            share += group.share;
    if (share <= 0) return std::numeric_limits<double>::infinity();
    // Interpolates between the two points of the curve between which the noise lies.
    double before = 1;
    std::size_t at = 0;
    while (at + 1 < sensitivity.curve.size() &&
           before - sensitivity.groups[at].share >= share * (1 - 1e-12))
        before -= sensitivity.groups[at++].share;
    const double here = known_db(at) + decibels_of(share / before);
    if (at + 1 >= sensitivity.curve.size()) return here;
    const double after = before - sensitivity.groups[at].share;
    const double there = known_db(at + 1) - decibels_of(after / share);
    const double part =
        after > 0 && after < before ? std::log(before / share) / std::log(before / after) : 0;
    const double found = here + part * (there - here);
    return std::isfinite(found) ? found : here;
}

Sensitivity rank_sensitivity(const Model& model, const QuantizeOptions& options,
                             const SampleSourcePtr& samples, const SensitivityOptions& how,
                             const Progress& progress) {
    if (!samples || samples->size() < 2)
        fail_input("nodes are judged on samples that gave no ranges: at least 2 are needed");
    const auto begin = std::chrono::steady_clock::now();
    const auto is_over = [&] {
        return how.budget_seconds > 0 &&
               std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count() >=
                   how.budget_seconds;
    };
    // With few rows, errors of groups correlate by chance; small models have time for more rows.
    constexpr std::uint64_t small_model = 4'000'000;  // bytes of constants
    constexpr std::size_t more = 4;
    const std::size_t judging =
        constant_bytes(model) <= small_model ? more * how.samples : how.samples;
    const Trials trials(model, samples, judging, progress, how.level);
    const QuantizeResult whole = trials.made(options);
    std::vector<std::string> ignored;
    Model prepared = prepare_for_quantization(model, 0, ignored, {progress.cancel, {}});
    if (separates_tied_weights(options)) separate_tied_weights(prepared.graph);
    std::vector<NodeSensitivity> groups = groups_of(whole, prepared);
    if (groups.empty()) fail(ErrorCode::not_supported, "no node is quantized this way");
    const double steps = static_cast<double>(groups.size() + how.measured + how.checked);
    Sensitivity found;
    std::optional<double> all_db;
    std::map<std::string, AloneOutcome> outcomes;
    try {
        const OutputErrors errors = trials.errors(options.calibration.threads);
        all_db = trials.sqnr_of(whole, options);
        for (std::size_t i = 0; i < groups.size(); ++i) {
            if (i > 0 && is_over()) break;
            progress.step(groups[i].names.front(), static_cast<double>(i) / steps);
            QuantizeOptions alone = options;
            for (std::size_t k = 0; k < groups.size(); ++k)
                if (k != i)
                    alone.keep_float.insert(alone.keep_float.end(), groups[k].names.begin(),
                                            groups[k].names.end());
            const QuantizeResult made = trials.made(alone);
            groups[i].alone_db = trials.sqnr_of(made, alone);
            AloneOutcome& outcome = outcomes[groups[i].names.front()];
            for (const QuantizedRange& range : made.ranges) outcome.values.insert(range.name);
            if (!outcome.values.empty()) outcome.errors = errors.of(made.model);
            found.groups.push_back(groups[i]);
        }
        found.untried = groups.size() - found.groups.size();
        found.complete = found.untried == 0;
        order(found.groups);
        SensitivityCurve curve(found.groups, shared_noise(found.groups, outcomes),
                               found.complete ? all_db : std::nullopt);
        found.curve = curve.points();
        for (std::size_t i = 0; i < how.measured + how.checked && !is_over(); ++i) {
            const auto at = i < how.measured ? curve.next_point() : curve.doubtful_point();
            if (!at && i < how.measured) continue;
            if (!at) break;
            progress.step("measuring the curve", static_cast<double>(groups.size() + i) / steps);
            curve.set_measured(*at, trials.sqnr_of(with_float(options, found.groups, *at)));
            found.curve = curve.points();
        }
    } catch (const Error& error) {
        if (error.code() != ErrorCode::cancelled || found.groups.empty()) throw;
        found.untried = groups.size() - found.groups.size();
        found.complete = false;
        if (found.curve.empty()) {
            order(found.groups);
            found.curve = SensitivityCurve(found.groups, {}, std::nullopt).points();
        }
    }
    return found;
}

FloorResult keep_float_until(const Model& model, const QuantizeOptions& options,
                             const SampleSourcePtr& samples, const Sensitivity& sensitivity,
                             const AccuracyFloor& floor, const Labels* labels,
                             const Progress& progress, Level level) {
    const bool by_labels = floor.measure == AccuracyFloor::Measure::top1;
    if (by_labels && !labels) fail_input("a floor of top-1 needs labels of the samples");
    struct Found {
        double value, sqnr_db;
    };
    const Trials trials(model, samples, 0, progress, level);
    const std::size_t most = sensitivity.groups.size();
    std::map<std::size_t, Found> measured;
    const auto at = [&](std::size_t kept) {
        if (const auto known = measured.find(kept); known != measured.end()) return known->second;
        progress.step(std::to_string(kept) + " groups float");
        const QuantizeOptions tried = with_float(options, sensitivity.groups, kept);
        const QuantizeResult made = trials.made(tried);
        const QuantizedAccuracy accuracy = trials.accuracy_of(made, tried);
        const double value = by_labels ? trials.top1_lost_by(made, *samples, *labels, tried)
                                       : floor_value(floor, accuracy);
        return measured[kept] = Found{value, accuracy.sqnr_db()};
    };
    const auto is_promised = [&](std::size_t kept) {
        const SensitivityPoint& point = sensitivity.curve[kept];
        return floor.measure != AccuracyFloor::Measure::sqnr ||
               floor.is_reached(point.measured_db.value_or(point.predicted_db));
    };
    const auto reaches = [&](std::size_t kept) { return floor.is_reached(at(kept).value); };
    // At least one group stays quantized.
    const std::size_t last = most > 0 ? most - 1 : 0;
    std::size_t kept = 0, too_few = 0;
    if (!reaches(0)) {
        while (kept < last && (kept == 0 || !is_promised(kept))) ++kept;
        for (std::size_t step = 1; !reaches(kept) && kept < last; step *= 2) {
            too_few = kept;
            kept = std::min(last, kept + step);
        }
        while (reaches(kept) && kept - too_few > 1) {
            const std::size_t middle = too_few + (kept - too_few) / 2;
            if (reaches(middle)) kept = middle;
            else too_few = middle;
        }
    }
    FloorResult result;
    result.reached = reaches(kept);
    if (!result.reached)
        kept = std::ranges::max_element(measured, {}, [&](const auto& entry) {
                   return std::pair(floor.merit(entry.second.value), entry.second.sqnr_db);
               })->first;
    result.kept = kept;
    result.value = at(kept).value;
    result.sqnr_db = at(kept).sqnr_db;
    result.options = with_float(options, sensitivity.groups, kept);
    return result;
}

}  // namespace lapidary
