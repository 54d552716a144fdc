// SPDX-License-Identifier: GPL-3.0-or-later
// Tables of the memory report: all tensors with their lifetimes, and those alive at one step.
#pragma once

#include <QLabel>
#include <QLineEdit>
#include <QWidget>

#include <filesystem>

#include "memory/memory_picture.h"
#include "models/rows_model.h"

namespace lapidary::views {

class TableView;

/// A tensor of a report, and the step for which it is shown.
struct TensorRow {
    const MemoryPicture* picture = nullptr;
    std::size_t tensor = 0, step = 0;
    const TensorLifetime& lifetime() const { return picture->report.tensors[tensor]; }
};

/// Rows and the report they point into.
struct TensorRows {
    MemoryPicturePtr picture;
    std::vector<TensorRow> rows;
};
// all tensors
std::shared_ptr<const std::vector<TensorRow>> rowsOf(const MemoryPicturePtr& picture);
// largest first
std::shared_ptr<const std::vector<TensorRow>> rowsAlive(const MemoryPicturePtr& picture,
                                                        std::size_t step);

/// A filter line over a table of tensors.
class TensorTable : public QWidget {
    Q_OBJECT
public:
    enum class Kind { lifetimes, alive };
    explicit TensorTable(Kind kind, QWidget* parent = nullptr);
    void setRows(std::shared_ptr<const std::vector<TensorRow>> rows);
    void setSentence(const QString& text);
    /// Marks the row of a tensor, if it is there; emits nothing. -1: none.
    void selectTensor(std::ptrdiff_t tensor);
    TableView* table() const { return table_; }
    const RowsModel<TensorRow>& model() const { return model_; }

signals:
    void tensorPicked(int tensor);
    void tensorActivated(int tensor);

private:
    void countRows();
    const Kind kind_;
    RowsModel<TensorRow> model_;
    TableView* table_;
    QLineEdit* filter_;
    QLabel *sentence_, *count_;
    bool silent_ = false;
};

/// All tensors with their lifetimes as comma-separated values, bytes and steps as plain numbers.
/// Throws io_failure.
void writeLifetimes(const MemoryReport& report, const std::filesystem::path& path);

}  // namespace lapidary::views
