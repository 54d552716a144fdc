// SPDX-License-Identifier: GPL-3.0-or-later
#include "workbench/advisor.h"

#include <QCoreApplication>
#include <QLocale>
#include <QStringList>

#include <algorithm>
#include <cmath>
#include <set>

#include "workbench/bounded_text.h"
#include "workbench/core_words.h"
#include "workbench/symbolic_dimensions.h"

namespace lapidary::app {
namespace {

struct Advisor {
    Q_DECLARE_TR_FUNCTIONS(Advisor)
};

// before it, axes are attributes and many fusions of others do not match
constexpr std::int64_t old_opset = 13;
constexpr double large_share = 0.5;                // of the peak, held by one tensor
constexpr double least_quantizable = 0.05;         // of the weights

QString bounded(const std::string& s) { return labelText(s, 60); }
QString percent(double share) {
    return Advisor::tr("%1 %").arg(QLocale().toString(share * 100, 'f', share < 0.1 ? 1 : 0));
}
QString megabytes(std::uint64_t bytes) {
    return Advisor::tr("%1 MB").arg(QLocale().toString(double(bytes) / 1e6, 'f', bytes < 10'000'000 ? 2 : 0));
}
/// In the unit that suits it, as the pages write times.
QString milliseconds(double ms) {
    if (ms < 0.9995) return Advisor::tr("%1 µs").arg(QLocale().toString(ms * 1e3, 'g', 3));
    return ms < 999.5 ? Advisor::tr("%1 ms").arg(QLocale().toString(ms, 'g', 3))
                      : Advisor::tr("%1 s").arg(QLocale().toString(ms / 1e3, 'g', 3));
}
QString few(const std::vector<std::string>& names) {
    QStringList list;
    for (std::size_t i = 0; i < names.size() && i < 3; ++i) list << bounded(names[i]);
    return names.size() > 3 ? Advisor::tr("%1 and %2 more").arg(list.join(QStringLiteral(", "))).arg(names.size() - 3)
                            : list.join(QStringLiteral(", "));
}

Advice advice(const char* id, AdviceState state, QString finding) {
    return {QLatin1String(id), state, std::move(finding)};
}
Advice page(Advice advice, const char* id) {
    advice.action = AdviceAction::showPage;
    advice.page = QLatin1String(id);
    return advice;
}
Advice with(Advice advice, AdviceAction action) {
    advice.action = action;
    return advice;
}

VariantPtr variantOf(const AdvisorInput& in, const Recipe& recipe) {
    const auto at = std::ranges::find_if(in.variants, [&](const VariantPtr& v) {
        return recipe.isOriginal() ? v->isOriginal() : !v->isOriginal() && v->recipe == recipe;
    });
    return at == in.variants.end() ? nullptr : *at;
}
Advice runs(const AdvisorInput& in) {
    if (!in.summary->unsupported.empty())
        return page(
            advice("runs", AdviceState::worthDoing,
                   Advisor::tr("%n node(s) have no kernel here: %1.", nullptr, int(in.summary->unsupported.size()))
                       .arg(bounded(in.summary->unsupported.front().reason))),
            "graph");
    if (in.runs.empty())
        return with(advice("runs", AdviceState::worthDoing, Advisor::tr("The model was not run yet.")),
                    AdviceAction::run);
    const RunFigures& last = in.runs.back();
    return page(advice("runs", AdviceState::done,
                       Advisor::tr("%1 took %2 (%3 to %4).")
                           .arg(nameOf(last.recipe), milliseconds(last.median_ms), milliseconds(last.low_ms),
                                milliseconds(last.high_ms))),
                "run");
}

/// Newest figures of a kind, taken under the same conditions as others.
const RunFigures* newestLike(const std::vector<RunFigures>& runs, const Recipe& recipe, RunKind kind,
                             const RunFigures* like) {
    const auto isAlike = [like](const RunFigures& run) {
        return !like || (run.threads == like->threads && run.batch == like->batch && run.cpu == like->cpu &&
                         run.sizes == like->sizes);
    };
    for (auto run = runs.rbegin(); run != runs.rend(); ++run) {
        const bool same = recipe.isOriginal() ? run->recipe.isOriginal() : run->recipe == recipe;
        if (same && run->kind == kind && run->median_ms > 0 && isAlike(*run)) return &*run;
    }
    return nullptr;
}

/// Of the original and of a variant; of profiled runs, which take longer, only where none were measured without.
std::optional<std::pair<const RunFigures*, const RunFigures*>> comparable(const std::vector<RunFigures>& runs,
                                                                          const Recipe& recipe) {
    for (const RunKind kind : {RunKind::measurement, RunKind::profile}) {
        const RunFigures* after = newestLike(runs, recipe, kind, nullptr);
        const RunFigures* before = after ? newestLike(runs, {}, kind, after) : nullptr;
        if (before) return std::pair(before, after);
    }
    return std::nullopt;
}

Advice levels(const AdvisorInput& in) {
    const VariantPtr best = optimizedVariant(in);
    if (!best)
        return page(advice("levels", AdviceState::unknown,
                           Advisor::tr("No level was tried. The Optimize page makes all of them.")),
                    "optimize");
    if (std::ranges::all_of(in.variants, [](const VariantPtr& v) { return v->rewrites() == 0; }) &&
        best->rewrites() == 0)
        return advice("levels", AdviceState::notApplicable, Advisor::tr("No pass of any level finds anything to do."));
    for (const VariantPtr& v : in.variants) {
        if (v->isOriginal()) continue;
        const auto both = comparable(in.runs, v->recipe);
        if (!both) continue;
        const auto [before, after] = *both;
        const double factor = before->median_ms / after->median_ms;
        const bool apart = before->low_ms > after->high_ms || after->low_ms > before->high_ms;
        Advice found =
            page(advice("levels", AdviceState::done,
                        apart ? Advisor::tr("%1 takes %2, the original %3.")
                                    .arg(v->name, milliseconds(after->median_ms), milliseconds(before->median_ms))
                              : Advisor::tr("%1 takes %2, the original %3; their intervals overlap: Compare "
                                            "tells more.")
                                    .arg(v->name, milliseconds(after->median_ms), milliseconds(before->median_ms))),
                 "compare");
        if (apart) found.gain = Advisor::tr("%1 ×").arg(QLocale().toString(factor, 'f', 2));
        return found;
    }
    const auto before = best->report.nodes_before, after = best->report.nodes_after;
    Advice found = page(
        advice(
            "levels", AdviceState::worthDoing,
            Advisor::tr("%1 leaves %2 of %3 nodes. Nobody measured what that is worth: compare it with the original.")
                .arg(best->name)
                .arg(after)
                .arg(before)),
        "compare");
    if (before > after)
        found.gain = Advisor::tr("%1 fewer nodes").arg(percent(double(before - after) / double(before)));
    return found;
}

Advice guards(const AdvisorInput& in) {
    const VariantPtr best = optimizedVariant(in);
    if (!best || best->rewrites() == 0)
        return advice("guard", AdviceState::notApplicable, Advisor::tr("Nothing was changed that could go wrong."));
    const auto at = std::ranges::find_if(in.guards, [&](const GuardFigures& g) { return g.recipe == best->recipe; });
    if (at == in.guards.end())
        return with(advice("guard", AdviceState::worthDoing,
                           Advisor::tr("%1 was never run against the original.").arg(best->name)),
                    AdviceAction::guard);
    if (at->matches)
        return page(advice("guard", AdviceState::done,
                           Advisor::tr("All outputs of %1 agree; the largest difference is %2.")
                               .arg(best->name, QLocale().toString(at->largest, 'g', 3))),
                    "optimize");
    return page(advice("guard", AdviceState::worthDoing,
                       at->failure.isEmpty() ? Advisor::tr("Outputs of %1 differ beyond the tolerance, by up to %2.")
                                                   .arg(best->name, QLocale().toString(at->largest, 'g', 3))
                                             : Advisor::tr("%1 does not run: %2").arg(best->name, at->failure)),
                "optimize");
}

Advice threads(const AdvisorInput& in) {
    std::set<int> tried;
    for (const RunFigures& run : in.runs) tried.insert(run.threads);
    if (in.sweep) {
        std::set<int> swept;
        for (const SweepCell& cell : in.sweep->cells)
            if (cell.state == CellState::done) swept.insert(cell.configuration.intra);
        if (swept.size() > 1)
            return page(advice("threads", AdviceState::done,
                               labelText(inWindowLanguage(in.sweep->recommendation.sentence), 60)),
                        "tune");
    }
    if (in.cores <= 1)
        return advice("threads", AdviceState::notApplicable, Advisor::tr("This process may use one core only."));
    if (tried.size() > 1)
        return page(
            advice(
                "threads", AdviceState::done,
                Advisor::tr("Runs with %n different numbers of threads are kept; a sweep would tell them from noise.",
                            nullptr, int(tried.size()))),
            "tune");
    Advice found = page(
        advice("threads", AdviceState::worthDoing,
               Advisor::tr("This machine has %n cores; one number of threads was tried at most.", nullptr, in.cores)),
        "tune");
    found.gain = Advisor::tr("up to %1 ×").arg(in.cores);
    return found;
}

Advice batch(const AdvisorInput& in) {
    std::set<std::string> free;
    for (const auto& [name, type] : in.summary->inputs)
        if (type.is_tensor() && type.shape && !type.shape->empty() && !type.shape->front().is_known())
            free.insert(to_string(type.shape->front()));
    if (free.empty())
        return advice("batch", AdviceState::notApplicable,
                      Advisor::tr("The first dimension of every input is a number."));
    const bool swept = in.sweep && std::ranges::any_of(in.sweep->cells, [](const SweepCell& c) {
                           return c.state == CellState::done && c.configuration.batch > 1;
                       });
    const bool ran = std::ranges::any_of(in.runs, [](const RunFigures& r) { return r.batch > 1; });
    const bool chosen = std::ranges::any_of(in.settings.dimensions,
                                            [&](const auto& d) { return d.second > 1 && free.contains(d.first); });
    if (swept || ran || (chosen && !in.runs.empty()))
        return page(advice("batch", AdviceState::done, Advisor::tr("Batches of more than one were measured.")), "tune");
    return page(advice("batch", AdviceState::worthDoing,
                       Advisor::tr("%1 is free, and only single inputs were run. Larger batches use weights more than "
                                   "once each time they are read.")
                           .arg(few({free.begin(), free.end()}))),
                "tune");
}

Advice dimensions(const AdvisorInput& in) {
    const auto free = symbolicDimensions(*in.summary);
    if (free.empty())
        return advice("dimensions", AdviceState::notApplicable, Advisor::tr("All sizes of the inputs are numbers."));
    if (!in.chosen.dimensions.empty() ||
        std::ranges::any_of(in.variants, [](const VariantPtr& v) { return !v->recipe.dimensions.empty(); }))
        return page(advice("dimensions", AdviceState::done, Advisor::tr("A variant with fixed sizes was made.")),
                    "optimize");
    const std::size_t shapes = in.facts->shape_nodes;
    if (shapes == 0)
        return advice("dimensions", AdviceState::notApplicable,
                      Advisor::tr("%1 may vary, but no node computes with sizes at run time.").arg(few(free)));
    QStringList sizes;
    for (const auto& [name, size] : sizesToFix(in)) sizes << QStringLiteral("%1 = %2").arg(bounded(name)).arg(size);
    return with(advice("dimensions", AdviceState::worthDoing,
                       Advisor::tr("%n node(s) ask for sizes at run time. The button fixes %1; undo takes it back.",
                                   nullptr, int(shapes))
                           .arg(sizes.join(QStringLiteral(", ")))),
                AdviceAction::fixDimensions);
}

Advice quantization(const AdvisorInput& in) {
    const ModelFacts& facts = *in.facts;
    if (facts.quantized_nodes > 0)
        return advice(
            "quantize", AdviceState::done,
            Advisor::tr("The model holds %n quantized node(s) or conversions.", nullptr, int(facts.quantized_nodes)));
    const double share = facts.weight_bytes ? double(facts.quantizable_bytes) / double(facts.weight_bytes) : 0;
    if (share < least_quantizable)
        return advice("quantize", AdviceState::notApplicable,
                      Advisor::tr("Products and convolutions hold %1 of %2 of weights: there is little to gain.")
                          .arg(megabytes(facts.quantizable_bytes), megabytes(facts.weight_bytes)));
    for (const VariantPtr& variant : in.variants)
        if (variant->recipe.quantization)
            return page(advice("quantize", AdviceState::done,
                               Advisor::tr("A quantized variant was made: %1.").arg(variant->name)),
                        "quantize");
    Advice found = page(
        advice("quantize", AdviceState::worthDoing,
               Advisor::tr("%n product(s) and convolutions hold %1 of the weights (%2); 8 bits take a quarter of that.",
                           nullptr, int(facts.quantizable_nodes))
                   .arg(percent(share), megabytes(facts.quantizable_bytes))),
        "quantize");
    found.gain = QStringLiteral("\u2212%1").arg(megabytes(facts.quantizable_bytes * 3 / 4));
    return found;
}

Advice fallbacks(const AdvisorInput& in) {
    if (!in.run || in.run->plan.steps.empty())
        return with(
            advice("fallbacks", AdviceState::unknown, Advisor::tr("Which kernels run is known after a run: press F5.")),
            AdviceAction::run);
    std::map<std::string, double> shares;
    for (const NodeTotal& total : in.run->summary.nodes) shares[total.name] += total.share;
    double share = 0, worst = -1;
    int count = 0;
    const StepInfo* dearest = nullptr;
    for (const StepInfo& step : in.run->plan.steps) {
        if (!step.kernel.starts_with("reference.") || step.passed_over.empty()) continue;
        ++count;
        const auto at = shares.find(step.name);
        const double own = at == shares.end() ? 0 : at->second;
        share += own;
        if (own > worst) worst = own, dearest = &step;
    }
    if (count == 0)
        return advice("fallbacks", AdviceState::done, Advisor::tr("Every step runs the kernel that was made for it."));
    Advice found = advice(
        "fallbacks", AdviceState::worthDoing,
        Advisor::tr("%n step(s) fall back to plain reference kernels and take %1 of the time; dearest is %2 (%3): %4",
                    nullptr, count)
            .arg(percent(share), bounded(dearest->name), bounded(dearest->op),
                 bounded(dearest->passed_over.front().second)));
    found.gain = Advisor::tr("at most %1").arg(percent(share));
    found.action = AdviceAction::showNode;
    found.node = dearest->node;
    return found;
}

Advice nearMisses(const AdvisorInput& in) {
    const VariantPtr best = optimizedVariant(in);
    if (!best)
        return page(
            advice("near_misses", AdviceState::unknown, Advisor::tr("Near misses are known once a level was tried.")),
            "optimize");
    const auto& misses = best->report.near_misses;
    const auto close = std::ranges::count_if(misses, [](const NearMiss& miss) { return miss.shortfall <= 1; });
    if (close == 0)
        return advice("near_misses", AdviceState::done, Advisor::tr("No fusion failed by a single condition."));
    return page(advice("near_misses", AdviceState::worthDoing,
                       Advisor::tr("%n place(s) fail by one condition; the first: %1", nullptr, int(close))
                           .arg(bounded(misses.front().reason))),
                "optimize");
}

Advice opset(const AdvisorInput& in) {
    const std::int64_t opset = in.facts->opset;
    if (opset == 0)
        return advice("opset", AdviceState::notApplicable, Advisor::tr("The model uses no ONNX operators of its own."));
    if (opset >= old_opset)
        return advice("opset", AdviceState::done, Advisor::tr("Opset %1 is recent enough.").arg(opset));
    return page(advice("opset", AdviceState::worthDoing,
                       Advisor::tr("Opset %1 is from before %2; Export can raise it.").arg(opset).arg(old_opset)),
                "optimize");
}

Advice portability(const AdvisorInput& in) {
    const QString finding = portabilityFinding(in.facts->requirement);
    if (in.facts->requirement.kind == Requirement::Kind::onnx)
        return advice("portability", AdviceState::done, finding);
    return page(advice("portability", AdviceState::worthDoing, finding), "optimize");
}

Advice endings(const AdvisorInput& in) {
    const ModelFacts& facts = *in.facts;
    if (facts.unread_inputs.empty() && facts.idle_outputs.empty())
        return advice("endings", AdviceState::done, Advisor::tr("Every input is read and every output computed."));
    QStringList parts;
    if (!facts.unread_inputs.empty()) parts << Advisor::tr("no node reads %1").arg(few(facts.unread_inputs));
    if (!facts.idle_outputs.empty()) parts << Advisor::tr("no node computes %1").arg(few(facts.idle_outputs));
    return page(advice("endings", AdviceState::worthDoing,
                       Advisor::tr("In the model %1.").arg(parts.join(QStringLiteral("; ")))),
                "graph");
}

Advice precision(const AdvisorInput& in) {
    const ModelFacts& facts = *in.facts;
    const std::size_t all = facts.double_values + facts.half_values + facts.float_values;
    if (all == 0)
        return advice("precision", AdviceState::notApplicable, Advisor::tr("No node computes floating-point numbers."));
    if (facts.double_values > 0)
        return page(advice("precision", AdviceState::worthDoing,
                           Advisor::tr("%1 of %2 results are 64-bit numbers: twice the memory, half the speed at best.")
                               .arg(facts.double_values)
                               .arg(all)),
                    "graph");
    if (facts.half_values > 0)
        return page(
            advice(
                "precision", AdviceState::worthDoing,
                Advisor::tr(
                    "%1 of %2 results are 16-bit numbers: smaller, but this CPU engine widens them for most operators.")
                    .arg(facts.half_values)
                    .arg(all)),
            "run");
    return advice("precision", AdviceState::done,
                  Advisor::tr("All %1 results are 32-bit numbers, for which the kernels are made.").arg(all));
}

Advice memory(const AdvisorInput& in) {
    if (!in.peak)
        return page(advice("memory", AdviceState::unknown,
                           Advisor::tr("The memory plan is not made yet; the Memory page shows it.")),
                    "memory");
    const PeakTensor& peak = *in.peak;
    if (peak.needed == 0 || peak.bytes == 0)
        return advice("memory", AdviceState::notApplicable, Advisor::tr("No size of a result is known before a run."));
    const double share = double(peak.bytes) / double(peak.needed);
    if (share < large_share)
        return page(advice("memory", AdviceState::done,
                           Advisor::tr("No tensor holds more than %1 of the %2 alive at the peak.")
                               .arg(percent(share), megabytes(peak.needed))),
                    "memory");
    if (peak.type.empty())  // no tensor of the model
        return page(advice("memory", AdviceState::worthDoing,
                           Advisor::tr("The working memory of %1 is %2 of the %3 of activations planned.")
                               .arg(bounded(peak.node), percent(share), megabytes(peak.needed))),
                    "memory");
    return page(advice("memory", AdviceState::worthDoing,
                       Advisor::tr("%1 (%2), written by %3, holds %4 of the %5 alive at the peak.")
                           .arg(bounded(peak.name), bounded(peak.type), bounded(peak.node), percent(share),
                                megabytes(peak.needed))),
                "memory");
}

}  // namespace

VariantPtr optimizedVariant(const AdvisorInput& in) {
    if (const VariantPtr chosen = variantOf(in, in.chosen); chosen && !chosen->isOriginal()) return chosen;
    VariantPtr best;
    for (const VariantPtr& v : in.variants)
        if (!v->isOriginal() && !v->recipe.runs_on && (!best || v->recipe.level > best->recipe.level)) best = v;
    return best;
}

std::map<std::string, std::int64_t> sizesToFix(const AdvisorInput& in) {
    DimensionSizes given;
    for (const auto& [name, size] : in.settings.dimensions)
        if (size > 0) given.emplace(name, size);
    DimensionSizes sizes = input_dimensions(*in.opened, given);
    const auto names = symbolicDimensions(*in.summary);
    std::erase_if(sizes, [&](const auto& entry) { return std::ranges::find(names, entry.first) == names.end(); });
    return sizes;
}

QString portabilityFinding(const Requirement& requirement) {
    const QString needs = labelText(inWindowLanguage(requirement.sentence));
    if (requirement.kind == Requirement::Kind::onnx) return Advisor::tr("Only ONNX operators. Needs: %1.").arg(needs);
    std::vector<std::string> names;
    std::size_t count = 0;
    for (const auto& [name, nodes] : requirement.operators) names.push_back(name), count += nodes;
    return Advisor::tr("%n node(s) are no ONNX operators (%1). Needs: %2.", nullptr, int(count)).arg(few(names), needs);
}

std::vector<Advice> advise(const AdvisorInput& in) {
    if (!in.opened || !in.summary || !in.facts) return {};
    return {runs(in),      levels(in),     guards(in), threads(in),   batch(in),       dimensions(in), quantization(in),
            fallbacks(in), nearMisses(in), memory(in), precision(in), portability(in), opset(in),      endings(in)};
}

}  // namespace lapidary::app
