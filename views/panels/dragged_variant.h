// SPDX-License-Identifier: GPL-3.0-or-later
// What leaves the window with a variant that is dragged.
#pragma once

#include <QMimeData>
#include <QPointer>

#include "workbench/document/exported_files.h"
#include "workbench/workbench.h"

namespace lapidary::views {

/// The recipe for the slots of the Compare page, the name as text, and for file managers the file:
/// the model's own, or one that is exported when somebody asks for it, on another thread, with the
/// window going on.
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

    QStringList own_;  // files that are there
    app::FileRequest request_;
    QPointer<app::ExportedFiles> exports_;
};

}  // namespace lapidary::views
