// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QString;
class QTabWidget;

namespace lapidary::views {

/// All tabs can be seen and pressed however narrow the page is: before a tab goes behind an arrow,
/// titles are cut, and tool tips show them in full.
void keepTabsVisible(QTabWidget& tabs);

/// A title of such tabs that has a brief form: all tabs show that one where the whole titles do not
/// fit side by side.
void setTabTitle(QTabWidget& tabs, int tab, const QString& whole, const QString& brief);

}  // namespace lapidary::views
