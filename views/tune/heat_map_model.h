// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractTableModel>

#include <optional>

#include "tune/tune_figures.h"
#include "workbench/tuning/tuning.h"

namespace lapidary::views {

enum HeatMapRole {
    GoodnessRole = Qt::UserRole,  // 0..1 of a measured cell; invalid: not measured
    StateRole,                    // int of CellState
    BestRole,                     // bool: recommended
    EqualRole,                    // bool: as fast as the recommended one, to within 5 %
    UndecidedRole,                // bool: cannot be distinguished from the recommended one
    QueuePlaceRole,               // 1: next; 0: not in the queue
    VerifiedRole,                 // bool
    DoubtRole,                    // bool: drifted, noisy or more threads than cores
    SecondLineRole                // QString: interval or estimate
};

/// The cells of a sweep in a table over two of its axes. If the cells differ on further axes, the
/// table shows one choice of those, or the best of all choices.
class HeatMapModel : public QAbstractTableModel {
    Q_OBJECT
public:
    explicit HeatMapModel(app::Tuning& tuning, QObject* parent = nullptr);

    void setAxes(TuneAxis rows, TuneAxis columns);
    TuneAxis rowAxis() const { return rows_; }
    TuneAxis columnAxis() const { return columns_; }
    void setFigure(TuneFigure figure);
    TuneFigure figure() const { return figure_; }
    /// The choices on all other axes ("sequential, spinning"); empty: there is only one.
    const QStringList& restNames() const { return restNames_; }
    /// `choice`: index into restNames(); -1: the best of all.
    void setRest(int choice);
    int rest() const { return rest_; }
    /// The axes on which the cells differ.
    const std::vector<TuneAxis>& usedAxes() const { return used_; }

    /// The cell shown at an index; -1: none.
    std::ptrdiff_t cellAt(const QModelIndex& index) const;
    /// All cells at an index; if the best is shown, those of all other choices too.
    std::vector<std::size_t> cellsAt(const QModelIndex& index) const;
    QModelIndex indexOf(std::size_t cell) const;
    /// Shown cells of a row along the column axis.
    qint64 columnPlace(int column) const { return columnPlaces_[std::size_t(column)]; }
    qint64 rowPlace(int row) const { return rowPlaces_[std::size_t(row)]; }

    int rowCount(const QModelIndex& parent = {}) const override {
        return parent.isValid() ? 0 : int(rowPlaces_.size());
    }
    int columnCount(const QModelIndex& parent = {}) const override {
        return parent.isValid() ? 0 : int(columnPlaces_.size());
    }
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation,
                        int role = Qt::DisplayRole) const override;

signals:
    void axesChanged();  // axes or the choices on other axes

private:
    struct Place {
        std::vector<std::size_t> cells;
        std::ptrdiff_t shown = -1;
        FigureValue value;
        double goodness = 0;
    };
    void refresh();
    void fill();
    void judge(bool lowIsGood);
    QString displayText(const Place& place, const SweepCell& cell) const;
    QString secondLine(const Place& place, const SweepCell& cell) const;
    QString toolTip(const Place& place) const;
    QString accessibleText(const Place& place, const SweepCell& cell) const;
    bool isRecommended(const Place& place) const;
    bool equalsRecommended(const Place& place) const;
    bool isUndecided(const Place& place) const;
    bool isDoubtful(const SweepCell& cell) const;
    int queuePlace(const Place& place) const;  // from 1; 0: not on the queue
    std::vector<TuneAxis> restAxes() const;
    QString restName(const RunConfiguration& configuration) const;
    const Place& at(const QModelIndex& index) const {
        return places_[std::size_t(index.row()) * columnPlaces_.size() +
                       std::size_t(index.column())];
    }

    app::Tuning& tuning_;
    std::shared_ptr<const SweepResult> result_;
    TuneAxis rows_ = TuneAxis::batch, columns_ = TuneAxis::threads;
    TuneFigure figure_ = TuneFigure::median;
    std::vector<TuneAxis> used_;
    std::vector<qint64> rowPlaces_, columnPlaces_;
    QStringList restNames_;
    int rest_ = -1;
    std::vector<Place> places_;  // row by row
};

}  // namespace lapidary::views
