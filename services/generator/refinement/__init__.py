"""Refinement: a draft is printed, compared with its form, and corrected where it is off."""
