// SPDX-License-Identifier: Apache-2.0
#include "cli/output/outputs_file.h"

#include <lapidary/base/error.h>
#include <lapidary/tensor/tensor_file.h>

#include "cli/exit_code.h"
#include "worker/inputs/value_archive.h"

namespace lapidary::cli {

void check_outputs_file(const std::filesystem::path& path) {
    const std::filesystem::path extension = path.extension();
    if (path.empty() || extension.empty() || extension == ".npz" || extension == ".npy") return;
    throw UsageError("--outputs: expected a file ending in .npz, or .npy for one output, found " +
                     quote(path.string()));
}

void save_outputs(const std::filesystem::path& path, const NamedValues& outputs) {
    if (path.extension() == ".npy") {
        if (outputs.size() != 1 || !outputs[0].second.is_tensor())
            throw UsageError("--outputs " + path.string() +
                             ": a .npy holds one tensor, the model has " +
                             (outputs.size() == 1 ? "an output that is none"
                                                  : std::to_string(outputs.size()) + " outputs") +
                             "; name a .npz");
        return save_npy(path, outputs[0].second.tensor());
    }
    NamedValues arrays;
    for (const auto& [name, value] : outputs)
        for (auto& array : app::flatten(name, value)) arrays.push_back(std::move(array));
    save_npz(path, arrays);
}

}  // namespace lapidary::cli
