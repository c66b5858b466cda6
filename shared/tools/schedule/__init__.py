"""The tools that work on a calendar: those of the pack ``core`` read, the others change or analyse it."""

ABOUT = (
    "place, move, swap and take out work in the calendar; look up what stands where and what is free; judge a plan; "
    "add an event, lock, unlock, rename or lengthen an entry, split a piece of work, delete entries (pack entries)"
)
RULES = """\
A calendar has days 1 to N and slots in each day; only the program maps them to dates. Events stand already; locked ones
stay. Task items of a class keep their order. A pending item can be placed, a placed one moved, swapped or taken out. No
overlap, except one item inside an event that can hold one. Excluded weekdays and slots and daily limits are kept.
"Move every early task, one by one": query_target_tasks with enqueue, then the pack queue.
New work is placed by place_work, what is pending by place_all: both find the positions themselves. The days, slots and
limits that work was placed with hold for it afterwards; upsert_task_class (domain taskclass) changes them. The pack
entries adds events, changes single entries (lock, name, length), splits task items and deletes for good."""
"""The description that a model gets once tools of the domain are offered."""
