// SPDX-License-Identifier: Apache-2.0
#include <lapidary/proof/bisect.h>

#include <lapidary/base/error.h>
#include <lapidary/inputs/generate_inputs.h>
#include <lapidary/onnx_io/model_io.h>
#include <lapidary/tensor/tensor_file.h>

#include "proof/rewrite_region.h"

namespace lapidary {
namespace {

/// Optimizes to a number of rewrites and compares.
class Trials {
public:
    Trials(const Model& model, const BisectOptions& options, const Progress& progress)
        : model_(model), options_(options), progress_(progress) {
        // Generated once, so that every trial has the same values whatever its declarations are.
        guard_ = options.guard;
        // Trials have the rewrites to search; apart from these they run as the original, to add no
        // difference.
        guard_.session_passes.set = SessionPasses::Set::preparing;
        if (guard_.seeds.empty()) guard_.seeds = {0};
        if (guard_.seeds.size() > 1) return;
        for (auto& value : generate_inputs(
                 model, guard_.inputs, {guard_.seeds.front(), guard_.dimensions, progress.cancel}))
            guard_.inputs.push_back(std::move(value));
    }

    OptimizeResult optimized(std::optional<std::size_t> rewrites) const {
        OptimizeOptions options = options_.optimize;
        options.near_misses = false;
        if (rewrites) options.stop_after = rewrites;
        return options_.optimizer ? options_.optimizer(model_, options, progress_)
                                  : optimize(model_, options, progress_);
    }
    GuardReport compare(const Model& result) {
        ++count_;
        return guard(model_, result, guard_, progress_);
    }
    const NamedValues& inputs() const { return guard_.inputs; }
    const GuardOptions& guarding() const { return guard_; }
    std::size_t count() const { return count_; }

private:
    const Model& model_;
    const BisectOptions& options_;
    const Progress& progress_;
    GuardOptions guard_;
    std::size_t count_ = 0;
};

/// Stopping early has to repeat the beginning of the whole run; otherwise halving would look for
/// the wrong thing.
bool is_beginning(const PipelineReport& part, const PipelineReport& whole, std::size_t count) {
    if (part.rewrites.size() != count) return false;
    for (std::size_t i = 0; i < count; ++i) {
        const Rewrite &a = part.rewrites[i].rewrite, &b = whole.rewrites[i].rewrite;
        if (a.pass != b.pass || a.remark != b.remark || a.removed != b.removed ||
            a.added != b.added)
            return false;
    }
    return true;
}

/// The number of a rewrite before which outputs agree and after which they do not. 0: a run was not
/// reproducible.
std::size_t halve(Trials& trials, const PipelineReport& whole, const Progress& progress) {
    std::size_t good = 0, bad = whole.rewrites.size();
    while (bad - good > 1) {
        progress.step("try rewrite " + std::to_string(good + (bad - good) / 2), -1);
        const std::size_t middle = good + (bad - good) / 2;
        const OptimizeResult part = trials.optimized(middle);
        if (!is_beginning(part.report, whole, middle)) return 0;
        (trials.compare(part.model).matches ? good : bad) = middle;
    }
    return bad;
}

std::size_t scan(Trials& trials, std::size_t rewrites, const Progress& progress) {
    for (std::size_t i = 1; i <= rewrites; ++i) {
        progress.step("try rewrite " + std::to_string(i),
                      static_cast<double>(i) / static_cast<double>(rewrites));
        if (!trials.compare(trials.optimized(i).model).matches) return i;
    }
    return 0;
}

std::vector<std::string> described(const Graph& graph, const std::vector<NodeId>& nodes) {
    std::vector<std::string> out;
    for (NodeId id : nodes)
        if (graph.is_alive(id)) out.push_back(graph.node(id).describe());
    return out;
}

}  // namespace

BisectResult bisect(const Model& model, const BisectOptions& options, const Progress& progress) {
    BisectResult result;
    Trials trials(model, options, progress);
    const OptimizeResult whole = trials.optimized({});
    result.rewrites = whole.report.rewrites.size();
    result.whole = trials.compare(whole.model);
    if (result.rewrites > 0 && !result.whole.matches && !options.exhaustive)
        result.number = halve(trials, whole.report, progress);
    if (result.rewrites > 0 && result.number == 0 &&
        (options.exhaustive || !result.whole.matches)) {
        result.scanned = true;
        result.number = scan(trials, result.rewrites, progress);
    }
    result.trials = trials.count();
    if (result.number == 0) return result;

    const OptimizeResult before = trials.optimized(result.number - 1),
                         after = trials.optimized(result.number);
    if (after.report.rewrites.size() < result.number)
        fail(ErrorCode::internal,
             "the optimization did not make rewrite " + std::to_string(result.number) + " again");
    result.rewrite = after.report.rewrites[result.number - 1];
    if (result.rewrite.place.is_main()) {
        result.removed = described(before.model.graph, result.rewrite.rewrite.removed);
        result.added = described(after.model.graph, result.rewrite.rewrite.added);
    }
    result.at = trials.compare(after.model);
    try {
        result.region = cut_region(before.model, after.model, result.rewrite, trials.inputs(),
                                   trials.guarding(), progress);
    } catch (const Error& error) {
        if (error.code() == ErrorCode::cancelled) throw;
        result.region_problem = error.what();
    }
    result.trials = trials.count();
    return result;
}

void save_region(const RewriteRegion& region, const std::filesystem::path& folder) {
    std::error_code status;
    std::filesystem::create_directories(folder, status);
    if (status) fail(ErrorCode::io_failure, folder.string() + ": " + status.message());
    save_npz(folder / "inputs.npz", region.inputs);
    save_model(region.before, folder / "before.onnx");
    if (!has_session_operators(region.after)) save_model(region.after, folder / "after.onnx");
}

}  // namespace lapidary
