"""The tools that create and change classes of task items."""

ABOUT = "create a class of work or change one: its pieces, days, slots, order, limits, and how demanding it is"
RULES = """\
A task class is work of one kind whose pieces keep their order. upsert_task_class creates one, or changes the one whose
id is given; its pieces are pending until they are placed. It states a validation: while that is not ok, nothing is
stored and the task is not done. Work that is only to be placed
needs no class first: place_work of the domain schedule adds and places it in one call, so that the user is asked once.
Infer subject_type, difficulty and intensity; ask only if they cannot be inferred."""
"""What a model is told once tools of the domain are offered."""
