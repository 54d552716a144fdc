// SPDX-License-Identifier: Apache-2.0
#include "worker/remote/command_job.h"

#include <filesystem>
#include <fstream>
#include <iterator>
#include <mutex>
#include <ostream>
#include <streambuf>

#include <lapidary/base/error.h>
#include <lapidary/internal/scratch_folder.h>

#include "worker/jobs/job_kind.h"
#include "worker/protocol/bytes/described_bytes.h"
#include "worker/remote/target_side.h"

namespace lapidary {

template <>
struct Members<app::CommandOutput> {
    using T = app::CommandOutput;
    static constexpr auto list =
        members<T>(member<&T::out>("out").if_changed(), member<&T::err>("err").if_changed());
};
template <>
struct Members<app::CommandResult> {
    using T = app::CommandResult;
    static constexpr auto list =
        members<T>(member<&T::exit_code>("exit_code"), member<&T::files>("files"));
};
template <>
struct Members<app::CommandJob> {
    using T = app::CommandJob;
    static constexpr auto list = members<T>(member<&T::arguments>("arguments").required());
};

}  // namespace lapidary

namespace lapidary::app {
namespace {

constexpr std::size_t most_held = std::size_t{1} << 20;

/// Hands on what is written to it, by whole lines unless they are long.
class LineBuffer : public std::streambuf {
public:
    explicit LineBuffer(std::function<void(const std::string&)> take) : take_(std::move(take)) {}
    void finish() { hand_on(text_.size()); }

protected:
    int_type overflow(int_type c) override {
        if (c == traits_type::eof()) return traits_type::not_eof(c);
        const char one = traits_type::to_char_type(c);
        xsputn(&one, 1);
        return c;
    }
    std::streamsize xsputn(const char* text, std::streamsize count) override {
        const std::lock_guard lock(mutex_);
        text_.append(text, static_cast<std::size_t>(count));
        const std::size_t end = text_.rfind('\n');
        if (end != std::string::npos) hand_on(end + 1);
        else if (text_.size() > most_held) hand_on(text_.size());
        return count;
    }

private:
    void hand_on(std::size_t count) {
        if (count == 0) return;
        take_(text_.substr(0, count));
        text_.erase(0, count);
    }

    std::function<void(const std::string&)> take_;
    std::mutex mutex_;
    std::string text_;
};

std::string with_each(std::string text, std::string_view what, std::string_view by) {
    for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += by.size())
        text.replace(at, what.size(), by);
    return text;
}

std::string bytes_of_file(const std::filesystem::path& file) {
    std::ifstream in(file, std::ios::binary);
    std::string bytes{std::istreambuf_iterator<char>(in), {}};
    if (!in) throw Error(ErrorCode::io_failure, "it cannot be read").at(file.string());
    return bytes;
}

std::map<std::string, std::string> files_in(const std::filesystem::path& folder) {
    std::map<std::string, std::string> files;
    for (const auto& entry : std::filesystem::directory_iterator(folder))
        if (entry.is_regular_file())
            files[entry.path().filename().string()] = bytes_of_file(entry.path());
    return files;
}

}  // namespace

CommandResult CommandJob::run(const JobContext& context,
                              const std::function<void(const CommandOutput&)>& on_output) const {
    const TargetSide& side = target_side();
    if (!side.run_command) fail_unsupported("this program runs no commands");
    const ScratchFolder output;
    const std::string folder = output.path().string();
    std::vector<std::string> words = arguments;
    for (std::string& word : words) word = with_each(word, output_folder_mark, folder);
    const auto printed = [&](const std::string& text) {
        return with_each(text, folder, output_folder_mark);
    };
    LineBuffer out_buffer([&](const std::string& text) { on_output({printed(text), {}}); });
    LineBuffer err_buffer([&](const std::string& text) { on_output({{}, printed(text)}); });
    std::ostream out(&out_buffer), err(&err_buffer);
    CommandResult result;
    result.exit_code = side.run_command(words, out, err, context.progress);
    out_buffer.finish();
    err_buffer.finish();
    result.files = files_in(output.path());
    return result;
}

SharedMemory CommandJob::block_of(const CommandResult& result) {
    return written_block([&](ByteWriter& out) { write_described(out, result); });
}

CommandResult CommandJob::complete(ByteReader& block, const Progress&) const {
    return read_described<CommandResult>(block);
}

template <>
const JobKind& kind_of<CommandJob>() {
    static const KindOf<CommandJob> kind;
    return kind;
}

}  // namespace lapidary::app
