"""The nouns, in the order data flows: Document, Layout, Plan, Template, Verdict; Edit and Session stand beside them."""
