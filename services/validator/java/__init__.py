"""Read one expression of a template as Java, hold it to an allow-list, and print it again.

Theory of operation
===================

The engine copies the text of an expression into the source of a Java class. A text that only looks like one expression,
for a search of forbidden words, can end the expression there and begin something else. So the text is not
searched:

1. Java's Unicode escapes are decoded, and each reference such as ``$F{price}`` becomes a name of its own (`tokens`).
2. A Java parser reads the result (`parse`). There must be one expression, without an error, from the first character to
   the last.
3. Every node of the tree must be of a kind on a list; every class, method and constant that it names must be on another
   (`members`).
4. The expression is printed again from the leaves of the tree: comments are gone, each text is written by us, and a
   reference is put where its name stood. Only this print reaches the engine.

What the parser and the engine's compiler might read differently is thus never what a person wrote, but what we printed.
"""

from .read import MAX_EXPRESSION_CHARS, JavaRefused, Reason, normal_form

__all__ = ["MAX_EXPRESSION_CHARS", "JavaRefused", "Reason", "normal_form"]
