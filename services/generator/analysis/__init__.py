"""Writing about results: a model's words, with figures that the program puts in."""
