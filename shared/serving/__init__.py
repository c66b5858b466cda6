"""Services as Ray Serve deployments: what is asked of a pool, how it is deployed, how it grows."""
