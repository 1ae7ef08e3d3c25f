"""An event-sourced hand-history auditor for poker.

>>> from auditor import audit
>>> [finding.rule for finding in audit([b"not an event"])]
['FEED108']
"""

from auditor.audit import Audit, audit
from auditor.findings import Finding

__version__ = "0.1.0"
__all__ = ["Audit", "Finding", "__version__", "audit"]
