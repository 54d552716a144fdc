// SPDX-License-Identifier: Apache-2.0
// Project files of the window. What was read can be written.
#include "workbench/project/project_state.h"

#include "fuzz/fuzz_target.h"

LAPIDARY_FUZZ_TARGET(project) {
    using namespace lapidary;
    const QByteArray text(reinterpret_cast<const char*>(input.data()), qsizetype(input.size()));
    const QString folder = QStringLiteral("/work");
    app::toText(app::projectFromText(text, folder), folder);
}
