// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdint>
#include <optional>

#include "mutate/mutation.h"

namespace lapidary::mutate {
namespace {

struct Range {
    std::size_t begin, end;
};

/// Reads the file as protobuf's wire format without knowing its messages.
class Structure {
public:
    explicit Structure(const std::vector<std::byte>& file) : file_(file) {
        read({0, file.size()}, 0, true);
    }
    std::vector<Range> places;  // bytes that may be changed

private:
    std::optional<std::uint64_t> varint(std::size_t& at, std::size_t end) const {
        std::uint64_t value = 0;
        for (int shift = 0; at < end && shift < 64; shift += 7) {
            const auto byte = static_cast<std::uint64_t>(file_[at++]);
            value |= (byte & 127) << shift;
            if (byte < 128) return value;
        }
        return std::nullopt;
    }

    /// True when all of the range is fields; with `note` their places are kept.
    bool read(Range range, int depth, bool note) {
        std::size_t at = range.begin;
        while (at < range.end) {
            const std::size_t begin = at;
            const auto tag = varint(at, range.end);
            if (!tag || *tag / 8 == 0) return false;
            switch (*tag % 8) {
            case 0:
                if (!varint(at, range.end)) return false;
                break;
            case 1: at += 8; break;
            case 5: at += 4; break;
            case 2: {
                const auto length = varint(at, range.end);
                if (!length || *length > range.end - at) return false;
                if (note) places.push_back({begin, at});
                const Range inside{at, at + static_cast<std::size_t>(*length)};
                at = inside.end;
                if (depth < 8 && inside.end - inside.begin > 1 && read(inside, depth + 1, false))
                    read(inside, depth + 1, note);
                else if (note && *length <= 512 && *length > 0) places.push_back(inside);
                continue;
            }
            default: return false;
            }
            if (at > range.end) return false;
            if (note) places.push_back({begin, at});
        }
        return true;
    }

    const std::vector<std::byte>& file_;
};

void put_varint(std::vector<std::byte>& out, std::uint64_t value) {
    for (; value >= 128; value >>= 7) out.push_back(static_cast<std::byte>(value | 128));
    out.push_back(static_cast<std::byte>(value));
}

}  // namespace

std::string mutate_bytes(std::vector<std::byte>& file, Random& random) {
    static constexpr std::uint64_t odd[] = {
        0, 1, 127, 128, 0x7fffffff, 0x80000000, 1ull << 62, INT64_MAX, UINT64_MAX};
    std::string done;
    const std::size_t changes = 1 + random() % 3;
    for (std::size_t i = 0; i < changes; ++i) {
        const Structure structure(file);
        if (structure.places.empty()) break;
        const Range place = structure.places[random() % structure.places.size()];
        const std::size_t at = place.begin + random() % (place.end - place.begin);
        const auto position = file.begin() + static_cast<std::ptrdiff_t>(at);
        switch (random() % 6) {
        case 0:
            file[at] ^= static_cast<std::byte>(1u << random() % 8);
            done += "bit at " + std::to_string(at) + "; ";
            break;
        case 1:
            file[at] = static_cast<std::byte>(random());
            done += "byte at " + std::to_string(at) + "; ";
            break;
        case 2: {
            std::vector<std::byte> number;
            put_varint(number, odd[random() % std::size(odd)]);
            file.erase(position);
            file.insert(file.begin() + static_cast<std::ptrdiff_t>(at), number.begin(),
                        number.end());
            done += "number at " + std::to_string(at) + "; ";
            break;
        }
        case 3:
            file.erase(file.begin() + static_cast<std::ptrdiff_t>(place.begin),
                       file.begin() + static_cast<std::ptrdiff_t>(place.end));
            done +=
                "without " + std::to_string(place.begin) + ".." + std::to_string(place.end) + "; ";
            break;
        case 4: {
            const Range other = structure.places[random() % structure.places.size()];
            const std::vector<std::byte> piece(
                file.begin() + static_cast<std::ptrdiff_t>(other.begin),
                file.begin() + static_cast<std::ptrdiff_t>(other.end));
            file.insert(file.begin() + static_cast<std::ptrdiff_t>(place.begin), piece.begin(),
                        piece.end());
            done +=
                std::to_string(other.begin) + " copied to " + std::to_string(place.begin) + "; ";
            break;
        }
        default:
            if (random() % 8 == 0) file.resize(std::max<std::size_t>(at, 1));
            done += "cut at " + std::to_string(at) + "; ";
        }
    }
    return done;
}

}  // namespace lapidary::mutate
