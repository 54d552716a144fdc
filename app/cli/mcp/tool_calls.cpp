// SPDX-License-Identifier: Apache-2.0
#include "cli/mcp/tool_calls.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>
#include <utility>

#include <lapidary/base/failure.h>
#include <lapidary/internal/parse_json.h>

#include "cli/exit_code.h"
#include "cli/mcp/result_notes.h"

namespace lapidary::cli::mcp {
namespace {

constexpr std::size_t most_calls = 64;

Json text_content(const std::string& text) { return {{"type", "text"}, {"text", text}}; }

std::string dumped(const Json& json) {
    return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

/// The error that a command printed with --json; nothing where it printed none.
std::optional<Error> printed_error(const std::string& err) {
    std::size_t end = err.size();
    while (end > 0) {
        const std::size_t newline = err.rfind('\n', end - 1);
        const std::size_t begin = newline == std::string::npos ? 0 : newline + 1;
        try {
            const Json error = parse_json(err.substr(begin, end - begin), "an error").at("error");
            ErrorCode code = ErrorCode::invalid_input;
            for (int i = 0; i <= static_cast<int>(ErrorCode::internal); ++i)
                if (name_of(static_cast<ErrorCode>(i)) == error.at("code").get<std::string>())
                    code = static_cast<ErrorCode>(i);
            Error found(code, error.at("message").get<std::string>());
            const auto where = error.at("where").get<std::vector<std::string>>();
            for (std::size_t i = where.size(); i-- > 0;) found.at(where[i]);
            return found;
        } catch (const Error&) {  // not this line
        } catch (const Json::exception&) {}
        end = newline == std::string::npos ? 0 : newline;
    }
    return std::nullopt;
}

/// What an exit code that is no error says; empty: all is fine.
std::string code_text(int code) {
    if (code == exit_check_failed)
        return "The command ended with 1: a check found a difference, as the result says.";
    if (code == exit_fine) return {};
    return "The command ended with " + std::to_string(code) +
           ": what was measured can neither keep nor break the limit.";
}

/// Notifications of progress, whose numbers have to grow: a stage more counts as 1.
class ProgressMessages {
public:
    ProgressMessages(MessageStream& stream, Json token)
        : stream_(stream), token_(std::move(token)) {}
    void operator()(std::string_view stage, double fraction) {
        if (token_.is_null()) return;
        if (stage != stage_) {
            stage_ = stage;
            ++stages_;
        }
        const double part = std::isfinite(fraction) ? std::clamp(fraction, 0.0, 0.999) : 0.0;
        const double now = stages_ + part;
        if (now <= last_) return;
        last_ = now;
        stream_.send(
            {{"jsonrpc", "2.0"},
             {"method", "notifications/progress"},
             {"params", {{"progressToken", token_}, {"progress", now}, {"message", stage_}}}});
    }

private:
    MessageStream& stream_;
    Json token_;
    std::string stage_;
    double stages_ = 0, last_ = 0;
};

}  // namespace

Json error_result(const Error& error) {
    const Json fields = {{"error",
                          {{"code", name_of(error.code())},
                           {"message", error.message()},
                           {"where", error.where()}}}};
    return {{"isError", true},
            {"content", Json::array({text_content(error.what()), text_content(dumped(fields))})}};
}

ToolCalls::ToolCalls(MessageStream& stream, std::vector<std::filesystem::path> folders)
    : stream_(stream), folders_(std::move(folders)) {
    worker_.start(1, "thread that runs calls of tools", [this](int) { work(); });
}

void ToolCalls::add(ToolCall call) {
    const std::lock_guard lock(mutex_);
    if (std::ranges::any_of(calls_, [&](const CallPtr& other) { return other->id == call.id; }))
        fail_input("there is a call with the id " + dumped(call.id) + " already");
    if (calls_.size() >= most_calls)
        fail_limit(std::to_string(most_calls) + " calls wait already, no more are taken");
    call.replies->expect();
    calls_.push_back(std::make_shared<ToolCall>(std::move(call)));
    changed_.notify_all();
}

void ToolCalls::cancel(const Json& id) {
    const std::lock_guard lock(mutex_);
    for (const CallPtr& call : calls_)
        if (call->id == id) call->cancel.cancel();
}

void ToolCalls::cancel_all() {
    const std::lock_guard lock(mutex_);
    for (const CallPtr& call : calls_) call->cancel.cancel();
}

bool ToolCalls::is_idle() {
    const std::lock_guard lock(mutex_);
    return calls_.empty();
}

Json ToolCalls::part_of_result(std::int64_t number, const std::string& place, std::size_t from,
                               std::size_t count) {
    const std::lock_guard lock(mutex_);
    return kept_.part(number, place, from, count);
}

void ToolCalls::stop() {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
    for (const CallPtr& call : calls_) call->cancel.cancel();
    changed_.notify_all();
}

void ToolCalls::work() {
    std::unique_lock lock(mutex_);
    for (;;) {
        changed_.wait(lock, [this] { return !calls_.empty() || stopping_; });
        if (calls_.empty()) return;
        const CallPtr call = calls_.front();
        lock.unlock();
        const Json answer = run(*call);
        lock.lock();
        calls_.pop_front();  // first, because the reader of the answer may use the id again
        const bool is_cancelled = call->cancel.is_cancelled();
        lock.unlock();
        if (is_cancelled) call->replies->drop_expected();
        else call->replies->send_expected(call->id, answer);
        lock.lock();
    }
}

Json ToolCalls::run(const ToolCall& call) {
    try {
        ProgressMessages progress(stream_, call.progress_token);
        const CallOutcome outcome =
            call_in_process(call.request, folders_, call.cancel, std::ref(progress));
        return rpc_result(result_of(outcome));
    } catch (const Error& error) { return rpc_result(error_result(error)); } catch (...) {
        return rpc_result(error_result(error_in_flight("the tool")));
    }
}

Json ToolCalls::result_of(const CallOutcome& outcome) {
    const bool has_result =
        !outcome.out.empty() && (outcome.code == exit_fine || outcome.code == exit_check_failed ||
                                 outcome.code == exit_unresolved);
    if (!has_result) {
        if (const auto error = printed_error(outcome.err)) return error_result(*error);
        return error_result(
            Error(ErrorCode::internal,
                  "the command ended with " + std::to_string(outcome.code) + " and said nothing"));
    }
    Json whole = parse_json(outcome.out, "the output of the command");
    BoundedAnswer answer = bounded(whole);
    std::string note = difference_note(whole);
    if (note.empty()) note = code_text(outcome.code);
    if (note.empty()) note = commands_note(whole);
    const bool is_whole = answer.fits && answer.cuts.empty();
    if (!is_whole) {
        const std::lock_guard lock(mutex_);
        const std::int64_t number = kept_.keep(std::move(whole), outcome.out.size());
        note += (note.empty() ? "" : " ") + cut_text(answer, number);
    }
    Json content = Json::array();
    if (!note.empty()) content.push_back(text_content(note));
    if (!answer.fits) {  // no part of it would fit the schema
        content.front()["text"] = "The result is too long for one answer. " + note;
        return {{"isError", true}, {"content", content}};
    }
    content.push_back(text_content(dumped(answer.value)));
    return {
        {"isError", false}, {"content", content}, {"structuredContent", std::move(answer.value)}};
}

}  // namespace lapidary::cli::mcp
