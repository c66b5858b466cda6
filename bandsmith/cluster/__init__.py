"""The host on Ray Serve: on this machine, or on the cluster that RAY_ADDRESS names."""
