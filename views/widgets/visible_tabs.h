// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QTabWidget;

namespace lapidary::views {

/// All tabs can be seen and pressed however narrow the page is: titles are cut, and told by tool tips, before a tab
/// goes behind an arrow.
void keepTabsVisible(QTabWidget& tabs);

}  // namespace lapidary::views
