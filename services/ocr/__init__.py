"""From a Document to a Layout."""
