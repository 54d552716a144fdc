// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>

class QMimeData;

namespace lapidary::views {

/// Whether a file is called as models are: .onnx or .ort.
bool isModelFile(const QString& path);
/// The local model and trace files of a drag, in order; others are left out.
QStringList openableFiles(const QMimeData* data);

/// The framed place of the start page that says what can be dropped, with the doors in it. The
/// window accepts the drop itself.
class DropZone : public QFrame {
    Q_OBJECT
public:
    explicit DropZone(QWidget* doors, QWidget* parent = nullptr);

protected:
    void paintEvent(QPaintEvent* event) override;
};

}  // namespace lapidary::views
