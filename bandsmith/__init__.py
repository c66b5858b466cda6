"""What a person runs: the command line, and the host that runs all services in one process."""
