// SPDX-License-Identifier: Apache-2.0
// FIPS 180-4, section 6.1.
#include "onnx_io/sha1.h"

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>

namespace lapidary::onnx_io {
namespace {

using State = std::array<std::uint32_t, 5>;

void absorb(State& state, const unsigned char* block) {
    std::uint32_t w[80];
    for (int t = 0; t < 16; ++t)
        w[t] = std::uint32_t{block[4 * t]} << 24 | std::uint32_t{block[4 * t + 1]} << 16 |
               std::uint32_t{block[4 * t + 2]} << 8 | block[4 * t + 3];
    for (int t = 16; t < 80; ++t) w[t] = std::rotl(w[t - 3] ^ w[t - 8] ^ w[t - 14] ^ w[t - 16], 1);
    auto [a, b, c, d, e] = state;
    for (int t = 0; t < 80; ++t) {
        std::uint32_t mixed, constant;
        if (t < 20) mixed = (b & c) | (~b & d), constant = 0x5a827999;
        else if (t < 40) mixed = b ^ c ^ d, constant = 0x6ed9eba1;
        else if (t < 60) mixed = (b & c) | (b & d) | (c & d), constant = 0x8f1bbcdc;
        else mixed = b ^ c ^ d, constant = 0xca62c1d6;
        const std::uint32_t next = std::rotl(a, 5) + mixed + e + constant + w[t];
        e = d;
        d = c;
        c = std::rotl(b, 30);
        b = a;
        a = next;
    }
    state[0] += a;
    state[1] += b;
    state[2] += c;
    state[3] += d;
    state[4] += e;
}

}  // namespace

std::string sha1_hex(std::span<const std::byte> bytes) {
    State state{0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0};
    const auto* data = reinterpret_cast<const unsigned char*>(bytes.data());
    const std::size_t full = bytes.size() / 64 * 64;
    for (std::size_t i = 0; i < full; i += 64) absorb(state, data + i);
    unsigned char tail[128] = {};
    const std::size_t rest = bytes.size() - full;
    if (rest > 0) std::memcpy(tail, data + full, rest);
    tail[rest] = 0x80;
    const std::size_t padded = rest < 56 ? 64 : 128;
    const std::uint64_t bits = static_cast<std::uint64_t>(bytes.size()) * 8;
    for (std::size_t k = 0; k < 8; ++k) tail[padded - 1 - k] = static_cast<unsigned char>(bits >> (8 * k));
    for (std::size_t i = 0; i < padded; i += 64) absorb(state, tail + i);
    std::string text;
    for (const std::uint32_t word : state)
        for (int shift = 28; shift >= 0; shift -= 4) text += "0123456789abcdef"[(word >> shift) & 15];
    return text;
}

}  // namespace lapidary::onnx_io
