# SPDX-License-Identifier: Apache-2.0
"""Tokens and text are those of the package `tokenizers`.

    tokenizer_peer.py CLI [--lines N] [--only TEXT] [--speed] [--files FOLDER] [--record FOLDER]

Trains tokenizers of every kind by the package itself, on text made here in many scripts, and encodes and decodes lines
by both: N lines (100,000 unless given) by those that language models have, a part of that by each other kind. Lines
hold emoji, combining marks, controls, runs of white space and added tokens. FOLDER: every tokenizer.json below it is
taken as well. --speed measures long text by both instead, one thread each, and prints the rates by time of the CPU.
--record writes small tokenizers with texts and their tokens, which tests/core/tokenizer reads where there is no package.

Exit code 77 when the package is not installed: skipped.
"""
import argparse
import collections
import json
import os
import pathlib
import random
import resource
import struct
import subprocess
import sys
import tempfile
import time

os.environ["TOKENIZERS_PARALLELISM"] = "false"
try:
    import tokenizers
    from tokenizers import AddedToken, Regex, Tokenizer, decoders, models, normalizers, pre_tokenizers, processors, trainers
    from tokenizers.decoders import DecodeStream
except ImportError as missing:
    print(f"skipped: the Python package {missing.name} is not installed")
    sys.exit(77)

GPT2 = r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+"
LLAMA3 = (r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+"
          r"|\s+(?!\S)|\s+")
QWEN = LLAMA3.replace("{1,3}", "")
GPT4O = (r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?"
         r"|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?"
         r"|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+")
KIMI = r"[\p{Han}]+|[^\r\n\p{L}\p{N}]?[\p{L}&&[^\p{Han}]]+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+|\s++"
BLOOM = r" ?[^(\s|[.,!?…。，、।۔،])]+"

SCRIPTS = [(0x41, 0x5A), (0x61, 0x7A), (0x61, 0x7A), (0x61, 0x7A), (0xC0, 0x17F), (0x370, 0x3FF), (0x400, 0x45F),
           (0x531, 0x556), (0x5D0, 0x5EA), (0x621, 0x64A), (0x904, 0x939), (0x985, 0x9B9), (0xE01, 0xE3A),
           (0x10D0, 0x10F0), (0x1100, 0x1112), (0x1E00, 0x1EFF), (0x3041, 0x3096), (0x30A1, 0x30FA), (0x4E00, 0x9FA5),
           (0xAC00, 0xD7A3), (0xFF01, 0xFF5E), (0x1D400, 0x1D4FF), (0x20000, 0x20100)]
MARKS = [0x300, 0x301, 0x308, 0x327, 0x323, 0x5B0, 0x64B, 0x93C, 0x94D, 0xE49, 0x20D7, 0x3099, 0xFE0F, 0x200D, 0x34F]
EMOJI = ["😀", "👍🏽", "👩‍👩‍👧‍👦", "🇩🇪", "❤️", "🏳️‍🌈", "1️⃣", "🎉", "🤷‍♀️", "☺", "✂️"]
SPACES = [" ", " ", " ", "  ", "   ", "\t", "\u00a0", "\u3000", "\u2003", "\u200b", " \t ", "\u2028", "\x85", "        "]
SYMBOLS = list("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~") + ["…", "—", "«", "»", "。", "、", "€", "£", "№", "½", "²", "¿",
                                                         "، ", "।", "ﬁ", "™", "Ⅳ", "①", "∑", "→", "\u2581", "ſ", "İ", "ß"]
CONTROLS = ["\x01", "\x07", "\x0b", "\x0c", "\x1b", "\x1f", "\x7f", "\x8f", "\x9f", "\ufeff", "\ufffd", "\u00ad",
            "\u200e", "\u202e", "\ue000", "\u0378", "\U0010ffff"]
WORDS = ("the of and to in is that it was for on are with as be this have from or had by not word but what all were we "
         "when your can said there use an each which do how their if will up other about out many then them these so "
         "I'm don't we've they'll it's you'd we're DON'T I'LL running quickly unbelievable internationalization "
         "naïve café Über straße größer Москва привет 日本語 東京 中文 안녕하세요 สวัสดี שלום مرحبا नमस्ते 12 345 6789 3.14 "
         "1,000,000 2024-01-01 foo_bar camelCase HTTPServer http://example.com/a?b=c#d user@example.org").split()
ADDED = ["<s>", "</s>", "<unk>", "<pad>", "<mask>", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "<|endoftext|>", "<|user|>",
         "New York", "Straße", "word"]


class Lines:
    """Seeded text."""

    def __init__(self, seed):
        self.random = random.Random(seed)

    def word(self):
        r = self.random
        if r.random() < 0.6:
            return r.choice(WORDS)
        low, high = r.choice(SCRIPTS)
        return "".join(chr(r.randint(low, high)) for _ in range(r.randint(1, 9)))

    def piece(self, controls, added):
        r = self.random
        kind = r.random()
        if kind < 0.70:
            return self.word()
        if kind < 0.80:
            return r.choice(SYMBOLS) * r.choice([1, 1, 1, 2, 3])
        if kind < 0.85:
            return self.word() + "".join(chr(r.choice(MARKS)) for _ in range(r.randint(1, 3)))
        if kind < 0.89:
            return r.choice(EMOJI)
        if kind < 0.94:
            return str(r.randint(0, 10**r.randint(1, 12)))
        if kind < 0.97:
            return r.choice(added)
        return r.choice(controls)

    def line(self, controls=CONTROLS, added=ADDED, breaks=()):
        r = self.random
        spaces = SPACES + list(breaks)
        parts = []
        if r.random() < 0.1:
            parts.append(r.choice(spaces))
        for _ in range(r.randint(1, 16)):
            parts.append(self.piece(controls, added))
            if r.random() < 0.85:
                parts.append(r.choice(spaces) if r.random() < 0.3 else " ")
        if r.random() < 0.7:
            parts = ["".join(parts).rstrip(" ")]
        text = "".join(parts)
        return text if text and not text.startswith("\ufeff") else "a" + text


def corpus(count=4000, seed=1):
    lines = Lines(seed)
    return [lines.line(controls=[" "], added=["word"]) for _ in range(count)]


def common_characters(text, count=2000):
    """The text without characters that are rare in it."""
    seen = collections.Counter("".join(text))
    kept = {character for character, _ in seen.most_common(count)}
    return ["".join(c if c in kept else " " for c in line) for line in text]


def byte_level(pattern, size, text, prefix=False, **model):
    made = Tokenizer(models.BPE(**model))
    if pattern:
        made.pre_tokenizer = pre_tokenizers.Sequence([
            pre_tokenizers.Split(Regex(pattern), "isolated"),
            pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)])
    else:
        made.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=prefix)
    made.decoder = decoders.ByteLevel()
    made.post_processor = processors.ByteLevel(trim_offsets=False)
    made.train_from_iterator(text, trainers.BpeTrainer(
        vocab_size=size, special_tokens=["<|endoftext|>"], initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False))
    made.add_special_tokens([AddedToken("<|user|>", special=True, normalized=False, rstrip=True)])
    made.add_tokens([AddedToken("New York", normalized=True), AddedToken("word", single_word=True)])
    return made


def bytes_for_unknown(text, unigram=False):
    """As Llama 2: spaces are a character, unknown ones become bytes."""
    names = ["<unk>", "<s>", "</s>"] + [f"<0x{byte:02X}>" for byte in range(256)]
    few = [line.encode("ascii", "ignore").decode() for line in text]
    made = Tokenizer(models.Unigram() if unigram else models.BPE(unk_token="<unk>", fuse_unk=True, byte_fallback=True))
    made.normalizer = normalizers.Sequence([normalizers.Prepend("▁"), normalizers.Replace(" ", "▁")])
    if unigram:
        trainer = trainers.UnigramTrainer(vocab_size=900, special_tokens=names, unk_token="<unk>", show_progress=False)
    else:
        trainer = trainers.BpeTrainer(vocab_size=1500, special_tokens=names, show_progress=False, limit_alphabet=200)
    made.train_from_iterator(few, trainer)
    file = json.loads(made.to_str())
    if unigram:
        file["model"]["byte_fallback"] = True
    file["added_tokens"] = [token for token in file["added_tokens"] if not token["content"].startswith("<0x")]
    made = Tokenizer.from_str(json.dumps(file))
    made.decoder = decoders.Sequence([decoders.Replace("▁", " "), decoders.ByteFallback(), decoders.Fuse(),
                                      decoders.Strip(" ", 1, 0)])
    made.post_processor = processors.TemplateProcessing(
        single="<s> $A", pair="<s> $A <s>:1 $B:1", special_tokens=[("<s>", made.token_to_id("<s>"))])
    return made


def unigram(text, normalizer=None, scheme="always", split=True):
    """As T5 and XLM-R."""
    made = Tokenizer(models.Unigram())
    made.normalizer = normalizer
    made.pre_tokenizer = pre_tokenizers.Metaspace(prepend_scheme=scheme, split=split)
    made.decoder = decoders.Metaspace(prepend_scheme=scheme)
    made.train_from_iterator(common_characters(text), trainers.UnigramTrainer(
        vocab_size=4000, special_tokens=["<pad>", "</s>", "<unk>", "<mask>"], unk_token="<unk>", show_progress=False))
    made.post_processor = processors.TemplateProcessing(
        single="$A </s>", pair="$A </s> $B </s>", special_tokens=[("</s>", made.token_to_id("</s>"))])
    made.add_special_tokens([AddedToken("<mask>", lstrip=True, special=True)])
    return made


def word_piece(text, lower=True, bert=True, cleanup=True, **rules):
    """As BERT."""
    made = Tokenizer(models.WordPiece(unk_token="[UNK]"))
    made.normalizer = normalizers.BertNormalizer(lowercase=lower, **rules)
    made.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    made.decoder = decoders.WordPiece(cleanup=cleanup)
    made.train_from_iterator(text, trainers.WordPieceTrainer(
        vocab_size=5000, special_tokens=["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"], show_progress=False))
    cls, sep = made.token_to_id("[CLS]"), made.token_to_id("[SEP]")
    made.post_processor = (processors.BertProcessing(("[SEP]", sep), ("[CLS]", cls)) if bert else
                           processors.TemplateProcessing(single="[CLS] $0 [SEP]", pair="[CLS] $A [SEP] $B:1 [SEP]:1",
                                                         special_tokens=[("[CLS]", cls), ("[SEP]", sep)]))
    made.add_tokens([AddedToken("Straße", normalized=True), AddedToken("New York", normalized=False, lstrip=True)])
    return made


def word_level(text, pre_tokenizer, normalizer=None, decoder=None):
    made = Tokenizer(models.WordLevel(unk_token="<unk>"))
    made.normalizer, made.pre_tokenizer = normalizer, pre_tokenizer
    if decoder:
        made.decoder = decoder
    made.train_from_iterator(text, trainers.WordLevelTrainer(vocab_size=20000, special_tokens=["<unk>", "<s>"],
                                                             show_progress=False))
    return made


def suffixes(text, prefix=False):
    """BPE with marks at the ends of words, or inside of them."""
    marks = {"continuing_subword_prefix": "##"} if prefix else {"end_of_word_suffix": "</w>"}
    made = Tokenizer(models.BPE(unk_token="<unk>", **marks))
    made.normalizer = normalizers.Sequence([normalizers.NFC(), normalizers.Lowercase()])
    made.pre_tokenizer = pre_tokenizers.Whitespace()
    if not prefix:
        made.decoder = decoders.BPEDecoder("</w>")
    made.train_from_iterator(text, trainers.BpeTrainer(vocab_size=3000, special_tokens=["<unk>", "<s>", "</s>"],
                                                       limit_alphabet=300, show_progress=False, **marks))
    made.post_processor = processors.RobertaProcessing(("</s>", 2), ("<s>", 1))
    return made


def charsmap():
    """A small table of SentencePiece's kind: a double array and the texts."""
    rules = {"ﬁ": "fi", "½": "1/2", "Ａ": "A", "ａ": "a", "\u3000": " ", "\t": " ", "é": "e", "e\u0301": "e",
             "\u00ad": "", "①": "1", "\r\n": " ", "™": "TM"}
    texts, places = b"", {}
    for key, value in rules.items():
        places[key.encode()] = len(texts)
        texts += value.encode() + b"\0"
    # A unit of the array: label in the low byte, bit 8: a value follows, offset from bit 10 on (bit 9: 256-fold).
    children = {}
    for key in places:
        for i in range(len(key)):
            children.setdefault(key[:i], set()).add(key[i])
    units, taken, at = {0: 0}, {0}, {b"": 0}
    queue = [b""]
    while queue:
        prefix = queue.pop(0)
        labels = sorted(children.get(prefix, ()))
        has_value = prefix in places
        place = at[prefix]
        base = 1
        while any((base ^ label) in taken for label in labels + ([0] if has_value else [])):
            base += 1
        for label in labels:
            taken.add(base ^ label)
            units[base ^ label] = label
            at[prefix + bytes([label])] = base ^ label
            queue.append(prefix + bytes([label]))
        if has_value:
            taken.add(base)
            units[base] = 1 << 31 | places[prefix]
            units[place] |= 1 << 8
        units[place] |= (place ^ base) << 10
    size = max(units) // 256 * 256 + 256
    array = b"".join(struct.pack("<I", units.get(i, 0)) for i in range(size))
    return struct.pack("<I", len(array)) + array + texts


def kinds(text):
    """Name, tokenizer, share of the lines, whether text and tokens are decoded too."""
    yield "gpt2", lambda: byte_level(None, 6000, text), 1
    yield "llama3", lambda: byte_level(LLAMA3, 6000, text, ignore_merges=True), 1
    yield "llama2", lambda: bytes_for_unknown(text), 1
    yield "t5", lambda: unigram(text, normalizers.Sequence([normalizers.Precompiled(charsmap()),
                                                            normalizers.Replace(Regex(" {2,}"), " ")])), 1
    yield "bert", lambda: word_piece(text), 1
    part = 0.05
    for name, pattern in (("qwen", QWEN), ("gpt4o", GPT4O), ("kimi", KIMI), ("bloom", BLOOM)):
        yield name, lambda pattern=pattern: byte_level(pattern, 3000, text), part
    yield "gpt2 with a space in front", lambda: byte_level(None, 3000, text, prefix=True), part
    yield "unigram with bytes", lambda: bytes_for_unknown(text, unigram=True), part
    for scheme in ("first", "never", "always"):
        for split in (True, False):
            yield f"metaspace {scheme} {split}", lambda a=scheme, b=split: unigram(text, normalizers.NFKC(), a, b), part
    yield "unigram, nmt", lambda: unigram(text, normalizers.Sequence([normalizers.Nmt(), normalizers.NFKC()])), part
    yield "bert cased", lambda: word_piece(text, False, False, False), part
    yield "bert, accents kept", lambda: word_piece(text, True, strip_accents=False), part
    yield "bert, accents alone", lambda: word_piece(text, False, strip_accents=True, clean_text=False,
                                                    handle_chinese_chars=False), part
    yield "suffix", lambda: suffixes(text), part
    yield "prefix", lambda: suffixes(text, True), part
    n, p = normalizers, pre_tokenizers
    forms = {"nfc": n.NFC(), "nfd": n.NFD(), "nfkc": n.NFKC(), "nfkd": n.NFKD(), "lowercase": n.Lowercase(),
             "nmt": n.Nmt(), "accents": n.Sequence([n.NFD(), n.StripAccents()]), "strip": n.Strip(),
             "strip left": n.Strip(True, False), "strip right": n.Strip(False, True), "replace": n.Replace("e", "3"),
             "replace by a pattern": n.Replace(Regex(r"\p{N}+"), "#"), "replace by nothing": n.Replace("a", ""),
             "prepend": n.Prepend("_"), "bytes": n.ByteLevel(), "charsmap": n.Precompiled(charsmap())}
    for name, form in forms.items():
        yield f"normalizer {name}", lambda form=form: word_level(text, p.WhitespaceSplit(), form), part
    words = {"whitespace": p.Whitespace(), "whitespace split": p.WhitespaceSplit(), "bert": p.BertPreTokenizer(),
             "digits": p.Digits(), "digits one by one": p.Digits(individual_digits=True),
             "delimiter": p.CharDelimiterSplit("e"), "punctuation": p.Punctuation(), "length": p.FixedLength(4),
             "sequence": p.Sequence([p.WhitespaceSplit(), p.Punctuation("contiguous"), p.Digits()]),
             "first of a sequence": p.Sequence([p.Split("a", "isolated"), p.Metaspace(prepend_scheme="first")])}
    for behavior in ("removed", "isolated", "merged_with_previous", "merged_with_next", "contiguous"):
        words[f"punctuation {behavior}"] = p.Punctuation(behavior)
        words[f"split {behavior}"] = p.Split(" ", behavior)
        words[f"split {behavior} inverted"] = p.Split(Regex(r"\w+"), behavior, invert=True)
        words[f"split {behavior} by empty matches"] = p.Split(Regex("x*"), behavior)
    for name, word in words.items():
        yield f"words {name}", lambda word=word: word_level(text, word), part
    d = decoders
    texts = {"ctc": d.CTC("<s>", "e", True), "fuse": d.Fuse(), "replace": d.Replace(Regex("[ae]+"), "_"),
             "strip": d.Strip("e", 2, 0), "strip the end": d.Strip("e", 0, 1), "bpe": d.BPEDecoder("e"), "metaspace": d.Metaspace("e"),
             "word pieces": d.WordPiece("s", True), "byte level": d.ByteLevel(), "byte fallback": d.ByteFallback()}
    for name, decoder in texts.items():
        yield f"decoder {name}", lambda decoder=decoder: word_level(text, p.Whitespace(), None, decoder), part


class Checker:
    def __init__(self, program, folder, count):
        self.program, self.folder, self.count, self.failed = program, folder, count, 0

    def cli(self, *words):
        done = subprocess.run([self.program, "tokenize", *map(str, words)], capture_output=True, timeout=900)
        if done.returncode:
            raise RuntimeError(done.stderr.decode(errors="replace")[:500])
        return done.stdout

    def differ(self, name, what, index, text, expected, found):
        self.failed += 1
        print(f"{name}: {what}, line {index}: {text!r}\n  expected {expected}\n  found    {found}")

    def compare(self, name, what, texts, expected, found):
        if len(expected) != len(found):
            self.failed += 1
            print(f"{name}: {what}: expected {len(expected)} results, found {len(found)}")
            return
        wrong = [i for i, (a, b) in enumerate(zip(expected, found)) if a != b]
        for i in wrong[:3]:
            self.differ(name, what, i, texts[i], expected[i], found[i])
        if wrong:
            print(f"{name}: {what}: {len(wrong)} of {len(expected)} lines differ")

    def encode(self, name, peer, file, lines):
        source = self.folder / "lines.txt"
        source.write_bytes("\n".join(lines).encode() + b"\n")
        for special in ("on", "off"):
            told = self.cli(file, "--file", source, "--lines", "--ids", "--special-tokens", special).decode()
            found = [[int(word) for word in line.split()] for line in told.split("\n")[:-1]]
            part = lines if special == "on" else lines[:2000]
            expected = [peer.encode(line, add_special_tokens=special == "on").ids for line in part]
            self.compare(name, f"encode, special tokens {special}", part, expected, found[:len(part)])
        return expected

    def encode_whole(self, name, peer, file):
        """Text with breaks of lines in it, which a line of a file cannot have."""
        made = Lines(7)
        for index in range(8):
            text = "".join(made.line(breaks=["\n", "\r\n", "\n\n ", "\r", " \n"]) for _ in range(40))
            source = self.folder / "text.txt"
            source.write_bytes(text.encode())
            found = [int(word) for word in self.cli(file, "--file", source, "--ids").decode().split()]
            self.compare(name, "encode a whole text", [text[:200] + "…"], [peer.encode(text).ids], [found])

    def decode(self, name, peer, file, lists):
        size = peer.get_vocab_size()
        noise = random.Random(3)
        lists = [ids for ids in lists if ids][:2000]
        lists += [[noise.randrange(size) for _ in range(noise.randint(1, 30))] for _ in range(1000)]
        source = self.folder / "ids.txt"
        source.write_text("".join(" ".join(map(str, ids)) + "\n" for ids in lists))
        for special in ("off", "on"):
            told = json.loads(self.cli(file, "--decode-file", source, "--stream", "--json", "--special-tokens", special))
            found = [one["text"] for one in told["decoded"]]
            expected = [peer.decode(ids, skip_special_tokens=special == "off") for ids in lists]
            self.compare(name, f"decode, special tokens {special}", lists, expected, found)
            self.stream(name, peer, lists[:500] + lists[-500:], told["decoded"][:500] + told["decoded"][-500:], special)

    def stream(self, name, peer, lists, told, special):
        for ids, one in zip(lists, told):
            stream, pieces = DecodeStream(skip_special_tokens=special == "off"), []
            try:
                for token in ids:
                    pieces.append(stream.step(peer, token) or "")
            except Exception:  # a decoder that changes what it gave out already, which the package refuses
                continue
            if pieces != one["pieces"][:len(pieces)]:
                self.differ(name, "stream", 0, ids, pieces, one["pieces"])
                return

    def check(self, name, peer, share):
        started = time.time()
        file = self.folder / "tokenizer.json"
        peer.save(str(file))
        peer = Tokenizer.from_file(str(file))  # as a file says it
        made = Lines(name)
        lines = [made.line() for _ in range(max(200, int(self.count * share)))]
        try:
            lists = self.encode(name, peer, file, lines)
            self.encode_whole(name, peer, file)
            self.decode(name, peer, file, lists)
        except RuntimeError as error:
            self.failed += 1
            print(f"{name}: {error}")
        print(f"{name}: {len(lines)} lines, {time.time() - started:.1f} s", flush=True)

    def speed(self, name, peer):
        file, source = self.folder / "tokenizer.json", self.folder / "text.txt"
        peer.save(str(file))
        made = Lines(5)
        text = " ".join(made.line(controls=[" "]) for _ in range(20000))
        source.write_bytes(text.encode())
        empty = self.folder / "empty.txt"
        empty.write_bytes(b"a")
        ours, theirs = [], []
        for _ in range(5):
            took = []
            for one in (empty, source):
                before = resource.getrusage(resource.RUSAGE_CHILDREN)
                self.cli(file, "--file", one, "--ids")
                after = resource.getrusage(resource.RUSAGE_CHILDREN)
                took.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
            ours.append(took[1] - took[0])
            peer = Tokenizer.from_file(str(file))
            started = time.process_time()
            peer.encode_batch_fast([text])  # without the places of tokens in the text
            theirs.append(time.process_time() - started)
        size = len(text.encode()) / 1e6
        print(f"{name}: {size:.1f} MB, ours {size / min(ours):.1f} MB/s, the package {size / min(theirs):.1f} MB/s, "
              f"{min(theirs) / min(ours):.2f} times as fast")


RECORDED = ["gpt2", "llama3", "llama2", "t5", "bert", "kimi", "suffix", "prefix", "unigram with bytes", "normalizer nmt",
            "words first of a sequence", "decoder ctc"]


def record(folder):
    """Files of small tokenizers, with what the package makes of some texts."""
    text = common_characters(corpus(300, 2), 120)
    folder.mkdir(parents=True, exist_ok=True)
    sizes = {"BpeTrainer": 400, "UnigramTrainer": 500, "WordPieceTrainer": 300, "WordLevelTrainer": 200}
    for name, kind in list(vars(trainers).items()):
        if name in sizes:
            setattr(trainers, name, lambda kind=kind, name=name, **options: kind(**{**options, "vocab_size": sizes[name]}))
    for name, make, _ in kinds(text):
        if name not in RECORDED:
            continue
        file = json.loads(make().to_str())
        peer = Tokenizer.from_str(json.dumps(file))
        made, cases = Lines(name), []
        for index in range(60):
            line = made.line(breaks=["\n", "\r\n"] if index % 3 == 0 else ())
            ids = peer.encode(line).ids
            cases.append({"text": line, "ids": ids, "decoded": peer.decode(ids)})
        pair = peer.encode("a pair", "of two texts")
        whole = {"package": f"tokenizers {tokenizers.__version__}", "tokenizer": file, "cases": cases,
                 "pair": {"ids": pair.ids, "types": pair.type_ids}}
        (folder / f"{name.replace(' ', '_').replace(',', '')}.json").write_text(
            json.dumps(whole, ensure_ascii=True, separators=(",", ":")) + "\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("cli")
    parser.add_argument("--lines", type=int, default=100000)
    parser.add_argument("--only", default="")
    parser.add_argument("--files", type=pathlib.Path)
    parser.add_argument("--speed", action="store_true")
    parser.add_argument("--record", type=pathlib.Path)
    options = parser.parse_args()
    if options.record:
        record(options.record)
        return 0
    text = corpus()
    with tempfile.TemporaryDirectory() as folder:
        check = Checker(options.cli, pathlib.Path(folder), options.lines)
        for name, make, share in kinds(text):
            if options.only not in name or (options.speed and share < 1):
                continue
            if options.speed:
                check.speed(name, make())
            else:
                check.check(name, make(), share)
        for file in sorted(options.files.rglob("tokenizer*.json")) if options.files else []:
            check.check(str(file), Tokenizer.from_file(str(file)), 0.1)
    if check.failed:
        print(f"{check.failed} comparisons differ")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
