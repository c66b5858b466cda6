"""A worker process for what comes from outside: it gives up what it does not need, and is killed when it is late.

Theory of operation
===================

Whatever reads a file from outside can have a fault that the file makes use of: the report engine, which runs the
expressions of templates, and the decoders of pictures, PDF and office documents. Both run in a worker process, which
takes these walls upon itself (`walls`) before it reads anything; it cannot take them down again, and its threads have
them too.

- *files* (`landlock`): it reads the programs, libraries and fonts of the system, this package and what its owner names,
  writes to its own scratch folder, and opens nothing else, neither in the home folder nor in ``/proc`` of another
  process. It sends no signal to a process outside.
- *network*: it moves into a network namespace without interfaces.
- *calls* (`seccomp`): the kernel refuses to start programs and processes, to open sockets, and some fifty calls by
  which kernels were attacked before: namespaces, mounts, tracing, BPF, io_uring, keys, modules.
- *privileges*: no capabilities, not even those of root, and none to be gained.
- *limits*: memory, the size of a file, the number of open files, no core dumps.

A wall that the kernel does not offer is left out and reported (`Walls`), and ``bandsmith doctor`` says so: the others
stand without it. The environment is an allow-list, and the home folder is the scratch folder.

The owner (`process`) and the worker exchange one request and one reply at a time over a socket pair (`ipc`). Each call
has a deadline; a worker that misses it, or dies, is replaced. When the owner's end closes, the worker exits at once.
"""

from .fatal import FatalRequests
from .process import TimeBudget, WorkerDied, WorkerProcess, WorkerTimeout
from .walls import Walls, confine

__all__ = ["FatalRequests", "TimeBudget", "Walls", "WorkerDied", "WorkerProcess", "WorkerTimeout", "confine"]
