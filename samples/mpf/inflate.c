/* inflate.c - decompression after RFC 1951 (deflate) and RFC 1952 (gzip), checksum included.
 *
 * Codes are decoded bit by bit, by the counts of codes of each length: short, and fast enough for
 * networks. */
#include "inflate.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST = 15, LITERALS = 288, DISTANCES = 30 };

struct code {                   /* canonical Huffman */
  uint16_t counts[LONGEST + 1]; /* codes of each length */
  uint16_t symbols[LITERALS];   /* by code */
};

struct stream {
  const unsigned char *bytes;
  size_t at, length;    /* of the input */
  unsigned held, count; /* bits that were read and not used yet */
  bool bad;
  char *out;
  size_t written, capacity, limit;
};

static unsigned bits(struct stream *stream, unsigned wanted)
{
  while (stream->count < wanted) {
    if (stream->at == stream->length) {
      stream->bad = true;
      return 0;
    }
    stream->held |= (unsigned)stream->bytes[stream->at++] << stream->count;
    stream->count += 8;
  }
  unsigned result = stream->held & ((1u << wanted) - 1);
  stream->held >>= wanted;
  stream->count -= wanted;
  return result;
}

static void put(struct stream *stream, char byte)
{
  if (stream->written == stream->capacity) {
    size_t capacity = stream->capacity ? 2 * stream->capacity : 1 << 16;
    char *out = stream->written < stream->limit ? realloc(stream->out, capacity + 1) : NULL;
    if (!out) {
      stream->bad = true;
      return;
    }
    stream->out = out;
    stream->capacity = capacity;
  }
  stream->out[stream->written++] = byte;
}

/* Whether no length has more codes than there are. */
static bool build(struct code *code, const unsigned char *lengths, unsigned count)
{
  uint16_t offsets[LONGEST + 2] = {0};
  int left = 1;

  memset(code->counts, 0, sizeof code->counts);
  for (unsigned i = 0; i < count; i++) code->counts[lengths[i]]++;
  code->counts[0] = 0;
  for (unsigned l = 1; l <= LONGEST; l++) {
    left = 2 * left - code->counts[l];
    offsets[l + 1] = (uint16_t)(offsets[l] + code->counts[l]);
    if (left < 0) return false;
  }
  for (unsigned i = 0; i < count; i++)
    if (lengths[i]) code->symbols[offsets[lengths[i]]++] = (uint16_t)i;
  return true;
}

static unsigned decode(struct stream *stream, const struct code *code)
{
  int value = 0, first = 0, index = 0;

  for (unsigned l = 1; l <= LONGEST && !stream->bad; l++) {
    value |= (int)bits(stream, 1);
    int count = code->counts[l];
    if (value - first < count) return code->symbols[index + value - first];
    index += count;
    first = (first + count) << 1;
    value <<= 1;
  }
  stream->bad = true;
  return 0;
}

static void copy(struct stream *stream, size_t length, size_t distance)
{
  if (distance > stream->written) stream->bad = true;
  while (length-- && !stream->bad) put(stream, stream->out[stream->written - distance]);
}

static void read_codes(struct stream *stream, const struct code *literals,
                       const struct code *distances)
{
  static const uint16_t base[] = {3,  4,  5,  6,  7,  8,  9,  10, 11,  13,  15,  17,  19,  23, 27,
                                  31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227, 258},
                        far[] = {1,    2,    3,    4,    5,    7,    9,    13,    17,    25,
                                 33,   49,   65,   97,   129,  193,  257,  385,   513,   769,
                                 1025, 1537, 2049, 3073, 4097, 6145, 8193, 12289, 16385, 24577};

  while (!stream->bad) {
    unsigned symbol = decode(stream, literals);
    if (symbol == 256) return;
    if (symbol < 256) {
      put(stream, (char)symbol);
      continue;
    }
    symbol -= 257;
    if (symbol >= 29) {
      stream->bad = true;
      return;
    }
    unsigned extra = symbol < 8 || symbol == 28 ? 0 : symbol / 4 - 1;
    size_t length = base[symbol] + bits(stream, extra);
    unsigned distance = decode(stream, distances);
    if (distance >= DISTANCES) {
      stream->bad = true;
      return;
    }
    copy(stream, length, far[distance] + bits(stream, distance < 4 ? 0 : distance / 2 - 1));
  }
}

static void read_stored(struct stream *stream)
{
  stream->held = stream->count = 0;
  if (stream->length - stream->at < 4) {
    stream->bad = true;
    return;
  }
  const unsigned char *head = stream->bytes + stream->at;
  size_t length = head[0] | (size_t)head[1] << 8;
  stream->at += 4;
  if (length != (size_t)((head[2] | head[3] << 8) ^ 0xffff) || length > stream->length - stream->at)
    stream->bad = true;
  for (size_t i = 0; i < length && !stream->bad; i++)
    put(stream, (char)stream->bytes[stream->at++]);
}

static void read_fixed(struct stream *stream)
{
  unsigned char lengths[LITERALS];
  struct code literals, distances;

  for (unsigned i = 0; i < LITERALS; i++) lengths[i] = i < 144 ? 8 : i < 256 ? 9 : i < 280 ? 7 : 8;
  build(&literals, lengths, LITERALS);
  memset(lengths, 5, DISTANCES);
  build(&distances, lengths, DISTANCES);
  read_codes(stream, &literals, &distances);
}

static void read_dynamic(struct stream *stream)
{
  static const unsigned char order[] = {16, 17, 18, 0, 8,  7, 9,  6, 10, 5,
                                        11, 4,  12, 3, 13, 2, 14, 1, 15};
  unsigned char lengths[LITERALS + 32] = {0};
  struct code literals, distances;
  unsigned literal_count = bits(stream, 5) + 257, distance_count = bits(stream, 5) + 1,
           code_count = bits(stream, 4) + 4;

  for (unsigned i = 0; i < code_count; i++) lengths[order[i]] = (unsigned char)bits(stream, 3);
  stream->bad |= literal_count > 286 || !build(&literals, lengths, 19);
  memset(lengths, 0, sizeof lengths);
  for (unsigned i = 0; i < literal_count + distance_count && !stream->bad;) {
    unsigned symbol = decode(stream, &literals), repeat = 1;
    unsigned char value = (unsigned char)symbol;
    if (symbol > 15) {
      stream->bad |= symbol == 16 && !i;
      value = symbol == 16 && i ? lengths[i - 1] : 0;
      repeat = symbol == 16   ? 3 + bits(stream, 2)
               : symbol == 17 ? 3 + bits(stream, 3)
                              : 11 + bits(stream, 7);
    }
    stream->bad |= i + repeat > literal_count + distance_count;
    while (repeat-- && !stream->bad) lengths[i++] = value;
  }
  if (stream->bad) return;
  stream->bad = !build(&literals, lengths, literal_count) ||
                !build(&distances, lengths + literal_count, distance_count);
  read_codes(stream, &literals, &distances);
}

/* The header of a member: fixed fields, then what its flags say. */
static void skip_header(struct stream *stream)
{
  enum { HAS_CHECKSUM = 2, HAS_EXTRA = 4, HAS_NAME = 8, HAS_COMMENT = 16 };
  const unsigned char *bytes = stream->bytes;
  unsigned flags = stream->length - stream->at >= 10 ? bytes[stream->at + 3] : 0;

  stream->bad |= stream->length - stream->at < 18;
  stream->at += 10;
  if (!stream->bad && flags & HAS_EXTRA)
    stream->at += 2 + (bytes[stream->at] | (size_t)bytes[stream->at + 1] << 8);
  for (unsigned flag = HAS_NAME; flag <= HAS_COMMENT; flag *= 2) {
    while (flags & flag && stream->at < stream->length && bytes[stream->at]) stream->at++;
    stream->at += (flags & flag) != 0;
  }
  stream->at += flags & HAS_CHECKSUM ? 2 : 0;
  stream->bad |= stream->at > stream->length;
}

static uint32_t checksum(const char *bytes, size_t length)
{
  uint32_t sum = ~UINT32_C(0);

  for (size_t i = 0; i < length; i++) {
    sum ^= (unsigned char)bytes[i];
    for (int bit = 0; bit < 8; bit++) sum = sum >> 1 ^ (sum & 1 ? UINT32_C(0xedb88320) : 0);
  }
  return ~sum;
}

static void read_member(struct stream *stream)
{
  size_t start = stream->written;

  skip_header(stream);
  for (bool last = false; !last && !stream->bad;) {
    last = bits(stream, 1);
    switch (bits(stream, 2)) {
    case 0: read_stored(stream); break;
    case 1: read_fixed(stream); break;
    case 2: read_dynamic(stream); break;
    default: stream->bad = true;
    }
  }
  stream->held = stream->count = 0;
  if (stream->bad || stream->length - stream->at < 8) {
    stream->bad = true;
    return;
  }
  const unsigned char *tail = stream->bytes + stream->at;
  uint32_t wanted =
      tail[0] | (uint32_t)tail[1] << 8 | (uint32_t)tail[2] << 16 | (uint32_t)tail[3] << 24;
  stream->bad = checksum(stream->out + start, stream->written - start) != wanted;
  stream->at += 8;
}

bool mpf_is_gzip(const unsigned char *bytes, size_t length)
{
  return length >= 3 && bytes[0] == 0x1f && bytes[1] == 0x8b && bytes[2] == 8;
}

char *mpf_inflate(const unsigned char *bytes, size_t length, size_t limit, size_t *ret_length)
{
  struct stream stream = {.bytes = bytes, .length = length, .limit = limit};

  put(&stream, 0); /* so that there is memory for an empty text */
  stream.written = 0;
  while (!stream.bad && mpf_is_gzip(bytes + stream.at, length - stream.at)) read_member(&stream);
  if (stream.bad) {
    free(stream.out);
    return NULL;
  }
  stream.out[stream.written] = '\0';
  *ret_length = stream.written;
  return stream.out;
}
