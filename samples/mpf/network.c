/* network.c - networks in UAI format, evidence, and what makes a network smaller. */
#include "network.h"

#include <stdlib.h>
#include <string.h>

#include "bif.h"
#include "text.h"

enum { VARIABLES = 1 << 20, FUNCTIONS = 1 << 20, VALUES = 1 << 16, SCOPE = 64 };
#define TABLE ((size_t)1 << 31) /* entries of one function */

/* ---- memory ---- */

void mpf_network_free(struct mpf_network *network)
{
  for (unsigned i = 0; i < network->function_count; i++) {
    free(network->functions[i].scope);
    free(network->functions[i].values);
  }
  for (unsigned i = 0; network->names && i < network->variable_count; i++) free(network->names[i]);
  free(network->names);
  free(network->functions);
  free(network->domains);
  *network = (struct mpf_network){0};
}

/* ---- UAI ---- */

static int read_domains(struct mpf_text *text, struct mpf_network *network)
{
  size_t count, domain;

  if (mpf_text_count(text, "the number of variables", 0, VARIABLES, &count)) return -1;
  network->domains = calloc(count + 1, sizeof *network->domains);
  if (!network->domains) return mpf_text_fail(text, "out of memory");
  network->variable_count = (unsigned)count;
  for (unsigned i = 0; i < count; i++) {
    if (mpf_text_count(text, "the number of values of a variable", 1, VALUES, &domain)) return -1;
    network->domains[i] = (unsigned)domain;
  }
  return 0;
}

static int read_scope(struct mpf_text *text, const struct mpf_network *network,
                      struct mpf_function *function)
{
  size_t count, variable;

  if (mpf_text_count(text, "the number of variables of a function", 0, SCOPE, &count)) return -1;
  function->scope = calloc(count + 1, sizeof *function->scope);
  if (!function->scope) return mpf_text_fail(text, "out of memory");
  if (count && !network->variable_count)
    return mpf_text_fail(text, "a function has variables, the network has none");
  function->size = 1;
  for (; function->count < count; function->count++) {
    if (mpf_text_count(text, "a variable", 0, network->variable_count - 1, &variable)) return -1;
    for (unsigned k = 0; k < function->count; k++)
      if (function->scope[k] == variable)
        return mpf_text_fail(text, "a function has variable %zu twice", variable);
    function->scope[function->count] = (unsigned)variable;
    if (function->size > TABLE / network->domains[variable])
      return mpf_text_fail(text, "a function has more than 2^31 values");
    function->size *= network->domains[variable];
  }
  return 0;
}

static int read_table(struct mpf_text *text, struct mpf_function *function)
{
  size_t size;

  if (mpf_text_count(text, "the size of a table", 0, TABLE, &size)) return -1;
  if (size != function->size)
    return mpf_text_fail(text, "the table has %zu values, its scope needs %zu", size,
                         function->size);
  if (size > strlen(text->at))
    return mpf_text_fail(text, "the file ends before the %zu values of a table", size);
  function->values = malloc((size + 1) * sizeof *function->values);
  if (!function->values) return mpf_text_fail(text, "out of memory");
  for (size_t i = 0; i < size; i++)
    if (mpf_text_value(text, "a value of a table", &function->values[i])) return -1;
  return 0;
}

static int read_uai(struct mpf_text *text, struct mpf_network *network)
{
  size_t count;

  if (read_domains(text, network) ||
      mpf_text_count(text, "the number of functions", 0, FUNCTIONS, &count))
    return -1;
  network->functions = calloc(count + 1, sizeof *network->functions);
  if (!network->functions) return mpf_text_fail(text, "out of memory");
  network->function_count = (unsigned)count;
  for (unsigned i = 0; i < count; i++)
    if (read_scope(text, network, &network->functions[i])) return -1;
  for (unsigned i = 0; i < count; i++)
    if (read_table(text, &network->functions[i])) return -1;
  return mpf_text_at_end(text) ? 0 : mpf_text_fail(text, "text behind the last table");
}

int mpf_network_read(const char *path, struct mpf_network *ret, struct mpf_error *error)
{
  struct mpf_text text;
  struct mpf_network network = {0};

  *ret = network;
  if (mpf_text_open(&text, path, error)) return -1;
  int status = 0;
  if (!mpf_text_next(&text))
    status = mpf_text_fail(&text, "the file is empty");
  else if (!strcmp(text.word, "MARKOV") || !strcmp(text.word, "BAYES"))
    status = read_uai(&text, &network);
  else if (!strcmp(text.word, "network"))
    status = bif_read(&text, &network);
  else
    status = mpf_text_fail(&text, "neither a UAI file (MARKOV, BAYES) nor a BIF file (network)");
  mpf_text_close(&text);
  if (status) mpf_network_free(&network);
  *ret = network;
  return status;
}

/* ---- evidence ---- */

/* The table with one variable of the scope set to a value, in place. */
static void restrict_function(struct mpf_function *function, const unsigned *domains,
                              unsigned position, unsigned value)
{
  size_t inner = 1, domain = domains[function->scope[position]], to = 0;

  for (unsigned i = position + 1; i < function->count; i++) inner *= domains[function->scope[i]];
  for (size_t from = value * inner; from < function->size; from += domain * inner, to += inner)
    memmove(function->values + to, function->values + from, inner * sizeof *function->values);
  function->size = to;
  function->count--;
  memmove(function->scope + position, function->scope + position + 1,
          (function->count - position) * sizeof *function->scope);
}

void mpf_network_set(struct mpf_network *network, unsigned variable, unsigned value)
{
  for (unsigned i = 0; i < network->function_count; i++) {
    struct mpf_function *function = &network->functions[i];
    for (unsigned k = 0; k < function->count; k++)
      if (function->scope[k] == variable) restrict_function(function, network->domains, k--, value);
  }
  network->domains[variable] = 1;
}

static int observe(struct mpf_text *text, struct mpf_network *network)
{
  size_t count, variable, value;
  bool *seen = calloc(network->variable_count + 1, sizeof *seen);
  int status = seen ? 0 : mpf_text_fail(text, "out of memory");

  if (!status && mpf_text_at_end(text)) goto done; /* no evidence */
  if (!status)
    status = mpf_text_count(text, "the number of observed variables", 0, network->variable_count,
                            &count);
  for (size_t i = 0; !status && i < count; i++) {
    status =
        mpf_text_count(text, "an observed variable", 0, network->variable_count - 1, &variable);
    if (!status)
      status = mpf_text_count(text, "an observed value", 0,
                              seen[variable] ? VALUES : network->domains[variable] - 1, &value);
    if (!status && seen[variable])
      status = mpf_text_fail(text, "variable %zu is observed twice", variable);
    if (status) break;
    seen[variable] = true;
    mpf_network_set(network, (unsigned)variable, (unsigned)value);
  }
  if (!status && !mpf_text_at_end(text)) status = mpf_text_fail(text, "text behind the evidence");
done:
  free(seen);
  return status;
}

int mpf_network_observe(struct mpf_network *network, const char *path, struct mpf_error *error)
{
  struct mpf_text text;

  if (mpf_text_open(&text, path, error)) return -1;
  int status = observe(&text, network);
  mpf_text_close(&text);
  return status;
}

void mpf_network_simplify(struct mpf_network *network)
{
  for (unsigned i = 0; i < network->variable_count; i++)
    if (network->domains[i] == 1) mpf_network_set(network, i, 0);
}
