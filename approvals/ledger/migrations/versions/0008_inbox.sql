-- Riskiest first, then oldest: the order of an inbox, read from its beginning only.
DROP INDEX approvals_that_ask;
CREATE INDEX approvals_that_ask ON approvals (((rule ->> 'risk') IS DISTINCT FROM 'high'), opened_at, id)
    WHERE status = 'pending' OR effect = 'unknown';
