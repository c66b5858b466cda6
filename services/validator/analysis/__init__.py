"""The files of an analysis: Markdown, one web page that needs no network, and the PDF that the report engine prints."""
