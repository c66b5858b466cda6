"""The Model Context Protocol: models of other programs build, change and export reports with these tools.

``bandsmith mcp`` serves it over stdio, with the files below chosen folders; the web process serves it over HTTP at
``/mcp``, with files that were uploaded before.
"""
