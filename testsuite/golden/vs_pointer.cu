#include <mesi_cuda.h>
extern "C" { extern MESI_HIDDEN struct mesi_file _mesi_9229b05d; }
static const size_t _mesi_9229b05d_type_0_offsets[] = {8};
static const struct mesi_pointer_map _mesi_9229b05d_type_0 = {16, 1, _mesi_9229b05d_type_0_offsets};
// args: -O0 --no-line
// A VS pointer, a structure that holds pointers, typed allocations.
struct node { int value; node *next; };
static node *head MESI_VS(_vs_head_9229b05d); static MESI_CONSTANT decltype(head) *_d_head;
static float *p MESI_VS(_vs_p_9229b05d); static MESI_CONSTANT decltype(p) *_d_p;

__global__ void k(int n) { auto &p = *_d_p; auto &head = *_d_head;
  p[threadIdx.x] = n;
  for (node *i = head; i; i = i->next) i->value += n;
}

int main() {
  mesi_use_bytes(p, 0, 8, MESI_WRITE | MESI_OVERWRITE); p = (float *)mesi_malloc(32 * sizeof *p);
  mesi_use_bytes(head, 0, 8, MESI_WRITE | MESI_OVERWRITE); head = (node *)mesi_calloc_typed(1, sizeof(node), &_mesi_9229b05d_type_0);
  (mesi_launch_begin(&_mesi_9229b05d, 0), mesi_stream(0), k<<<1, 32>>>(3), mesi_launch_end());
  mesi_use_bytes(head, 0, 8, MESI_READ); mesi_use_bytes(p, 0, 8, MESI_READ); mesi_use_pointed(head, 0, 4, MESI_READ); mesi_use_pointed(p, 124, 128, MESI_READ); int bad = p[31] != 3 || head->value != 3;
  mesi_use_bytes(p, 0, 8, MESI_READ); mesi_free(p);
  mesi_use_bytes(head, 0, 8, MESI_READ); mesi_free(head);
  return bad;
}

/* ---- for the runtime ---- */
extern "C" { MESI_HIDDEN mesi_page<decltype(head)> _vs_head_9229b05d; }
extern "C" { MESI_HIDDEN mesi_page<decltype(p)> _vs_p_9229b05d; }
static const size_t _mesi_9229b05d_map_0_offsets[] = {0};
static const struct mesi_pointer_map _mesi_9229b05d_map_0 = {8, 1, _mesi_9229b05d_map_0_offsets};
static const size_t _mesi_9229b05d_map_1_offsets[] = {0};
static const struct mesi_pointer_map _mesi_9229b05d_map_1 = {8, 1, _mesi_9229b05d_map_1_offsets};
static const struct mesi_var _mesi_9229b05d_vars[] = {
  {"head", (void *)&head, sizeof(head), &_d_head, 0, &_mesi_9229b05d_map_0, "vs_pointer.mcu:4"},
  {"p", (void *)&p, sizeof(p), &_d_p, 0, &_mesi_9229b05d_map_1, "vs_pointer.mcu:5"},
};
static const struct mesi_site_use _mesi_9229b05d_uses_0[] = {{1, MESI_READ_WRITE}, {0, MESI_READ_WRITE}};
static const struct mesi_site _mesi_9229b05d_sites[] = {
  {"k", "vs_pointer.mcu:15", _mesi_9229b05d_uses_0, 2, 0},
};
extern "C" { MESI_HIDDEN struct mesi_file _mesi_9229b05d = {MESI_ABI, "vs_pointer.mcu", _mesi_9229b05d_vars, 2, _mesi_9229b05d_sites, 1}; }
MESI_REGISTER(_mesi_9229b05d)
