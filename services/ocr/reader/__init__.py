"""Read documents and tables in a worker process, behind the walls of ``shared.confined``.

Decoders of pictures, PDF and office documents are large programs, and a file from outside may make one crash, loop or
take all memory. In the worker that ends in a sentence. What comes back is data of ours: pixels, words, rows.
"""

from .client import DocumentReader

__all__ = ["DocumentReader"]
