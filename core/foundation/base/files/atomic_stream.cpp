// SPDX-License-Identifier: Apache-2.0
#include "base/files/atomic_stream.h"

#include <ostream>
#include <streambuf>
#include <string>

#include "base/files/atomic_file.h"

namespace lapidary {
namespace {

class PieceBuffer final : public std::streambuf {
public:
    explicit PieceBuffer(AtomicFile& file) : file_(file) { piece_.reserve(piece_bytes); }
    void flush() {
        file_.write(piece_);
        piece_.clear();
    }

protected:
    std::streamsize xsputn(const char* text, std::streamsize count) override {
        piece_.append(text, static_cast<std::size_t>(count));
        if (piece_.size() >= piece_bytes) flush();
        return count;
    }
    int_type overflow(int_type c) override {
        if (c != traits_type::eof()) piece_ += static_cast<char>(c);
        return c == traits_type::eof() ? 0 : c;
    }

private:
    static constexpr std::size_t piece_bytes = std::size_t{1} << 20;
    AtomicFile& file_;
    std::string piece_;
};

}  // namespace

void save_by_stream(const std::filesystem::path& path,
                    const std::function<void(std::ostream&)>& write) {
    AtomicFile file(path);
    PieceBuffer pieces(file);
    std::ostream out(&pieces);
    out.exceptions(std::ios::badbit);  // lets exceptions of a write pass through
    write(out);
    pieces.flush();
    file.commit();
}

}  // namespace lapidary
