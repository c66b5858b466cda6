"""What is told of the work: log lines, figures, traces."""
