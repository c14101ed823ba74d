"""Distributes a job of the program to the workers of a Dask cluster.

    python -m pentarch.cluster arena --game bushka --nodes 1000 --out match.games --scheduler tcp://head:8786

The command must be a command with the flag `--shard`; you can add its other flags. The driver stores finished shards in
a folder next to the output file. After an interruption the same command computes only the missing shards. Without
`--scheduler` the driver starts workers on this machine. It requires `pip install 'pentarch[cluster]'`, also on the
workers.

| module | contents |
|---|---|
| `__main__` | the entry point, which reports a missing Dask |
| `command_line` | the flags, and the exit code |
| `driver` | one run of the driver: existing shards, computation, merging |
| `dispatcher` | the distribution of shards to workers, and the reactions to failures |
| `roster` | the workers that the driver knows: silence, failures, speed |
| `plan` | the ranges that no worker has yet, and the sizes of shards |
| `scheduler` | the connection to Dask, with time limits |
| `worker` | the functions that run on the workers |
| `shards` | jobs, ranges and the headers of shards |
| `progress` | messages and progress on the error output |
| `errors` | the errors of the driver and of the workers |
"""
