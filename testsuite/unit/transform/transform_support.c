/* SPDX-License-Identifier: MIT */
/* transform_support.c - see transform_support.h. */
#include "testsuite/unit/transform/transform_support.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "analysis/host/launch_facts.h"
#include "testsuite/unit/source_unit.h"

enum { MOST_TABLES = 16 };

static struct unit *parse_all(struct arena *arena, struct diag *diag, const char *front,
                              const struct transform_case *cases, unsigned count)
{
  struct text source = {0};

  text_add(&source, front ? front : "");
  for (unsigned i = 0; i < count; i++)
    text_format(&source, "\nnamespace case_%u {\n%s\n}\n", i, cases[i].source);
  struct unit *unit = source_unit(arena, diag, text_string(&source));
  text_finish(&source);
  return unit;
}

/* The case's first launch. */
static const struct launch *launch_of(const struct unit *unit, unsigned number)
{
  char scope[32];

  snprintf(scope, sizeof scope, "case_%u::", number);
  for (unsigned i = 0; i < unit->launches.count; i++) {
    const struct launch *launch = unit->launches.items[i];
    if (launch->kernel && !strncmp(launch->kernel->qualified, scope, strlen(scope))) return launch;
  }
  return NULL;
}

static bool check_case(struct subject *subject, const struct transform_case *test, unsigned number,
                       transform_look *look)
{
  struct kernel_facts facts;
  struct text shown = {0};

  subject->name = test->name;
  subject->launch = launch_of(subject->unit, number);
  if (!subject->launch || !subject->launch->kernel->body) {
    print_error("case '%s' has no launch of a kernel that is analysed\n", test->name);
    return false;
  }
  subject->remarks = (struct remarks){0};
  facts_of_launch(subject->unit->arena, subject->constants,
                  effects_of(subject->effects, subject->launch->kernel), subject->launch, &facts);
  facts.repeatable = true;
  code_init(&subject->code, subject->unit, subject->effects, &facts, &subject->remarks);
  look(subject, &shown);
  code_finish(&subject->code);
  bool same = !strcmp(text_string(&shown), test->expected);
  if (!same)
    print_error("case '%s' gives\n  %s\ninstead of\n  %s\n", test->name, text_string(&shown),
                test->expected);
  text_finish(&shown);
  return same;
}

struct running {
  const char *front;
  const struct transform_table *table;
};

static void check_table(void **state)
{
  const struct running *running = *state;
  const struct transform_table *table = running->table;
  struct arena *arena = arena_create();
  struct diag diag = {.out = stderr};
  struct effects effects;
  bool all = true;
  struct unit *unit = parse_all(arena, &diag, running->front, table->cases, table->count);

  effects_init(&effects, unit);
  struct subject subject = {.unit = unit, .effects = &effects, .constants = constants_create(unit)};
  for (unsigned i = 0; i < table->count; i++)
    all = check_case(&subject, &table->cases[i], i, table->look) && all;
  constants_destroy(subject.constants);
  arena_destroy(arena);
  assert_true(all);
}

int transform_run(const char *front, const struct transform_table *tables, unsigned count)
{
  struct running running[MOST_TABLES];
  struct CMUnitTest tests[MOST_TABLES] = {0};

  for (unsigned i = 0; i < count && i < MOST_TABLES; i++) {
    running[i] = (struct running){front, &tables[i]};
    tests[i] = (struct CMUnitTest){
        .name = tables[i].name, .test_func = check_table, .initial_state = &running[i]};
  }
  return _cmocka_run_group_tests("transform", tests, count < MOST_TABLES ? count : MOST_TABLES,
                                 NULL, NULL);
}

bool transform_shape(struct subject *subject, struct geometry *geometry,
                     struct ir_var *ret_totals[2], struct text *shown)
{
  const char *reason;
  struct ir_place place;

  code_drop_scan(&subject->code);
  bool shaped = shape_free(&subject->code, &reason, &place) &&
                shape_virtual(&subject->code, geometry, ret_totals, &reason, &place);

  code_drop_scan(&subject->code);
  if (shaped)
    code_scan(&subject->code);
  else
    text_format(shown, "no shape: %s", reason);
  return shaped;
}

static void show_one(struct text *shown, const char *text)
{
  text_format(shown, "%s%s", *text_string(shown) ? "; " : "", text);
}

void transform_show_decisions(const struct subject *subject, enum decision_kind kind,
                              struct text *shown)
{
  for (unsigned i = 0; i < subject->remarks.decisions.count; i++) {
    const struct decision *decision = &subject->remarks.decisions.items[i];
    if (decision->kind != kind) continue;
    const char *text = decision->taken ? decision->what : decision->why,
               *array = decision->array ? decision->array : "-";
    show_one(shown, arena_format(subject->unit->arena, "%s: %s", array, text));
  }
}

void transform_show_remarks(const struct subject *subject, enum diag_id id, struct text *shown)
{
  for (unsigned i = 0; i < subject->remarks.items.count; i++)
    if (subject->remarks.items.items[i].id == id)
      show_one(shown, subject->remarks.items.items[i].text);
}

unsigned transform_printed(const struct subject *subject, const char *wanted)
{
  struct text text = {0};
  unsigned count = 0;

  ir_print_function(&text, subject->code.facts.kernel);
  for (const char *at = strstr(text_string(&text), wanted); at; at = strstr(at + 1, wanted))
    count++;
  text_finish(&text);
  return count;
}

/* ---- the code as it prints ---- */

static size_t dropped_length(const char *at, const char *const *dropped)
{
  for (; *dropped; dropped++)
    if (!strncmp(at, *dropped, strlen(*dropped))) return (size_t)(strchr(at, '>') - at) + 1;
  return 0;
}

static void show_line(const char *line, const char *end, const char *const *dropped,
                      struct text *shown)
{
  text_add(shown, *text_string(shown) ? "; " : "");
  for (line += strspn(line, " "); line < end;) {
    size_t length = dropped_length(line, dropped);
    if (!length) text_format(shown, "%c", *line);
    line += length ? length : 1;
  }
}

void transform_show_code(const struct subject *s, bool (*wanted)(const char *line, size_t length),
                         const char *const *dropped, struct text *shown)
{
  struct text printed = {0};

  ir_print_function(&printed, s->code.facts.kernel);
  for (const char *line = text_string(&printed); *line; line += *line == '\n') {
    size_t length = strcspn(line, "\n");
    if (wanted(line, length)) show_line(line, line + length, dropped, shown);
    line += length;
  }
  text_finish(&printed);
}

static const char *const *form_words; /* of the look at work */

static bool has_form_word(const char *line, size_t length)
{
  for (unsigned i = 0; form_words[i]; i++) {
    const char *found = strstr(line, form_words[i]);
    if (found && found < line + length) return true;
  }
  return false;
}

void transform_show_form(struct subject *s, bool (*plan)(struct draft *), const char *const *words,
                         struct text *shown)
{
  struct draft draft = {.code = s->code};
  bool formed = plan(&draft);

  s->code = draft.code;
  form_words = words;
  if (formed)
    transform_show_code(s, has_form_word, (const char *[]){"convert<", NULL}, shown);
  else
    text_add(shown, "stays");
}
