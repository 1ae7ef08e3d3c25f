"""Where events come from. A feed yields records, each with its position, and nothing else."""
