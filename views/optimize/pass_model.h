// SPDX-License-Identifier: GPL-3.0-or-later
// A model of all passes by level, rules of the user among them, with their switches and their
// effect on a variant.
#pragma once

#include <QAbstractItemModel>

#include <vector>

#include <lapidary/passes/user_rules.h>

#include "workbench/document/variant.h"

namespace lapidary::views {

class PassModel : public QAbstractItemModel {
    Q_OBJECT
public:
    enum Column { Name, Applied, Missed, Time, ColumnCount };
    // text to search in; number of the pass, first all_passes() and then rules, -1 for a level
    enum Role { SearchRole = Qt::UserRole + 10, PassRole };

    explicit PassModel(QObject* parent = nullptr);
    /// Shows the switches of `recipe` and the effect of passes on `variant`; null: no figures. Is
    /// reset where the recipe has other rules than before.
    void show(const app::Recipe& recipe, app::VariantPtr variant);
    /// The longest text that a column shows.
    QString widestText(Column column) const;
    QModelIndex indexOf(const std::string& pass, int column = Name) const;
    const PassInfo* passAt(const QModelIndex& index) const;  // null for a level
    /// A full description of a pass, in plain lines.
    QString describe(const PassInfo& pass) const;
    std::vector<const PassInfo*> passesOf(const QModelIndex& level) const;

    QModelIndex index(int row, int column, const QModelIndex& parent = {}) const override;
    QModelIndex parent(const QModelIndex& child) const override;
    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation,
                        int role = Qt::DisplayRole) const override;
    Qt::ItemFlags flags(const QModelIndex& index) const override;
    bool setData(const QModelIndex& index, const QVariant& value, int role) override;

signals:
    /// A switch was used; the recipe is not changed by the model itself.
    void toggled(const lapidary::PassInfo* pass, bool on);
    void levelToggled(const std::vector<const lapidary::PassInfo*>& passes, bool on,
                      const QString& level);

private:
    const PassRun* runOf(std::size_t pass) const;
    QVariant passData(std::size_t pass, int column, int role) const;
    QVariant levelData(std::size_t level, int column, int role) const;

    struct LevelGroup {
        Level level;
        std::vector<std::size_t> passes;  // indices into passes_
    };
    double heatOf(const PassRun& run) const;
    static Qt::CheckState checkState(std::size_t on, std::size_t of);
    static QString passText(const PassInfo& pass, const PassRun* run, int column);
    QString levelText(const LevelGroup& group, int column) const;
    void listPasses();
    bool isAbove(const LevelGroup& group) const;
    std::vector<UserPass> rules_;   // of the recipe; passes_ refer to them
    std::vector<PassInfo> passes_;  // all_passes(), then those of rules_
    std::vector<LevelGroup> levels_;
    app::Recipe recipe_;
    app::VariantPtr variant_;
};

}  // namespace lapidary::views
