// SPDX-License-Identifier: GPL-3.0-or-later
// The drawing as a file and on paper.
#include <QFileDialog>
#include <QPointer>
#include <QPrintDialog>
#include <QPrinter>

#include <memory>

#include "graph/graph_export.h"
#include "graph/graph_page.h"
#include "workbench/text/bounded_text.h"

namespace lapidary::views {

void GraphPage::exportTo(const QString& path) {
    if (!canvas_->scene()) return;
    GraphLook look;
    look.colorBy = canvas_->colorBy();
    look.heat = canvas_->look().heat;
    look.heatMost = canvas_->look().heatMost;
    look.written = canvas_->look().written;
    look.kinds = canvas_->look().kinds;
    look.notes = canvas_->look().notes;
    workbench_.jobs().start<bool>(
        tr("Export the graph"),
        [scene = canvas_->scene(), look, colors = palette(), fonts = GraphFonts::standard(),
         path](const Progress& progress) {
            progress.step("draw");
            exportGraph(*scene, look, colors, fonts, path);
            return true;
        },
        [this, self = QPointer<GraphPage>(this), path](bool) {
            if (!self) return;
            emit statusMessage(tr("Wrote %1").arg(path));
            emit exported(path, {});
        },
        [this, self = QPointer<GraphPage>(this), path](const Error& error) {
            if (!self) return;
            emit statusMessage(tipText(error.what()));
            emit exported(path, tipText(error.what()));
        });
}

void GraphPage::chooseExport() {
    auto* dialog = new QFileDialog(this, tr("Export graph"));
    dialog->setObjectName(QStringLiteral("exportGraphDialog"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setNameFilters(
        {tr("SVG drawing (*.svg)"), tr("PDF document (*.pdf)"), tr("PNG image (*.png)")});
    dialog->setDefaultSuffix(QStringLiteral("svg"));
    connect(dialog, &QFileDialog::filterSelected, dialog, [dialog](const QString& filter) {
        for (const char* ending : {"svg", "pdf", "png"})
            if (filter.contains(QLatin1String(ending)))
                dialog->setDefaultSuffix(QLatin1String(ending));
    });
    connect(dialog, &QFileDialog::fileSelected, this, &GraphPage::exportTo);
    dialog->open();
}

void GraphPage::choosePrinter() {
    if (!canvas_->scene()) return;
    const auto printer = std::make_shared<QPrinter>();
    printer->setResolution(canvas_->logicalDpiX());
    printer->setDocName(workbench_.document()->title);
    auto* dialog = new QPrintDialog(printer.get(), this);
    dialog->setObjectName(QStringLiteral("printGraphDialog"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setWindowTitle(tr("Print the graph"));
    connect(dialog, qOverload<QPrinter*>(&QPrintDialog::accepted), canvas_, [this, printer] {
        if (!printSeen(*canvas_, *printer))
            emit statusMessage(tr("The graph could not be printed."));
    });
    dialog->open();
}

}  // namespace lapidary::views
