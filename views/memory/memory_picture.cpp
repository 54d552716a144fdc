// SPDX-License-Identifier: GPL-3.0-or-later
#include "memory/memory_picture.h"
#include "memory/memory_words.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "widgets/text/quantity.h"
#include "workbench/text/bounded_text.h"

namespace lapidary::views {
namespace {

/// "/encoder/layer.3" of "/encoder/layer.3/attention/MatMul": two levels distinguish blocks without
/// splitting them up.
std::string scope_of(const std::string& name) {
    std::size_t end = 0;
    for (int level = 0; level < 2; ++level) {
        const std::size_t next = name.find_first_of("/.", end + 1);
        if (next == std::string::npos) break;
        end = next;
    }
    if (end != 0)
        while (end < name.size() && name[end] == '.' && end + 1 < name.size() &&
               std::isdigit(static_cast<unsigned char>(name[end + 1]))) {
            ++end;
            while (end < name.size() && std::isdigit(static_cast<unsigned char>(name[end]))) ++end;
        }
    return name.substr(0, end);
}

/// Copies whose sizes are known only in a run.
void add_copied_bytes(std::vector<PlannedCopy>& copies, const Profile& run) {
    std::unordered_map<NodeId, std::int64_t> copied;
    for (const Span& span : run.kernels)
        if (span.kind == EventKind::copy && span.node) copied[span.node] = span.bytes;
    for (PlannedCopy& copy : copies)
        if (const auto at = copied.find(copy.node); copy.bytes < 0 && at != copied.end())
            copy.bytes = at->second;
}

/// A value lies where the node that writes it runs.
void add_placement(MemoryPicture& picture, const PlacementReport& placement) {
    std::unordered_map<NodeId, const std::string*> providers;
    for (const NodePlacement& placed : placement.nodes)
        providers.emplace(placed.node, &placed.provider);
    for (const TensorLifetime& t : picture.report.tensors) {
        const auto at = providers.find(t.writer);
        picture.memories.push_back(at == providers.end() ? "CPU" : *at->second);
    }
    picture.copies = placement.copies;
}

}  // namespace

MemoryPicturePtr makeMemoryPicture(MemoryReport given, const Profile* run,
                                   const PlacementReport* placement) {
    auto picture = std::make_shared<MemoryPicture>();
    picture->report = std::move(given);
    const MemoryReport& report = picture->report;
    std::unordered_map<std::string, std::uint32_t> scopes;
    std::size_t latest = 0;
    for (const TensorLifetime& t : report.tensors) {
        picture->families.push_back(operatorFamily(labelText(report.step_ops[t.first_step])));
        picture->scopes.push_back(
            scopes.emplace(scope_of(t.written_by), static_cast<std::uint32_t>(scopes.size()))
                .first->second);
        picture->latest.push_back(latest = std::max(latest, t.last_step));
        picture->largest = std::max(picture->largest, t.bytes);
    }
    if (run) {
        MeasuredMemory measured = measured_memory(*run);
        picture->measuredPeak = measured.peak_bytes;
        if (measured.at_steps.size() == report.steps.size())
            picture->measured = std::move(measured.at_steps);
    }
    if (placement && !placement->uses_cpu_alone()) add_placement(*picture, *placement);
    if (run) add_copied_bytes(picture->copies, *run);
    return picture;
}

std::ptrdiff_t MemoryPicture::tensorAt(double step, double address) const {
    if (step < 0 || address < 0) return -1;
    const auto at = static_cast<std::size_t>(step);
    const auto begin =
        std::upper_bound(report.tensors.begin(), report.tensors.end(), at,
                         [](std::size_t s, const TensorLifetime& t) { return s < t.first_step; });
    for (auto i = begin - report.tensors.begin(); i-- > 0;) {
        const TensorLifetime& t = report.tensors[static_cast<std::size_t>(i)];
        if (t.last_step >= at && double(t.offset) <= address &&
            address < double(t.offset + t.bytes))
            return i;
        if (latest[static_cast<std::size_t>(i)] < at) break;
    }
    return -1;
}

std::ptrdiff_t MemoryPicture::tensorOf(ValueId value) const {
    if (!value) return -1;
    const auto at = std::find_if(report.tensors.begin(), report.tensors.end(),
                                 [&](const TensorLifetime& t) { return t.value == value; });
    return at == report.tensors.end() ? -1 : at - report.tensors.begin();
}

QString sentenceOf(const MemoryReport& report, std::size_t tensor) {
    const TensorLifetime& t = report.tensors[tensor];
    const QString name = nameOf(t), writer = labelText(t.written_by);
    const QString what =
        t.role == TensorRole::workspace
            ? QStringLiteral("%1, %2").arg(name, formatBytes(t.bytes))
            : QStringLiteral("%1 %2, %3").arg(name, labelText(t.type), formatBytes(t.bytes));
    if (t.role == TensorRole::workspace)
        return QCoreApplication::translate("MemoryPicture", "%1, only in step %2")
            .arg(what, formatCount(qint64(t.first_step)));
    QString life =
        t.role == TensorRole::output
            ? QCoreApplication::translate(
                  "MemoryPicture", "written by %1 in step %2, kept for the caller: a graph output")
                  .arg(writer, formatCount(qint64(t.first_step)))
            : QCoreApplication::translate(
                  "MemoryPicture", "written by %1 in step %2, kept alive until %3 in step %4")
                  .arg(writer, formatCount(qint64(t.first_step)), labelText(t.kept_by),
                       formatCount(qint64(t.last_step)));
    if (t.shares >= 0)
        life += QCoreApplication::translate("MemoryPicture", "; lies in the bytes of %1")
                    .arg(labelText(report.tensors[static_cast<std::size_t>(t.shares)].name));
    return what + QStringLiteral(": ") + life;
}

QColor memoryColor(MemoryPart part, const QPalette& palette) {
    const bool dark = isDark(palette);
    switch (part) {
    case MemoryPart::weights: return dark ? QColor(0x8779b9) : QColor(0xa29add);
    case MemoryPart::activations: return dark ? QColor(0x3e86fe) : QColor(0x4583ff);
    case MemoryPart::outputs: return dark ? QColor(0x42a87c) : QColor(0x40b084);
    case MemoryPart::workspace: return dark ? QColor(0xd59c3c) : QColor(0xe2a244);
    case MemoryPart::waste: break;
    }
    return dark ? QColor(0x4a5167) : QColor(0xc7cfdb);
}

QColor tensorColor(const MemoryPicture& picture, std::size_t tensor, MemoryColoring coloring,
                   const QPalette& palette) {
    const TensorLifetime& t = picture.report.tensors[tensor];
    switch (coloring) {
    case MemoryColoring::role:
        return memoryColor(t.role == TensorRole::output      ? MemoryPart::outputs
                           : t.role == TensorRole::workspace ? MemoryPart::workspace
                                                             : MemoryPart::activations,
                           palette);
    case MemoryColoring::family: return operatorColor(picture.families[tensor], palette);
    case MemoryColoring::size: {
        // By the logarithm over four decades: sizes of tensors differ by that much.
        const double share =
            picture.largest == 0
                ? 0
                : std::clamp(
                      1 + std::log10(std::max(1.0, double(t.bytes)) / double(picture.largest)) / 4,
                      0.0, 1.0);
        return QColor::fromHsvF(float((220 - 205 * share) / 360), float(0.35 + 0.4 * share),
                                float(isDark(palette) ? 0.55 + 0.35 * share : 0.75 + 0.2 * share));
    }
    case MemoryColoring::scope: break;
    }
    // Steps of the golden angle: neighbours in number are far apart in hue.
    const double hue = std::fmod(picture.scopes[tensor] * 137.508 + 210, 360.0);
    return QColor::fromHsvF(float(hue / 360), 0.48f, isDark(palette) ? 0.72f : 0.86f);
}

}  // namespace lapidary::views
