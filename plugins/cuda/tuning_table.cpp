// SPDX-License-Identifier: Apache-2.0
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <sstream>

#include "device_error.h"
#include "plugin_abi.h"
#include "kernel_tuner.h"

namespace lapidary::cuda {
namespace {

constexpr const char* first_line = "lapidary cuda tuning 1";
constexpr std::size_t most_entries = 100000;
constexpr const char* names[] = {"own", "unsplit", "hopper", "library", "fewer", "more"};

[[noreturn]] void refuse(const std::string& path, const std::string& why) {
    throw DeviceError(LP_INVALID, "tuning file " + path + ": " + why);
}
[[noreturn]] void fail(const std::string& path, const char* what) {
    throw DeviceError(LP_INVALID, "tuning file " + path + ": " + what + ": " + std::strerror(errno));
}

/// The line behind its word.
std::string value_of(std::istream& in, const std::string& word, const std::string& path) {
    std::string line;
    if (!std::getline(in, line) || line.compare(0, word.size() + 1, word + " ") != 0)
        refuse(path, "expected a line \"" + word + " ...\", found \"" + line.substr(0, 80) + "\"");
    return line.substr(word.size() + 1);
}

void require(const std::string& path, const char* what, const std::string& found, const std::string& expected) {
    if (found == expected) return;
    refuse(path, "it is of " + std::string(what) + " \"" + found.substr(0, 80) + "\", this is \"" + expected +
                     "\"; delete it, or name another by the option tune_file");
}

KernelWay way_named(const std::string& way, const std::string& path) {
    const char* const* const found = std::find(std::begin(names), std::end(names), way);
    if (found == std::end(names)) refuse(path, "there is no way \"" + way.substr(0, 80) + "\"");
    return static_cast<KernelWay>(found - names);
}

void make_folders(const std::string& path) {
    for (std::size_t at = path.find('/', 1); at != std::string::npos; at = path.find('/', at + 1))
        ::mkdir(path.substr(0, at).c_str(), 0777);  // what is there stays
}

}  // namespace

const char* name_of(KernelWay way) { return names[static_cast<std::size_t>(way)]; }

void TuningTable::load(const std::string& path) {
    std::ifstream in(path);
    if (!in) {
        if (errno == ENOENT) return;
        fail(path, "it cannot be read");
    }
    std::string line;
    if (!std::getline(in, line) || line != first_line)
        refuse(path, std::string("expected \"") + first_line + "\", found \"" + line.substr(0, 80) + "\"");
    require(path, "device", value_of(in, "device", path), device_);
    require(path, "driver", value_of(in, "driver", path), driver_);
    require(path, "library", value_of(in, "library", path), blas_.empty() ? "none" : blas_);
    while (std::getline(in, line)) {
        std::istringstream words(line);
        std::string key, way;
        Entry entry;
        if (!(words >> key >> way >> entry.microseconds) || !(entry.microseconds >= 0))
            refuse(path, "a line is none of key, way and microseconds: \"" + line.substr(0, 80) + "\"");
        entry.way = way_named(way, path);
        while (words >> way) {
            double microseconds = 0;
            if (!(words >> microseconds))
                refuse(path, "a line has a way without microseconds: \"" + line.substr(0, 80) + "\"");
            entry.slower.emplace_back(way_named(way, path), microseconds);
        }
        if (entries_.size() == most_entries) refuse(path, "it has more than 100000 entries");
        entries_[key] = entry;
    }
}

void TuningTable::save(const std::string& path) const {
    make_folders(path);
    std::ostringstream out;
    out << first_line << "\ndevice " << device_ << "\ndriver " << driver_ << "\nlibrary "
        << (blas_.empty() ? "none" : blas_) << "\n";
    for (const auto& [key, entry] : entries_) {
        out << key << " " << name_of(entry.way) << " " << entry.microseconds;
        for (const auto& [way, microseconds] : entry.slower) out << " " << name_of(way) << " " << microseconds;
        out << "\n";
    }
    const std::string text = out.str(), temporary = path + "." + std::to_string(::getpid());
    const int file = ::open(temporary.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (file < 0) fail(path, "it cannot be written");
    const bool is_written =
        ::write(file, text.data(), text.size()) == static_cast<ssize_t>(text.size()) && ::fsync(file) == 0;
    ::close(file);
    if (is_written && std::rename(temporary.c_str(), path.c_str()) == 0) return;
    const int error = errno;
    ::unlink(temporary.c_str());
    errno = error;
    fail(path, "it cannot be written");
}

const TuningTable::Entry* TuningTable::find(const std::string& key) const {
    const auto found = entries_.find(key);
    return found == entries_.end() ? nullptr : &found->second;
}

std::string usual_tuning_file(const std::string& device, const std::string& driver) {
    const char* const cache = std::getenv("XDG_CACHE_HOME");
    const char* const home = std::getenv("HOME");
    const std::string folder = cache && *cache ? cache : home && *home ? std::string(home) + "/.cache" : "/tmp";
    std::string name = "cuda-" + device + "-" + driver;
    for (char& c : name) {
        const bool is_plain = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '.' ||
                              c == '-';
        if (!is_plain) c = '_';
    }
    return folder + "/lapidary/" + name + ".tuning";
}

}  // namespace lapidary::cuda
