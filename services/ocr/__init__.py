"""From a Document to a Layout."""

import os

# onnxruntime reports its use to its maker otherwise, from the moment when it is imported.
os.environ["ORT_DISABLE_TELEMETRY"] = "1"
