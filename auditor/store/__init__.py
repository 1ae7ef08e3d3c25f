"""DuckDB: the one place with SQL."""
