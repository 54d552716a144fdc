// SPDX-License-Identifier: GPL-3.0-or-later
// The data of a dragged variant.
#pragma once

#include <QMimeData>
#include <QPointer>

#include "workbench/document/exported_files.h"
#include "workbench/workbench.h"

namespace lapidary::views {

/// It offers the recipe for the slots of the Compare page, the name as text, and a file for file
/// managers. The file is the model's own, or it is exported on another thread when the receiver
/// requests it.
class DraggedVariant : public QMimeData {
    Q_OBJECT
public:
    /// `variant`: null or the original for the model as it was opened.
    DraggedVariant(const app::Document& opened, const app::VariantPtr& variant,
                   app::ExportedFiles& exports);
    QStringList formats() const override;
    bool hasFormat(const QString& format) const override;

protected:
    QVariant retrieveData(const QString& format, QMetaType type) const override;

private:
    QStringList files() const;

    QStringList own_;  // existing files of the model
    app::FileRequest request_;
    QPointer<app::ExportedFiles> exports_;
};

}  // namespace lapidary::views
