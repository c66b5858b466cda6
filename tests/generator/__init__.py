"""Specifications of the generator."""
