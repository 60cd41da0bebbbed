/* bif.c - networks in BIF.
 *
 *     variable HR { type discrete [ 3 ] { LOW, NORMAL, HIGH }; }
 *     probability ( HRBP | HR ) { (LOW) 0.9, 0.1;  default 0.5, 0.5; }
 *         =>  a function of (HR, HRBP)
 *
 * The scope of a function is the parents in their order, then the child. `property` lines are
 * skipped. A row that is not given and has no default is an error.
 */
#include "bif.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { VARIABLES = 1 << 16, VALUES = 1 << 12, PARENTS = 63 };
#define TABLE ((size_t)1 << 28)

struct bif {
  struct mpf_text *text;
  struct mpf_network *network;
  char ***values; /* names of the values, by variable */
  unsigned capacity, function_capacity;
};

static int fail_memory(struct bif *bif) { return mpf_text_fail(bif->text, "out of memory"); }

static int word(struct bif *bif, const char *what)
{
  return mpf_text_next(bif->text)
             ? 0
             : mpf_text_fail(bif->text, "the file ends where %s is expected", what);
}

static bool is(const struct bif *bif, const char *wanted)
{
  return !strcmp(bif->text->word, wanted);
}

static int skip_to(struct bif *bif, const char *end)
{
  do {
    if (word(bif, end)) return -1;
  } while (!is(bif, end));
  return 0;
}

/* ---- variables ---- */

static int find_variable(const struct bif *bif)
{
  for (unsigned i = 0; i < bif->network->variable_count; i++)
    if (!strcmp(bif->network->names[i], bif->text->word)) return (int)i;
  return -1;
}

static int grow_variables(struct bif *bif)
{
  unsigned capacity = bif->capacity ? bif->capacity * 2 : 64;
  unsigned *domains = realloc(bif->network->domains, capacity * sizeof *domains);
  if (domains) bif->network->domains = domains;
  char **names = realloc(bif->network->names, capacity * sizeof *names);
  if (names) bif->network->names = names;
  char ***values = realloc(bif->values, capacity * sizeof *values);
  if (values) bif->values = values;
  if (!domains || !names || !values) return fail_memory(bif);
  bif->capacity = capacity;
  return 0;
}

static int read_value_names(struct bif *bif, unsigned variable)
{
  unsigned domain = bif->network->domains[variable];

  for (unsigned i = 0; i < domain; i++) {
    if ((i && mpf_text_expect(bif->text, ",")) || word(bif, "the name of a value")) return -1;
    bif->values[variable][i] = strdup(bif->text->word);
    if (!bif->values[variable][i]) return fail_memory(bif);
  }
  return mpf_text_expect(bif->text, "}");
}

static int read_type(struct bif *bif, unsigned variable)
{
  size_t domain;

  if (mpf_text_expect(bif->text, "discrete") || mpf_text_expect(bif->text, "[") ||
      mpf_text_count(bif->text, "the number of values", 1, VALUES, &domain) ||
      mpf_text_expect(bif->text, "]") || mpf_text_expect(bif->text, "{"))
    return -1;
  if (bif->network->domains[variable]) return mpf_text_fail(bif->text, "a variable has two types");
  bif->values[variable] = calloc(domain, sizeof **bif->values);
  if (!bif->values[variable]) return fail_memory(bif);
  bif->network->domains[variable] = (unsigned)domain;
  return read_value_names(bif, variable) || mpf_text_expect(bif->text, ";") ? -1 : 0;
}

static int fail_word(struct bif *bif)
{
  return mpf_text_fail(bif->text, "'%.40s' where type, property or } belongs", bif->text->word);
}

static int read_variable(struct bif *bif)
{
  unsigned variable = bif->network->variable_count;

  if (word(bif, "the name of a variable")) return -1;
  if (find_variable(bif) >= 0)
    return mpf_text_fail(bif->text, "variable '%.40s' is declared twice", bif->text->word);
  if (variable == VARIABLES) return mpf_text_fail(bif->text, "too many variables");
  if (variable == bif->capacity && grow_variables(bif)) return -1;
  bif->network->names[variable] = strdup(bif->text->word);
  if (!bif->network->names[variable]) return fail_memory(bif);
  bif->network->domains[variable] = 0;
  bif->values[variable] = NULL;
  bif->network->variable_count++;
  if (mpf_text_expect(bif->text, "{")) return -1;
  for (;;) {
    if (word(bif, "}")) return -1;
    if (is(bif, "}")) break;
    if (is(bif, "type")       ? read_type(bif, variable)
        : is(bif, "property") ? skip_to(bif, ";")
                              : fail_word(bif))
      return -1;
  }
  return bif->network->domains[variable] ? 0 : mpf_text_fail(bif->text, "a variable has no type");
}

/* ---- probabilities ---- */

static struct mpf_function *new_function(struct bif *bif)
{
  struct mpf_network *network = bif->network;

  if (network->function_count == bif->function_capacity) {
    unsigned capacity = bif->function_capacity ? bif->function_capacity * 2 : 64;
    struct mpf_function *functions = realloc(network->functions, capacity * sizeof *functions);
    if (!functions) return NULL;
    network->functions = functions;
    bif->function_capacity = capacity;
  }
  struct mpf_function *function = &network->functions[network->function_count++];
  *function =
      (struct mpf_function){.scope = calloc(PARENTS + 1, sizeof *function->scope), .size = 1};
  return function->scope ? function : NULL;
}

static int read_variable_name(struct bif *bif, const struct mpf_function *function, unsigned *ret)
{
  if (word(bif, "a variable")) return -1;
  int variable = find_variable(bif);
  if (variable < 0)
    return mpf_text_fail(bif->text, "there is no variable '%.40s'", bif->text->word);
  for (unsigned i = 0; i < function->count; i++)
    if (function->scope[i] == (unsigned)variable)
      return mpf_text_fail(bif->text, "'%.40s' stands there twice", bif->text->word);
  *ret = (unsigned)variable;
  return 0;
}

/* ( child | parent, parent ) */
static int read_scope(struct bif *bif, struct mpf_function *function)
{
  unsigned child;

  if (mpf_text_expect(bif->text, "(") || read_variable_name(bif, function, &child) ||
      word(bif, ")"))
    return -1;
  if (is(bif, "|")) do {
      if (function->count == PARENTS) return mpf_text_fail(bif->text, "too many parents");
      if (read_variable_name(bif, function, &function->scope[function->count])) return -1;
      if (function->scope[function->count++] == child)
        return mpf_text_fail(bif->text, "a variable is its own parent");
      if (word(bif, ")")) return -1;
    } while (is(bif, ","));
  if (!is(bif, ")")) return mpf_text_fail(bif->text, "'%.40s' instead of ')'", bif->text->word);
  function->scope[function->count++] = child;
  for (unsigned i = 0; i < function->count; i++) {
    unsigned domain = bif->network->domains[function->scope[i]];
    if (function->size > TABLE / domain)
      return mpf_text_fail(bif->text, "a table has more than 2^28 values");
    function->size *= domain;
  }
  return 0;
}

static int read_values(struct bif *bif, double *to, size_t stride, size_t count)
{
  for (size_t i = 0; i < count; i++) {
    if ((i && mpf_text_expect(bif->text, ",")) ||
        mpf_text_value(bif->text, "a probability", &to[i * stride]))
      return -1;
  }
  return mpf_text_expect(bif->text, ";");
}

/* (LOW, TRUE) 0.1, 0.9; */
static int read_row(struct bif *bif, struct mpf_function *function, size_t domain)
{
  size_t row = 0;

  for (unsigned i = 0; i + 1 < function->count; i++) {
    unsigned parent = function->scope[i], value = 0;
    if ((i && mpf_text_expect(bif->text, ",")) || word(bif, "a value")) return -1;
    while (value < bif->network->domains[parent] &&
           strcmp(bif->values[parent][value], bif->text->word))
      value++;
    if (value == bif->network->domains[parent])
      return mpf_text_fail(bif->text, "'%.40s' is no value of '%.40s'", bif->text->word,
                           bif->network->names[parent]);
    row = row * bif->network->domains[parent] + value;
  }
  return mpf_text_expect(bif->text, ")")
             ? -1
             : read_values(bif, function->values + row * domain, 1, domain);
}

static int read_default(struct bif *bif, struct mpf_function *function, size_t domain)
{
  double *row = calloc(domain, sizeof *row);
  int status = row ? read_values(bif, row, 1, domain) : fail_memory(bif);

  for (size_t i = 0; !status && i < function->size; i++)
    if (isnan(function->values[i])) function->values[i] = row[i % domain];
  free(row);
  return status;
}

/* table v, v, ...; the child is the most significant variable there. */
static int read_whole_table(struct bif *bif, struct mpf_function *function, size_t domain)
{
  size_t rows = function->size / domain;

  for (size_t child = 0; child < domain; child++)
    for (size_t row = 0; row < rows; row++)
      if (((child || row) && mpf_text_expect(bif->text, ",")) ||
          mpf_text_value(bif->text, "a probability", &function->values[row * domain + child]))
        return -1;
  return mpf_text_expect(bif->text, ";");
}

static int read_table(struct bif *bif, struct mpf_function *function)
{
  size_t domain = bif->network->domains[function->scope[function->count - 1]];

  if (mpf_text_expect(bif->text, "{")) return -1;
  for (;;) {
    int status;
    if (word(bif, "}")) return -1;
    if (is(bif, "}")) break;
    if (is(bif, "("))
      status = read_row(bif, function, domain);
    else if (is(bif, "table"))
      status = read_whole_table(bif, function, domain);
    else if (is(bif, "default"))
      status = read_default(bif, function, domain);
    else
      status = skip_to(bif, ";");
    if (status) return -1;
  }
  for (size_t i = 0; i < function->size; i++)
    if (isnan(function->values[i]))
      return mpf_text_fail(bif->text, "a row of the table of '%.40s' is missing",
                           bif->network->names[function->scope[function->count - 1]]);
  return 0;
}

static int read_probability(struct bif *bif)
{
  struct mpf_function *function = new_function(bif);

  if (!function) return fail_memory(bif);
  if (read_scope(bif, function)) return -1;
  function->values = malloc(function->size * sizeof *function->values);
  if (!function->values) return fail_memory(bif);
  for (size_t i = 0; i < function->size; i++) function->values[i] = NAN;
  return read_table(bif, function);
}

static int read_blocks(struct bif *bif)
{
  if (skip_to(bif, "{") || skip_to(bif, "}")) return -1;
  while (mpf_text_next(bif->text)) {
    int status;
    if (is(bif, "variable"))
      status = read_variable(bif);
    else if (is(bif, "probability"))
      status = read_probability(bif);
    else
      status = mpf_text_fail(bif->text, "'%.40s' instead of 'variable' or 'probability'",
                             bif->text->word);
    if (status) return -1;
  }
  return 0;
}

int bif_read(struct mpf_text *text, struct mpf_network *network)
{
  struct bif bif = {.text = text, .network = network};

  text->signs = "{}()[]|,;";
  int status = read_blocks(&bif);
  for (unsigned i = 0; i < network->variable_count; i++) {
    for (unsigned k = 0; bif.values[i] && k < network->domains[i]; k++) free(bif.values[i][k]);
    free(bif.values[i]);
  }
  free(bif.values);
  return status;
}
