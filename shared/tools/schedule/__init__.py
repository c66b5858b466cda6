"""The tools that work on a calendar: those of the pack ``core`` read, the others change or analyse it."""
