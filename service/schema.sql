-- Written by tools/dump-schema.ts from a freshly migrated database. Do not edit.

-- Tables
table audit_head
table audit_log row-security forced
table certificates partition by HASH (tenant_id) row-security forced partitions 16
table claim_counts partition by HASH (tenant_id) row-security forced partitions 16
table claim_keys partition by HASH (tenant_id) row-security forced partitions 16
table claims partition by HASH (tenant_id) row-security forced partitions 16
table comparison_cuts partition by HASH (tenant_id) row-security forced partitions 16
table comparison_steps partition by HASH (tenant_id) row-security forced partitions 16
table contested partition by HASH (tenant_id) row-security forced partitions 16
table contradiction_periods partition by HASH (tenant_id) row-security forced partitions 16
table contradictions partition by HASH (tenant_id) row-security forced partitions 16
table convergence_series partition by HASH (tenant_id) row-security forced partitions 16
table decisions partition by HASH (tenant_id) row-security forced partitions 16
table dependency_states
table dispatch_leases
table document_labels partition by HASH (tenant_id) row-security forced partitions 16
table document_versions partition by HASH (tenant_id) row-security forced partitions 16
table documents partition by HASH (tenant_id) row-security forced partitions 16
table ended_scopes partition by HASH (tenant_id) row-security forced partitions 16
table erasures partition by HASH (tenant_id) row-security forced partitions 16
table fact_counts partition by HASH (tenant_id) row-security forced partitions 16
table fact_postings partition by HASH (tenant_id) row-security forced partitions 16
table fact_witnesses partition by HASH (tenant_id) row-security forced partitions 16
table fact_words partition by HASH (tenant_id) row-security forced partitions 16
table facts partition by HASH (tenant_id) row-security forced partitions 16
table gateway_nonces unlogged
table idempotency_keys partition by HASH (tenant_id) row-security forced partitions 16
table judge_permits partition by HASH (tenant_id) row-security forced partitions 16
table judge_requests partition by HASH (tenant_id) row-security forced partitions 16
table judge_spending partition by HASH (tenant_id) row-security forced partitions 16
table judge_verdicts partition by HASH (tenant_id) row-security forced partitions 16
table kernel_log
table keys row-security forced
table log_start
table model_answer_documents partition by HASH (tenant_id) row-security forced partitions 16
table model_answers partition by HASH (tenant_id) row-security forced partitions 16
table model_rate
table model_spending partition by HASH (tenant_id) row-security forced partitions 16
table model_usage partition by HASH (tenant_id) row-security forced partitions 16
table policies partition by HASH (tenant_id) row-security forced partitions 16
table policy_heads partition by HASH (tenant_id) row-security forced partitions 16
table readings partition by HASH (tenant_id) row-security forced partitions 16
table rereads partition by HASH (tenant_id) row-security forced partitions 16
table retention_sweeps
table schema_functions
table schema_migrations
table scope_convergence partition by HASH (tenant_id) row-security forced partitions 16
table scope_counts partition by HASH (tenant_id) row-security forced partitions 16
table scope_heads partition by HASH (tenant_id) row-security forced partitions 16
table scope_keys partition by HASH (tenant_id) row-security forced partitions 16
table scope_log partition by HASH (tenant_id) row-security forced partitions 16
table scope_moves partition by HASH (tenant_id) row-security forced partitions 16
table scope_periods partition by HASH (tenant_id) row-security forced partitions 16
table scopes partition by HASH (tenant_id) row-security forced partitions 16
table service_switch
table tenant_switches partition by HASH (tenant_id) row-security forced partitions 16
table tenants row-security forced
table work partition by HASH (tenant_id) row-security forced partitions 16
table work_traces partition by HASH (tenant_id) row-security forced partitions 16

-- Columns
audit_head.only_row boolean not null default true
audit_head.seq bigint not null default 0
audit_head.chain_mac bytea not null default decode(repeat('00'::text, 32), 'hex'::text)
audit_head.mac_key text
audit_head.mac bytea
audit_log.entry_id uuid not null
audit_log.at timestamp with time zone not null
audit_log.action text not null
audit_log.tier text not null
audit_log.actor text not null
audit_log.tenant_id uuid
audit_log.scope_id text collate C
audit_log.subject text
audit_log.details json not null
audit_log.mac_key text not null
audit_log.mac bytea not null
audit_log.seq bigint
audit_log.chain_key text
audit_log.chain_mac bytea
certificates.tenant_id uuid not null
certificates.scope_id text collate C not null
certificates.number integer not null
certificates.certificate_id uuid not null
certificates.epoch integer not null
certificates.log_position bigint not null
certificates.hash bytea not null
certificates.certificate json not null
certificates.issued_at timestamp with time zone not null
claim_counts.tenant_id uuid not null
claim_counts.scope_id text collate C not null
claim_counts.claims bigint not null
claim_counts.compared bigint not null default 0
claim_counts.cuts integer not null default 0
claim_counts.cut_claims bigint not null default 0
claim_counts.cut_findings bigint not null default 0
claim_keys.tenant_id uuid not null
claim_keys.scope_id text collate C not null
claim_keys.key bigint not null
claim_keys.value_rank bigint not null
claim_keys.claim_rank bigint not null
claim_keys.document_id text collate C not null
claim_keys.no integer not null
claim_keys.version integer not null
claims.tenant_id uuid not null
claims.scope_id text collate C not null
claims.document_id text collate C not null
claims.no integer not null
claims.version integer not null
claims.epoch integer not null
claims.kind text not null
claims.claim_rank bigint not null
claims.keys bigint[] not null
claims.value_ranks bigint[] not null
claims.sealed bytea not null
claims.extracted_at timestamp with time zone not null default now()
claims.compared boolean not null default false
claims.compared_by text not null default 'groups'::text
comparison_cuts.tenant_id uuid not null
comparison_cuts.scope_id text collate C not null
comparison_cuts.group_key bigint not null
comparison_cuts.claims integer not null
comparison_cuts.findings integer not null
comparison_cuts.total integer not null default 0
comparison_steps.tenant_id uuid not null
comparison_steps.scope_id text collate C not null
comparison_steps.step bigint not null
comparison_steps.epoch integer not null
comparison_steps.document_id text collate C
comparison_steps.version integer
comparison_steps.position bigint not null
comparison_steps.facts bigint[] not null
comparison_steps.failures integer not null default 0
comparison_steps.refusals integer not null default 0
comparison_steps.due_at timestamp with time zone not null default now()
comparison_steps.made_at timestamp with time zone not null default now()
comparison_steps.held_reason text
comparison_steps.kind text not null default 'facts'::text
comparison_steps.groups bigint[] not null default '{}'::bigint[]
contested.tenant_id uuid not null
contested.scope_id text collate C not null
contested.document_id text collate C not null
contested.no integer not null
contested.times integer not null
contested.kind text not null
contradiction_periods.tenant_id uuid not null
contradiction_periods.scope_id text collate C not null
contradiction_periods.seconds integer not null
contradiction_periods.begins_at timestamp with time zone not null
contradiction_periods.opened integer not null
contradiction_periods.resolved integer not null
contradiction_periods.dismissed integer not null
contradiction_periods.reopened integer not null
contradictions.tenant_id uuid not null
contradictions.scope_id text collate C not null
contradictions.contradiction_id uuid not null
contradictions.epoch integer not null
contradictions.group_key bigint
contradictions.relation text not null
contradictions.kind text not null
contradictions.severity text not null
contradictions.confidence double precision
contradictions.status text not null default 'open'::text
contradictions.document_a text collate C
contradictions.document_b text collate C
contradictions.sealed bytea not null
contradictions.print bigint
contradictions.opened_seq bigint not null
contradictions.opened_at timestamp with time zone not null default now()
contradictions.updated_at timestamp with time zone not null default now()
contradictions.claim_a integer
contradictions.claim_b integer
contradictions.value_a bigint
contradictions.value_b bigint
contradictions.documents_a text[] not null default '{}'::text[]
contradictions.documents_b text[] not null default '{}'::text[]
convergence_series.tenant_id uuid not null
convergence_series.scope_id text collate C not null
convergence_series.seq bigint not null
convergence_series.score integer not null
convergence_series.coverage integer not null
convergence_series.agreement integer not null
convergence_series.resolution integer not null
convergence_series.stability integer not null
convergence_series.state text not null
convergence_series.ended bigint not null
convergence_series.at timestamp with time zone not null default now()
decisions.tenant_id uuid not null
decisions.scope_id text collate C not null
decisions.decision_id uuid not null
decisions.epoch integer not null
decisions.point text not null
decisions.result text not null
decisions.decided_by text not null
decisions.contradiction_id uuid
decisions.document_ids text[] not null default '{}'::text[]
decisions.holds text
decisions.upheld bigint
decisions.against text[] not null default '{}'::text[]
decisions.policy_hash bytea
decisions.policies text[] not null default '{}'::text[]
decisions.actor text
decisions.sealed bytea
decisions.seq bigint not null
decisions.decided_at timestamp with time zone not null default now()
dependency_states.dependency text not null
dependency_states.lost_at timestamp with time zone
dependency_states.restored_at timestamp with time zone
dispatch_leases.shard smallint not null
dispatch_leases.holder text
dispatch_leases.expires_at timestamp with time zone not null default '-infinity'::timestamp with time zone
document_labels.tenant_id uuid not null
document_labels.scope_id text collate C not null
document_labels.label bytea not null
document_labels.document_id text collate C not null
document_versions.tenant_id uuid not null
document_versions.scope_id text collate C not null
document_versions.document_id text collate C not null
document_versions.version integer not null
document_versions.epoch integer not null
document_versions.status text not null
document_versions.characters integer not null
document_versions.report jsonb
document_versions.sealed_text bytea
document_versions.received_at timestamp with time zone not null default now()
document_versions.queued_at timestamp with time zone
document_versions.started_at timestamp with time zone
document_versions.ended_at timestamp with time zone
documents.tenant_id uuid not null
documents.scope_id text collate C not null
documents.document_id text collate C not null
documents.epoch integer not null
documents.version integer not null
documents.type text not null
documents.status text not null
documents.attempt integer not null default 0
documents.error_code text
documents.error_stage text
documents.fingerprint bytea
documents.characters integer not null default 0
documents.characters_read integer not null default 0
documents.reader text
documents.gap text
documents.sealed_card bytea
documents.seq bigint
documents.created_at timestamp with time zone not null default now()
documents.updated_at timestamp with time zone not null default now()
documents.decision_id uuid
documents.released_version integer
documents.sealed_labels bytea
documents.sealed_layout bytea
ended_scopes.tenant_id uuid not null
ended_scopes.scope_id text collate C not null
ended_scopes.epoch integer not null
erasures.tenant_id uuid not null
erasures.scope_id text collate C not null
erasures.kind text not null
erasures.epoch integer not null
erasures.documents bigint not null default 0
erasures.claims bigint not null default 0
erasures.contradictions bigint not null default 0
erasures.idempotency_records bigint not null default 0
erasures.log_entries bigint not null default 0
erasures.tier text not null
erasures.actor text not null
erasures.started_at timestamp with time zone not null default now()
erasures.touched_at timestamp with time zone not null default now()
fact_counts.tenant_id uuid not null
fact_counts.scope_id text collate C not null
fact_counts.position bigint not null
fact_counts.last_step bigint not null
fact_counts.facts bigint not null
fact_counts.tokens bigint not null
fact_counts.steps integer not null
fact_counts.refused bigint not null
fact_counts.not_permitted integer not null default 0
fact_counts.over_budget integer not null default 0
fact_postings.tenant_id uuid not null
fact_postings.scope_id text collate C not null
fact_postings.word bigint not null
fact_postings.position bigint not null
fact_postings.fact_key bigint not null
fact_witnesses.tenant_id uuid not null
fact_witnesses.scope_id text collate C not null
fact_witnesses.fact_key bigint not null
fact_witnesses.document_id text collate C not null
fact_witnesses.no integer not null
fact_witnesses.version integer not null
fact_words.tenant_id uuid not null
fact_words.scope_id text collate C not null
fact_words.word bigint not null
fact_words.facts bigint not null
facts.tenant_id uuid not null
facts.scope_id text collate C not null
facts.fact_key bigint not null
facts.position bigint not null
facts.witnesses integer not null
facts.tokens integer not null
facts.state text not null
facts.compared boolean not null
facts.words bigint[] not null
gateway_nonces.nonce text not null
gateway_nonces.seen_at timestamp with time zone not null default now()
idempotency_keys.tenant_id uuid not null
idempotency_keys.key_hash bytea not null
idempotency_keys.fingerprint bytea not null
idempotency_keys.scope_id text collate C not null
idempotency_keys.document_id text collate C
idempotency_keys.seq bigint
idempotency_keys.created_at timestamp with time zone not null default now()
idempotency_keys.sealed_answer bytea
judge_permits.tenant_id uuid not null
judge_permits.permitted_at timestamp with time zone not null default now()
judge_permits.permitted_by text not null
judge_requests.tenant_id uuid not null
judge_requests.scope_id text collate C not null
judge_requests.pair bytea not null
judge_requests.epoch integer not null
judge_requests.group_key bigint not null
judge_requests.document_a text collate C not null
judge_requests.no_a integer not null
judge_requests.version_a integer not null
judge_requests.document_b text collate C not null
judge_requests.no_b integer not null
judge_requests.version_b integer not null
judge_requests.failures integer not null default 0
judge_requests.refusals integer not null default 0
judge_requests.due_at timestamp with time zone not null default now()
judge_spending.tenant_id uuid not null
judge_spending.day date not null
judge_spending.tokens bigint not null
judge_verdicts.tenant_id uuid not null
judge_verdicts.scope_id text collate C not null
judge_verdicts.pair bytea not null
judge_verdicts.epoch integer not null
judge_verdicts.verdict text not null
judge_verdicts.model text not null
judge_verdicts.tokens integer not null
judge_verdicts.decided_at timestamp with time zone not null default now()
kernel_log.kernel_seq bigint not null default nextval('kernel_seqs'::regclass)
kernel_log.kind text not null
kernel_log.subject text not null
kernel_log.data jsonb not null default '{}'::jsonb
kernel_log.at timestamp with time zone not null default clock_timestamp()
keys.key_id text not null
keys.tier text not null
keys.tenant_id uuid
keys.name text
keys.digest bytea not null
keys.created_at timestamp with time zone not null default now()
keys.created_by text not null
keys.expires_at timestamp with time zone
keys.revoked_at timestamp with time zone
keys.last_used_at timestamp with time zone
keys.pepper_id text
log_start.is_only boolean not null default true
log_start.kernel_seq bigint not null default 0
model_answer_documents.tenant_id uuid not null
model_answer_documents.scope_id text collate C not null
model_answer_documents.document_id text collate C not null
model_answer_documents.request bytea not null
model_answers.tenant_id uuid not null
model_answers.scope_id text collate C not null
model_answers.request bytea not null
model_answers.epoch integer not null
model_answers.step text not null
model_answers.model text not null
model_answers.prompt_version integer not null
model_answers.input_tokens integer not null
model_answers.output_tokens integer not null
model_answers.sealed bytea not null
model_answers.created_at timestamp with time zone not null default now()
model_rate.is_only boolean not null default true
model_rate.requests double precision not null default 0
model_rate.tokens double precision not null default 0
model_rate.refilled_at timestamp with time zone not null default '2000-01-01 00:00:00+00'::timestamp with time zone
model_rate.paused_until timestamp with time zone not null default '2000-01-01 00:00:00+00'::timestamp with time zone
model_spending.tenant_id uuid not null
model_spending.day date not null
model_spending.used bigint not null default 0
model_spending.reserved bigint not null default 0
model_usage.tenant_id uuid not null
model_usage.day date not null
model_usage.step text not null
model_usage.model text not null
model_usage.requests bigint not null
model_usage.input_tokens bigint not null
model_usage.output_tokens bigint not null
policies.tenant_id uuid not null
policies.scope_id text collate C not null
policies.version integer not null
policies.text text not null
policies.created_at timestamp with time zone not null default now()
policies.created_by text not null
policy_heads.tenant_id uuid not null
policy_heads.changes integer not null
readings.tenant_id uuid not null
readings.scope_id text collate C not null
readings.document_id text collate C not null
readings.version integer not null
readings.epoch integer not null
readings.passages integer not null
readings.sentences integer not null
readings.compared integer not null default 0
readings.sealed bytea not null
rereads.tenant_id uuid not null
rereads.scope_id text collate C not null
rereads.document_ids text[] collate C
rereads.read_by text
rereads.state text not null
rereads.looked_to text collate C not null default ''::text
rereads.under_way text[] collate C not null default '{}'::text[]
rereads.queued bigint not null default 0
rereads.requested_at timestamp with time zone not null default now()
rereads.ended_at timestamp with time zone
rereads.due_at timestamp with time zone not null default now()
retention_sweeps.walk text not null
retention_sweeps.holder text
retention_sweeps.expires_at timestamp with time zone not null default '-infinity'::timestamp with time zone
retention_sweeps.at_tenant uuid
retention_sweeps.at_scope text collate C
retention_sweeps.at_document text collate C
retention_sweeps.pass_began_at timestamp with time zone not null default '-infinity'::timestamp with time zone
retention_sweeps.swept_to timestamp with time zone not null default now()
schema_functions.name text not null
schema_functions.checksum text not null
schema_functions.installed_at timestamp with time zone not null default now()
schema_migrations.version integer not null
schema_migrations.name text not null
schema_migrations.checksum text not null
schema_migrations.breaking boolean not null
schema_migrations.applied_at timestamp with time zone not null default now()
scope_convergence.tenant_id uuid not null
scope_convergence.scope_id text collate C not null
scope_convergence.epoch integer not null
scope_convergence.settled integer not null default 0
scope_convergence.unfinished integer not null default 0
scope_convergence.held integer not null default 0
scope_convergence.failed integer not null default 0
scope_convergence.characters bigint not null default 0
scope_convergence.characters_read bigint not null default 0
scope_convergence.gaps integer not null default 0
scope_convergence.open_low integer not null default 0
scope_convergence.open_medium integer not null default 0
scope_convergence.open_high integer not null default 0
scope_convergence.open_critical integer not null default 0
scope_convergence.closed_low integer not null default 0
scope_convergence.closed_medium integer not null default 0
scope_convergence.closed_high integer not null default 0
scope_convergence.closed_critical integer not null default 0
scope_convergence.claims bigint not null default 0
scope_convergence.compared bigint not null default 0
scope_convergence.cuts integer not null default 0
scope_convergence.pending integer not null default 0
scope_convergence.refused bigint not null default 0
scope_convergence.not_permitted integer not null default 0
scope_convergence.over_budget integer not null default 0
scope_convergence.contested_claims integer not null default 0
scope_convergence.contested_documents integer not null default 0
scope_convergence.coverage integer not null
scope_convergence.agreement integer not null
scope_convergence.resolution integer not null
scope_convergence.stability integer not null
scope_convergence.score integer not null
scope_convergence.state text not null
scope_convergence.blockers integer not null
scope_convergence.ended bigint not null default 0
scope_convergence.points bigint not null default 0
scope_convergence.noted_score integer not null default 0
scope_convergence.noted_state text not null default 'empty'::text
scope_convergence.certificate_id uuid
scope_convergence.certificate_number integer
scope_convergence.certified_position bigint
scope_counts.tenant_id uuid not null
scope_counts.scope_id text collate C not null
scope_counts.status text not null
scope_counts.documents integer not null
scope_heads.tenant_id uuid not null
scope_heads.scope_id text collate C not null
scope_heads.epoch integer not null default 0
scope_heads.head bigint not null default 0
scope_heads.runtime_state text not null default 'running'::text
scope_heads.runtime_generation integer not null default 0
scope_heads.runtime_changed_at timestamp with time zone
scope_heads.runtime_changed_by text
scope_heads.erasing boolean not null default false
scope_keys.tenant_id uuid not null
scope_keys.scope_id text collate C not null
scope_keys.epoch integer not null
scope_keys.master_key_id text not null
scope_keys.wrapped_key bytea not null
scope_keys.created_at timestamp with time zone not null default now()
scope_keys.sealed_print_key bytea
scope_log.tenant_id uuid not null
scope_log.scope_id text collate C not null
scope_log.seq bigint not null
scope_log.epoch integer not null
scope_log.kind text not null
scope_log.document_id text collate C
scope_log.version integer
scope_log.data jsonb not null default '{}'::jsonb
scope_log.at timestamp with time zone not null default clock_timestamp()
scope_log.kernel_seq bigint not null default nextval('kernel_seqs'::regclass)
scope_moves.tenant_id uuid not null
scope_moves.scope_id text collate C not null
scope_moves.at timestamp with time zone not null default now()
scope_moves.from_status text
scope_moves.to_status text not null
scope_moves.documents integer not null
scope_moves.accepted integer not null
scope_moves.durations jsonb
scope_periods.tenant_id uuid not null
scope_periods.scope_id text collate C not null
scope_periods.seconds integer not null
scope_periods.begins_at timestamp with time zone not null
scope_periods.accepted integer not null
scope_periods.processed integer not null
scope_periods.failed integer not null
scope_periods.waits jsonb
scope_periods.takes jsonb
scopes.tenant_id uuid not null
scopes.scope_id text collate C not null
scopes.display_name text
scopes.epoch integer not null default 0
scopes.created_at timestamp with time zone not null default now()
scopes.created_by text not null
service_switch.only_row boolean not null default true
service_switch.state text not null default 'running'::text
service_switch.generation integer not null default 0
service_switch.changed_at timestamp with time zone
service_switch.changed_by text
service_switch.running_since timestamp with time zone
tenant_switches.tenant_id uuid not null
tenant_switches.state text not null default 'running'::text
tenant_switches.generation integer not null default 0
tenant_switches.changed_at timestamp with time zone
tenant_switches.changed_by text
tenants.tenant_id uuid not null
tenants.name text not null
tenants.created_at timestamp with time zone not null default now()
work.tenant_id uuid not null
work.scope_id text collate C not null
work.document_id text collate C not null
work.version integer not null
work.epoch integer not null
work.state text not null default 'queued'::text
work.shard smallint not null
work.position bigint not null
work.attempt integer not null default 0
work.ticket bigint
work.not_before timestamp with time zone not null default now()
work.touched_at timestamp with time zone not null default now()
work.queued_at timestamp with time zone not null default now()
work.waiting_reason text
work.deferrals integer not null default 0
work_traces.tenant_id uuid not null
work_traces.scope_id text collate C not null
work_traces.document_id text collate C not null
work_traces.seq bigint not null
work_traces.traceparent text not null
work_traces.noted_at timestamp with time zone not null default now()

-- Constraints
audit_head audit_head_chain_mac_check CHECK ((octet_length(chain_mac) = 32))
audit_head audit_head_mac_check CHECK ((octet_length(mac) = 32))
audit_head audit_head_only_row_check CHECK (only_row)
audit_head audit_head_pkey PRIMARY KEY (only_row)
audit_log audit_log_action_check CHECK ((action ~ '^[a-z]+\.[a-z]+$'::text))
audit_log audit_log_chain_mac_check CHECK ((octet_length(chain_mac) = 32))
audit_log audit_log_check CHECK ((((seq IS NULL) = (chain_key IS NULL)) AND ((seq IS NULL) = (chain_mac IS NULL))))
audit_log audit_log_details_check CHECK ((json_typeof(details) = 'object'::text))
audit_log audit_log_mac_check CHECK ((octet_length(mac) = 32))
audit_log audit_log_pkey PRIMARY KEY (entry_id)
audit_log audit_log_seq_check CHECK ((seq > 0))
audit_log audit_log_seq_key UNIQUE (seq)
certificates certificates_hash_check CHECK ((octet_length(hash) = 32))
certificates certificates_number_check CHECK ((number > 0))
certificates certificates_pkey PRIMARY KEY (tenant_id, scope_id, number)
claim_counts claim_counts_pkey PRIMARY KEY (tenant_id, scope_id)
claim_keys claim_keys_pkey PRIMARY KEY (tenant_id, scope_id, key, value_rank, claim_rank)
claims claims_compared_by_check CHECK ((compared_by = ANY (ARRAY['groups'::text, 'facts'::text])))
claims claims_pkey PRIMARY KEY (tenant_id, scope_id, document_id, no)
comparison_cuts comparison_cuts_pkey PRIMARY KEY (tenant_id, scope_id, group_key)
comparison_steps comparison_steps_check CHECK (((kind = 'facts'::text) = (document_id IS NOT NULL)))
comparison_steps comparison_steps_held_reason_check CHECK ((held_reason = ANY (ARRAY['not_permitted'::text, 'over_budget'::text])))
comparison_steps comparison_steps_kind_check CHECK ((kind = ANY (ARRAY['facts'::text, 'groups'::text])))
comparison_steps comparison_steps_pkey PRIMARY KEY (tenant_id, scope_id, step)
contested contested_kind_check CHECK ((kind = ANY (ARRAY['claim'::text, 'document'::text])))
contested contested_pkey PRIMARY KEY (tenant_id, scope_id, document_id, kind, no)
contradiction_periods contradiction_periods_pkey PRIMARY KEY (tenant_id, scope_id, seconds, begins_at)
contradiction_periods contradiction_periods_seconds_check CHECK ((seconds = ANY (ARRAY[60, 300, 900, 3600, 86400])))
contradictions contradictions_pkey PRIMARY KEY (contradiction_id, tenant_id, scope_id)
contradictions contradictions_relation_check CHECK ((relation = ANY (ARRAY['conflict'::text, 'restatement'::text, 'change'::text])))
contradictions contradictions_severity_check CHECK ((severity = ANY (ARRAY['low'::text, 'medium'::text, 'high'::text, 'critical'::text])))
contradictions contradictions_status_check CHECK ((status = ANY (ARRAY['open'::text, 'resolved'::text, 'dismissed'::text])))
convergence_series convergence_series_pkey PRIMARY KEY (tenant_id, scope_id, seq)
decisions decisions_decided_by_check CHECK ((decided_by = ANY (ARRAY['policy'::text, 'person'::text, 'evidence'::text])))
decisions decisions_holds_check CHECK ((holds = ANY (ARRAY['a'::text, 'b'::text, 'both'::text, 'neither'::text])))
decisions decisions_pkey PRIMARY KEY (decision_id, tenant_id, scope_id)
decisions decisions_point_check CHECK ((point = ANY (ARRAY['admit_document'::text, 'settle_contradiction'::text, 'process_document'::text, 'settle_scope'::text])))
decisions decisions_result_check CHECK ((result = ANY (ARRAY['allowed'::text, 'held'::text, 'refused'::text, 'resolved'::text, 'dismissed'::text, 'reopened'::text, 'released'::text])))
dependency_states dependency_states_dependency_check CHECK ((dependency = ANY (ARRAY['database'::text, 'broker'::text, 'model'::text])))
dependency_states dependency_states_pkey PRIMARY KEY (dependency)
dispatch_leases dispatch_leases_pkey PRIMARY KEY (shard)
document_labels document_labels_pkey PRIMARY KEY (tenant_id, scope_id, label, document_id)
document_versions document_versions_pkey PRIMARY KEY (tenant_id, scope_id, document_id, version)
documents documents_gap_check CHECK ((gap = ANY (ARRAY['language'::text, 'unread'::text, 'partly_read'::text, 'without_claims'::text])))
documents documents_pkey PRIMARY KEY (tenant_id, scope_id, document_id)
documents documents_status_check CHECK ((status = ANY (ARRAY['registered'::text, 'attached'::text, 'queued'::text, 'processing'::text, 'processed'::text, 'held'::text, 'failed'::text, 'superseded'::text, 'removed'::text])))
ended_scopes ended_scopes_pkey PRIMARY KEY (tenant_id, scope_id)
erasures erasures_kind_check CHECK ((kind = ANY (ARRAY['reset'::text, 'delete'::text])))
erasures erasures_pkey PRIMARY KEY (tenant_id, scope_id)
fact_counts fact_counts_pkey PRIMARY KEY (tenant_id, scope_id)
fact_postings fact_postings_pkey PRIMARY KEY (tenant_id, scope_id, word, "position", fact_key)
fact_witnesses fact_witnesses_pkey PRIMARY KEY (tenant_id, scope_id, fact_key, document_id, no)
fact_words fact_words_pkey PRIMARY KEY (tenant_id, scope_id, word)
facts facts_pkey PRIMARY KEY (tenant_id, scope_id, fact_key)
facts facts_state_check CHECK ((state = ANY (ARRAY['pending'::text, 'done'::text, 'refused'::text])))
facts facts_words_check CHECK ((cardinality(words) <= 24))
gateway_nonces gateway_nonces_pkey PRIMARY KEY (nonce)
idempotency_keys idempotency_keys_pkey PRIMARY KEY (tenant_id, key_hash)
idempotency_keys names_an_answer CHECK (((sealed_answer IS NULL) = ((document_id IS NOT NULL) AND (seq IS NOT NULL))))
judge_permits judge_permits_pkey PRIMARY KEY (tenant_id)
judge_requests judge_requests_pair_check CHECK ((length(pair) = 16))
judge_requests judge_requests_pkey PRIMARY KEY (tenant_id, scope_id, pair)
judge_spending judge_spending_pkey PRIMARY KEY (tenant_id, day)
judge_verdicts judge_verdicts_pair_check CHECK ((length(pair) = 16))
judge_verdicts judge_verdicts_pkey PRIMARY KEY (tenant_id, scope_id, pair)
judge_verdicts judge_verdicts_verdict_check CHECK ((verdict = ANY (ARRAY['conflict'::text, 'restatement'::text, 'change'::text, 'compatible'::text, 'unsure'::text])))
kernel_log kernel_log_pkey PRIMARY KEY (kernel_seq)
keys keys_check CHECK (((tier = 'tenant'::text) = (tenant_id IS NOT NULL)))
keys keys_digest_check CHECK ((octet_length(digest) = 32))
keys keys_key_id_check CHECK ((key_id ~ '^[0-9A-Za-z]{10}$'::text))
keys keys_pepper_id_check CHECK ((pepper_id ~ '^[0-9a-f]{8}$'::text))
keys keys_pkey PRIMARY KEY (key_id)
keys keys_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenants(tenant_id) ON DELETE CASCADE
keys keys_tier_check CHECK ((tier = ANY (ARRAY['tenant'::text, 'admin'::text, 'internals'::text])))
log_start log_start_is_only_check CHECK (is_only)
log_start log_start_pkey PRIMARY KEY (is_only)
model_answer_documents model_answer_documents_pkey PRIMARY KEY (tenant_id, scope_id, document_id, request)
model_answers model_answers_pkey PRIMARY KEY (tenant_id, scope_id, request)
model_answers model_answers_request_check CHECK ((length(request) = 16))
model_rate model_rate_is_only_check CHECK (is_only)
model_rate model_rate_pkey PRIMARY KEY (is_only)
model_spending model_spending_pkey PRIMARY KEY (tenant_id, day)
model_usage model_usage_pkey PRIMARY KEY (tenant_id, day, step, model)
policies policies_pkey PRIMARY KEY (tenant_id, scope_id, version)
policy_heads policy_heads_pkey PRIMARY KEY (tenant_id)
readings readings_pkey PRIMARY KEY (tenant_id, scope_id, document_id, version)
rereads rereads_pkey PRIMARY KEY (tenant_id, scope_id)
rereads rereads_state_check CHECK ((state = ANY (ARRAY['running'::text, 'ended'::text])))
retention_sweeps retention_sweeps_pkey PRIMARY KEY (walk)
retention_sweeps retention_sweeps_walk_check CHECK ((walk = ANY (ARRAY['scopes'::text, 'documents'::text, 'moves'::text])))
schema_functions schema_functions_pkey PRIMARY KEY (name)
schema_migrations schema_migrations_pkey PRIMARY KEY (version)
scope_convergence scope_convergence_pkey PRIMARY KEY (tenant_id, scope_id)
scope_convergence scope_convergence_state_check CHECK ((state = ANY (ARRAY['empty'::text, 'working'::text, 'contested'::text, 'converging'::text, 'unassessed'::text, 'settled'::text])))
scope_counts scope_counts_pkey PRIMARY KEY (tenant_id, scope_id, status)
scope_heads scope_heads_pkey PRIMARY KEY (tenant_id, scope_id)
scope_heads scope_heads_runtime_state_check CHECK ((runtime_state = ANY (ARRAY['running'::text, 'paused'::text, 'stopped'::text])))
scope_keys scope_keys_pkey PRIMARY KEY (tenant_id, scope_id, epoch)
scope_keys scope_keys_tenant_id_scope_id_fkey FOREIGN KEY (tenant_id, scope_id) REFERENCES scopes(tenant_id, scope_id) ON DELETE CASCADE
scope_log scope_log_pkey PRIMARY KEY (tenant_id, scope_id, seq)
scope_periods scope_periods_pkey PRIMARY KEY (tenant_id, scope_id, seconds, begins_at)
scope_periods scope_periods_seconds_check CHECK ((seconds = ANY (ARRAY[60, 300, 900, 3600, 86400])))
scopes scopes_epoch_check CHECK ((epoch >= 0))
scopes scopes_pkey PRIMARY KEY (tenant_id, scope_id)
scopes scopes_scope_id_check CHECK (((scope_id ~ '^[a-z0-9][a-z0-9-]*$'::text) AND (length(scope_id) <= 120)))
scopes scopes_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenants(tenant_id) ON DELETE CASCADE
service_switch service_switch_only_row_check CHECK (only_row)
service_switch service_switch_pkey PRIMARY KEY (only_row)
service_switch service_switch_state_check CHECK ((state = ANY (ARRAY['running'::text, 'paused'::text, 'stopped'::text])))
tenant_switches tenant_switches_pkey PRIMARY KEY (tenant_id)
tenant_switches tenant_switches_state_check CHECK ((state = ANY (ARRAY['running'::text, 'paused'::text, 'stopped'::text])))
tenants tenants_pkey PRIMARY KEY (tenant_id)
work work_pkey PRIMARY KEY (tenant_id, scope_id, document_id)
work work_state_check CHECK ((state = ANY (ARRAY['queued'::text, 'ready'::text, 'processing'::text])))
work_traces work_traces_pkey PRIMARY KEY (tenant_id, scope_id, document_id)
work_traces work_traces_traceparent_check CHECK ((traceparent ~ '^00-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$'::text))

-- Indexes
CREATE INDEX audit_log_unchained ON public.audit_log USING btree (at, entry_id) WHERE (seq IS NULL)
CREATE INDEX claims_by_kind ON ONLY public.claims USING btree (kind, tenant_id, scope_id, document_id, no)
CREATE INDEX comparison_steps_due ON ONLY public.comparison_steps USING btree (tenant_id, due_at)
CREATE INDEX comparison_steps_held ON ONLY public.comparison_steps USING btree (tenant_id, held_reason, due_at) WHERE (held_reason IS NOT NULL)
CREATE INDEX comparison_steps_of_document ON ONLY public.comparison_steps USING btree (document_id, tenant_id, scope_id)
CREATE INDEX comparison_steps_of_groups ON ONLY public.comparison_steps USING btree (tenant_id, due_at) WHERE (kind = 'groups'::text)
CREATE INDEX comparison_steps_waiting ON ONLY public.comparison_steps USING btree (made_at) WHERE (held_reason IS NULL)
CREATE INDEX contradictions_by_age ON ONLY public.contradictions USING btree (tenant_id, scope_id, opened_seq, status, severity, kind, relation) WHERE (opened_seq > 0)
CREATE INDEX contradictions_by_severity ON ONLY public.contradictions USING btree (severity, status, tenant_id, scope_id, COALESCE(confidence, (1)::double precision), opened_seq, kind, relation) WHERE (opened_seq > 0)
CREATE INDEX contradictions_of_document_a ON ONLY public.contradictions USING btree (document_a, tenant_id, scope_id)
CREATE INDEX contradictions_of_document_b ON ONLY public.contradictions USING btree (document_b, tenant_id, scope_id)
CREATE INDEX contradictions_of_group ON ONLY public.contradictions USING btree (group_key, tenant_id, scope_id)
CREATE INDEX contradictions_of_value_a ON ONLY public.contradictions USING btree (value_a, tenant_id, scope_id)
CREATE INDEX contradictions_of_value_b ON ONLY public.contradictions USING btree (value_b, tenant_id, scope_id)
CREATE INDEX contradictions_open ON ONLY public.contradictions USING btree (severity, tenant_id, scope_id, contradiction_id) WHERE ((status = 'open'::text) AND (relation <> 'change'::text))
CREATE INDEX decisions_by_age ON ONLY public.decisions USING btree (tenant_id, scope_id, seq, decision_id) WHERE (seq > 0)
CREATE INDEX decisions_of_contradiction ON ONLY public.decisions USING btree (contradiction_id, tenant_id, scope_id, seq)
CREATE INDEX document_labels_of_document ON ONLY public.document_labels USING btree (tenant_id, scope_id, document_id)
CREATE INDEX documents_by_status ON ONLY public.documents USING btree (status, tenant_id, scope_id, document_id)
CREATE INDEX documents_by_update ON ONLY public.documents USING btree (tenant_id, scope_id, updated_at, document_id, status) WHERE (updated_at > '-infinity'::timestamp with time zone)
CREATE INDEX documents_with_gap ON ONLY public.documents USING btree (gap, tenant_id, scope_id, document_id) WHERE (gap IS NOT NULL)
CREATE INDEX fact_counts_pending ON ONLY public.fact_counts USING btree (tenant_id) WHERE (steps > 0)
CREATE INDEX fact_witnesses_of_document ON ONLY public.fact_witnesses USING btree (document_id, tenant_id, scope_id)
CREATE INDEX gateway_nonces_by_age ON public.gateway_nonces USING btree (seen_at)
CREATE INDEX idempotency_keys_of_scope ON ONLY public.idempotency_keys USING btree (tenant_id, scope_id, created_at)
CREATE INDEX judge_requests_due ON ONLY public.judge_requests USING btree (tenant_id, due_at)
CREATE INDEX keys_of_tenant ON public.keys USING btree (tenant_id, created_at, key_id)
CREATE INDEX rereads_due ON ONLY public.rereads USING btree (due_at) WHERE (state = 'running'::text)
CREATE INDEX scope_log_by_kernel_seq ON ONLY public.scope_log USING brin (kernel_seq) WITH (pages_per_range='16')
CREATE INDEX scope_moves_of_scope ON ONLY public.scope_moves USING btree (tenant_id, scope_id, at)
CREATE INDEX tenants_in_order ON public.tenants USING btree (created_at, tenant_id)
CREATE INDEX work_backlog ON ONLY public.work USING btree (shard, tenant_id, scope_id, "position") WHERE (state = 'queued'::text)
CREATE INDEX work_released ON ONLY public.work USING btree (shard, tenant_id) WHERE (state <> 'queued'::text)
CREATE INDEX work_traces_by_age ON ONLY public.work_traces USING btree (tenant_id, noted_at)
CREATE INDEX work_waiting ON ONLY public.work USING btree (not_before) WHERE ((state = 'queued'::text) AND (waiting_reason IS NOT NULL))
CREATE UNIQUE INDEX audit_head_pkey ON public.audit_head USING btree (only_row)
CREATE UNIQUE INDEX audit_log_pkey ON public.audit_log USING btree (entry_id)
CREATE UNIQUE INDEX audit_log_seq_key ON public.audit_log USING btree (seq)
CREATE UNIQUE INDEX certificates_pkey ON ONLY public.certificates USING btree (tenant_id, scope_id, number)
CREATE UNIQUE INDEX claim_counts_pkey ON ONLY public.claim_counts USING btree (tenant_id, scope_id)
CREATE UNIQUE INDEX claim_keys_pkey ON ONLY public.claim_keys USING btree (tenant_id, scope_id, key, value_rank, claim_rank)
CREATE UNIQUE INDEX claims_pkey ON ONLY public.claims USING btree (tenant_id, scope_id, document_id, no)
CREATE UNIQUE INDEX comparison_cuts_pkey ON ONLY public.comparison_cuts USING btree (tenant_id, scope_id, group_key)
CREATE UNIQUE INDEX comparison_steps_pkey ON ONLY public.comparison_steps USING btree (tenant_id, scope_id, step)
CREATE UNIQUE INDEX contested_pkey ON ONLY public.contested USING btree (tenant_id, scope_id, document_id, kind, no)
CREATE UNIQUE INDEX contradiction_periods_pkey ON ONLY public.contradiction_periods USING btree (tenant_id, scope_id, seconds, begins_at)
CREATE UNIQUE INDEX contradictions_pkey ON ONLY public.contradictions USING btree (contradiction_id, tenant_id, scope_id)
CREATE UNIQUE INDEX convergence_series_pkey ON ONLY public.convergence_series USING btree (tenant_id, scope_id, seq)
CREATE UNIQUE INDEX decisions_pkey ON ONLY public.decisions USING btree (decision_id, tenant_id, scope_id)
CREATE UNIQUE INDEX dependency_states_pkey ON public.dependency_states USING btree (dependency)
CREATE UNIQUE INDEX dispatch_leases_pkey ON public.dispatch_leases USING btree (shard)
CREATE UNIQUE INDEX document_labels_pkey ON ONLY public.document_labels USING btree (tenant_id, scope_id, label, document_id)
CREATE UNIQUE INDEX document_versions_pkey ON ONLY public.document_versions USING btree (tenant_id, scope_id, document_id, version)
CREATE UNIQUE INDEX documents_pkey ON ONLY public.documents USING btree (tenant_id, scope_id, document_id)
CREATE UNIQUE INDEX ended_scopes_pkey ON ONLY public.ended_scopes USING btree (tenant_id, scope_id)
CREATE UNIQUE INDEX erasures_pkey ON ONLY public.erasures USING btree (tenant_id, scope_id)
CREATE UNIQUE INDEX fact_counts_pkey ON ONLY public.fact_counts USING btree (tenant_id, scope_id)
CREATE UNIQUE INDEX fact_postings_pkey ON ONLY public.fact_postings USING btree (tenant_id, scope_id, word, "position", fact_key)
CREATE UNIQUE INDEX fact_witnesses_pkey ON ONLY public.fact_witnesses USING btree (tenant_id, scope_id, fact_key, document_id, no)
CREATE UNIQUE INDEX fact_words_pkey ON ONLY public.fact_words USING btree (tenant_id, scope_id, word)
CREATE UNIQUE INDEX facts_pkey ON ONLY public.facts USING btree (tenant_id, scope_id, fact_key)
CREATE UNIQUE INDEX gateway_nonces_pkey ON public.gateway_nonces USING btree (nonce)
CREATE UNIQUE INDEX idempotency_keys_pkey ON ONLY public.idempotency_keys USING btree (tenant_id, key_hash)
CREATE UNIQUE INDEX judge_permits_pkey ON ONLY public.judge_permits USING btree (tenant_id)
CREATE UNIQUE INDEX judge_requests_pkey ON ONLY public.judge_requests USING btree (tenant_id, scope_id, pair)
CREATE UNIQUE INDEX judge_spending_pkey ON ONLY public.judge_spending USING btree (tenant_id, day)
CREATE UNIQUE INDEX judge_verdicts_pkey ON ONLY public.judge_verdicts USING btree (tenant_id, scope_id, pair)
CREATE UNIQUE INDEX kernel_log_pkey ON public.kernel_log USING btree (kernel_seq)
CREATE UNIQUE INDEX keys_pkey ON public.keys USING btree (key_id)
CREATE UNIQUE INDEX log_start_pkey ON public.log_start USING btree (is_only)
CREATE UNIQUE INDEX model_answer_documents_pkey ON ONLY public.model_answer_documents USING btree (tenant_id, scope_id, document_id, request)
CREATE UNIQUE INDEX model_answers_pkey ON ONLY public.model_answers USING btree (tenant_id, scope_id, request)
CREATE UNIQUE INDEX model_rate_pkey ON public.model_rate USING btree (is_only)
CREATE UNIQUE INDEX model_spending_pkey ON ONLY public.model_spending USING btree (tenant_id, day)
CREATE UNIQUE INDEX model_usage_pkey ON ONLY public.model_usage USING btree (tenant_id, day, step, model)
CREATE UNIQUE INDEX policies_pkey ON ONLY public.policies USING btree (tenant_id, scope_id, version)
CREATE UNIQUE INDEX policy_heads_pkey ON ONLY public.policy_heads USING btree (tenant_id)
CREATE UNIQUE INDEX readings_pkey ON ONLY public.readings USING btree (tenant_id, scope_id, document_id, version)
CREATE UNIQUE INDEX rereads_pkey ON ONLY public.rereads USING btree (tenant_id, scope_id)
CREATE UNIQUE INDEX retention_sweeps_pkey ON public.retention_sweeps USING btree (walk)
CREATE UNIQUE INDEX schema_functions_pkey ON public.schema_functions USING btree (name)
CREATE UNIQUE INDEX schema_migrations_pkey ON public.schema_migrations USING btree (version)
CREATE UNIQUE INDEX scope_convergence_pkey ON ONLY public.scope_convergence USING btree (tenant_id, scope_id)
CREATE UNIQUE INDEX scope_counts_pkey ON ONLY public.scope_counts USING btree (tenant_id, scope_id, status)
CREATE UNIQUE INDEX scope_heads_pkey ON ONLY public.scope_heads USING btree (tenant_id, scope_id)
CREATE UNIQUE INDEX scope_keys_pkey ON ONLY public.scope_keys USING btree (tenant_id, scope_id, epoch)
CREATE UNIQUE INDEX scope_log_pkey ON ONLY public.scope_log USING btree (tenant_id, scope_id, seq)
CREATE UNIQUE INDEX scope_periods_pkey ON ONLY public.scope_periods USING btree (tenant_id, scope_id, seconds, begins_at)
CREATE UNIQUE INDEX scopes_pkey ON ONLY public.scopes USING btree (tenant_id, scope_id)
CREATE UNIQUE INDEX service_switch_pkey ON public.service_switch USING btree (only_row)
CREATE UNIQUE INDEX tenant_switches_pkey ON ONLY public.tenant_switches USING btree (tenant_id)
CREATE UNIQUE INDEX tenants_pkey ON public.tenants USING btree (tenant_id)
CREATE UNIQUE INDEX work_pkey ON ONLY public.work USING btree (tenant_id, scope_id, document_id)
CREATE UNIQUE INDEX work_traces_pkey ON ONLY public.work_traces USING btree (tenant_id, scope_id, document_id)

-- Policies
audit_log kernel_chains for update to concord_kernel using (seq IS NULL) with check (seq IS NOT NULL)
audit_log kernel_reads for select to concord_kernel using true
audit_log registrar_records for insert to concord_registrar with check (tenant_id IS NULL)
audit_log service_records for insert to concord_api, concord_worker with check (tenant_id IS NULL)
audit_log tenant_rows for all to concord_api, concord_worker using (tenant_id = ( SELECT app_tenant() AS app_tenant)) with check (tenant_id = ( SELECT app_tenant() AS app_tenant))
certificates tenant_rows for all to concord_api, concord_worker using (tenant_id = ( SELECT app_tenant() AS app_tenant)) with check (tenant_id = ( SELECT app_tenant() AS app_tenant))
claim_counts tenant_rows for all to concord_api, concord_worker using (tenant_id = ( SELECT app_tenant() AS app_tenant)) with check (tenant_id = ( SELECT app_tenant() AS app_tenant))
claim_keys tenant_rows for all to concord_api, concord_worker using (tenant_id = ( SELECT app_tenant() AS app_tenant)) with check (tenant_id = ( SELECT app_tenant() AS app_tenant))
claims tenant_rows for all to concord_api, concord_worker using (tenant_id = ( SELECT app_tenant() AS app_tenant)) with check (tenant_id = ( SELECT app_tenant() AS app_tenant))
comparison_cuts tenant_rows for all to concord_api, concord_worker using (tenant_id = ( SELECT app_tenant() AS app_tenant)) with check (tenant_id = ( SELECT app_tenant() AS app_tenant))
comparison_steps kernel_reads for select to concord_kernel using true
comparison_steps tenant_rows for all to concord_api, concord_worker using (tenant_id = ( SELECT app_tenant() AS app_tenant)) with check (tenant_id = ( SELECT app_tenant() AS app_tenant))
contested tenant_rows for all to concord_api, concord_worker using (tenant_id = ( SELECT app_tenant() AS app_tenant)) with check (tenant_id = ( SELECT app_tenant() AS app_tenant))
contradiction_periods tenant_rows for all to concord_api, concord_worker using (tenant_id = ( SELECT app_tenant() AS app_tenant)) with check (tenant_id = ( SELECT app_tenant() AS app_tenant))
contradictions tenant_rows for all to concord_api, concord_worker using (tenant_id = ( SELECT app_tenant() AS app_tenant)) with check (tenant_id = ( SELECT app_tenant() AS app_tenant))
convergence_series kernel_reads for select to concord_kernel using true
convergence_series tenant_rows for all to concord_api, concord_worker using (tenant_id = ( SELECT app_tenant() AS app_tenant)) with check (tenant_id = ( SELECT app_tenant() AS app_tenant))
decisions tenant_rows for all to concord_api, concord_worker using (tenant_id = ( SELECT app_tenant() AS app_tenant)) with check (tenant_id = ( SELECT app_tenant() AS app_tenant))
document_labels tenant_rows for all to concord_api, concord_worker using (tenant_id = ( SELECT app_tenant() AS app_tenant)) with check (tenant_id = ( SELECT app_tenant() AS app_tenant))
document_versions only_superseded for delete to concord_worker using (status = 'superseded'::text)
document_versions tenant_rows for all to concord_api, concord_worker using (tenant_id = ( SELECT app_tenant() AS app_tenant)) with check (tenant_id = ( SELECT app_tenant() AS app_tenant))
documents tenant_rows for all to concord_api, concord_worker using (tenant_id = ( SELECT app_tenant() AS app_tenant)) with check (tenant_id = ( SELECT app_tenant() AS app_tenant))
ended_scopes tenant_rows for all to concord_api, concord_worker using (tenant_id = ( SELECT app_tenant() AS app_tenant)) with check (tenant_id = ( SELECT app_tenant() AS app_tenant))
erasures kernel_reads for select to concord_kernel using true
erasures tenant_rows for all to concord_api, concord_worker using (tenant_id = ( SELECT app_tenant() AS app_tenant)) with check (tenant_id = ( SELECT app_tenant() AS app_tenant))
fact_counts kernel_reads for select to concord_kernel using true
fact_counts tenant_rows for all to concord_api, concord_worker using (tenant_id = ( SELECT app_tenant() AS app_tenant)) with check (tenant_id = ( SELECT app_tenant() AS app_tenant))
fact_postings tenant_rows for all to concord_api, concord_worker using (tenant_id = ( SELECT app_tenant() AS app_tenant)) with check (tenant_id = ( SELECT app_tenant() AS app_tenant))
fact_witnesses tenant_rows for all to concord_api, concord_worker using (tenant_id = ( SELECT app_tenant() AS app_tenant)) with check (tenant_id = ( SELECT app_tenant() AS app_tenant))
fact_words tenant_rows for all to concord_api, concord_worker using (tenant_id = ( SELECT app_tenant() AS app_tenant)) with check (tenant_id = ( SELECT app_tenant() AS app_tenant))
facts tenant_rows for all to concord_api, concord_worker using (tenant_id = ( SELECT app_tenant() AS app_tenant)) with check (tenant_id = ( SELECT app_tenant() AS app_tenant))
idempotency_keys tenant_rows for all to concord_api, concord_worker using (tenant_id = ( SELECT app_tenant() AS app_tenant)) with check (tenant_id = ( SELECT app_tenant() AS app_tenant))
judge_permits kernel_reads for select to concord_kernel using true
judge_permits tenant_rows for all to concord_api, concord_worker using (tenant_id = ( SELECT app_tenant() AS app_tenant)) with check (tenant_id = ( SELECT app_tenant() AS app_tenant))
judge_requests kernel_reads for select to concord_kernel using true
judge_requests tenant_rows for all to concord_api, concord_worker using (tenant_id = ( SELECT app_tenant() AS app_tenant)) with check (tenant_id = ( SELECT app_tenant() AS app_tenant))
judge_spending tenant_rows for all to concord_api, concord_worker using (tenant_id = ( SELECT app_tenant() AS app_tenant)) with check (tenant_id = ( SELECT app_tenant() AS app_tenant))
judge_verdicts tenant_rows for all to concord_api, concord_worker using (tenant_id = ( SELECT app_tenant() AS app_tenant)) with check (tenant_id = ( SELECT app_tenant() AS app_tenant))
keys registrar_issues for insert to concord_registrar with check (tenant_id IS NULL)
keys registrar_marks for update to concord_registrar using true with check true
keys registrar_reads for select to concord_registrar using true
keys tenant_rows for all to concord_api, concord_worker using (tenant_id = ( SELECT app_tenant() AS app_tenant)) with check (tenant_id = ( SELECT app_tenant() AS app_tenant))
model_answer_documents tenant_rows for all to concord_api, concord_worker using (tenant_id = ( SELECT app_tenant() AS app_tenant)) with check (tenant_id = ( SELECT app_tenant() AS app_tenant))
model_answers tenant_rows for all to concord_api, concord_worker using (tenant_id = ( SELECT app_tenant() AS app_tenant)) with check (tenant_id = ( SELECT app_tenant() AS app_tenant))
model_spending tenant_rows for all to concord_api, concord_worker using (tenant_id = ( SELECT app_tenant() AS app_tenant)) with check (tenant_id = ( SELECT app_tenant() AS app_tenant))
model_usage tenant_rows for all to concord_api, concord_worker using (tenant_id = ( SELECT app_tenant() AS app_tenant)) with check (tenant_id = ( SELECT app_tenant() AS app_tenant))
policies tenant_rows for all to concord_api, concord_worker using (tenant_id = ( SELECT app_tenant() AS app_tenant)) with check (tenant_id = ( SELECT app_tenant() AS app_tenant))
policy_heads tenant_rows for all to concord_api, concord_worker using (tenant_id = ( SELECT app_tenant() AS app_tenant)) with check (tenant_id = ( SELECT app_tenant() AS app_tenant))
readings tenant_rows for all to concord_api, concord_worker using (tenant_id = ( SELECT app_tenant() AS app_tenant)) with check (tenant_id = ( SELECT app_tenant() AS app_tenant))
rereads kernel_reads for select to concord_kernel using true
rereads tenant_rows for all to concord_api, concord_worker using (tenant_id = ( SELECT app_tenant() AS app_tenant)) with check (tenant_id = ( SELECT app_tenant() AS app_tenant))
scope_convergence kernel_reads for select to concord_kernel using true
scope_convergence tenant_rows for all to concord_api, concord_worker using (tenant_id = ( SELECT app_tenant() AS app_tenant)) with check (tenant_id = ( SELECT app_tenant() AS app_tenant))
scope_counts tenant_rows for all to concord_api, concord_worker using (tenant_id = ( SELECT app_tenant() AS app_tenant)) with check (tenant_id = ( SELECT app_tenant() AS app_tenant))
scope_heads kernel_reads for select to concord_kernel using true
scope_heads tenant_rows for all to concord_api, concord_worker using (tenant_id = ( SELECT app_tenant() AS app_tenant)) with check (tenant_id = ( SELECT app_tenant() AS app_tenant))
scope_keys tenant_rows for all to concord_api, concord_worker using (tenant_id = ( SELECT app_tenant() AS app_tenant)) with check (tenant_id = ( SELECT app_tenant() AS app_tenant))
scope_log kernel_reads for select to concord_kernel using true
scope_log never_the_newest for delete to concord_worker using (seq < ( SELECT h.head FROM scope_heads h WHERE ((h.tenant_id = scope_log.tenant_id) AND (h.scope_id = scope_log.scope_id))))
scope_log tenant_rows for all to concord_api, concord_worker using (tenant_id = ( SELECT app_tenant() AS app_tenant)) with check (tenant_id = ( SELECT app_tenant() AS app_tenant))
scope_moves kernel_reads for select to concord_kernel using true
scope_moves tenant_rows for all to concord_api, concord_worker using (tenant_id = ( SELECT app_tenant() AS app_tenant)) with check (tenant_id = ( SELECT app_tenant() AS app_tenant))
scope_periods tenant_rows for all to concord_api, concord_worker using (tenant_id = ( SELECT app_tenant() AS app_tenant)) with check (tenant_id = ( SELECT app_tenant() AS app_tenant))
scopes tenant_rows for all to concord_api, concord_worker using (tenant_id = ( SELECT app_tenant() AS app_tenant)) with check (tenant_id = ( SELECT app_tenant() AS app_tenant))
tenant_switches kernel_reads for select to concord_kernel using true
tenant_switches tenant_rows for all to concord_api, concord_worker using (tenant_id = ( SELECT app_tenant() AS app_tenant)) with check (tenant_id = ( SELECT app_tenant() AS app_tenant))
tenants registrar_reads for select to concord_registrar using true
tenants tenant_rows for all to concord_api, concord_worker using (tenant_id = ( SELECT app_tenant() AS app_tenant)) with check (tenant_id = ( SELECT app_tenant() AS app_tenant))
work kernel_reads for select to concord_kernel using true
work kernel_releases for update to concord_kernel using true with check true
work tenant_rows for all to concord_api, concord_worker using (tenant_id = ( SELECT app_tenant() AS app_tenant)) with check (tenant_id = ( SELECT app_tenant() AS app_tenant))
work_traces tenant_rows for all to concord_api, concord_worker using (tenant_id = ( SELECT app_tenant() AS app_tenant)) with check (tenant_id = ( SELECT app_tenant() AS app_tenant))

-- Grants on tables
audit_head concord_kernel select
audit_log concord_kernel select
certificates concord_api delete, insert, select
claim_counts concord_api delete, select, update
claim_counts concord_worker insert, select, update
claim_keys concord_api delete, select
claim_keys concord_worker delete, insert, select
claims concord_api delete, select
claims concord_worker delete, insert, select
comparison_cuts concord_api delete, insert, select, update
comparison_cuts concord_worker delete, insert, select, update
comparison_steps concord_api delete, insert, select
comparison_steps concord_worker delete, insert, select, update
contested concord_api delete, insert, select, update
contested concord_worker delete, insert, select, update
contradiction_periods concord_api delete, insert, select, update
contradiction_periods concord_worker delete, insert, select, update
contradictions concord_api delete, insert, select, update
contradictions concord_worker delete, insert, select, update
convergence_series concord_api delete, insert, select
convergence_series concord_kernel select
convergence_series concord_worker delete, insert, select
decisions concord_api delete, insert, select
decisions concord_worker insert, select
dependency_states concord_kernel select, update
dispatch_leases concord_kernel select, update
document_labels concord_api delete, insert, select
document_versions concord_api delete, insert, select, update
document_versions concord_worker delete, select, update
documents concord_api delete, insert, select, update
documents concord_worker select, update
ended_scopes concord_api delete, insert, select, update
erasures concord_api delete, insert, select, update
erasures concord_kernel select
fact_counts concord_api delete, insert, select, update
fact_counts concord_worker insert, select, update
fact_postings concord_api delete, select
fact_postings concord_worker delete, insert, select
fact_witnesses concord_api delete, select
fact_witnesses concord_worker delete, insert, select
fact_words concord_api delete, select, update
fact_words concord_worker delete, insert, select, update
facts concord_api delete, select, update
facts concord_worker delete, insert, select, update
gateway_nonces concord_registrar delete, insert, select
idempotency_keys concord_api delete, insert, select, update
idempotency_keys concord_worker delete
judge_permits concord_api delete, insert, select
judge_permits concord_worker select
judge_requests concord_api delete, insert, select, update
judge_requests concord_worker delete, insert, select, update
judge_spending concord_api delete, select
judge_spending concord_worker delete, insert, select, update
judge_verdicts concord_api delete, select
judge_verdicts concord_worker insert, select
kernel_log concord_api insert, select
kernel_log concord_kernel insert, select
kernel_log concord_worker delete
keys concord_api insert
keys concord_registrar insert, select
log_start concord_kernel select
log_start concord_worker select
model_answer_documents concord_api delete, select
model_answer_documents concord_worker insert, select
model_answers concord_api delete, select
model_answers concord_worker insert, select
model_rate concord_kernel select, update
model_spending concord_api delete, select
model_spending concord_worker delete, insert, select, update
model_usage concord_api delete, select
model_usage concord_worker delete, insert, select, update
policies concord_api delete, insert, select
policies concord_worker select
policy_heads concord_api delete, insert, select, update
policy_heads concord_worker select
readings concord_api delete, select
readings concord_worker delete, insert, select, update
rereads concord_api delete, insert, select, update
rereads concord_worker select, update
retention_sweeps concord_kernel select, update
schema_functions concord_api select
schema_functions concord_registrar select
schema_functions concord_worker select
schema_migrations concord_api select
schema_migrations concord_kernel select
schema_migrations concord_registrar select
schema_migrations concord_worker select
scope_convergence concord_api delete, insert, select, update
scope_convergence concord_kernel select
scope_convergence concord_worker select, update
scope_counts concord_api delete, insert, select, update
scope_counts concord_worker insert, select, update
scope_heads concord_api delete, insert, select, update
scope_heads concord_kernel select
scope_heads concord_worker select, update
scope_keys concord_api delete, insert, select
scope_keys concord_worker select
scope_log concord_api delete, insert, select
scope_log concord_kernel select
scope_log concord_worker delete, insert, select
scope_moves concord_api delete, insert, select
scope_moves concord_worker delete, insert, select
scope_periods concord_api delete, insert, select, update
scope_periods concord_worker delete, insert, select, update
scopes concord_api delete, insert, select
scopes concord_worker select
service_switch concord_api select, update
service_switch concord_kernel select
service_switch concord_worker select
tenant_switches concord_api delete, insert, select, update
tenant_switches concord_kernel select
tenant_switches concord_worker select
tenants concord_api delete, insert, select
tenants concord_registrar select
work concord_api delete, insert, select, update
work concord_kernel select
work concord_worker delete, insert, select, update
work_traces concord_api delete, insert, select, update
work_traces concord_worker delete, select

-- Grants on columns
audit_head concord_kernel update seq, chain_mac, mac_key, mac
audit_log concord_api insert entry_id, at, action, tier, actor, tenant_id, scope_id, subject, details, mac_key, mac
audit_log concord_kernel update seq, chain_key, chain_mac
audit_log concord_registrar insert entry_id, at, action, tier, actor, tenant_id, scope_id, subject, details, mac_key, mac
audit_log concord_worker insert entry_id, at, action, tier, actor, tenant_id, scope_id, subject, details, mac_key, mac
certificates concord_worker select tenant_id, scope_id, log_position
claims concord_api update compared
claims concord_worker update compared
comparison_steps concord_api update due_at
comparison_steps concord_kernel select tenant_id, scope_id, step, due_at, made_at, held_reason, kind
fact_counts concord_kernel select tenant_id, scope_id, steps, not_permitted, over_budget
idempotency_keys concord_worker select tenant_id, key_hash, scope_id, created_at
judge_permits concord_kernel select tenant_id
judge_requests concord_kernel select tenant_id, scope_id, pair, due_at
kernel_log concord_worker select kernel_seq, at
keys concord_api select key_id, tier, tenant_id, name, created_at, created_by, expires_at, revoked_at, last_used_at
keys concord_api update expires_at, revoked_at
keys concord_registrar update digest, expires_at, revoked_at, last_used_at, pepper_id
log_start concord_worker update kernel_seq
readings concord_api update compared
readings concord_worker update compared
rereads concord_kernel select tenant_id, scope_id, state, due_at
scope_keys concord_api update master_key_id, wrapped_key, sealed_print_key
scope_moves concord_kernel select tenant_id, scope_id, at
scopes concord_api update epoch
tenants concord_api update name
work concord_kernel update state, ticket, not_before, touched_at

-- Functions
function accept_documents(groups json, content bytea, keys_kept_seconds integer)
function accept_documents_of(tenant uuid, items json, content bytea, keys_kept_seconds integer)
function accept_items(items json)
function add_buckets(before jsonb, more jsonb)
function app_tenant()
function attempt_items(items json)
function begin_convergence()
function close_comparison(groups json, content bytea)
function complete_attempts(groups json, content bytea)
function complete_attempts_of(tenant uuid, items json, content bytea, decisions_made json)
function complete_readings(groups json, content bytea)
function count_changed_contradictions()
function count_claims()
function count_compared(tenant uuid, scope text, document text, of_version integer, more bigint)
function count_contradiction_deltas(moves weighed[])
function count_contradictions(tenant uuid, scope text, opened integer, resolved integer, dismissed integer, reopened integer)
function count_facts()
function count_held_steps()
function count_opened_contradictions()
function count_withdrawn_contradictions()
function defer_attempts(groups json, max_doublings integer, max_after_ms integer)
function defer_attempts_of(tenant uuid, items json, max_doublings integer, max_after_ms integer)
function deferred_items(items json)
function delete_unwitnessed(tenant uuid, scope text, wanted bigint[], OUT facts bigint, OUT tokens bigint, OUT refused bigint)
function duration_bucket(duration interval)
function end_step(tenant uuid, scope text, ended bigint, of_epoch integer, declined bigint[], met bigint[])
function file_facts(groups json, facts_of_step integer)
function file_facts_of(tenant uuid, scope text, at integer, epoch integer, documents text[], keys bigint[], authors integer[], tokens integer[], words text[], witness_keys bigint[], witness_documents text[], witness_nos integer[], witness_versions integer[], facts_of_step integer)
function find_claims(tenant uuid, scope text, documents text[])
function find_contradictions(tenant uuid, scope text, ids uuid[])
function find_contradictions_of(tenant uuid, scope text, document text)
function find_facts(tenant uuid, scope text, wanted bigint[])
function find_filings(tenant uuid, scope text, documents text[])
function find_groups_of(tenant uuid, scope text, document text)
function find_new_evidence(tenant uuid, scope text, certified bigint)
function find_no_longer_compared(tenant uuid, scope text, groups bigint[])
function find_steps(tenant uuid, scope text, documents text[])
function find_uncompared(tenant uuid, scope text, groups bigint[])
function find_uncompared_witnesses(tenant uuid, scope text, wanted bigint[], filing text[])
function find_witnesses(tenant uuid, scope text, documents text[])
function fold_moves(tenant uuid, scope text, max_moves integer, narrow_kept_seconds integer)
function hold_compared_step(tenant uuid, scope text, held bigint, of_epoch integer, met bigint[], after_ms double precision)
function hold_leases(dispatcher text)
function hold_service_switch()
function hold_service_switch_alone()
function hold_step(tenant uuid, scope text, held bigint, of_epoch integer, reason text, after_ms double precision)
function hold_tenant_switch(tenant uuid)
function hold_tenant_switch_alone(tenant uuid)
function is_accepted(status text)
function items_left(items json, busy text[])
function items_of(items json, scopes text[], wanted boolean)
function judge_flags(tenant uuid, scope text)
function keep_audit_entry()
function keep_audit_head()
function keep_digest()
function keep_scope_key()
function leave_groups(tenant uuid, scope text, of_epoch integer, document text, size integer)
function load_own_facts(tenant uuid, scope text, keys bigint[], document text, most integer, facts_of_word integer)
function load_step(tenant uuid, scope text, keys bigint[], below bigint, document text, budget bigint, words_of_fact integer, facts_of_word integer, weighed integer, best integer)
function lock_heads(tenant uuid, scopes text[], may_wait boolean, alone boolean)
function mark_compared(tenant uuid, scope text, wanted bigint[], filing text[])
function open_comparison(groups json, of_value integer, of_group integer)
function open_comparison_of(tenant uuid, scope text, at integer, documents text[], wanted bigint[], low_values bigint[], low_claims bigint[], high_values bigint[], of_value integer, of_group integer)
procedure partition_by_tenant(IN target regclass)
function period_lengths()
procedure protect_tenant_table(IN target regclass)
function queue_for_head(tenant uuid, scope text)
function rank_candidates(tenant uuid, scope text, keys bigint[], below bigint, total bigint, document text, words_of_fact integer, facts_of_word integer, weighed integer, best integer)
function read_comparison(groups json)
function read_comparison_of(tenant uuid, scope text, at integer, documents text[], nos integer[], groups bigint[])
function read_judge_verdicts(groups json)
function read_judge_verdicts_of(tenant uuid, scope text, pairs text[])
function read_verdicts(groups json)
function read_verdicts_of(tenant uuid, scope text, at integer, ids uuid[])
function record_changed_documents()
function record_convergence(tenant uuid, scope text)
function record_convergences(groups json)
function record_decided_contradiction()
function record_judge_requests(groups json)
function record_new_contradictions()
function record_new_documents()
function refuse_audit_removal()
function release_rows(tenants uuid[], places tid[], priorities boolean[])
function replace_claims(tenant uuid, scope text, epoch integer, replaced text[], fresh json, filed json, joined bigint[], left_alone bigint[], cuts json, content bytea)
function replace_contradictions(tenant uuid, scope text, epoch integer, withdrawn uuid[], changed json, opened json, reopened json, ruled json, events json, content bytea)
function replace_cuts(tenant uuid, scope text, changed json, OUT groups bigint, OUT claims bigint, OUT findings bigint)
function replace_labels(tenant uuid, items json, content bytea, written integer[])
function replaces_claims(tenant uuid, items json)
function scopes_of(items json)
function score_convergence()
function select_seen_witness(tenant uuid, scope text, key bigint, seen text)
function select_shown_witness(tenant uuid, scope text, key bigint)
function shard_of(tenant uuid)
function share_of(part bigint, whole bigint)
function start_attempts(groups json, max_attempts integer)
function start_attempts_of(tenant uuid, items json, max_attempts integer, runs boolean)
aggregate sum_buckets(jsonb)
function take_back_work(tenant uuid, scope text)
function take_model_rate(max_requests double precision, max_tokens double precision, costs bigint[], unused double precision, OUT granted integer, OUT wait_ms double precision, OUT is_paused boolean)
function tell_cut(tenant uuid, scope text, epoch integer)
function tell_reopened(c scope_convergence)
function touch_attempts_of(tenant uuid, scope text, items json)
function update_contested(tenant uuid, scope text, moves weighed[], OUT more_claims integer, OUT more_documents integer)
function wait_for_head(tenant uuid, scope text)
function wake_steps(tenant uuid, scope text, reason text, most integer)

-- Triggers
CREATE TRIGGER begin_convergence AFTER INSERT OR UPDATE OF epoch ON public.scope_heads FOR EACH ROW EXECUTE FUNCTION begin_convergence()
CREATE TRIGGER count_held AFTER UPDATE OF held_reason ON public.comparison_steps FOR EACH ROW WHEN ((old.held_reason IS DISTINCT FROM new.held_reason)) EXECUTE FUNCTION count_held_steps()
CREATE TRIGGER count_held_gone AFTER DELETE ON public.comparison_steps FOR EACH ROW WHEN ((old.held_reason IS NOT NULL)) EXECUTE FUNCTION count_held_steps()
CREATE TRIGGER kept BEFORE UPDATE OF digest ON public.keys FOR EACH ROW EXECUTE FUNCTION keep_digest()
CREATE TRIGGER kept BEFORE UPDATE ON public.audit_head FOR EACH ROW EXECUTE FUNCTION keep_audit_head()
CREATE TRIGGER kept BEFORE UPDATE ON public.audit_log FOR EACH ROW EXECUTE FUNCTION keep_audit_entry()
CREATE TRIGGER kept BEFORE UPDATE ON public.scope_keys FOR EACH ROW EXECUTE FUNCTION keep_scope_key()
CREATE TRIGGER not_removed BEFORE DELETE OR TRUNCATE ON public.audit_head FOR EACH STATEMENT EXECUTE FUNCTION refuse_audit_removal()
CREATE TRIGGER not_removed BEFORE DELETE OR TRUNCATE ON public.audit_log FOR EACH STATEMENT EXECUTE FUNCTION refuse_audit_removal()
CREATE TRIGGER note_changed AFTER UPDATE ON public.documents REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION record_changed_documents()
CREATE TRIGGER note_decided AFTER UPDATE ON public.contradictions FOR EACH ROW WHEN ((old.status IS DISTINCT FROM new.status)) EXECUTE FUNCTION record_decided_contradiction()
CREATE TRIGGER note_new AFTER INSERT ON public.contradictions REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION record_new_contradictions()
CREATE TRIGGER note_new AFTER INSERT ON public.documents REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION record_new_documents()
CREATE TRIGGER score_convergence BEFORE INSERT OR UPDATE ON public.scope_convergence FOR EACH ROW EXECUTE FUNCTION score_convergence()
CREATE TRIGGER weigh_changed AFTER UPDATE ON public.contradictions REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION count_changed_contradictions()
CREATE TRIGGER weigh_changed AFTER UPDATE ON public.fact_counts FOR EACH ROW WHEN (((((old.steps IS DISTINCT FROM new.steps) OR (old.refused IS DISTINCT FROM new.refused)) OR (old.not_permitted IS DISTINCT FROM new.not_permitted)) OR (old.over_budget IS DISTINCT FROM new.over_budget))) EXECUTE FUNCTION count_facts()
CREATE TRIGGER weigh_claims AFTER INSERT OR UPDATE ON public.claim_counts FOR EACH ROW EXECUTE FUNCTION count_claims()
CREATE TRIGGER weigh_new AFTER INSERT ON public.fact_counts FOR EACH ROW EXECUTE FUNCTION count_facts()
CREATE TRIGGER weigh_opened AFTER INSERT ON public.contradictions REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION count_opened_contradictions()
CREATE TRIGGER weigh_withdrawn AFTER DELETE ON public.contradictions REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION count_withdrawn_contradictions()
