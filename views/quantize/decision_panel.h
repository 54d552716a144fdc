// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QToolButton>

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "models/rows_model.h"
#include "widgets/table/table_view.h"
#include "worker/protocol/quantize_record.h"

class QUndoStack;

namespace lapidary::app {
class Quantizing;
}

namespace lapidary::views {

struct DecisionRow {
    NodeDecision decision;
    // SQNR if only this node and those that share its integers are quantized
    std::optional<double> aloneDb;
    double share = 0;  // its share of the noise of all nodes
    QString reason;    // NodeDecision::reason in the language of the window
};

/// A table of nodes with the reason why each was quantized or not, and a box to keep it float next
/// time.
class DecisionModel : public RowsModel<DecisionRow> {
    Q_OBJECT
public:
    explicit DecisionModel(QObject* parent = nullptr);
    /// Names of nodes (NodeDecision::name) that are ticked.
    const std::set<std::string>& kept() const { return kept_; }
    /// Emits nothing.
    void setKept(std::set<std::string> kept);
    /// Entries such as "conv1=s8": types that weights of single nodes have. Emits nothing.
    void setOwnTypes(std::vector<std::string> entries);
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    bool setData(const QModelIndex& index, const QVariant& value, int role = Qt::EditRole) override;
    Qt::ItemFlags flags(const QModelIndex& index) const override;

signals:
    void keptChanged();

private:
    std::set<std::string> kept_;
    std::vector<std::string> ownTypes_;
};

class DecisionPanel : public QWidget {
    Q_OBJECT
public:
    /// Choices for single nodes are commands of `history`.
    DecisionPanel(app::Quantizing& quantizing, QUndoStack& history, QWidget* parent = nullptr);

signals:
    /// A node was double-clicked; `name` is NodeDecision::name.
    void nodeActivated(const QString& name);

private:
    void refresh();
    void fill();
    void refreshBar();
    void refreshType();
    /// Of the result; null: there is none.
    const QuantizeOptions* optionsOfBest() const;
    void makeTypeMenu();
    /// Gives the weights of the selected nodes a type: "s8", "u8", "s4", "u4"; empty: none of their
    /// own.
    void setTypeOfSelected(const std::string& type);
    /// Text about the accuracy that weights, activations and the ticked nodes cost, as far as it is
    /// known.
    QString costs() const;

    app::Quantizing& quantizing_;
    QUndoStack& history_;
    DecisionModel nodes_;
    TableView* table_;
    QLineEdit* filter_;
    QLabel *count_, *costs_;
    QPushButton *again_, *rank_;
    QToolButton* type_;
    std::shared_ptr<const app::QuantizeRecord> shown_;
};

}  // namespace lapidary::views
