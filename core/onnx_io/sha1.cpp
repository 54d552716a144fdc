// SPDX-License-Identifier: Apache-2.0
#include "onnx_io/sha1.h"

#include <openssl/evp.h>

#include <lapidary/error.h>

namespace lapidary::onnx_io {

std::string sha1_hex(std::span<const std::byte> bytes) {
    unsigned char digest[EVP_MAX_MD_SIZE];
    unsigned int length = 0;
    if (EVP_Digest(bytes.data(), bytes.size(), digest, &length, EVP_sha1(), nullptr) != 1)
        fail(ErrorCode::internal, "the SHA-1 checksum cannot be computed");
    static constexpr char hex[] = "0123456789abcdef";
    std::string text;
    for (unsigned int i = 0; i < length; ++i) {
        text += hex[digest[i] >> 4];
        text += hex[digest[i] & 15];
    }
    return text;
}

}  // namespace lapidary::onnx_io
