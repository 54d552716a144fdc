// SPDX-License-Identifier: Apache-2.0
// The line of user code in the stack traces that exporters write.
#include <algorithm>
#include <array>
#include <charconv>
#include <string_view>

#include <lapidary/graph/node_source.h>

namespace lapidary {
namespace {

std::string_view trimmed(std::string_view text) {
    const std::size_t begin = text.find_first_not_of(" \t\r");
    if (begin == std::string_view::npos) return {};
    return text.substr(begin, text.find_last_not_of(" \t\r") - begin + 1);
}

/// True for code of a framework, which calls what users write.
bool is_of_framework(const std::string& file) {
    std::string path = file;
    std::ranges::replace(path, '\\', '/');
    if (path.starts_with('<')) return true;  // generated code: "<eval_with_key>.3"
    constexpr std::array<std::string_view, 9> packages{"torch",      "functorch", "onnxscript",
                                                       "tensorflow", "keras",     "tf_keras",
                                                       "jax",        "jaxlib",    "flax"};
    constexpr std::array<std::string_view, 2> folders{"site-packages/", "dist-packages/"};
    for (const std::string_view folder : folders) {
        const std::size_t at = path.rfind(folder);
        if (at == std::string::npos) continue;
        const std::string_view inside = std::string_view(path).substr(at + folder.size());
        const std::string_view package = inside.substr(0, inside.find('/'));
        return std::ranges::find(packages, package) != packages.end();
    }
    // of a framework that was built from source
    return path.find("/torch/nn/modules/") != std::string::npos ||
           path.ends_with("/torch/nn/functional.py");
}

/// 0 where the text begins with no number.
std::int64_t number_at(std::string_view text) {
    std::int64_t number = 0;
    std::from_chars(text.data(), text.data() + text.size(), number);
    return number;
}

/// File "a.py", line 3, in forward
bool parse_python_frame(std::string_view line, SourceLine& frame) {
    constexpr std::string_view begin = "File \"", middle = "\", line ", in = ", in ";
    if (!line.starts_with(begin)) return false;
    const std::size_t end = line.find(middle, begin.size());
    if (end == std::string_view::npos) return false;
    const std::string_view rest = line.substr(end + middle.size());
    frame.file = line.substr(begin.size(), end - begin.size());
    frame.line = number_at(rest);
    if (const std::size_t at = rest.find(in); at != std::string_view::npos)
        frame.function = rest.substr(at + in.size());
    return frame.line > 0;
}

/// a.py(3): forward
bool parse_torchscript_frame(std::string_view line, SourceLine& frame) {
    const std::size_t close = line.find("): ");
    if (close == std::string_view::npos) return false;
    const std::size_t open = line.rfind('(', close);
    if (open == std::string_view::npos || open == 0) return false;
    frame.file = line.substr(0, open);
    frame.line = number_at(line.substr(open + 1, close - open - 1));
    frame.function = line.substr(close + 3);
    return frame.line > 0;
}

}  // namespace

SourceLine line_of_stack_trace(std::string_view trace) {
    SourceLine innermost, of_user;
    bool is_code_next = false;  // the line behind a Python frame
    const auto take_code = [](SourceLine& of, const SourceLine& frame, std::string_view code) {
        if (of.line == frame.line && of.file == frame.file) of.code = code;
    };
    SourceLine last;
    while (!trace.empty()) {
        const std::size_t end = std::min(trace.find('\n'), trace.size());
        const std::string_view line = trimmed(trace.substr(0, end));
        trace.remove_prefix(std::min(end + 1, trace.size()));
        SourceLine frame;
        if (parse_python_frame(line, frame)) {  // the innermost comes last
            innermost = frame;
            if (!is_of_framework(frame.file)) of_user = frame;
            last = frame;
            is_code_next = true;
            continue;
        }
        if (is_code_next) {
            take_code(innermost, last, line);
            take_code(of_user, last, line);
        } else if (parse_torchscript_frame(line, frame)) {  // the innermost comes first
            if (innermost.line == 0) innermost = frame;
            if (of_user.line == 0 && !is_of_framework(frame.file)) of_user = frame;
        }
        is_code_next = false;
    }
    return of_user.line > 0 ? of_user : innermost;
}

}  // namespace lapidary
