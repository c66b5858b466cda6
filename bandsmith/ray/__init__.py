"""The host on Ray Serve: on this machine, or on the cluster at RAY_ADDRESS."""

import os

os.environ["RAY_USAGE_STATS_ENABLED"] = "0"  # Ray reads it on import
