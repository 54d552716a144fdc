// SPDX-License-Identifier: Apache-2.0
#include "bench/peers/python_places.h"

#include <cstdlib>
#include <string_view>

#include <lapidary/base/error.h>
#include <lapidary/internal/program_file.h>

#include "base/process/shared_library.h"
#include "bench/process/child_process.h"

namespace lapidary {
namespace {

namespace fs = std::filesystem;

bool is_present(const fs::path& path) {
    std::error_code status;
    return !path.empty() && fs::exists(path, status);
}

std::string variable(const char* name) {
    const char* value = std::getenv(name);
    return value ? value : "";
}

}  // namespace

fs::path package_folder(const fs::path& python, const std::string& module) {
    const std::string script =
        "import sys; sys.path = [p for p in sys.path if p]; "
        "import importlib.util as u; s = u.find_spec('" +
        module +
        "'); print(list(s.submodule_search_locations or [s.origin])[0] if s "
        "else '')";
    try {
        std::string text =
            run_program({python.string(), "-c", script}, std::chrono::seconds(20)).out;
        while (!text.empty() && (text.back() == '\n' || text.back() == '\r')) text.pop_back();
        return text;
    } catch (const Error&) {
        return {};  // no such interpreter
    }
}

fs::path python_above(const fs::path& place) {
    std::error_code status;
    for (fs::path at = fs::absolute(place, status); at.has_relative_path(); at = at.parent_path())
        for (const fs::path& python : {at / "bin" / "python3", at / "Scripts" / "python.exe"})
            if (is_present(python) && is_present(at / "pyvenv.cfg")) return python;
    return {};
}

bool is_python(const fs::path& place) {
    return place.filename().string().starts_with("python") && !fs::is_directory(place);
}

PythonSearch python_search(const fs::path& given, const char* name) {
    PythonSearch search;
    search.given = given;
    search.from_environment = variable(name);
    if (const std::string active = variable("VIRTUAL_ENV"); !active.empty())
        search.roots.emplace_back(active);
    if (const fs::path program = program_file(); !program.empty())
        search.roots.push_back(program.parent_path().parent_path() / "peers");
    search.python = std::string_view(shared_library_ending) == ".dll" ? "python" : "python3";
    return search;
}

fs::path find_python_with(const std::string& module, const PythonSearch& search,
                          std::string& searched) {
    searched.clear();
    const auto has_module = [&](const fs::path& place) {
        const fs::path python = is_python(place) ? place : python_above(place);
        searched += (searched.empty() ? "" : ", ") + place.string();
        return !python.empty() && !package_folder(python, module).empty() ? python : fs::path();
    };
    for (const fs::path& wanted : {search.given, fs::path(search.from_environment)})
        if (!wanted.empty()) return has_module(wanted);
    for (const fs::path& root : search.roots)
        if (is_present(root))
            if (fs::path python = has_module(root); !python.empty()) return python;
    return search.python.empty() ? fs::path() : has_module(search.python);
}

}  // namespace lapidary
