"""The planner: reads requests, answers questions and keeps what was learned."""
