"""JRXML: read, edit and write report templates of JasperReports 6.

dom              nodes, attributes, and the order of children that the schema requires
expressions      ``$F{}``, ``$P{}`` and ``$V{}`` in expressions
bands            the bands of a template and the elements in them, by name
text_styles      the style of a text, with the styles that it is based on
typesetting      how the engine breaks and measures text
draft            a template that is being edited: elements by name, boxes, free space
tables           the table that the detail rows form: columns, headers, totals
column_layout    moves what stands in the columns when the columns move
outline          a template in few words, for prompts
diff             the differences between two templates, for people
labels           names of bands and elements, for people
writer           a plan as JRXML
legacy           templates of JasperReports 1 to 5, converted to version 6

Nothing here knows about edits: ``shared.edits`` defines them in terms of these modules.
"""
