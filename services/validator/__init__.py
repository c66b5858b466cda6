"""From a Template to a Verdict, with the real engine."""
