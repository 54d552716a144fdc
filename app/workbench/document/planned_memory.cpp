// SPDX-License-Identifier: GPL-3.0-or-later
#include "workbench/document/planned_memory.h"

#include <algorithm>

#include <lapidary/base/error.h>

#include "workbench/document/opened_model.h"
#include "worker/jobs/memory_job.h"

namespace lapidary::app {
namespace {

// config_keys()
constexpr const char *plan_key = "enable_mem_pattern", *arena_key = "enable_cpu_mem_arena";

}  // namespace

MemoryAssumptions assumptionsOf(const ModelSource& source, const RunSettings& settings) {
    MemoryAssumptions assumptions;
    assumptions.threads = settings.resources.threads;
    for (const auto& [name, size] : settings.dimensions)
        if (size > 0) assumptions.dimensions[name] = size;
    const auto isOff = [&](const char* key) {
        const auto entry = settings.resources.config.find(key);
        return entry != settings.resources.config.end() && entry->second == "0";
    };
    assumptions.plan = !isOff(plan_key);
    assumptions.arena = !isOff(arena_key);
    const SessionPasses passes = source.session_passes();
    assumptions.fused_steps = passes.set == SessionPasses::Set::all;
    assumptions.disabled_passes = passes.disabled;
    return assumptions;
}

PlannedMemory::PlannedMemory(OpenedModel& opened, JobRunner& jobs, Engine& engine, QObject* parent)
    : QObject(parent), opened_(opened), jobs_(jobs), engine_(engine) {
    connect(&opened_, &OpenedModel::openedChanged, this, [this] {
        job_.drop();
        wanted_.clear();
        known_.clear();
        emit changed();
    });
    connect(&opened_, &OpenedModel::runSettingsChanged, this, &PlannedMemory::changed);
}

const PlannedPeak* PlannedMemory::of(const VariantPtr& variant) const {
    const auto at = known_.find(variant);
    if (!variant || at == known_.end()) return nullptr;
    const bool holds =
        at->second.assumptions == assumptionsOf(opened_.sourceOf(variant), opened_.runSettings());
    return holds ? &at->second.peak : nullptr;
}

void PlannedMemory::want(const std::vector<VariantPtr>& variants) {
    wanted_.clear();
    for (const VariantPtr& variant : variants)
        if (variant && !of(variant)) wanted_.push_back(variant);
    startNext();
}

void PlannedMemory::startNext() {
    if (job_ || wanted_.empty() || !opened_.opened()) return;
    const VariantPtr variant = wanted_.front();
    wanted_.erase(wanted_.begin());
    if (of(variant)) return startNext();
    const MemoryAssumptions assumptions =
        assumptionsOf(opened_.sourceOf(variant), opened_.runSettings());
    const auto keep = [this, variant, assumptions](PlannedPeak peak) {
        std::erase_if(known_, [](const auto& entry) { return entry.first.expired(); });
        known_[variant] = {assumptions, std::move(peak)};
        emit changed();
        startNext();
    };
    job_.start<PlannedPeak>(
        jobs_, tr("Plan the memory of %1").arg(variant->name),
        [engine = &engine_,
         job = MemoryJob{opened_.sourceOf(variant), assumptions}](const Progress& progress) {
            const MemoryReport report = engine->call(job, progress).report;
            return PlannedPeak{report.needed_bytes,
                               report.block_bytes,
                               report.process.total(),
                               report.unknown.empty(),
                               {}};
        },
        keep,
        [this, keep](const Error& error) {
            if (error.code() == ErrorCode::cancelled) return wanted_.clear();
            keep({0, 0, 0, false, QString::fromUtf8(error.what())});
        });
}

}  // namespace lapidary::app
