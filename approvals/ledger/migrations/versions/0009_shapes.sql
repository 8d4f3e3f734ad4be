ALTER TABLE approvals
    -- How the agent paused. What is not `gated` has no effect of ours: its row records the decision.
    ADD COLUMN shape         text NOT NULL DEFAULT 'gated'
                             CHECK (shape IN ('gated', 'per_call', 'batched', 'free_form')),
    -- How many questions one pause asks; `slot` counts them from 0. They are answered together.
    ADD COLUMN slots         integer NOT NULL DEFAULT 1,
    ADD COLUMN asker         text NOT NULL DEFAULT '',
    -- json, not jsonb: what the paused code is handed keeps the order in which the configuration has it.
    ADD COLUMN answers       json NOT NULL DEFAULT '{}',
    ADD COLUMN answer_schema json,
    ADD CONSTRAINT approvals_slot_exists CHECK (slot >= 0 AND slot < slots),
    ADD CONSTRAINT approvals_effect_is_ours CHECK (shape = 'gated' OR effect = 'none');
