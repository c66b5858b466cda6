"""What is kept from earlier turns, and the articles that ship with the program: in Milvus, searched by words,
likeness of the page and, with an embedding model, meaning."""
