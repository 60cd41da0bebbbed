/* SPDX-License-Identifier: MIT */
/* page.c - the frame of the HTML pages: colours for light and dark, tables, the search. */
#include "translator/driver/page.h"

#include "translator/plot/markup.h"

static const char head[] =
    "<!DOCTYPE html>\n<html xmlns=\"http://www.w3.org/1999/xhtml\" lang=\"en\">\n<head>\n"
    "<meta charset=\"utf-8\"/>\n"
    "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n"
    "<meta name=\"color-scheme\" content=\"light dark\"/>\n";

static const char style[] =
    ":root { --paper: #ffffff; --panel: #f4f6f9; --ink: #1b2230; --soft: #586274; --rule: "
    "#d5dbe4;\n"
    "  --one: #2563a8; --bar: #9db4cf; --good: #0b6b35; --bad: #96410a; --lit: #ffeaa6;\n"
    "  --link: #1d5fae; }\n"
    "@media (prefers-color-scheme: dark) { :root { --paper: #12161d; --panel: #1a2029;\n"
    "  --ink: #e2e7ef; --soft: #a3aebf; --rule: #333d4b; --one: #6aa9ec; --bar: #47607d;\n"
    "  --good: #74d39a; --bad: #f2a673; --lit: #4f4310; --link: #8ab8f5; } }\n"
    "* { box-sizing: border-box; }\n"
    "html { scroll-padding-top: 1rem; }\n"
    "body { margin: 0; padding: 1.2rem clamp(.8rem, 2vw, 2.2rem) 3rem; background: var(--paper);\n"
    "  color: var(--ink); font: 15px/1.5 system-ui, 'Segoe UI', 'DejaVu Sans', sans-serif; }\n"
    "h1 { font-size: 1.45rem; margin: 0 0 .3rem; overflow-wrap: anywhere; }\n"
    "h2 { font-size: 1.2rem; margin: 0 0 .3rem; overflow-wrap: anywhere; }\n"
    "h3 { font-size: 1rem; margin: 1.3rem 0 .4rem; }\n"
    "p { margin: .3rem 0; } a { color: var(--link); } ul { margin: .2rem 0; padding-left: 1.2rem; "
    "}\n"
    "li, td, dd { overflow-wrap: anywhere; }\n"
    "code, pre { font: 13px/1.5 ui-monospace, 'DejaVu Sans Mono', monospace; }\n"
    "table { border-collapse: collapse; } th { text-align: left; font-weight: 600; }\n"
    "td, th { padding: .2rem .7rem .2rem 0; vertical-align: top; }\n"
    ".list { width: 100%; } .list td, .list th { border-bottom: 1px solid var(--rule); }\n"
    ".wide { overflow-x: auto; } .number { text-align: right; font-variant-numeric: tabular-nums; "
    "}\n"
    ".soft { color: var(--soft); } .yes { color: var(--good); } .no { color: var(--bad); }\n";

static const char script[] =
    "<script>\n"
    "(function () {\n"
    "  var list = document.getElementById('%s'), field = document.createElement('input');\n"
    "  if (!list) return;\n"
    "  field.type = 'search'; field.placeholder = 'search';\n"
    "  field.setAttribute('aria-label', 'search');\n"
    "  field.addEventListener('input', function () {\n"
    "    var words = field.value.toLowerCase().split(' ');\n"
    "    list.querySelectorAll('li').forEach(function (item) {\n"
    "      var text = item.textContent.toLowerCase();\n"
    "      item.hidden = !words.every(function (word) { return text.includes(word); });\n"
    "    });\n"
    "  });\n"
    "  list.parentNode.insertBefore(field, list);\n"
    "})();\n"
    "</script>\n";

void page_begin(struct text *out, const char *title, const char *more)
{
  text_add(out, head);
  markup_element(out, "title", title);
  text_format(out, "\n<style>\n%s%s</style>\n</head>\n<body>\n", style, more);
}

void page_add_search(struct text *out, const char *list) { text_format(out, script, list); }

void page_end(struct text *out) { text_add(out, "</body>\n</html>\n"); }
