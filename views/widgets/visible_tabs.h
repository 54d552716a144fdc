// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QString;
class QTabWidget;

namespace lapidary::views {

/// Keeps all tabs visible on narrow pages: titles are cut instead of moving tabs behind an arrow,
/// and tool tips show the full titles.
void keepTabsVisible(QTabWidget& tabs);

/// Sets a title with a brief form, which all tabs show if the whole titles do not fit side by side.
/// Where each tab has one and even these do not fit, arrows move along the tabs.
void setTabTitle(QTabWidget& tabs, int tab, const QString& whole, const QString& brief);

}  // namespace lapidary::views
