"""A report from a sentence: what is wished for, read from words, and made into a plan with sample data."""
