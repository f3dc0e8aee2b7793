-- The first schema: messages, statements, propositions, the projected graph, jobs and outbox.
-- Times are ISO 8601 text. Every table carries user_id, and context_id where it holds knowledge.

CREATE TABLE meta (                            -- facts about the file itself, such as the secret of keyed hashes
    name TEXT PRIMARY KEY, value TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE users (
    user_id TEXT PRIMARY KEY, display_name TEXT NOT NULL, zone TEXT NOT NULL, created_at TEXT NOT NULL
) STRICT;
CREATE TABLE contexts (
    context_id TEXT NOT NULL, user_id TEXT NOT NULL REFERENCES users(user_id), name TEXT NOT NULL,
    created_at TEXT NOT NULL, PRIMARY KEY (user_id, context_id)
) STRICT;

CREATE TABLE conversations (
    conversation_id TEXT PRIMARY KEY, user_id TEXT NOT NULL, context_id TEXT NOT NULL,
    title TEXT NOT NULL, title_origin TEXT NOT NULL CHECK (title_origin IN ('none','automatic','person')),
    external_name TEXT,                       -- the name an import file gave it
    created_at TEXT NOT NULL, updated_at TEXT NOT NULL
) STRICT;
CREATE INDEX conversations_by_date ON conversations(user_id, context_id, updated_at);
CREATE UNIQUE INDEX conversations_by_external_name
    ON conversations(user_id, context_id, external_name) WHERE external_name IS NOT NULL;

CREATE TABLE messages (
    row_number INTEGER PRIMARY KEY,           -- stable under VACUUM, unlike an implicit rowid: FTS refers to it
    message_id TEXT NOT NULL UNIQUE, user_id TEXT NOT NULL, context_id TEXT NOT NULL,
    conversation_id TEXT NOT NULL REFERENCES conversations(conversation_id),
    ordinal INTEGER NOT NULL,                 -- position in the conversation, from 1
    role TEXT NOT NULL CHECK (role IN ('user','assistant','other')),
    speaker TEXT NOT NULL, text TEXT NOT NULL, caption TEXT NOT NULL DEFAULT '',
    said_at TEXT NOT NULL, zone TEXT NOT NULL, recorded_at TEXT NOT NULL,
    status TEXT NOT NULL CHECK (status IN ('complete','streaming','stopped','interrupted','failed')),
    turn_id TEXT, engine TEXT,
    external_id TEXT,                         -- the id an import file gave it
    client_key TEXT,                          -- makes a resend harmless
    import_id TEXT,
    sources_json TEXT NOT NULL DEFAULT '[]',  -- message ids that an answer from memory rests on
    UNIQUE (conversation_id, ordinal)
) STRICT;
CREATE UNIQUE INDEX messages_by_external_id
    ON messages(user_id, context_id, external_id) WHERE external_id IS NOT NULL;
CREATE UNIQUE INDEX messages_by_client_key
    ON messages(user_id, context_id, client_key) WHERE client_key IS NOT NULL;

CREATE TABLE attachments (
    attachment_id TEXT PRIMARY KEY, user_id TEXT NOT NULL, context_id TEXT NOT NULL,
    message_id TEXT NOT NULL REFERENCES messages(message_id) ON DELETE CASCADE,
    name TEXT NOT NULL, text TEXT NOT NULL
) STRICT;

CREATE TABLE turns (
    turn_id TEXT PRIMARY KEY, user_id TEXT NOT NULL, context_id TEXT NOT NULL,
    conversation_id TEXT NOT NULL, user_message_id TEXT NOT NULL, assistant_message_id TEXT,
    state TEXT NOT NULL, error_json TEXT, engine TEXT, started_at TEXT NOT NULL, finished_at TEXT
) STRICT;
CREATE INDEX turns_by_conversation ON turns(conversation_id, started_at);

CREATE TABLE imports (
    import_id TEXT PRIMARY KEY, user_id TEXT NOT NULL, context_id TEXT NOT NULL,
    source TEXT NOT NULL, created_at TEXT NOT NULL
) STRICT;

-- ---------------------------------------------------------------- learning
CREATE TABLE jobs (
    sequence INTEGER PRIMARY KEY AUTOINCREMENT,   -- order of taking up
    job_id TEXT NOT NULL UNIQUE, user_id TEXT NOT NULL, context_id TEXT NOT NULL,
    kind TEXT NOT NULL, message_id TEXT NOT NULL REFERENCES messages(message_id) ON DELETE CASCADE,
    state TEXT NOT NULL CHECK (state IN ('pending','running','failed','done')),
    priority INTEGER NOT NULL,                -- 0 what was said just now, 1 what was imported
    attempts INTEGER NOT NULL DEFAULT 0,      -- that ended with an error
    crashes INTEGER NOT NULL DEFAULT 0,       -- that ended with the process
    not_before TEXT NOT NULL, reason TEXT NOT NULL DEFAULT '',
    import_id TEXT, turn_id TEXT, created_at TEXT NOT NULL, finished_at TEXT,
    UNIQUE (kind, message_id)
) STRICT;
CREATE INDEX jobs_waiting ON jobs(state, priority, sequence);
CREATE INDEX jobs_by_import ON jobs(import_id, state);

CREATE TABLE ledger (                          -- a message is processed once per extractor version
    user_id TEXT NOT NULL, context_id TEXT NOT NULL, message_id TEXT NOT NULL,
    text_hash TEXT NOT NULL, extractor_version TEXT NOT NULL, processed_at TEXT NOT NULL,
    PRIMARY KEY (message_id, text_hash, extractor_version)
) STRICT;

CREATE TABLE rejections (                      -- what was turned away, by reason; counts only
    user_id TEXT NOT NULL, context_id TEXT NOT NULL, reason TEXT NOT NULL, count INTEGER NOT NULL,
    PRIMARY KEY (user_id, context_id, reason)
) STRICT;

-- ---------------------------------------------------------------- identity
CREATE TABLE entities (
    entity_id TEXT PRIMARY KEY, user_id TEXT NOT NULL, context_id TEXT NOT NULL,
    label TEXT NOT NULL, name TEXT NOT NULL, normalised TEXT NOT NULL, gender TEXT NOT NULL DEFAULT '',
    named INTEGER NOT NULL,                   -- 0 while only described ("sister")
    anchor_id TEXT, anchor_predicate TEXT,    -- who a described entity is described by
    merged_into TEXT REFERENCES entities(entity_id),
    created_at TEXT NOT NULL
) STRICT;
CREATE INDEX entities_by_name ON entities(user_id, context_id, normalised);
CREATE INDEX entities_by_anchor ON entities(user_id, context_id, anchor_id, anchor_predicate);
CREATE TABLE entity_aliases (
    user_id TEXT NOT NULL, context_id TEXT NOT NULL, entity_id TEXT NOT NULL REFERENCES entities(entity_id) ON DELETE CASCADE,
    alias TEXT NOT NULL, normalised TEXT NOT NULL, PRIMARY KEY (entity_id, normalised)
) STRICT;
CREATE INDEX aliases_by_name ON entity_aliases(user_id, context_id, normalised);
CREATE TABLE identity_decisions (
    decision_id TEXT PRIMARY KEY, user_id TEXT NOT NULL, context_id TEXT NOT NULL,
    sequence INTEGER NOT NULL, kind TEXT NOT NULL CHECK (kind IN ('resolved','merged','split')),
    statement_id TEXT, argument TEXT,         -- 'subject' | 'object' | 'reporter' | 'member:N'
    entity_id TEXT NOT NULL, other_entity_id TEXT, decided_by TEXT NOT NULL, reason TEXT NOT NULL,
    recorded_at TEXT NOT NULL
) STRICT;
CREATE INDEX decisions_by_statement ON identity_decisions(statement_id);
CREATE INDEX decisions_by_entity ON identity_decisions(entity_id, sequence);
CREATE INDEX decisions_in_order ON identity_decisions(user_id, context_id, sequence);

-- ---------------------------------------------------------------- statements and propositions
CREATE TABLE statements (                      -- immutable rows
    statement_id TEXT PRIMARY KEY, user_id TEXT NOT NULL, context_id TEXT NOT NULL,
    sequence INTEGER NOT NULL, batch_id TEXT NOT NULL,
    message_id TEXT NOT NULL REFERENCES messages(message_id),
    span_start INTEGER NOT NULL, span_end INTEGER NOT NULL,
    speaker_id TEXT NOT NULL, extractor_version TEXT NOT NULL, method TEXT NOT NULL,
    body_json TEXT NOT NULL,                  -- the statement as understanding gave it
    said_at TEXT NOT NULL, recorded_at TEXT NOT NULL
) STRICT;
CREATE INDEX statements_by_message ON statements(message_id);
CREATE INDEX statements_by_batch ON statements(batch_id);
CREATE INDEX statements_in_order ON statements(user_id, context_id, sequence);

CREATE TABLE propositions (
    row_number INTEGER PRIMARY KEY,           -- for FTS, as in messages
    proposition_id TEXT NOT NULL UNIQUE, user_id TEXT NOT NULL, context_id TEXT NOT NULL,
    subject_id TEXT NOT NULL, predicate TEXT NOT NULL,
    object_id TEXT NOT NULL DEFAULT '',       -- entity id, or '' for a literal
    literal TEXT NOT NULL DEFAULT '',         -- normalised literal, or '' for an entity
    literal_type TEXT NOT NULL DEFAULT '', literal_text TEXT NOT NULL DEFAULT '',
    polarity TEXT NOT NULL, modality TEXT NOT NULL, speaker_id TEXT NOT NULL, episode INTEGER NOT NULL,
    text TEXT NOT NULL, confidence REAL NOT NULL, importance REAL NOT NULL, decay REAL NOT NULL,
    level INTEGER NOT NULL DEFAULT 0,
    status TEXT NOT NULL CHECK (status IN
        ('ACTIVE','PROPOSED','PROMOTED','CONTRADICTED','SUPERSEDED','RETRACTED','STALE')),
    pinned INTEGER NOT NULL DEFAULT 0, sensitive INTEGER NOT NULL DEFAULT 0,
    valid_from TEXT, valid_until TEXT, valid_precision TEXT,
    recorded_at TEXT NOT NULL, invalidated_at TEXT,
    qualifiers_json TEXT NOT NULL DEFAULT '{}', version INTEGER NOT NULL DEFAULT 1,
    UNIQUE (user_id, context_id, subject_id, predicate, object_id, literal, polarity, modality,
            speaker_id, episode)
) STRICT;
CREATE INDEX propositions_by_subject ON propositions(user_id, context_id, subject_id, predicate, object_id, literal);
CREATE INDEX propositions_by_object ON propositions(user_id, context_id, object_id, predicate, status);
CREATE INDEX propositions_of_values ON propositions(user_id, context_id, subject_id) WHERE object_id = '';
CREATE INDEX propositions_by_status ON propositions(user_id, context_id, status, recorded_at);

CREATE TABLE evidence (
    user_id TEXT NOT NULL, context_id TEXT NOT NULL,
    proposition_id TEXT NOT NULL REFERENCES propositions(proposition_id) ON DELETE CASCADE,
    statement_id TEXT NOT NULL REFERENCES statements(statement_id),
    PRIMARY KEY (proposition_id, statement_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX evidence_by_statement ON evidence(statement_id);

CREATE TABLE proposition_history (
    change_id TEXT PRIMARY KEY, user_id TEXT NOT NULL, context_id TEXT NOT NULL,
    proposition_id TEXT NOT NULL REFERENCES propositions(proposition_id) ON DELETE CASCADE,
    version INTEGER NOT NULL, change TEXT NOT NULL,
    reason TEXT NOT NULL CHECK (reason IN ('user_correction','conflict_resolution','new_information')),
    old_json TEXT NOT NULL, new_json TEXT NOT NULL, batch_id TEXT, changed_at TEXT NOT NULL
) STRICT;
CREATE INDEX history_by_proposition ON proposition_history(proposition_id, version);

CREATE TABLE person_decisions (                -- what the person did by hand, in order
    decision_id TEXT PRIMARY KEY, user_id TEXT NOT NULL, context_id TEXT NOT NULL,
    sequence INTEGER NOT NULL, kind TEXT NOT NULL CHECK (kind IN ('edit','undo','forget')),
    target TEXT NOT NULL, body_json TEXT NOT NULL DEFAULT '{}', recorded_at TEXT NOT NULL
) STRICT;

CREATE TABLE batches (                         -- what one message taught: the chip
    batch_id TEXT PRIMARY KEY, user_id TEXT NOT NULL, context_id TEXT NOT NULL,
    message_id TEXT NOT NULL, turn_id TEXT, items_json TEXT NOT NULL,
    undone INTEGER NOT NULL DEFAULT 0, recorded_at TEXT NOT NULL
) STRICT;
CREATE INDEX batches_by_message ON batches(message_id);

CREATE TABLE tombstones (                      -- keyed hashes of what must not be learnt again
    user_id TEXT NOT NULL, context_id TEXT NOT NULL, hash TEXT NOT NULL, kind TEXT NOT NULL,
    recorded_at TEXT NOT NULL, PRIMARY KEY (user_id, context_id, hash)
) STRICT, WITHOUT ROWID;

-- ---------------------------------------------------------------- the graph, a projection
CREATE TABLE kg_nodes (
    id TEXT PRIMARY KEY, user_id TEXT NOT NULL, context_id TEXT NOT NULL, label TEXT NOT NULL,
    properties TEXT NOT NULL CHECK (json_valid(properties)), confidence REAL NOT NULL,
    source_text TEXT NOT NULL DEFAULT '', canonical_id TEXT NOT NULL, aliases_json TEXT NOT NULL DEFAULT '[]',
    valid_from TEXT, valid_until TEXT, is_current INTEGER NOT NULL DEFAULT 1,
    created_at TEXT NOT NULL, updated_at TEXT NOT NULL, version INTEGER NOT NULL DEFAULT 1
) STRICT;
CREATE INDEX idx_kg_nodes_temporal ON kg_nodes(user_id, is_current, valid_from);
CREATE INDEX idx_kg_nodes_canonical ON kg_nodes(canonical_id);
CREATE INDEX idx_kg_nodes_label ON kg_nodes(user_id, context_id, label);

CREATE TABLE kg_edges (
    id TEXT PRIMARY KEY, user_id TEXT NOT NULL, context_id TEXT NOT NULL,
    source_id TEXT NOT NULL REFERENCES kg_nodes(id) ON DELETE CASCADE,
    target_id TEXT NOT NULL REFERENCES kg_nodes(id) ON DELETE CASCADE,
    relation_type TEXT NOT NULL, properties TEXT NOT NULL CHECK (json_valid(properties)),
    confidence REAL NOT NULL, source_text TEXT NOT NULL DEFAULT '', proposition_ids_json TEXT NOT NULL,
    valid_from TEXT, valid_until TEXT, is_current INTEGER NOT NULL DEFAULT 1,
    created_at TEXT NOT NULL, updated_at TEXT NOT NULL, version INTEGER NOT NULL DEFAULT 1
) STRICT;
CREATE INDEX idx_kg_edges_temporal ON kg_edges(user_id, is_current, valid_from);
CREATE INDEX idx_kg_edges_source ON kg_edges(user_id, context_id, source_id, relation_type, target_id);
CREATE INDEX idx_kg_edges_target ON kg_edges(user_id, context_id, target_id, relation_type);

CREATE TABLE kg_node_properties (
    node_id TEXT NOT NULL REFERENCES kg_nodes(id) ON DELETE CASCADE, user_id TEXT NOT NULL,
    context_id TEXT NOT NULL, key TEXT NOT NULL, value TEXT, PRIMARY KEY (node_id, key)
) STRICT, WITHOUT ROWID;
CREATE INDEX idx_kg_node_properties ON kg_node_properties(user_id, context_id, key, value);
CREATE TABLE kg_edge_properties (
    edge_id TEXT NOT NULL REFERENCES kg_edges(id) ON DELETE CASCADE, user_id TEXT NOT NULL,
    context_id TEXT NOT NULL, key TEXT NOT NULL, value TEXT, PRIMARY KEY (edge_id, key)
) STRICT, WITHOUT ROWID;
CREATE INDEX idx_kg_edge_properties ON kg_edge_properties(user_id, context_id, key, value);

CREATE TRIGGER kg_nodes_properties_insert AFTER INSERT ON kg_nodes BEGIN
    INSERT INTO kg_node_properties(node_id, user_id, context_id, key, value)
        SELECT NEW.id, NEW.user_id, NEW.context_id, key, CAST(value AS TEXT) FROM json_each(NEW.properties);
END;
CREATE TRIGGER kg_nodes_properties_update AFTER UPDATE OF properties ON kg_nodes BEGIN
    DELETE FROM kg_node_properties WHERE node_id = NEW.id;
    INSERT INTO kg_node_properties(node_id, user_id, context_id, key, value)
        SELECT NEW.id, NEW.user_id, NEW.context_id, key, CAST(value AS TEXT) FROM json_each(NEW.properties);
END;
CREATE TRIGGER kg_edges_properties_insert AFTER INSERT ON kg_edges BEGIN
    INSERT INTO kg_edge_properties(edge_id, user_id, context_id, key, value)
        SELECT NEW.id, NEW.user_id, NEW.context_id, key, CAST(value AS TEXT) FROM json_each(NEW.properties);
END;
CREATE TRIGGER kg_edges_properties_update AFTER UPDATE OF properties ON kg_edges BEGIN
    DELETE FROM kg_edge_properties WHERE edge_id = NEW.id;
    INSERT INTO kg_edge_properties(edge_id, user_id, context_id, key, value)
        SELECT NEW.id, NEW.user_id, NEW.context_id, key, CAST(value AS TEXT) FROM json_each(NEW.properties);
END;

CREATE TABLE kg_node_history (
    id TEXT PRIMARY KEY, node_id TEXT NOT NULL REFERENCES kg_nodes(id) ON DELETE CASCADE,
    user_id TEXT NOT NULL, context_id TEXT NOT NULL,
    version INTEGER NOT NULL, properties TEXT NOT NULL, valid_from TEXT, valid_until TEXT,
    created_at TEXT NOT NULL, change_reason TEXT
) STRICT;
CREATE INDEX idx_node_history_node ON kg_node_history(node_id, version);
CREATE TABLE kg_edge_history (
    id TEXT PRIMARY KEY, edge_id TEXT NOT NULL REFERENCES kg_edges(id) ON DELETE CASCADE,
    user_id TEXT NOT NULL, context_id TEXT NOT NULL,
    version INTEGER NOT NULL, properties TEXT NOT NULL, valid_from TEXT, valid_until TEXT,
    created_at TEXT NOT NULL, change_reason TEXT
) STRICT;
CREATE INDEX idx_edge_history_edge ON kg_edge_history(edge_id, version);

-- ---------------------------------------------------------------- vectors: outbox in the same transaction
CREATE TABLE vector_outbox (
    sequence INTEGER PRIMARY KEY AUTOINCREMENT, user_id TEXT NOT NULL,
    collection TEXT NOT NULL CHECK (collection IN ('kg_nodes','kg_edges')),
    item_id TEXT NOT NULL, operation TEXT NOT NULL CHECK (operation IN ('upsert','delete')),
    version INTEGER NOT NULL
) STRICT;
CREATE TRIGGER vectors_node_insert AFTER INSERT ON kg_nodes BEGIN
    INSERT INTO vector_outbox(user_id, collection, item_id, operation, version)
        VALUES (NEW.user_id, 'kg_nodes', NEW.id, 'upsert', NEW.version);
END;
CREATE TRIGGER vectors_node_update AFTER UPDATE ON kg_nodes WHEN OLD.version <> NEW.version BEGIN
    INSERT INTO vector_outbox(user_id, collection, item_id, operation, version)
        VALUES (NEW.user_id, 'kg_nodes', NEW.id, 'upsert', NEW.version);
END;
CREATE TRIGGER vectors_node_delete AFTER DELETE ON kg_nodes BEGIN
    INSERT INTO vector_outbox(user_id, collection, item_id, operation, version)
        VALUES (OLD.user_id, 'kg_nodes', OLD.id, 'delete', OLD.version);
END;
CREATE TRIGGER vectors_proposition_insert AFTER INSERT ON propositions BEGIN
    INSERT INTO vector_outbox(user_id, collection, item_id, operation, version)
        VALUES (NEW.user_id, 'kg_edges', NEW.proposition_id, 'upsert', NEW.version);
END;
CREATE TRIGGER vectors_proposition_update AFTER UPDATE ON propositions
    WHEN OLD.text <> NEW.text OR OLD.status <> NEW.status BEGIN
    INSERT INTO vector_outbox(user_id, collection, item_id, operation, version)
        VALUES (NEW.user_id, 'kg_edges', NEW.proposition_id, 'upsert', NEW.version);
END;
CREATE TRIGGER vectors_proposition_delete AFTER DELETE ON propositions BEGIN
    INSERT INTO vector_outbox(user_id, collection, item_id, operation, version)
        VALUES (OLD.user_id, 'kg_edges', OLD.proposition_id, 'delete', OLD.version);
END;

-- ---------------------------------------------------------------- full text
-- External content: the text stands once. user_id and context_id are filtered by joining the content row.
CREATE VIRTUAL TABLE message_fts USING fts5(
    text, content='messages', content_rowid='row_number', tokenize="porter unicode61 remove_diacritics 2");
-- A message that still streams is saved each second: its text is indexed only once it has ended.
CREATE TRIGGER message_fts_insert AFTER INSERT ON messages WHEN NEW.status <> 'streaming' BEGIN
    INSERT INTO message_fts(rowid, text) VALUES (NEW.row_number, NEW.text);
END;
CREATE TRIGGER message_fts_delete AFTER DELETE ON messages WHEN OLD.status <> 'streaming' BEGIN
    INSERT INTO message_fts(message_fts, rowid, text) VALUES ('delete', OLD.row_number, OLD.text);
END;
CREATE TRIGGER message_fts_change AFTER UPDATE OF text ON messages
    WHEN OLD.status <> 'streaming' AND NEW.status <> 'streaming' AND OLD.text <> NEW.text BEGIN
    INSERT INTO message_fts(message_fts, rowid, text) VALUES ('delete', OLD.row_number, OLD.text);
    INSERT INTO message_fts(rowid, text) VALUES (NEW.row_number, NEW.text);
END;
CREATE TRIGGER message_fts_end AFTER UPDATE OF status ON messages
    WHEN OLD.status = 'streaming' AND NEW.status <> 'streaming' BEGIN
    INSERT INTO message_fts(rowid, text) VALUES (NEW.row_number, NEW.text);
END;
CREATE TRIGGER message_fts_resume AFTER UPDATE OF status ON messages
    WHEN OLD.status <> 'streaming' AND NEW.status = 'streaming' BEGIN
    INSERT INTO message_fts(message_fts, rowid, text) VALUES ('delete', OLD.row_number, OLD.text);
END;
CREATE VIRTUAL TABLE proposition_fts USING fts5(
    text, content='propositions', content_rowid='row_number', tokenize="porter unicode61 remove_diacritics 2");
CREATE TRIGGER proposition_fts_insert AFTER INSERT ON propositions BEGIN
    INSERT INTO proposition_fts(rowid, text) VALUES (NEW.row_number, NEW.text);
END;
CREATE TRIGGER proposition_fts_delete AFTER DELETE ON propositions BEGIN
    INSERT INTO proposition_fts(proposition_fts, rowid, text) VALUES ('delete', OLD.row_number, OLD.text);
END;
CREATE TRIGGER proposition_fts_update AFTER UPDATE OF text ON propositions BEGIN
    INSERT INTO proposition_fts(proposition_fts, rowid, text) VALUES ('delete', OLD.row_number, OLD.text);
    INSERT INTO proposition_fts(rowid, text) VALUES (NEW.row_number, NEW.text);
END;
