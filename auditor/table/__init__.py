"""The state of a table and of its open hand, and what each event does to it.

`evolve` is total: events are facts and cannot be refused. An illegal action changes the state as it did at the real
table; that it was illegal is for a rule to say.
"""
