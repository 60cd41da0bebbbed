#!/usr/bin/env python3
"""The buckets of `mpf bench --list FILE` with torch on the GPU: torch.einsum, and in the log domain
an einsum of exponentials relative to each function's largest value, and a broadcast logsumexp that
is right for all inputs.

    python3 einsum.py FILE [--repeats 5] [--seconds 600]

A line a bucket: kernel milliseconds of mpf as the list has them, then each peer's. Times are
medians of CUDA events after a run that does not count. TF32 is off. cuTENSOR is measured through
cupy where that can be imported."""
import argparse, json, math, statistics, sys, time

import torch

parser = argparse.ArgumentParser()
parser.add_argument('list')
parser.add_argument('--repeats', type=int, default=5)
parser.add_argument('--seconds', type=float, default=600, help='stop after so long')
parser.add_argument(
    '--check', action='store_true', help='compare the log peers with each other in double'
)
options = parser.parse_args()
torch.backends.cuda.matmul.allow_tf32 = False
device = 'cuda' if torch.cuda.is_available() else 'cpu'
try:
    import cupy
    from cupyx import cutensor as _  # noqa: F401, only whether it is there

    have_cutensor = True
except Exception:
    have_cutensor = False


def measure(function):
    """Median milliseconds; None where it does not fit into memory."""
    try:
        function()
        times = []
        for _ in range(options.repeats):
            if device == 'cuda':
                begin, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(
                    enable_timing=True
                )
                begin.record()
                function()
                end.record()
                end.synchronize()
                times.append(begin.elapsed_time(end))
            else:
                start = time.perf_counter()
                function()
                times.append((time.perf_counter() - start) * 1e3)
        return statistics.median(times)
    except RuntimeError as error:  # out of memory, or more dimensions than torch takes
        if device == 'cuda':
            torch.cuda.empty_cache()
        print('#', str(error).split('\n')[0][:100], file=sys.stderr)
        return None


def einsum(bucket, tensors):
    words = []
    for tensor, function in zip(tensors, bucket['functions']):
        words += [tensor, function]
    return torch.einsum(*words, list(range(bucket['outputs'])))


def exp_normalise(bucket, tensors):
    most = [tensor.max() for tensor in tensors]
    return torch.log2(einsum(bucket, [torch.exp2(t - m) for t, m in zip(tensors, most)])) + sum(
        most
    )


def broadcast_logsumexp(bucket, tensors):
    total = None
    for tensor, function in zip(tensors, bucket['functions']):
        shape = [
            bucket['domains'][v] if v in function else 1 for v in range(len(bucket['domains']))
        ]
        total = tensor.reshape(shape) if total is None else total + tensor.reshape(shape)
    summed = list(range(bucket['outputs'], len(bucket['domains'])))
    return torch.logsumexp(total * math.log(2), summed) / math.log(2) if summed else total


def cutensor_einsum(bucket, tensors):
    words = []
    for tensor, function in zip(tensors, bucket['functions']):
        words += [cupy.asarray(tensor), function]
    cupy._core.set_routine_accelerators(['cutensor'])
    return cupy.einsum(*words, list(range(bucket['outputs'])))


def peers_of(bucket):
    if bucket['domain'] == 'linear':
        peers = {'einsum': einsum}
        if have_cutensor:
            peers['cutensor'] = cutensor_einsum
        return peers
    return {'exp_normalise': exp_normalise, 'logsumexp': broadcast_logsumexp}


def main():
    ratios, start = {}, time.time()
    print(
        '# torch %s on %s; cuTENSOR through cupy: %s'
        % (
            torch.__version__,
            torch.cuda.get_device_name() if device == 'cuda' else 'CPU',
            'yes' if have_cutensor else 'not importable',
        )
    )
    for line in open(options.list):
        if time.time() - start > options.seconds:
            print('# stopped after %.0f s' % options.seconds)
            break
        bucket = json.loads(line)
        torch.manual_seed(bucket['bucket'])
        scale = (
            (lambda t: t * 0.9375 + 0.0625) if bucket['domain'] == 'linear' else (lambda t: t * -4)
        )
        try:
            tensors = [
                scale(torch.rand([bucket['domains'][v] for v in f], device=device))
                for f in bucket['functions']
            ]
        except RuntimeError:
            continue
        times = {
            name: measure(lambda: peer(bucket, tensors)) for name, peer in peers_of(bucket).items()
        }
        if options.check and bucket['domain'] == 'log' and bucket['flop'] < 1e8:
            have, wanted = exp_normalise(bucket, tensors), broadcast_logsumexp(
                bucket, [t.double() for t in tensors]
            )
            times['difference'] = float((have.double() - wanted).abs().max())
        print(
            '%4d %-6s %12.4g flop  mpf %9.4f ms'
            % (bucket['bucket'], bucket['domain'], bucket['flop'], bucket['kernel_ms']),
            *['%s %s' % (name, '-' if t is None else '%9.4f' % t) for name, t in times.items()],
            flush=True
        )
        for name, t in times.items():
            if t and name != 'difference' and bucket['kernel_ms'] > 0:
                ratios.setdefault((bucket['domain'], name), []).append(t / bucket['kernel_ms'])
    for (domain, name), values in sorted(ratios.items()):
        print(
            '%s, %s over mpf: geometric mean %.3g of %d buckets, mpf faster in %d'
            % (
                domain,
                name,
                math.exp(sum(map(math.log, values)) / len(values)),
                len(values),
                sum(v > 1 for v in values),
            )
        )


main()
