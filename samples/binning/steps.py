#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""steps.py - what making bins takes, step by step: the reduction that finds the greatest depth, the
scan that finds where compact bins begin (section 4.3.1 of the paper), and the others.

The times are the device's, of a trace that the program left: MESI_TRACE=FILE.json NAME run ...
The median of a step's launches, without the first where there are several.
usage: steps.py FILE.json..."""
import json, statistics, sys

PREFIX = 'mesi_bin '
TOLD = {
    'clear': 'counts are set to 0',
    'locate': "each element's bin, and how many it has",
    'measure': 'reduction: the greatest depth and other statistics',
    'scan': 'scan: where compact bins begin',
    'place': 'elements go to their places',
}


def steps(path):
    """The milliseconds of each step's launches, by name, in the order in which they come."""
    events = json.load(open(path))
    found = {}
    for event in events if isinstance(events, list) else events['traceEvents']:
        name = event.get('name', '')
        if name.startswith(PREFIX) and event.get('cat') == 'launch':
            found.setdefault(name[len(PREFIX) :], []).append(event['dur'] * 1e-3)
    return found


def typical(times):
    return statistics.median(times[1:] or times)


def main():
    for path in sys.argv[1:]:
        print(path)
        found = steps(path)
        for step, times in found.items():
            print(
                '%-12s %4d launches %10.4f ms  %s'
                % (step, len(times), typical(times), TOLD.get(step, ''))
            )
        if 'measure' in found and 'scan' in found:
            reduction, scan = typical(found['measure']), typical(found['scan'])
            print('reduction %.4f ms, scan %.4f ms' % (reduction, scan))


if __name__ == '__main__':
    main()
