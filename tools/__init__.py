"""What the project needs around it: the set-up, and the parts of the README that are generated."""
