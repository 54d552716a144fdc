// SPDX-License-Identifier: Apache-2.0
// The one exception type of the core. It is caught at four places only: the job boundary, the
// command line's main, the plugin boundary, and tests.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace lapidary {

/// Kinds of errors, distinguished by programs; people read the message.
enum class ErrorCode {
    invalid_model,   // the file is not a valid ONNX model
    invalid_input,   // an input tensor, tensor file or option value does not fit
    not_supported,   // valid, but this program cannot do it
    limit_exceeded,  // a bound of `Limits` would be passed
    cancelled,       // the caller's CancelToken fired
    io_failure,      // the operating system refused a file operation
    process_ended,   // a separate process did the work and died
    check_failed,    // a comparison found a difference
    internal         // a broken invariant: a bug in this program
};

// "invalid_model" and so on, as the enumerators are called
std::string_view name_of(ErrorCode code);

/// Error{code, message, where-chain}. `message` is one sentence with expected and found; the
/// where-chain names, from the outermost inwards, the file, graph, node, tensor or attribute at
/// fault.
class Error : public std::runtime_error {
public:
    /// Without a place.
    Error(ErrorCode code, std::string message);

    ErrorCode code() const { return code_; }                          // what kind
    const std::string& message() const { return message_; }           // the sentence alone
    const std::vector<std::string>& where() const { return where_; }  // the places, outermost first

    /// Prepends an outer place to the chain, e.g. in a catch-and-rethrow: `e.at("node \"conv1\"")`;
    /// a place that already is the outermost one is not added again.
    Error& at(std::string place);

    /// "file.onnx: node "conv1": message" in one line.
    const char* what() const noexcept override { return full_.c_str(); }

private:
    void compose();
    ErrorCode code_;
    std::string message_;
    std::vector<std::string> where_;  // outermost first
    std::string full_;
};

/// Throws Error{code, message}.
[[noreturn]] void fail(ErrorCode code, std::string message);
/// Throws invalid_model.
[[noreturn]] inline void fail_model(std::string message) {
    fail(ErrorCode::invalid_model, std::move(message));
}
/// Throws invalid_input.
[[noreturn]] inline void fail_input(std::string message) {
    fail(ErrorCode::invalid_input, std::move(message));
}
/// Throws not_supported.
[[noreturn]] inline void fail_unsupported(std::string message) {
    fail(ErrorCode::not_supported, std::move(message));
}
/// Throws limit_exceeded.
[[noreturn]] inline void fail_limit(std::string message) {
    fail(ErrorCode::limit_exceeded, std::move(message));
}

/// Text for messages: quoted, control and bidirectional characters and invalid UTF-8 escaped, cut
/// to `max_length` characters with an ellipsis.
std::string quote(std::string_view text, std::size_t max_length = 120);

}  // namespace lapidary
