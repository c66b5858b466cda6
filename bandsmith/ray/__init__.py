"""The host on Ray Serve: on this machine, or on the cluster that RAY_ADDRESS names."""

import os

os.environ["RAY_USAGE_STATS_ENABLED"] = "0"  # Ray reads it when it is imported
