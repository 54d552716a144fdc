// SPDX-License-Identifier: GPL-3.0-or-later
#include "workbench/tuning/tune_plan.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>

#include "workbench/text/bounded_text.h"

namespace lapidary::app {
namespace {

constexpr double setup_seconds = 0.15;  // loading, compiling, waiting until threads are asleep
constexpr int fewest_runs = 6;          // with fewer runs a median has no interval
constexpr double typical_share =
    0.8;  // share of the given time until the interval is narrow enough
constexpr double scaling_exponent =
    0.8;  // an assumption about how time falls with the number of threads

double speed_of(const RunConfiguration& configuration, int cores) {
    const RunResources& resources = configuration.resources;
    const int busy = resources.threads * resources.nodes_at_a_time();
    return std::pow(double(std::clamp(busy, 1, std::max(1, cores))), scaling_exponent);
}

double batch_of(const RunConfiguration& configuration) {
    return double(std::max<std::int64_t>(1, configuration.batch));
}

/// The distance of two configurations. The batch counts most, because estimates across batches are
/// coarsest.
double distance(const RunConfiguration& a, const RunConfiguration& b) {
    double far = 4 * std::fabs(std::log2(batch_of(a) / batch_of(b))) +
                 std::fabs(std::log2(double(std::max(1, a.resources.threads)) /
                                     std::max(1, b.resources.threads)));
    if (a.resources.mode != b.resources.mode ||
        a.resources.inter_threads != b.resources.inter_threads)
        far += 2;
    if (a.level != b.level) far += 1;
    if (a.resources.spinning != b.resources.spinning) far += 0.5;
    return far;
}

}  // namespace

bool measuredTogether(const RunConfiguration& a, const RunConfiguration& b) {
    RunConfiguration same = a;
    same.resources.threads = b.resources.threads;
    same.resources.spinning = b.resources.spinning;
    return same == b;
}

std::vector<CellGroup> groupsOf(const std::vector<SweepCell>& all,
                                const std::vector<std::size_t>& cells) {
    std::vector<CellGroup> groups;
    for (const std::size_t cell : cells) {
        const auto group = std::ranges::find_if(groups, [&](const CellGroup& g) {
            return measuredTogether(all[g.front()].configuration, all[cell].configuration);
        });
        if (group == groups.end()) groups.push_back({cell});
        else if (std::ranges::find(*group, cell) == group->end()) group->push_back(cell);
    }
    for (CellGroup& group : groups)
        std::ranges::sort(group, [&](std::size_t a, std::size_t b) {
            return all[a].configuration.resources.threads < all[b].configuration.resources.threads;
        });
    return groups;
}

SweepSpace spaceOf(const std::vector<SweepCell>& all, const CellGroup& group) {
    SweepSpace space;
    if (group.empty()) return space;
    const RunConfiguration& first = all[group.front()].configuration;
    space.levels = {first.level};
    space.inter = {first.resources.inter_threads};
    space.batches = {first.batch};
    space.modes = {first.resources.mode};
    space.spinning.clear();
    space.intra.clear();
    for (const std::size_t cell : group) {
        const RunConfiguration& configuration = all[cell].configuration;
        if (std::ranges::find(space.intra, configuration.resources.threads) == space.intra.end())
            space.intra.push_back(configuration.resources.threads);
        if (std::ranges::find(space.spinning, configuration.resources.spinning) ==
            space.spinning.end())
            space.spinning.push_back(configuration.resources.spinning);
    }
    return space;
}

std::vector<CellGroup> partsOf(const std::vector<SweepCell>& all, const CellGroup& group) {
    const std::vector<RunConfiguration> product = configurations(spaceOf(all, group));
    const bool whole =
        product.size() == group.size() && std::ranges::all_of(group, [&](std::size_t cell) {
            return std::ranges::find(product, all[cell].configuration) != product.end();
        });
    if (whole) return {group};
    std::vector<CellGroup> parts(2);
    for (const std::size_t cell : group)
        parts[all[cell].configuration.resources.spinning ? 0 : 1].push_back(cell);
    std::erase_if(parts, [](const CellGroup& part) { return part.empty(); });
    return parts;
}

std::vector<SweepCell> cellsOf(const SweepSpace& space, const std::vector<SweepCell>& known) {
    std::vector<SweepCell> cells;
    for (const RunConfiguration& configuration : configurations(space)) {
        const auto same = std::ranges::find(known, configuration, &SweepCell::configuration);
        if (same != known.end()) {
            cells.push_back(*same);
            if (same->state == CellState::running) cells.back().state = CellState::waiting;
        } else {
            SweepCell cell;
            cell.configuration = configuration;
            cells.push_back(std::move(cell));
        }
    }
    return cells;
}

double estimatedRunMs(const RunConfiguration& configuration, const std::vector<KnownRun>& known,
                      int cores) {
    const auto nearest = std::ranges::min_element(
        known, {}, [&](const KnownRun& run) { return distance(run.configuration, configuration); });
    if (nearest == known.end() || nearest->ms <= 0) return 0;
    return nearest->ms * batch_of(configuration) / batch_of(nearest->configuration) *
           speed_of(nearest->configuration, cores) / speed_of(configuration, cores);
}

double estimatedSeconds(double run_ms, const MeasureOptions& options) {
    const double run = std::max(0.0, run_ms) / 1e3;
    if (options.runs > 0) return setup_seconds + (options.warmups + options.runs) * run;
    return setup_seconds + options.warmups * run +
           std::max(options.seconds * typical_share, fewest_runs * run);
}

std::string batchRefusal(const Model& model, const ModelSummary& summary) {
    if (!batch_dimensions(model).empty()) return {};
    for (const auto& [input, type] : summary.inputs)
        if (type.shape && !type.shape->empty() && type.shape->front().is_known())
            return QCoreApplication::translate("TunePlan",
                                               "the first dimension of input \"%1\" is fixed at %2")
                .arg(labelText(input, 60), labelText(to_string(type.shape->front()), 60))
                .toStdString();
    return (summary.inputs.empty()
                ? QCoreApplication::translate("TunePlan", "the model has no inputs")
                : QCoreApplication::translate("TunePlan",
                                              "no input has a free batch dimension with a name"))
        .toStdString();
}

}  // namespace lapidary::app
