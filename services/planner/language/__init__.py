"""The one reader of sentences: what a user says becomes a typed value here, and nowhere else.

Theory of operation
===================

A sentence is read once, when the turn is classified (``read_sentence``). Three questions are asked of it:

==============  =======================================  ==============================================
``intents``     What does the user want of this turn?     an intent, with the format of an export
``change``      Which edits of the template?              ``ChangeRequest``: edits, refusals, what was not read
``spec``        Which new report?                         ``ReportRequest``: a ``ReportSpec`` and what was assumed
==============  =======================================  ==============================================

The generator takes these values and reads no sentence. Two commands read later what could not be read at once:
``ReadChange`` where remarks on a picture are about a template that had to be built first, ``ReadSpec`` where a model
reads a report with the knowledge that was recalled in between.

Rules and a model
-----------------

Each question is answered by rules first. Rules act only on what they account for word by word; what is left over is
*unread*. Without a model, the reply quotes it.

With a model and a report, rules only propose: the model gets the whole sentence with what rules would do, and keeps,
completes or replaces it (``change/llm_edits.py``). Commands that rules are sure of (undo, export) are not sent. If the
model is asked for the intent, it does the work in the same reply, and that answer is taken instead of a second call. A
model's edits are tried on a copy first: what cannot be carried out goes back once with the reason, and what is still
wrong then is left out, and the reply says so. If the model fails, the reading of the rules counts, and a note says why.

How rules read an intent
------------------------

``intents/normal_form.py`` brings a sentence into lower case and simplified characters and replaces quotations by one
mark: they are content, never a command. ``intents/rules.toml`` is a table, and its first fitting row wins. A row for a
command (undo, export, reset) fits only if nothing else is said.

How rules read a change
-----------------------

1. ``request_clauses.py`` splits the sentence where clauses may end: strongly at a full stop, weakly at an "and".
   Whether a weak break ends a clause is not known yet: "delete the line, the logo and the footer" is one clause.
2. ``change/rule_parser.py`` tries every way to join up to four parts, and prices each. An unread clause costs 10, one
   that names what does not exist 3, any other 0.1; joining adds to the price of a clause that names what does not
   exist. The cheapest way wins. So a sentence is read with the fewest unread clauses, then with the fewest clauses.
3. ``change/rules`` are tried on a clause in a fixed order. Each reads the whole clause or nothing. Their sentences are
   data (``sentence_templates.py``, ``templates/<language>/<subject>.toml``), read by small builders. Patterns in code
   are for marks, quotations, numbers, dates, formulas and addresses, which are the same in every language.
4. A builder resolves the words of its slots against the template: ``template_view.py`` shows the template as a user
   sees it, ``reference_resolver.py`` finds what words mean there (by wording, field name, position or role),
   ``fuzzy_match.py`` says how well they fit. Words that fit two things are ambiguous, and the clause is unread.
5. If a clause is left unread, ``typo_correction.py`` corrects English words, and the result is taken only if the whole
   sentence can be read then.

Clauses that only tell something, and reasons, are passed over where the rest was read (``background.py``,
``templates/*/reasons.toml``), and the reply quotes them. What has a word that may ask for something is unread.

A clause without a name ("and bold") refers to what the clause before it named.

How rules read a report
-----------------------

``spec`` works the other way round, since a description of a report is a list with clauses around it. Each reader of
``spec/clauses`` takes out of the text what it understands (paper, wording, formulas, order, groups), in an order in
which none takes another's words. ``spec/section_reader.py`` reads what remains from left to right: the name of the
report, its columns, the lines above and below the table, signatures, totals. Every word is accounted for, or its clause
is unread. Where something is unread, a model reads the whole description. Without one, nothing is built where the
unread words may name content. Where they only say what to do with the report, it is built, they are read as changes of
it, and the reply begins with what is left. ``spec/rule_reader.py`` has the rules of that decision.
"""

from .read_sentence import read_sentence

__all__ = ["read_sentence"]
