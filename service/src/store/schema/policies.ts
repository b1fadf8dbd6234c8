/** The row-level security policies of this release. The start-up check rejects any other. */

/** The policy that `protect_tenant_table` creates, as Postgres prints it. */
export const TENANT_POLICY = '(tenant_id = ( SELECT app_tenant() AS app_tenant))'

/** Policies that expose the rows of more than one tenant: by table and policy, the only role that each applies to. */
export const WIDE_POLICIES: Readonly<Record<string, string>> = {
  'tenants.registrar_reads': 'concord_registrar',
  'keys.registrar_reads': 'concord_registrar',
  'keys.registrar_issues': 'concord_registrar',
  'keys.registrar_marks': 'concord_registrar',
  'scope_heads.kernel_reads': 'concord_kernel',
  'scope_log.kernel_reads': 'concord_kernel',
  'scope_moves.kernel_reads': 'concord_kernel',
  'work.kernel_reads': 'concord_kernel',
  'work.kernel_releases': 'concord_kernel',
  'tenant_switches.kernel_reads': 'concord_kernel',
  'audit_log.service_records': 'concord_api,concord_worker',
  'audit_log.registrar_records': 'concord_registrar',
  'audit_log.kernel_reads': 'concord_kernel',
  'audit_log.kernel_chains': 'concord_kernel',
  'scope_convergence.kernel_reads': 'concord_kernel',
  'convergence_series.kernel_reads': 'concord_kernel',
  'judge_permits.kernel_reads': 'concord_kernel',
  'judge_requests.kernel_reads': 'concord_kernel',
  'fact_counts.kernel_reads': 'concord_kernel',
  'rereads.kernel_reads': 'concord_kernel',
  'erasures.kernel_reads': 'concord_kernel',
  'comparison_steps.kernel_reads': 'concord_kernel',
}
