// SPDX-License-Identifier: Apache-2.0
#include "base/sha256.h"

#include <algorithm>
#include <memory>

#include <openssl/evp.h>

#include <lapidary/error.h>

#include "base/mapped_file.h"

namespace lapidary {
namespace {

constexpr std::size_t piece_bytes = std::size_t{1} << 24;

}  // namespace

FileDigest sha256_of_files(std::span<const std::filesystem::path> files, const CancelToken& cancel) {
    const auto require = [](int done) {
        if (done != 1) fail(ErrorCode::internal, "the SHA-256 checksum cannot be computed");
    };
    const std::unique_ptr<EVP_MD_CTX, void (*)(EVP_MD_CTX*)> context(EVP_MD_CTX_new(),
                                                                     [](EVP_MD_CTX* c) { EVP_MD_CTX_free(c); });
    require(context != nullptr && EVP_DigestInit_ex(context.get(), EVP_sha256(), nullptr) == 1);
    FileDigest result;
    for (const std::filesystem::path& path : files) {
        const auto file = MappedFile::open(path);
        for (std::span<const std::byte> rest = file->bytes(); !rest.empty();) {
            cancel.throw_if_cancelled();
            const std::size_t piece = std::min(rest.size(), piece_bytes);
            require(EVP_DigestUpdate(context.get(), rest.data(), piece));
            rest = rest.subspan(piece);
        }
        result.bytes += file->bytes().size();
    }
    unsigned char digest[EVP_MAX_MD_SIZE];
    unsigned int length = 0;
    require(EVP_DigestFinal_ex(context.get(), digest, &length));
    constexpr char hex[] = "0123456789abcdef";
    for (unsigned int i = 0; i < length; ++i) {
        result.sha256 += hex[digest[i] >> 4];
        result.sha256 += hex[digest[i] & 15];
    }
    return result;
}

}  // namespace lapidary
