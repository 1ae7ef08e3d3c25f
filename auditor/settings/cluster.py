"""The Kafka cluster, as the settings say."""

from __future__ import annotations

from auditor.cluster import Cluster, Sasl, Tls
from auditor.settings.model import Settings


def cluster_of(settings: Settings) -> Cluster:
    """How the brokers are reached."""
    tls = sasl = None
    if settings.security_protocol.endswith("SSL"):
        password = settings.tls_key_password
        tls = Tls(
            settings.tls_cafile,
            settings.tls_certfile,
            settings.tls_keyfile,
            password.get_secret_value() if password else None,
            settings.tls_check_hostname,
        )
    if settings.sasl_mechanism and settings.sasl_username and settings.sasl_password:
        sasl = Sasl(settings.sasl_mechanism, settings.sasl_username, settings.sasl_password.get_secret_value())
    return Cluster(settings.bootstrap, settings.client_id, tls, sasl)
