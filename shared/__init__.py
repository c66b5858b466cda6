"""What every service shares: the nouns, the messages, the bus and the loop that runs an actor."""
