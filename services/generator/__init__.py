"""The generator: from a layout to a template and its data, and every later change to the template."""
