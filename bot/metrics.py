"""What the bot counts. Names and numbers only; nothing of what people write."""

from prometheus_client import CollectorRegistry, Counter, Histogram, generate_latest

ACK_BUCKETS = (0.05, 0.1, 0.25, 0.5, 1.0, 2.0, 3.0)


class Metrics:
    """One set per app, on a registry of its own."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        self.says = Counter(
            "countersign_says", "What people said about approvals.", ["say", "outcome"], registry=self.registry
        )
        self.mentions = Counter(
            "countersign_mentions", "Messages to the bot, by what became of them.", ["outcome"], registry=self.registry
        )
        self.turned_away = Counter(
            "countersign_requests_refused", "Requests that were not Slack's.", ["status"], registry=self.registry
        )
        self.ack_seconds = Histogram(
            "countersign_ack_seconds",
            "How long Slack waited for an answer.",
            buckets=ACK_BUCKETS,
            registry=self.registry,
        )

    def page(self) -> bytes:
        return generate_latest(self.registry)
