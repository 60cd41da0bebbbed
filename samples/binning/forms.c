/* forms.c - the forms of bins as options of mesi_bin_init. */
#include "limited.h"

static const struct {
  const char *name;
  enum mesi_bin_form form;
  unsigned vector, align;
} forms[LIMITED_FORM_COUNT] = {
    [LIMITED_RANGES] = {"compact, ranges", MESI_BIN_COMPACT, 1, 1},
    [LIMITED_SINGLE] = {"compact, bin by bin", MESI_BIN_COMPACT, 1, 1},
    [LIMITED_COUNTED] = {"regular, counts", MESI_BIN_COUNTED, 1, 1},
    [LIMITED_SENTINEL] = {"regular, sentinels", MESI_BIN_SENTINEL, 1, 1},
    [LIMITED_PADDED] = {"compact, padded elements", MESI_BIN_COMPACT, 1, 1},
    [LIMITED_VECTORS] = {"compact, vector arrays", MESI_BIN_COMPACT, LIMITED_VECTOR, 1},
    [LIMITED_FLOAT2] = {"compact, float2 arrays", MESI_BIN_COMPACT, 2, 1},
    [LIMITED_FLOAT4] = {"compact, float4 arrays", MESI_BIN_COMPACT, 4, 1},
    [LIMITED_ALIGNED] = {"compact, padded bins", MESI_BIN_COMPACT, 1, LIMITED_ALIGN},
    [LIMITED_REGULAR_RANGES] = {"regular, ranges", MESI_BIN_COUNTED, 1, 1},
    [LIMITED_SCATTER] = {"scatter, atomic", MESI_BIN_COMPACT, 1, 1},
    [LIMITED_EVERYTHING] = {"gather, no bins", MESI_BIN_COMPACT, 1, 1},
};

const char *limited_form_name(enum limited_form form) { return forms[form].name; }

unsigned limited_padded_words(unsigned words)
{
  unsigned ret = 4;
  while (ret < words) ret *= 2;
  return ret;
}

struct mesi_bin_options limited_options(const struct limited_app *app, enum limited_form form)
{
  return (struct mesi_bin_options){
      .form = forms[form].form,
      .words = app->words,
      .vector = forms[form].vector,
      .align = forms[form].align,
      .pitch = form == LIMITED_PADDED ? limited_padded_words(app->words) : app->words};
}
