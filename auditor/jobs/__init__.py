"""Big jobs: many files of hand histories, read and audited by several processes, stored by one."""
