"""The rules. One file a rule or a handful of twins, one folder a family, one line each in the registry."""
