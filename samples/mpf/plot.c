/* plot.c - a line a bucket, and a script for gnuplot, which is run where it is installed. */
#include "plot.h"

#include <spawn.h>
#include <stdlib.h>
#include <sys/wait.h>

extern char **environ;

static const char *const names[] = {"linear", "log"};

static FILE *open_file(const char *prefix, const char *suffix)
{
  char path[4096];
  int length = snprintf(path, sizeof path, "%s%s", prefix, suffix);

  return length > 0 && length < (int)sizeof path ? fopen(path, "w") : NULL;
}

int mpf_plot_begin(struct mpf_plot *plot, const char *prefix)
{
  *plot = (struct mpf_plot){.prefix = prefix};
  plot->data[MPF_LINEAR] = open_file(prefix, "_linear.dat");
  plot->data[MPF_LOG] = open_file(prefix, "_log.dat");
  for (int domain = 0; domain < MPF_DOMAIN_COUNT; domain++) {
    if (!plot->data[domain]) return -1;
    fputs("# FLOP, GFLOP/s of the kernel, of all cores, of one core in plain C; speed-up of the "
          "kernel over all cores, over one\n",
          plot->data[domain]);
  }
  return 0;
}

void mpf_plot_add(struct mpf_plot *plot, enum mpf_domain domain, double flop, double scalar_ms,
                  double cpu_ms, double kernel_ms)
{
  fprintf(plot->data[domain], "%.6g %.6g %.6g %.6g %.6g %.6g\n", flop, flop / kernel_ms * 1e-6,
          flop / cpu_ms * 1e-6, flop / scalar_ms * 1e-6, cpu_ms / kernel_ms, scalar_ms / kernel_ms);
}

static void write_script(FILE *script, const char *prefix)
{
  fprintf(script,
          "set terminal svg size 1000, 900\nset output '%s.svg'\nset logscale xy\nset xlabel 'FLOP "
          "of a bucket'\nset key top left\n"
          "set multiplot layout 2, 2\n",
          prefix);
  for (int domain = 0; domain < MPF_DOMAIN_COUNT; domain++) {
    fprintf(script,
            "set title '%s domain'\nset ylabel 'GFLOP/s'\nplot '%s_%s.dat' using 1:2 title "
            "'kernel' pt 7 ps 0.3, '' using 1:3 title 'all cores' pt 7 ps 0.3, "
            "'' using 1:4 title 'one core, plain C' pt 7 ps 0.3\n",
            names[domain], prefix, names[domain]);
    fprintf(script,
            "set ylabel 'speed-up'\nplot '%s_%s.dat' using 1:6 title 'over one core, plain C' pt 7 "
            "ps 0.3, '' using 1:5 title 'over all cores' pt 7 ps 0.3\n",
            prefix, names[domain]);
  }
}

static int draw(const char *path)
{
  char *words[] = {(char *)"gnuplot", (char *)path, NULL};
  pid_t process;
  int status;

  if (posix_spawnp(&process, "gnuplot", NULL, NULL, words, environ)) {
    fprintf(stderr, "mpf: gnuplot is not installed; it draws %s\n", path);
    return 0;
  }
  return waitpid(process, &status, 0) == process && status == 0 ? 0 : -1;
}

int mpf_plot_end(struct mpf_plot *plot)
{
  char path[4096];
  FILE *script = open_file(plot->prefix, ".gp");
  int status = script ? 0 : -1;

  for (int domain = 0; domain < MPF_DOMAIN_COUNT; domain++)
    if (plot->data[domain] && fclose(plot->data[domain])) status = -1;
  if (!script) return -1;
  write_script(script, plot->prefix);
  if (fclose(script)) status = -1;
  snprintf(path, sizeof path, "%s.gp", plot->prefix);
  return status ? status : draw(path);
}
