// SPDX-License-Identifier: Apache-2.0
#include "base/files/checksum.h"

#include <algorithm>
#include <memory>

#include <openssl/evp.h>

#include <lapidary/base/error.h>
#include <lapidary/internal/content_hash.h>

#include "base/files/mapped_file.h"

namespace lapidary {
namespace {

constexpr std::size_t piece_bytes = std::size_t{1} << 24;

void require(bool done) {
    if (!done) fail(ErrorCode::internal, "a checksum cannot be computed");
}

std::string hexadecimal(std::span<const unsigned char> digest) {
    constexpr char digits[] = "0123456789abcdef";
    std::string text;
    for (const unsigned char byte : digest) {
        text += digits[byte >> 4];
        text += digits[byte & 15];
    }
    return text;
}

}  // namespace

std::string sha1_hex(std::span<const std::byte> bytes) {
    unsigned char digest[EVP_MAX_MD_SIZE];
    unsigned int length = 0;
    require(EVP_Digest(bytes.data(), bytes.size(), digest, &length, EVP_sha1(), nullptr) == 1);
    return hexadecimal({digest, length});
}

std::string sha256_hex(std::span<const std::byte> bytes) {
    unsigned char digest[EVP_MAX_MD_SIZE];
    unsigned int length = 0;
    require(EVP_Digest(bytes.data(), bytes.size(), digest, &length, EVP_sha256(), nullptr) == 1);
    return hexadecimal({digest, length});
}

FileDigest sha256_of_files(std::span<const std::filesystem::path> files,
                           const CancelToken& cancel) {
    const std::unique_ptr<EVP_MD_CTX, void (*)(EVP_MD_CTX*)> context(
        EVP_MD_CTX_new(), [](EVP_MD_CTX* c) { EVP_MD_CTX_free(c); });
    require(context != nullptr && EVP_DigestInit_ex(context.get(), EVP_sha256(), nullptr) == 1);
    FileDigest result;
    for (const std::filesystem::path& path : files) {
        const auto file = MappedFile::open(path);
        for (std::span<const std::byte> rest = file->bytes(); !rest.empty();) {
            cancel.throw_if_cancelled();
            const std::size_t piece = std::min(rest.size(), piece_bytes);
            require(EVP_DigestUpdate(context.get(), rest.data(), piece) == 1);
            rest = rest.subspan(piece);
        }
        result.bytes += file->bytes().size();
    }
    unsigned char digest[EVP_MAX_MD_SIZE];
    unsigned int length = 0;
    require(EVP_DigestFinal_ex(context.get(), digest, &length) == 1);
    result.sha256 = hexadecimal({digest, length});
    return result;
}

}  // namespace lapidary
