// SPDX-License-Identifier: Apache-2.0
#include "onnx_io/weights/weights_journal.h"

#include <fstream>
#include <string>

#include "base/files/temporary_file.h"
#include "onnx_io/weights/weights_files.h"

namespace lapidary::onnx_io {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view journal_ending = ".weights";

/// One name per line. A name with a newline reads as two names of files that do not exist.
std::set<fs::path> names_in(const fs::path& journal) {
    std::set<fs::path> names;
    std::ifstream in(journal, std::ios::binary);
    for (std::string line; std::getline(in, line);)
        if (!line.empty() && fs::path(line).filename() == fs::path(line)) names.insert(line);
    return names;
}

/// The names in the other journals in the folder: of saves in progress, and of killed ones that are
/// handled next.
std::set<fs::path> names_in_others(const fs::path& folder, const fs::path& journal) {
    std::set<fs::path> names;
    std::error_code failed;
    for (fs::directory_iterator at(folder, failed), end; !failed && at != end; at.increment(failed))
        if (at->path().filename() != journal.filename() &&
            is_temporary_name(at->path().filename().string(), journal_ending))
            names.merge(names_in(at->path()));
    return names;
}

}  // namespace

WeightsJournal::WeightsJournal(const fs::path& model, const std::set<fs::path>& weights) {
    if (weights.empty()) return;
    const fs::path file = temporary_name_for(model, journal_ending);
    descriptor_ = create_locked(file);
    if (descriptor_ < 0) return;
    file_ = file;
    std::ofstream out(file, std::ios::binary);
    for (const fs::path& name : weights) out << name.string() << '\n';
}

WeightsJournal::~WeightsJournal() {
    if (descriptor_ >= 0) remove_locked(descriptor_, file_);
}

void remove_left_weights(const fs::path& folder) noexcept {
    remove_stale_temporaries(folder, journal_ending, [&](const fs::path& journal) noexcept {
        try {
            std::set<fs::path> left = names_in(journal);
            for (const fs::path& name : names_in_others(folder, journal)) left.erase(name);
            remove_unused_weights(folder, left);
        } catch (const std::exception&) {  // no memory: they stay
        }
    });
}

}  // namespace lapidary::onnx_io
