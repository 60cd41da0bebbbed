# SPDX-License-Identifier: MIT
"""Compares what --explain=json says of each launch with what is emitted: its kernel as written or
another, in parts, put together with others."""
import collections, json, os, re

from harness import ROOT

LINE = re.compile(r'^\s*#\s*line (\d+)(?: "((?:[^"\\]|\\.)*)")?')


def lines_of_source(text, path):
    """(file, line) of the source -> what is emitted there."""
    found, file, number = collections.defaultdict(str), path, 1
    for line in text.split('\n'):
        directive = LINE.match(line)
        if directive:
            number, file = int(directive.group(1)), directive.group(2) or file
            continue
        if not line.lstrip().startswith('//'):
            found[os.path.realpath(file), number] += line
        number += 1
    return found


def new_kernels(text, written):
    """Names that are called or launched in one text and are not in the other: those of kernels that
    were made."""
    words = set(re.findall(r'\b(\w+)\s*(?:<[^<>;(){}]*>\s*)?\(', text))
    return {w for w in words - set(re.findall(r'\w+', written)) if not re.match(r'_|mesi_', w)}


def statement_before(text, at):
    """Where the statement begins that reaches up to a place; what stands in braces within it, as a
    list of versions does, belongs to it."""
    depth = 0
    while at:
        letter = text[at - 1]
        if not depth and letter in ';{}':
            return at
        depth += (letter in ')]}') - (depth > 0 and letter in '([{')
        at -= 1
    return 0


def launched_names(line):
    """Words of the launches in what is emitted at a line of the source, where text of a kernel that
    was made can stand too."""
    plain = re.sub(r'"(?:[^"\\]|\\.)*"', '', line)
    begun = [launch.start() for launch in re.finditer('<<<', plain)]
    parts = [plain[statement_before(plain, at) : at] for at in begun]
    parts += re.findall(
        r'(?:mesi_cpu::launch|mesi_stepped|mesi_parted|mesi_batched)\w*\([^;]*', plain
    )
    return set(re.findall(r'\w+', ' '.join(parts)))


def wrong_launches(path, written, text, report):
    """How many launches there are, and what is wrong. `written` has the names of the program as it
    is written, `text` is what is emitted, `report` the JSON."""
    added = new_kernels(text, written)
    emitted, launches = lines_of_source(text, path), {}
    for kernel in json.loads(report)['kernels']:
        for launch in kernel['launches']:
            place = os.path.realpath(launch['place']['file']), launch['place']['line']
            launches.setdefault(place, []).append(launch)
        if kernel['changed'] != any(launch['changed'] for launch in kernel['launches']):
            return 1, ['kernel %s' % kernel['name']]
    wrong = []
    for place, found in launches.items():
        line = emitted.get(place, '')
        names = launched_names(line)
        aside = {name for name in names if re.search(r'_(part|steps|in_steps)(_\d+)?$', name)}
        seen = {
            'changed': bool(names & added - aside),
            'parted': bool(re.search(r'mesi_launch_(in_parts|on_devices)\(', line)),
            'spread': bool(re.search(r'mesi_launch_on_(devices|several)\(', line)),
            'stepped': 'mesi_stepped(' in line,
        }
        for key, holds in seen.items():
            if holds != any(launch[key] for launch in found):
                wrong.append(
                    '%s:%d: the report says %s%s, the text %s'
                    % (
                        os.path.relpath(place[0], ROOT),
                        place[1],
                        '' if not holds else 'not ',
                        key,
                        line.strip()[:200],
                    )
                )
    return len(launches), wrong
