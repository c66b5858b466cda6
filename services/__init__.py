"""The five services. Each imports `shared`, never another service."""
