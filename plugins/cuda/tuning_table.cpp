// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <iterator>
#include <sstream>

#include "kept_file.h"
#include "kernel_tuner.h"

namespace lapidary::cuda {
namespace {

constexpr const char* first_line = "lapidary cuda tuning 2";
/// That version timed variants without neighbouring kernels, with constants in the cache, and under
/// less specific keys.
constexpr const char* older_first_line = "lapidary cuda tuning 1";
constexpr const char* remedy = "delete it, or name another by the option tune_file";
constexpr std::size_t most_entries = 100000;
constexpr const char* names[] = {"own",  "unsplit", "hopper",   "library",        "fewer",
                                 "more", "fused",   "clusters", "small_clusters", "large_clusters"};

KernelVariant way_named(const std::string& way, const KeptFile& file) {
    const char* const* const found = std::find(std::begin(names), std::end(names), way);
    if (found == std::end(names)) file.refuse("there is no way \"" + way.substr(0, 80) + "\"");
    return static_cast<KernelVariant>(found - names);
}

}  // namespace

const char* name_of(KernelVariant way) { return names[static_cast<std::size_t>(way)]; }

void TuningTable::load(const std::string& path) {
    const KeptFile file("tuning file", path);
    std::istringstream in(file.read());
    std::string line;
    if (in.peek() == std::char_traits<char>::eof()) return;
    std::getline(in, line);
    is_older_ = line == older_first_line;
    if (is_older_) return;
    if (line != first_line)
        file.refuse(std::string("expected \"") + first_line + "\", found \"" + line.substr(0, 80) +
                    "\"");
    file.require("device", file.value_of(in, "device"), device_, remedy);
    file.require("driver", file.value_of(in, "driver"), driver_, remedy);
    file.require("library", file.value_of(in, "library"), blas_.empty() ? "none" : blas_, remedy);
    while (std::getline(in, line)) {
        std::istringstream words(line);
        std::string key, way;
        Entry entry;
        char slash = 0;
        words >> key >> entry.copies >> slash >> entry.wanted_copies >> way >> entry.microseconds;
        if (!words || slash != '/' || !(entry.microseconds >= 0))
            file.refuse("a line is none of key, copies, way and microseconds: \"" +
                        line.substr(0, 80) + "\"");
        entry.way = way_named(way, file);
        while (words >> way) {
            double microseconds = 0;
            if (!(words >> microseconds))
                file.refuse("a line has a way without microseconds: \"" + line.substr(0, 80) +
                            "\"");
            entry.others.emplace_back(way_named(way, file), microseconds);
        }
        if (entries_.size() == most_entries) file.refuse("it has more than 100000 entries");
        entries_.emplace(key, entry);
    }
}

void TuningTable::save(const std::string& path) {
    std::ostringstream out;
    out << first_line << "\ndevice " << device_ << "\ndriver " << driver_ << "\nlibrary "
        << (blas_.empty() ? "none" : blas_) << "\n";
    for (const auto& [key, entry] : entries_) {
        out << key << " " << entry.copies << "/" << entry.wanted_copies << " " << name_of(entry.way)
            << " " << entry.microseconds;
        for (const auto& [way, microseconds] : entry.others)
            out << " " << name_of(way) << " " << microseconds;
        out << "\n";
    }
    KeptFile("tuning file", path).write(out.str());
    is_older_ = false;
}

bool TuningTable::Entry::has(KernelVariant measured) const {
    return way == measured ||
           std::ranges::find(others, measured, &std::pair<KernelVariant, double>::first) !=
               others.end();
}

const TuningTable::Entry* TuningTable::find(const std::string& key) const {
    const auto found = entries_.find(key);
    return found == entries_.end() ? nullptr : &found->second;
}

std::string usual_tuning_file(const std::string& device, const std::string& driver) {
    return usual_kept_file(device, driver, "tuning");
}

}  // namespace lapidary::cuda
