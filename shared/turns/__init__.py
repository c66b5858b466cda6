"""What a turn asks of a report and what comes of it: request, verdict, fixes, and the session that goes on."""
