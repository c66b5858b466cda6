"""The OCR service: from a document to its layout."""

import os

# ONNX Runtime sends usage data to its vendor otherwise, as soon as it is imported.
os.environ["ORT_DISABLE_TELEMETRY"] = "1"
