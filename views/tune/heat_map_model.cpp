// SPDX-License-Identifier: GPL-3.0-or-later
#include "tune/heat_map_model.h"

#include <algorithm>
#include <limits>

#include "models/rows_model.h"

namespace lapidary::views {

HeatMapModel::HeatMapModel(app::Tuning& tuning, QObject* parent)
    : QAbstractTableModel(parent), tuning_(tuning) {
    connect(&tuning_, &app::Tuning::changed, this, &HeatMapModel::refresh);
    refresh();
}

std::vector<TuneAxis> HeatMapModel::restAxes() const {
    std::vector<TuneAxis> rest;
    for (const TuneAxis axis : used_)
        if (axis != rows_ && axis != columns_) rest.push_back(axis);
    return rest;
}

QString HeatMapModel::restName(const RunConfiguration& configuration) const {
    QStringList parts;
    for (const TuneAxis axis : restAxes()) parts << placeTitle(axis, placeOn(axis, configuration));
    return parts.join(QStringLiteral(", "));
}

void HeatMapModel::setAxes(TuneAxis rows, TuneAxis columns) {
    if (rows == rows_ && columns == columns_) return;
    // swaps both axes
    if (rows == columns) (rows == rows_ ? rows : columns) = columns == columns_ ? rows_ : columns_;
    rows_ = rows;
    columns_ = columns;
    rest_ = -1;
    refresh();
    emit axesChanged();
}

void HeatMapModel::setFigure(TuneFigure figure) {
    if (figure == figure_) return;
    figure_ = figure;
    fill();
    if (rowCount() && columnCount())
        emit dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1));
}

void HeatMapModel::setRest(int choice) {
    if (choice == rest_) return;
    rest_ = choice;
    fill();
    if (rowCount() && columnCount())
        emit dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1));
}

/// Resets the table if rows or columns change; else only the contents, so that the current cell
/// stays.
void HeatMapModel::refresh() {
    result_ = tuning_.result();
    static const std::vector<SweepCell> none;
    const std::vector<SweepCell>& cells = result_ ? result_->cells : none;
    std::vector<TuneAxis> used;
    for (const TuneAxis axis : tune_axes)
        if (placesOn(axis, cells).size() > 1) used.push_back(axis);
    const bool axesChange = used != used_;
    used_ = used;
    const std::vector<qint64> rows = placesOn(rows_, cells), columns = placesOn(columns_, cells);
    QStringList names;
    for (const SweepCell& cell : cells)
        if (const QString name = restName(cell.configuration);
            !name.isEmpty() && !names.contains(name))
            names << name;
    const bool restChanges = names != restNames_;
    restNames_ = names;
    if (restChanges) rest_ = -1;
    if (rows != rowPlaces_ || columns != columnPlaces_) {
        beginResetModel();
        rowPlaces_ = rows;
        columnPlaces_ = columns;
        fill();
        endResetModel();
    } else {
        fill();
        if (!rows.empty() && !columns.empty())
            emit dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1));
    }
    if (axesChange || restChanges) emit axesChanged();
}

void HeatMapModel::fill() {
    places_.assign(rowPlaces_.size() * columnPlaces_.size(), {});
    if (!result_) return;
    const std::vector<SweepCell>& cells = result_->cells;
    const bool lowIsGood = figure_ == TuneFigure::median;
    for (std::size_t i = 0; i < cells.size(); ++i) {
        const RunConfiguration& configuration = cells[i].configuration;
        if (rest_ >= 0 && restName(configuration) != restNames_.value(rest_)) continue;
        const auto row = std::ranges::lower_bound(rowPlaces_, placeOn(rows_, configuration)) -
                         rowPlaces_.begin();
        const auto column =
            std::ranges::lower_bound(columnPlaces_, placeOn(columns_, configuration)) -
            columnPlaces_.begin();
        Place& place = places_[std::size_t(row) * columnPlaces_.size() + std::size_t(column)];
        place.cells.push_back(i);
        const FigureValue value = figureOf(cells, i, figure_);
        const bool better =
            value.known && (!place.value.known || (lowIsGood ? value.value < place.value.value
                                                             : value.value > place.value.value));
        if (place.shown < 0 || better ||
            (!place.value.known && cells[i].state == CellState::running)) {
            place.shown = std::ptrdiff_t(i);
            place.value = value;
        }
    }
    judge(lowIsGood);
}

/// Sets the goodness of each place between the worst and the best of all.
void HeatMapModel::judge(bool lowIsGood) {
    double low = std::numeric_limits<double>::infinity(), high = -low;
    for (const Place& place : places_)
        if (place.value.known)
            low = std::min(low, place.value.value), high = std::max(high, place.value.value);
    for (Place& place : places_)
        if (place.value.known)
            place.goodness = goodnessOf(figure_, place.value.value, lowIsGood ? high : low,
                                        lowIsGood ? low : high);
}

std::ptrdiff_t HeatMapModel::cellAt(const QModelIndex& index) const {
    return index.isValid() ? at(index).shown : -1;
}

std::vector<std::size_t> HeatMapModel::cellsAt(const QModelIndex& index) const {
    if (!index.isValid()) return {};
    return at(index).cells;
}

QModelIndex HeatMapModel::indexOf(std::size_t cell) const {
    for (std::size_t i = 0; i < places_.size(); ++i)
        if (std::ranges::find(places_[i].cells, cell) != places_[i].cells.end())
            return index(int(i / columnPlaces_.size()), int(i % columnPlaces_.size()));
    return {};
}

QString HeatMapModel::displayText(const Place& place, const SweepCell& cell) const {
    switch (cell.state) {
    case CellState::done:
        return place.value.known ? figureText(figure_, place.value.value) : tr("no base");
    case CellState::running: return tr("measuring …");
    case CellState::failed: return tr("failed");
    case CellState::skipped: return tr("left out");
    case CellState::waiting: break;
    }
    return tr("~ %1").arg(aboutSeconds(cell.estimate_seconds));
}

QString HeatMapModel::secondLine(const Place& place, const SweepCell& cell) const {
    if (cell.state == CellState::done)
        return place.value.known ? intervalText(figure_, place.value) : tr("fewest threads first");
    return cell.state == CellState::waiting ? tr("not measured") : QString();
}

QString HeatMapModel::toolTip(const Place& place) const {
    QString text = describe(result_->cells, std::size_t(place.shown), result_->machine.cores);
    if (isRecommended(place)) text += u'\n' + tr("Recommended");
    else if (equalsRecommended(place))
        text += u'\n' + tr("As fast as the recommended setting, known to within 5 %");
    else if (isUndecided(place))
        text += u'\n' +
                tr("Cannot be told apart from the recommended setting: the intervals are too wide");
    if (const int queued = queuePlace(place))
        text += u'\n' + tr("Number %1 in the queue").arg(queued);
    if (place.cells.size() > 1)
        text += u'\n' + tr("The best of %1 settings that differ in what is on neither axis")
                            .arg(place.cells.size());
    return plainToolTip(text);
}

QString HeatMapModel::accessibleText(const Place& place, const SweepCell& cell) const {
    const QString what =
        titleOf(cell.configuration) + QStringLiteral(": ") + displayText(place, cell);
    if (isRecommended(place)) return tr("%1, recommended").arg(what);
    if (queuePlace(place) > 0) return tr("%1, in the queue").arg(what);
    return cell.state == CellState::waiting ? tr("%1, not measured").arg(what) : what;
}

bool HeatMapModel::isRecommended(const Place& place) const {
    return result_->recommendation.cell == place.shown;
}

bool HeatMapModel::equalsRecommended(const Place& place) const {
    const auto& equals = result_->recommendation.equals;
    return !isRecommended(place) &&
           std::ranges::find(equals, std::size_t(place.shown)) != equals.end();
}

bool HeatMapModel::isUndecided(const Place& place) const {
    const auto& undecided = result_->recommendation.undecided;
    return std::ranges::find(undecided, std::size_t(place.shown)) != undecided.end();
}

bool HeatMapModel::isDoubtful(const SweepCell& cell) const {
    return cell.measurement.wall.drifts || cell.measurement.wall.noisy ||
           (result_->machine.cores > 0 &&
            cell.configuration.resources.threads > result_->machine.cores);
}

int HeatMapModel::queuePlace(const Place& place) const {
    for (std::size_t group = 0; group < tuning_.queue().size(); ++group)
        for (const std::size_t queued : tuning_.queue()[group])
            if (std::ranges::find(place.cells, queued) != place.cells.end()) return int(group) + 1;
    return 0;
}

QVariant HeatMapModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid) || !result_) return {};
    const Place& place = at(index);
    if (place.shown < 0)
        return role == Qt::DisplayRole ? QVariant(QStringLiteral("–")) : QVariant();
    const auto shown = std::size_t(place.shown);
    const SweepCell& cell = result_->cells[shown];
    switch (role) {
    case Qt::DisplayRole: return displayText(place, cell);
    case SecondLineRole: return secondLine(place, cell);
    case Qt::ToolTipRole: return toolTip(place);
    case Qt::AccessibleTextRole: return accessibleText(place, cell);
    case Qt::TextAlignmentRole: return int(Qt::AlignCenter);
    case GoodnessRole:
        return cell.state == CellState::done && place.value.known ? QVariant(place.goodness)
                                                                  : QVariant();
    case StateRole: return int(cell.state);
    case BestRole: return isRecommended(place);
    case EqualRole: return equalsRecommended(place);
    case UndecidedRole: return isUndecided(place);
    case VerifiedRole:
        return std::ranges::find(tuning_.verified(), shown) != tuning_.verified().end();
    case DoubtRole: return isDoubtful(cell);
    case QueuePlaceRole: return queuePlace(place);
    default: return {};
    }
}

QVariant HeatMapModel::headerData(int section, Qt::Orientation orientation, int role) const {
    const auto& places = orientation == Qt::Horizontal ? columnPlaces_ : rowPlaces_;
    const TuneAxis axis = orientation == Qt::Horizontal ? columns_ : rows_;
    if (section < 0 || std::size_t(section) >= places.size()) return {};
    const qint64 place = places[std::size_t(section)];
    const bool beyond = axis == TuneAxis::threads && result_ && result_->machine.cores > 0 &&
                        place > result_->machine.cores;
    if (role == Qt::DisplayRole)
        return beyond ? placeTitle(axis, place) + QStringLiteral(" ⚠") : placeTitle(axis, place);
    if (role == Qt::ToolTipRole)
        return plainToolTip(
            beyond ? tr("%1: %2; more than this machine's %3 cores")
                         .arg(nameOf(axis), placeText(axis, place))
                         .arg(result_->machine.cores)
                   : QStringLiteral("%1: %2").arg(nameOf(axis), placeText(axis, place)));
    return {};
}

}  // namespace lapidary::views
