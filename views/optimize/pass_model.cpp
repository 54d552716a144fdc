// SPDX-License-Identifier: GPL-3.0-or-later
#include "optimize/pass_model.h"

#include <QFont>

#include <algorithm>

#include "models/rows_model.h"
#include "theme/theme.h"
#include "widgets/text/quantity.h"
#include "workbench/text/bounded_text.h"

namespace lapidary::views {
namespace {

QString signedCount(std::ptrdiff_t count) {
    if (count == 0) return QStringLiteral("0");
    return (count < 0 ? QString(QChar(0x2212)) : QStringLiteral("+")) +
           formatCount(std::abs(count));
}

}  // namespace

PassModel::PassModel(QObject* parent) : QAbstractItemModel(parent) { listPasses(); }

/// Lists the levels in the order in which they run; rules run before those of level basic.
void PassModel::listPasses() {
    passes_.assign(all_passes().begin(), all_passes().end());
    for (const UserPass& rule : rules_) {
        PassInfo info;
        info.name = rule.name;
        info.summary = rule.summary;
        info.level = Level::user;
        info.providers = "all";
        passes_.push_back(info);
    }
    levels_.clear();
    for (std::size_t i = 0; i < passes_.size(); ++i) {
        auto group = std::ranges::find(levels_, passes_[i].level, &LevelGroup::level);
        if (group == levels_.end()) group = levels_.insert(levels_.end(), {passes_[i].level, {}});
        group->passes.push_back(i);
    }
    std::ranges::sort(levels_, {}, [](const LevelGroup& group) {
        return group.level == Level::user ? 1 : 2 * int(group.level);
    });
}

void PassModel::show(const app::Recipe& recipe, app::VariantPtr variant) {
    const bool hasOtherRules = recipe.rules != recipe_.rules;
    if (hasOtherRules) beginResetModel();
    recipe_ = recipe;
    variant_ = std::move(variant);
    if (hasOtherRules) {
        rules_ = user_passes(recipe_.rules);
        listPasses();
        return endResetModel();
    }
    for (int level = 0; level < rowCount(); ++level) {
        const QModelIndex parent = index(level, 0);
        emit dataChanged(parent, index(level, ColumnCount - 1));
        if (rowCount(parent) > 0)
            emit dataChanged(index(0, 0, parent),
                             index(rowCount(parent) - 1, ColumnCount - 1, parent));
    }
}

QString PassModel::widestText(Column column) const {
    QString widest;
    const auto consider = [&](const QString& shown) {
        if (shown.size() > widest.size()) widest = shown;
    };
    for (std::size_t level = 0; level < levels_.size(); ++level) {
        consider(levelData(level, column, Qt::DisplayRole).toString());
        for (std::size_t pass : levels_[level].passes)
            consider(passData(pass, column, Qt::DisplayRole).toString());
    }
    return widest;
}

const PassRun* PassModel::runOf(std::size_t pass) const {
    if (!variant_) return nullptr;
    const auto& runs = variant_->report.passes;
    // the report has the rules in their place among the others
    const auto run = std::ranges::find(runs, passes_[pass].name, &PassRun::pass);
    return run == runs.end() ? nullptr : &*run;
}

QModelIndex PassModel::indexOf(const std::string& pass, int column) const {
    for (std::size_t level = 0; level < levels_.size(); ++level)
        for (std::size_t i = 0; i < levels_[level].passes.size(); ++i)
            if (passes_[levels_[level].passes[i]].name == pass)
                return index(int(i), column, index(int(level), 0));
    return {};
}

const PassInfo* PassModel::passAt(const QModelIndex& at) const {
    if (!at.isValid() || at.internalId() == 0) return nullptr;
    return &passes_[levels_[at.internalId() - 1].passes[std::size_t(at.row())]];
}

std::vector<const PassInfo*> PassModel::passesOf(const QModelIndex& level) const {
    std::vector<const PassInfo*> passes;
    if (!level.isValid() || level.internalId() != 0) return passes;
    for (std::size_t i : levels_[std::size_t(level.row())].passes) passes.push_back(&passes_[i]);
    return passes;
}

QString PassModel::describe(const PassInfo& pass) const {
    QStringList lines{labelText(pass.name), labelText(pass.summary)};
    lines << (pass.level == Level::user ? tr("A rule of your own; it runs at every level.")
              : pass.ort_names.empty()
                  ? tr("ONNX Runtime has no such pass.")
                  : tr("ONNX Runtime calls it %1.").arg(labelText(pass.ort_names)));
    if (pass.providers != "all")
        lines << tr("For the providers %1.").arg(labelText(pass.providers));
    if (!pass.on_by_default) lines << tr("Off unless it is switched on.");
    const auto at = std::size_t(&pass - passes_.data());
    if (const PassRun* run = runOf(at)) {
        if (!run->skipped.empty()) lines << tr("It did not run: %1.").arg(labelText(run->skipped));
        else if (run->applied == 0 && run->missed == 0) lines << tr("It ran and found no place.");
        else
            lines << tr("Rewrites: %1, near misses: %2, change of nodes: %3; %4.")
                         .arg(run->applied)
                         .arg(run->missed)
                         .arg(signedCount(run->node_change), formatNanoseconds(run->nanoseconds));
    }
    return lines.join(QLatin1Char('\n'));
}

QModelIndex PassModel::index(int row, int column, const QModelIndex& parent) const {
    if (!hasIndex(row, column, parent)) return {};
    return createIndex(row, column, parent.isValid() ? quintptr(parent.row() + 1) : quintptr(0));
}

QModelIndex PassModel::parent(const QModelIndex& child) const {
    return child.isValid() && child.internalId() > 0
               ? createIndex(int(child.internalId()) - 1, 0, quintptr(0))
               : QModelIndex();
}

int PassModel::rowCount(const QModelIndex& parent) const {
    if (!parent.isValid()) return int(levels_.size());
    return parent.internalId() == 0 && parent.column() == 0
               ? int(levels_[std::size_t(parent.row())].passes.size())
               : 0;
}

int PassModel::columnCount(const QModelIndex&) const { return ColumnCount; }

QString PassModel::passText(const PassInfo& pass, const PassRun* run, int column) {
    if (column == Name) return labelText(pass.name);
    if (!run || !run->skipped.empty()) return column == Applied ? QStringLiteral("–") : QString();
    if (column == Applied)
        return run->applied > 0 ? formatCount(qint64(run->applied)) : QStringLiteral("0");
    if (column == Missed) return run->missed > 0 ? formatCount(qint64(run->missed)) : QString();
    return formatNanoseconds(run->nanoseconds);
}

/// How often a pass applied, relative to the pass that applied most often.
double PassModel::heatOf(const PassRun& run) const {
    std::size_t most = 1;
    for (const PassRun& other : variant_->report.passes) most = std::max(most, other.applied);
    return double(run.applied) / double(most);
}

QVariant PassModel::passData(std::size_t i, int column, int role) const {
    const PassInfo& pass = passes_[i];
    const PassRun* run = runOf(i);
    switch (role) {
    case Qt::DisplayRole: return passText(pass, run, column);
    case Qt::CheckStateRole:
        return column == Name ? QVariant(recipe_.isOn(pass) ? Qt::Checked : Qt::Unchecked)
                              : QVariant();
    case Qt::ToolTipRole: return plainToolTip(describe(pass));
    case Qt::AccessibleTextRole:
        return column == Name
                   ? QVariant(labelText(pass.name) + QStringLiteral(", ") + labelText(pass.summary))
                   : QVariant();
    case Qt::TextAlignmentRole:
        return QVariant(Qt::AlignVCenter | (column == Name ? Qt::AlignLeft : Qt::AlignRight));
    case HeatRole:
        return column == Applied && run && run->applied > 0 ? QVariant(heatOf(*run)) : QVariant();
    case SearchRole:
        return labelText(pass.name) + QLatin1Char(' ') + labelText(pass.ort_names) +
               QLatin1Char(' ') + labelText(pass.summary);
    case PassRole: return int(i);
    default: return {};
    }
}

/// The sums of the passes of a level.
QString PassModel::levelText(const LevelGroup& group, int column) const {
    std::size_t applied = 0, missed = 0;
    std::int64_t time = 0;
    for (std::size_t pass : group.passes) {
        const PassRun* run = runOf(pass);
        if (!run) continue;
        applied += run->applied;
        missed += run->missed;
        time += run->nanoseconds;
    }
    if (column == Applied) return formatCount(qint64(applied));
    if (column == Missed) return missed > 0 ? formatCount(qint64(missed)) : QString();
    return formatNanoseconds(time);
}

Qt::CheckState PassModel::checkState(std::size_t on, std::size_t of) {
    if (on == 0) return Qt::Unchecked;
    return on == of ? Qt::Checked : Qt::PartiallyChecked;
}

/// Whether the recipe's level does not run the group.
bool PassModel::isAbove(const LevelGroup& group) const {
    if (group.level == Level::session)
        return recipe_.sessionPasses().set != SessionPasses::Set::all;
    return group.level == Level::user ? !recipe_.level : group.level > recipe_.level;
}

QVariant PassModel::levelData(std::size_t i, int column, int role) const {
    const LevelGroup& group = levels_[i];
    const bool isAbove = this->isAbove(group);
    const auto on = std::size_t(std::ranges::count_if(
        group.passes, [&](std::size_t pass) { return recipe_.isOn(passes_[pass]); }));
    switch (role) {
    case Qt::DisplayRole:
        if (column == Name) {
            const QString name = group.level == Level::disabled ? tr("Always")
                                 : group.level == Level::user   ? tr("User rules")
                                                                : app::nameOf(group.level);
            return isAbove ? tr("%1 — needs a higher level").arg(name) : name;
        }
        return variant_ && !isAbove ? QVariant(levelText(group, column)) : QVariant();
    case Qt::CheckStateRole:
        return column == Name ? QVariant(checkState(on, group.passes.size())) : QVariant();
    case Qt::FontRole: return scaledFont(1.0, true);
    case Qt::ToolTipRole:
        return tr("%1 of %2 passes of this level are switched on").arg(on).arg(group.passes.size());
    case Qt::TextAlignmentRole:
        return QVariant(Qt::AlignVCenter | (column == Name ? Qt::AlignLeft : Qt::AlignRight));
    case PassRole: return -1;
    default: return {};
    }
}

QVariant PassModel::data(const QModelIndex& at, int role) const {
    if (!checkIndex(at, CheckIndexOption::IndexIsValid)) return {};
    if (at.internalId() == 0) return levelData(std::size_t(at.row()), at.column(), role);
    return passData(levels_[at.internalId() - 1].passes[std::size_t(at.row())], at.column(), role);
}

QVariant PassModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal) return {};
    if (role == Qt::TextAlignmentRole)
        return QVariant(Qt::AlignVCenter | (section == Name ? Qt::AlignLeft : Qt::AlignRight));
    const QString titles[] = {tr("Pass"), tr("Hits"), tr("Near"), tr("Time")};
    const QString tips[] = {
        tr("Switches and names of all passes"), tr("How often the pass rewrote the graph"),
        tr("How often it almost matched; see Near misses"), tr("Time spent in the pass")};
    if (section < 0 || section >= ColumnCount) return {};
    return role == Qt::DisplayRole   ? QVariant(titles[section])
           : role == Qt::ToolTipRole ? QVariant(tips[section])
                                     : QVariant();
}

Qt::ItemFlags PassModel::flags(const QModelIndex& at) const {
    if (!at.isValid()) return Qt::NoItemFlags;
    Qt::ItemFlags flags = Qt::ItemIsEnabled | Qt::ItemIsSelectable;
    if (at.column() == Name) flags |= Qt::ItemIsUserCheckable;
    return flags;
}

bool PassModel::setData(const QModelIndex& at, const QVariant& value, int role) {
    if (role != Qt::CheckStateRole || !at.isValid() || at.column() != Name) return false;
    const bool on = value.toInt() == Qt::Checked;
    if (const PassInfo* pass = passAt(at)) emit toggled(pass, on);
    else emit levelToggled(passesOf(at), on, data(at, Qt::DisplayRole).toString());
    return true;
}

}  // namespace lapidary::views
