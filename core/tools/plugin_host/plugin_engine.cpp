// SPDX-License-Identifier: Apache-2.0
#include "plugin_host/plugin_engine.h"

#include <string_view>

#include <lapidary/base/error.h>

namespace lapidary {

void check_plugin_engine(const std::string& plugin, const LpEngine& e) {
    const std::string place = "plugin " + quote(plugin) + ": its engine ";
    if (!LP_HAS(&e, release)) fail_input(place + "is of a smaller struct than interface 1.1 has");
    if (!e.name || !*e.name) fail_input(place + "has no name");
    for (const std::string_view taken : {"lapidary", "onnxruntime"})
        if (e.name == taken)
            fail_input(place + "has the name " + quote(e.name) + ", which is not open to plugins");
    if (!e.load || !e.inputs || !e.outputs || !e.run || !e.release)
        fail_input(place + quote(e.name) +
                   " lacks functions: all but unusable and option_infos are needed");
}

}  // namespace lapidary
