"""The knowledge base: what was kept from earlier turns, and the articles that ship with the program.

It lies in Milvus and is searched by words, by the page's fingerprint and, with an embedding model, by meaning.
"""
