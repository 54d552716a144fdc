// SPDX-License-Identifier: Apache-2.0
#include "cli/output/source_text.h"

namespace lapidary::cli {

Json source_json(const NodeSource& source) {
    Json json = {{"modules", Json::array()}, {"lines", Json::array()}};
    for (const SourceModule& module : source.modules)
        json["modules"].push_back({{"path", module.path}, {"class", module.class_name}});
    for (const SourceLine& line : source.lines)
        json["lines"].push_back({{"file", line.file},
                                 {"line", line.line},
                                 {"function", line.function},
                                 {"code", line.code}});
    return json;
}

}  // namespace lapidary::cli
