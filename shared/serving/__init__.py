"""Services as Ray Serve deployments: their pools, their replicas, and autoscaling."""
