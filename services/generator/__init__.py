"""From a Layout to a Template, and every change to it."""
