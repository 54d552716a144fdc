// SPDX-License-Identifier: Apache-2.0
#include "kept_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <sstream>

#include "device_error.h"
#include "plugin_abi.h"

namespace lapidary::cuda {
namespace {

void make_folders(const std::string& path) {
    for (std::size_t at = path.find('/', 1); at != std::string::npos; at = path.find('/', at + 1))
        ::mkdir(path.substr(0, at).c_str(), 0777);  // existing folders stay as they are
}

}  // namespace

std::string usual_kept_file(const std::string& device, const std::string& driver,
                            const std::string& ending) {
    const char* const cache = std::getenv("XDG_CACHE_HOME");
    const char* const home = std::getenv("HOME");
    const std::string folder = cache && *cache ? cache
                               : home && *home ? std::string(home) + "/.cache"
                                               : "/tmp";
    std::string name = "cuda-" + device + "-" + driver;
    for (char& c : name) {
        const bool is_plain = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') ||
                              (c >= 'A' && c <= 'Z') || c == '.' || c == '-';
        if (!is_plain) c = '_';
    }
    return folder + "/lapidary/" + name + "." + ending;
}

void KeptFile::refuse(const std::string& why) const {
    throw DeviceError(LP_INVALID, std::string(what_) + " " + path_ + ": " + why);
}

void KeptFile::fail(const char* what) const {
    refuse(std::string(what) + ": " + std::strerror(errno));
}

std::string KeptFile::value_of(std::istream& in, const std::string& word) const {
    std::string line;
    if (!std::getline(in, line) || line.compare(0, word.size() + 1, word + " ") != 0)
        refuse("expected a line \"" + word + " ...\", found \"" + line.substr(0, 80) + "\"");
    return line.substr(word.size() + 1);
}

void KeptFile::require(const char* what, const std::string& found, const std::string& expected,
                       const std::string& remedy) const {
    if (found == expected) return;
    refuse("it is of " + std::string(what) + " \"" + found.substr(0, 80) + "\", this is \"" +
           expected + "\"; " + remedy);
}

std::string KeptFile::read() const {
    std::ifstream in(path_, std::ios::binary);
    if (!in) {
        if (errno == ENOENT) return {};
        fail("it cannot be read");
    }
    return {std::istreambuf_iterator<char>(in), {}};
}

void KeptFile::write(const std::string& text) const {
    make_folders(path_);
    const std::string temporary = path_ + "." + std::to_string(::getpid());
    const int file = ::open(temporary.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (file < 0) fail("it cannot be written");
    const bool is_written =
        ::write(file, text.data(), text.size()) == static_cast<ssize_t>(text.size()) &&
        ::fsync(file) == 0;
    ::close(file);
    if (is_written && std::rename(temporary.c_str(), path_.c_str()) == 0) return;
    const int error = errno;
    ::unlink(temporary.c_str());
    errno = error;
    fail("it cannot be written");
}

}  // namespace lapidary::cuda
