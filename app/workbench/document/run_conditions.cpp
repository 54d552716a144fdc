// SPDX-License-Identifier: GPL-3.0-or-later
#include "workbench/document/run_conditions.h"

#include <QCoreApplication>
#include <QFileInfo>

#include <algorithm>
#include <thread>

#include <lapidary/bench/bench.h>
#include <lapidary/base/error.h>
#include <lapidary/inputs/generate_inputs.h>
#include <lapidary/inputs/usual_sizes.h>

#include "workbench/text/bounded_text.h"
#include "workbench/project/project_state.h"
#include "workbench/project/settings.h"

namespace lapidary::app {
namespace {

constexpr qsizetype longest_file_name = 32;

struct RunConditionTexts {
    Q_DECLARE_TR_FUNCTIONS(RunConditions)
};

bool isPlainName(const Dim& dim) {
    return dim.is_symbolic() && dim.symbol().find_first_of("+-*/() ") == std::string::npos;
}

}  // namespace

RunConditions conditionsOf(const Model& opened, const RunSettings& settings) {
    static const QString cpu = QString::fromStdString(machine_info().cpu);
    RunConditions conditions;
    conditions.cpu = cpu;
    conditions.threads = settings.resources.threads > 0
                             ? settings.resources.threads
                             : std::max(1, int(std::thread::hardware_concurrency()));
    DimensionSizes asked;
    for (const auto& [name, size] : settings.dimensions)
        if (size > 0) asked.emplace(name, size);
    try {
        for (const auto& [name, size] : usual_sizes(opened, asked).all)
            if (name.find_first_of("+-*/() ") == std::string::npos)
                conditions.sizes.emplace(name, size);
    } catch (const Error&) {  // a run reports the contradiction
        conditions.sizes = std::move(asked);
    }
    return conditions;
}

InputSizes sizesOf(const Model& opened, const NamedValues& inputs) {
    InputSizes sizes;
    for (const ValueId id : opened.graph.inputs()) {
        const Value& input = opened.graph.value(id);
        const RuntimeValue* value = find(inputs, input.name);
        if (!value || !value->is_tensor() || !input.type.shape) continue;
        const Shape& shape = value->tensor().shape();
        for (std::size_t axis = 0; axis < std::min(shape.size(), input.type.shape->size()); ++axis)
            if (const Dim& dim = (*input.type.shape)[axis]; isPlainName(dim))
                sizes.emplace(dim.symbol(), shape[axis]);
    }
    return sizes;
}

std::vector<std::string> batchNames(const Model& opened) { return batch_dimensions(opened); }

std::vector<std::string> sequenceNames(const Model& opened) {
    const std::vector<std::string> batches = batchNames(opened);
    std::vector<std::string> names;
    for (const ValueId id : opened.graph.inputs()) {
        const Value& input = opened.graph.value(id);
        if (input.constant || !input.type.shape) continue;
        for (const Dim& dim : *input.type.shape) {
            if (!isPlainName(dim) || std::ranges::find(batches, dim.symbol()) != batches.end() ||
                std::ranges::find(names, dim.symbol()) != names.end())
                continue;
            const QString lower = QString::fromStdString(dim.symbol()).toLower();
            const bool isLength = lower.contains(QLatin1String("seq")) ||
                                  lower.contains(QLatin1String("len")) ||
                                  lower.contains(QLatin1String("token"));
            // the length of a cache, which follows from the model
            if (isLength && !lower.contains(QLatin1String("past"))) names.push_back(dim.symbol());
        }
    }
    return names;
}

RunSettings withUsualSizes(const Model& opened, RunSettings settings) {
    const UsualSizes usual = loadUsualSizes();
    const auto set = [&](const std::vector<std::string>& names, std::int64_t size) {
        if (size > 0)
            for (const std::string& name : names) settings.dimensions.emplace(name, size);
    };
    set(batchNames(opened), usual.batch);
    set(sequenceNames(opened), usual.sequence);
    return settings;
}

QString textOf(const InputSizes& sizes, std::size_t most) {
    QStringList parts;
    for (const auto& [name, size] : sizes) {
        if (std::size_t(parts.size()) == most) {
            parts << QStringLiteral("…");
            break;
        }
        parts << QStringLiteral("%1 %2").arg(labelText(name, 24), QString::number(size));
    }
    return parts.join(QStringLiteral(" · "));
}

QString conditionsText(const Recipe& recipe, int threads, const InputSizes& sizes) {
    const Recipe ran = recipe.running();
    QStringList parts{ran.isPlainLevel()
                          ? RunConditionTexts::tr("level %1").arg(nameOf(ran.runLevel()))
                          : nameOf(ran),
                      RunConditionTexts::tr("threads: %1").arg(threads)};
    if (!sizes.empty()) parts << textOf(sizes);
    return parts.join(QStringLiteral(" · "));
}

QString inputsText(const InputSizes& sizes, const GivenInputs& given) {
    QStringList names;
    for (const auto& [input, file] : given.files) {
        const QString name = labelText(QFileInfo(exactText(file)).fileName(), longest_file_name);
        if (!names.contains(name)) names << name;
    }
    const QString inputs = given.isEmpty()   ? RunConditionTexts::tr("generated inputs")
                           : names.isEmpty() ? RunConditionTexts::tr("your text")
                           : names.size() > 2
                               ? RunConditionTexts::tr("your inputs (%1 files)").arg(names.size())
                               : RunConditionTexts::tr("your inputs (%1)").arg(names.join(u", "));
    const QString reported = textOf(sizes);
    return reported.isEmpty() ? inputs : reported + QStringLiteral(", ") + inputs;
}

const RunFigures* newestUnder(const std::vector<RunFigures>& runs, const Recipe& recipe,
                              const RunConditions& conditions) {
    const Recipe ran = recipe.running();
    const auto fits = [&](const RunFigures& run) {
        return run.recipe == ran && run.median_ms > 0 && run.threads == conditions.threads &&
               run.sizes == conditions.sizes && run.cpu == conditions.cpu;
    };
    const RunFigures* profiled = nullptr;  // the newest
    for (auto run = runs.rbegin(); run != runs.rend(); ++run) {
        if (!fits(*run)) continue;
        if (run->kind == RunKind::profile) {
            if (!profiled) profiled = &*run;
            continue;
        }
        // Profiling costs time. If a later profiled run was faster nevertheless, the measured
        // figure is out of date.
        return profiled && profiled->high_ms < run->low_ms ? profiled : &*run;
    }
    return profiled;
}

}  // namespace lapidary::app
