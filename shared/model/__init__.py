"""The nouns, in the order data flows: Document, Layout, Plan. They know no template and no edit of one."""
