"""The one reader of sentences: what a user says becomes a typed value here, and nowhere else.

Three questions are asked of a sentence, each answered by rules where they are sure and by a model for the rest:

- ``intents``: what does the user want of this turn?
- ``change``: which edits of the template does the sentence ask for?
- ``spec``: which report does the sentence describe?
"""

from .read_sentence import read_sentence

__all__ = ["read_sentence"]
