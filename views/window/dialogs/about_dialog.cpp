// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/dialogs/about_dialog.h"

#include <QDialogButtonBox>
#include <QHBoxLayout>
#include <QIcon>
#include <QLabel>
#include <QTextBrowser>
#include <QVBoxLayout>

#include "theme/theme.h"
#include "workbench/text/build_version.h"

namespace lapidary::views {

AboutDialog::AboutDialog(QWidget* parent) : QDialog(parent) {
    setObjectName(QStringLiteral("aboutDialog"));
    setWindowTitle(tr("About Lapidary"));
    auto* logo = new QLabel;
    logo->setPixmap(
        QIcon(QStringLiteral(":/icons/lapidary.svg")).pixmap(QSize(64, 64), devicePixelRatioF()));
    auto* name =
        new QLabel(tr("Lapidary %1").arg(app::withCommit(QStringLiteral(LAPIDARY_VERSION))));
    name->setFont(scaledFont(1.6, true));
    auto* line = new QLabel(tr("A workbench for ONNX models: look, run, measure, explain."));
    auto* words = new QVBoxLayout;
    words->addWidget(name);
    words->addWidget(line);
    words->addStretch();
    auto* header = new QHBoxLayout;
    header->addWidget(logo);
    header->addLayout(words, 1);

    auto* licences = new QTextBrowser;
    licences->setOpenExternalLinks(true);
    licences->setAccessibleName(tr("Licences"));
    licences->setHtml(
        QStringLiteral("<h4>%1</h4><p>%2</p><p>%3</p><h4>%4</h4><table cellpadding='3'>"
                       "<tr><td>Qt %5</td><td>LGPL-3.0</td></tr>"
                       "<tr><td>QCustomPlot</td><td>GPL-3.0-or-later</td></tr>"
                       "<tr><td>Protocol Buffers</td><td>BSD-3-Clause</td></tr>"
                       "<tr><td>{fmt}, nlohmann/json</td><td>MIT</td></tr>"
                       "<tr><td>CLI11, libzip</td><td>BSD-3-Clause</td></tr>"
                       "<tr><td>Oniguruma</td><td>BSD-2-Clause</td></tr>"
                       "<tr><td>utf8proc</td><td>MIT, Unicode-DFS-2016</td></tr>"
                       "<tr><td>oneTBB</td><td>Apache-2.0</td></tr>"
                       "<tr><td>libpng</td><td>libpng-2.0</td></tr>"
                       "<tr><td>libjpeg-turbo</td><td>IJG, BSD-3-Clause</td></tr></table>")
            .arg(
                tr("Licence"),
                tr("This window program is free software under the GNU General Public License, "
                   "version "
                   "3 or later; it comes without any warranty."),
                tr("The engine (lapidary_core) and lapidary-cli are under the Apache License 2.0."),
                tr("Made with"), QString::fromLatin1(qVersion())));
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    auto* layout = new QVBoxLayout(this);
    layout->addLayout(header);
    layout->addWidget(licences, 1);
    layout->addWidget(buttons);
    resize(520, 460);
}

}  // namespace lapidary::views
