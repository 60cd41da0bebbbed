// Hashes and ciphers: CRC tables, SHA-256, murmur, ChaCha20, AES by tables, XTEA, Base64, byte
// counts, bit tricks, Adler.
#include "helpers.h"
typedef unsigned int u32;
typedef unsigned char u8;
typedef unsigned long long u64;
#define ROTL(x, n) (((x) << (n)) | ((x) >> (32 - (n))))
#define ROTR(x, n) (((x) >> (n)) | ((x) << (32 - (n))))
__constant__ u32 k256[64];
__constant__ u32 crc_tab[256];
__global__ void crc_blocks(const u8 *data, u32 *out, int nblk, int len)
{
  int b = blockIdx.x * blockDim.x + threadIdx.x;
  if (b >= nblk) return;
  u32 c = 0xffffffffu;
  const u8 *p = data + (size_t)b * len;
  for (int i = 0; i < len; i++) c = crc_tab[(c ^ *p++) & 0xff] ^ (c >> 8);
  out[b] = ~c;
}
__device__ void sha_round(u32 *s, const u32 *w0)
{
  u32 w[64];
  for (int i = 0; i < 16; i++) w[i] = w0[i];
  for (int i = 16; i < 64; i++) {
    u32 a = ROTR(w[i - 15], 7) ^ ROTR(w[i - 15], 18) ^ (w[i - 15] >> 3),
        b = ROTR(w[i - 2], 17) ^ ROTR(w[i - 2], 19) ^ (w[i - 2] >> 10);
    w[i] = w[i - 16] + a + w[i - 7] + b;
  }
  u32 a = s[0], b = s[1], c = s[2], d = s[3], e = s[4], f = s[5], g = s[6], h = s[7];
  for (int i = 0; i < 64; i++) {
    u32 t1 = h + (ROTR(e, 6) ^ ROTR(e, 11) ^ ROTR(e, 25)) + ((e & f) ^ (~e & g)) + k256[i] + w[i],
        t2 = (ROTR(a, 2) ^ ROTR(a, 13) ^ ROTR(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
    h = g;
    g = f;
    f = e;
    e = d + t1;
    d = c;
    c = b;
    b = a;
    a = t1 + t2;
  }
  s[0] += a;
  s[1] += b;
  s[2] += c;
  s[3] += d;
  s[4] += e;
  s[5] += f;
  s[6] += g;
  s[7] += h;
}
__global__ void sha256_msgs(const u32 *msgs, u32 *digests, int n, int blocks)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  u32 s[8] = {0x6a09e667u, 0xbb67ae85u, 0x3c6ef372u, 0xa54ff53au,
              0x510e527fu, 0x9b05688cu, 0x1f83d9abu, 0x5be0cd19u};
  for (int b = 0; b < blocks; b++) sha_round(s, msgs + ((size_t)i * blocks + b) * 16);
  for (int k = 0; k < 8; k++) digests[i * 8 + k] = s[k];
}
__device__ u32 murmur3(const u32 *key, int words, u32 seed)
{
  u32 h = seed;
  for (int i = 0; i < words; i++) {
    u32 k = key[i] * 0xcc9e2d51u;
    k = ROTL(k, 15) * 0x1b873593u;
    h ^= k;
    h = ROTL(h, 13) * 5 + 0xe6546b64u;
  }
  h ^= words * 4;
  h ^= h >> 16;
  h *= 0x85ebca6bu;
  h ^= h >> 13;
  h *= 0xc2b2ae35u;
  h ^= h >> 16;
  return h;
}
__global__ void murmur_keys(const u32 *keys, u32 *h, int n, int words)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) h[i] = murmur3(keys + i * words, words, 42u);
}
__global__ void bloom_insert(const u32 *keys, u32 *bits, int n, u32 mask)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    for (u32 s = 0; s < 4; s++) {
      u32 h = murmur3(&keys[i], 1, s) & mask;
      atomicOr(&bits[h >> 5], 1u << (h & 31));
    }
}
#define QR(a, b, c, d) \
  a += b; \
  d ^= a; \
  d = ROTL(d, 16); \
  c += d; \
  b ^= c; \
  b = ROTL(b, 12); \
  a += b; \
  d ^= a; \
  d = ROTL(d, 8); \
  c += d; \
  b ^= c; \
  b = ROTL(b, 7);
__global__ void chacha20(const u32 *in, u32 *out, const u32 *key, u32 n0, int blocks)
{
  int b = blockIdx.x * blockDim.x + threadIdx.x;
  if (b >= blocks) return;
  u32 s[16] = {0x61707865u, 0x3320646eu, 0x79622d32u, 0x6b206574u}, x[16];
  for (int i = 0; i < 8; i++) s[4 + i] = key[i];
  s[12] = b;
  s[13] = n0;
  s[14] = n0 + 1;
  s[15] = 7;
  for (int i = 0; i < 16; i++) x[i] = s[i];
  for (int r = 0; r < 10; r++) {
    QR(x[0], x[4], x[8], x[12])
    QR(x[1], x[5], x[9], x[13]) QR(x[2], x[6], x[10], x[14]) QR(x[3], x[7], x[11], x[15])
        QR(x[0], x[5], x[10], x[15]) QR(x[1], x[6], x[11], x[12]) QR(x[2], x[7], x[8], x[13])
            QR(x[3], x[4], x[9], x[14])
  }
  for (int i = 0; i < 16; i++) out[b * 16 + i] = in[b * 16 + i] ^ (x[i] + s[i]);
}
__constant__ u8 sbox[256];
__constant__ u32 rk[44];
__device__ u8 xt(u8 a) { return (u8)((a << 1) ^ ((a & 0x80) ? 0x1b : 0)); }
__global__ void aes_bytes(const u8 *in, u8 *out, int blocks)
{
  int b = blockIdx.x * blockDim.x + threadIdx.x;
  if (b >= blocks) return;
  u8 st[16], t[16];
  for (int i = 0; i < 16; i++) st[i] = in[b * 16 + i] ^ (u8)(rk[i / 4] >> (8 * (i % 4)));
  for (int r = 1; r <= 10; r++) {
    for (int i = 0; i < 16; i++) t[i] = sbox[st[(i + 4 * (i % 4)) % 16]];
    if (r < 10)
      for (int c = 0; c < 4; c++) {
        u8 a0 = t[4 * c], a1 = t[4 * c + 1], a2 = t[4 * c + 2], a3 = t[4 * c + 3];
        t[4 * c] = xt(a0) ^ xt(a1) ^ a1 ^ a2 ^ a3;
        t[4 * c + 1] = a0 ^ xt(a1) ^ xt(a2) ^ a2 ^ a3;
        t[4 * c + 2] = a0 ^ a1 ^ xt(a2) ^ xt(a3) ^ a3;
        t[4 * c + 3] = xt(a0) ^ a0 ^ a1 ^ a2 ^ xt(a3);
      }
    for (int i = 0; i < 16; i++) st[i] = t[i] ^ (u8)(rk[r * 4 + i / 4] >> (8 * (i % 4)));
  }
  for (int i = 0; i < 16; i++) out[b * 16 + i] = st[i];
}
__global__ void xtea(uint2 *v, const u32 *key, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  uint2 a = v[i];
  u32 sum = 0;
  for (int k = 0; k < 32; k++) {
    a.x += (((a.y << 4) ^ (a.y >> 5)) + a.y) ^ (sum + key[sum & 3]);
    sum += 0x9E3779B9u;
    a.y += (((a.x << 4) ^ (a.x >> 5)) + a.x) ^ (sum + key[(sum >> 11) & 3]);
  }
  v[i] = a;
}
__global__ void base64(const u8 *in, char *out, int triples)
{
  const char *abc = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= triples) return;
  u32 v = (in[3 * i] << 16) | (in[3 * i + 1] << 8) | in[3 * i + 2];
  for (int k = 0; k < 4; k++) out[4 * i + k] = abc[(v >> (18 - 6 * k)) & 63];
}
__global__ void byte_hist(const u8 *d, u32 *h, size_t n)
{
  size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
  size_t st = (size_t)gridDim.x * blockDim.x;
  while (i < n) {
    atomicAdd(&h[d[i]], 1u);
    i += st;
  }
}
__global__ void xor_stream(u8 *d, const u8 *key, int klen, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) d[i] ^= key[i % klen];
}
__global__ void bit_reverse(const u32 *in, u32 *out, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    u32 v = in[i], r = 0;
    for (int k = 0; k < 32; k++) {
      r = (r << 1) | (v & 1);
      v >>= 1;
    }
    out[i] = r;
  }
}
__global__ void adler(const u8 *d, u32 *out, int nblk, int len)
{
  int b = blockIdx.x * blockDim.x + threadIdx.x;
  if (b < nblk) {
    u32 x = 1, y = 0;
    for (int i = 0; i < len; i++) {
      x = (x + d[b * len + i]) % 65521u;
      y = (y + x) % 65521u;
    }
    out[b] = (y << 16) | x;
  }
}
__global__ void nonce_search(const u32 *hdr, u32 *found, u32 base, u32 target, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  u32 w[16];
  for (int k = 0; k < 15; k++) w[k] = hdr[k];
  w[15] = base + i;
  u32 s[8];
  for (int k = 0; k < 8; k++) s[k] = hdr[k] ^ 0x5bd1e995u;
  sha_round(s, w);
  if (s[0] < target) atomicMin(found, base + i);
}
int main(int argc, char **argv)
{
  int n = argc > 1 ? atoi(argv[1]) : 300, len = argc > 2 ? atoi(argv[2]) : 256;
  size_t bytes = (size_t)n * len;
  u32 hk[64], ct[256], hrk[44];
  u8 sb[256];
  for (int i = 0; i < 64; i++) hk[i] = (u32)(rnd() * 4e9f);
  for (u32 i = 0; i < 256; i++) {
    u32 c = i;
    for (int k = 0; k < 8; k++) c = c & 1 ? 0xedb88320u ^ (c >> 1) : c >> 1;
    ct[i] = c;
    sb[i] = (u8)(i * 167 + 99);
  }
  for (auto &x : hrk) x = (u32)(rnd() * 4e9f);
  cudaMemcpyToSymbol(k256, hk, sizeof hk);
  cudaMemcpyToSymbol(crc_tab, ct, sizeof ct);
  cudaMemcpyToSymbol(sbox, sb, sizeof sb);
  cudaMemcpyToSymbol(rk, hrk, sizeof hrk);
  std::vector<u8> d(bytes);
  for (auto &x : d) x = (u8)(rnd() * 256);
  u8 *dd = upload(d), *o8 = zeros<u8>(bytes);
  u32 *o = zeros<u32>(bytes), *crc = zeros<u32>(n), *ad = zeros<u32>(n), *mh = zeros<u32>(n),
      *bl = zeros<u32>(2048), *hist = zeros<u32>(256), *fd = zeros<u32>(1),
      *dig = zeros<u32>(n * 8);
  char *b64 = zeros<char>(bytes * 2);
  int g = (n + 127) / 128, wd = len / 4, cb = (int)(bytes / 64), ab = (int)(bytes / 16);
  cudaMemset(fd, 0xff, 4);
  crc_blocks<<<g, 128>>>(dd, crc, n, len);
  adler<<<g, 128>>>(dd, ad, n, len);
  sha256_msgs<<<g, 128>>>((u32 *)dd, dig, n, wd / 16);
  murmur_keys<<<g, 128>>>((u32 *)dd, mh, n, wd);
  bloom_insert<<<g, 128>>>((u32 *)dd, bl, n, 65535u);
  chacha20<<<(cb + 127) / 128, 128>>>((u32 *)dd, o, (u32 *)dd, 5u, cb);
  aes_bytes<<<(ab + 127) / 128, 128>>>(dd, o8, ab);
  base64<<<(unsigned)((bytes / 3 + 127) / 128), 128>>>(dd, b64, (int)(bytes / 3));
  byte_hist<<<32, 256>>>(dd, hist, bytes);
  u32 *br = zeros<u32>(bytes / 4);
  bit_reverse<<<(unsigned)((bytes / 4 + 127) / 128), 128>>>((u32 *)dd, br, (int)(bytes / 4));
  nonce_search<<<g, 128>>>((u32 *)dd, fd, 1000u, 0x08000000u, n);
  show("crc", crc, n);
  show("adler", ad, n);
  show("sha", dig, n * 8);
  show("murmur", mh, n);
  show("bloom", bl, 2048);
  show("chacha", o, (size_t)cb * 16);
  show("aes", o8, (size_t)ab * 16);
  show("b64", b64, bytes / 3 * 4);
  show("hist", hist, 256);
  show("rev", br, bytes / 4);
  show("nonce", fd, 1);
  xor_stream<<<(unsigned)((bytes + 255) / 256), 256>>>(dd, o8, 13, (int)bytes);
  std::vector<uint2> xv(n);
  for (auto &x : xv) x = make_uint2((u32)(rnd() * 4e9f), 5u);
  uint2 *dx = upload(xv);
  xtea<<<g, 128>>>(dx, mh, n);
  show("xor", dd, bytes);
  show("xtea", dx, n);
}
