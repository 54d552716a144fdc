// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>

class QMimeData;

namespace lapidary::views {

/// True if the file name ends in .onnx or .ort.
bool isModelFile(const QString& path);
/// The local model and trace files of a drag, in order, without other files.
QStringList openableFiles(const QMimeData* data);

/// The framed area of the start page that says what can be dropped. `doors`: the large buttons in
/// it. The window itself accepts the drop.
class DropZone : public QFrame {
    Q_OBJECT
public:
    explicit DropZone(QWidget* doors, QWidget* parent = nullptr);

protected:
    void paintEvent(QPaintEvent* event) override;
};

}  // namespace lapidary::views
