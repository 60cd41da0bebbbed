#!/usr/bin/env bash
# figures.sh - in a bundle, on the machine with the GPU, after ./run.sh 'cutcp*' and so on: the paper's figures for the samples over bins, at its
# sizes; the kernels as they are at each level of the translator for the set of table 5.
#   ./binning_figures.sh [NAME...]      names: cutcp gridding blob nbody (default: all)
# Leaves build/figures_NAME_SET_OLEVEL.txt; at the end what table 5 has, and each kernel at each level.
set -u
cd "$(dirname "$0")" || exit 1
levels=${LEVELS:-O0 O1 O2 O3}
# figures NAME SET LEVEL WORDS...
figures() {
  local to=build/figures_$1_$2_$3.txt
  [ -x "build/$1_$3" ] || ./run.sh "$1"
  echo "== $1, $2, $3"
  timeout "${LIMIT:-300}" "build/$1_$3" figures --set "$2" "${@:4}" 2>&1 | tee "$to"
}
for name in ${*:-cutcp gridding blob nbody}; do
  case $name in
    cutcp) set=large planes=16 more='small' ;;
    gridding) set=small planes=4 more='large' ;;
    blob) set=random planes=8 more='large small' ;;
    nbody) set=random planes=1 more='' ;;
  esac
  figures $name $set O2 --planes $planes
  for other in $more; do figures $name $other O2 --planes 16; done
  for level in $levels; do
    [ "$level" = O2 ] || timeout "${LIMIT:-300}" "build/${name}_$level" forms --set $set >"build/figures_${name}_${set}_$level.txt" 2>&1
  done
done
echo
for file in build/figures_*_O2.txt; do echo "$(basename "$file" .txt): $(grep '^table 5' "$file")"; grep '^automatic' "$file"; done
# Kernel ms of each form at each level, and what the best level gains over -O0.
for first in build/figures_*_O0.txt; do
  case=${first%_O0.txt}
  awk -v case="$(basename "$case")" '
    FNR == 1 { level = FILENAME; sub(/.*_/, "", level); sub(/[.]txt/, "", level); levels[++count] = level; on = 0 }
    /^form / { on = 1; next }
    NF == 0 { on = 0 }
    on { name = substr($0, 1, 26); rest = substr($0, 27); split(rest, of); if (!(name in seen)) { seen[name] = 1; names[++rows] = name } ms[name, level] = of[1] }
    END {
      printf "\n%-26s", case; for (i = 1; i <= count; i++) printf " %10s", "-" levels[i]; printf " %10s\n", "-O0 / best"
      for (r = 1; r <= rows; r++) {
        best = 0; printf "%-26s", names[r]
        for (i = 1; i <= count; i++) { t = ms[names[r], levels[i]]; printf " %10s", t + 0 ? t : "-"; if (t + 0 && (!best || t + 0 < best)) best = t + 0 }
        printf " %10s\n", best ? sprintf("%.2f", ms[names[r], "O0"] / best) : "-"
      }
    }' "$case"_O[0-3].txt
done
