/**
 * The chart for Kubernetes. Values, schema and settings are compared with each other always; what it renders is looked at, and the
 * configuration of every pod given to the service's own parser, where there is a Helm on the PATH.
 */
import { globSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { beforeAll, describe, expect, it } from 'vitest'
import {
  configNames,
  parseConfig,
  parseHatcheryConfig,
  parseKernelConfig,
  parseOwnerUrl,
  secretNames,
} from '../../src/platform/config.ts'
import type { Environment } from '../../src/platform/config.ts'
import { at, CHART, hasHelm, helm, leavesOf, readValues, render, valuesIn } from '../support/chart.ts'
import type { Container, ChartManifest, PodSpec } from '../support/chart.ts'

const schema = JSON.parse(await readFile(join(CHART, 'values.schema.json'), 'utf8')) as object
const values = await readValues()
const texts = await Promise.all(
  globSync('templates/*', { cwd: CHART }).map((file) => readFile(join(CHART, file), 'utf8')),
)
const templates = texts.join('\n')
/** The variables that the chart gives a value of its own, from other values. */
const setHere = [...templates.matchAll(/- name: ([A-Z_]+)\n/g)].map(([, name]) => name)

describe('the values of the chart', () => {
  it('fit their schema, which knows every one of them', () => {
    const fits = new Ajv2020({ strict: true }).compile(schema)
    expect([fits(values), fits.errors]).toEqual([true, null])
    const invented = leavesOf(values)
      .filter((path) => !/\.(?:resources)\b/.test(path))
      .filter((path) => at(schema, `properties.${path.replaceAll('.', '.properties.')}`) === undefined)
    expect(invented).toEqual([])
  })

  it('are all there that a template uses, and all used', () => {
    const used = new Set(valuesIn(templates))
    const missing = [...used].filter((path) => at(values, path) === undefined)
    expect(used.size).toBeGreaterThan(30)
    expect(missing).toEqual([])
    // Those of placing are handed to it as a whole.
    const unused = leavesOf(values).filter(
      (path) =>
        ![...used].some((each) => path === each || path.startsWith(`${each}.`)) &&
        !/\.(?:nodeSelector|tolerations)$/.test(path),
    )
    expect(unused).toEqual([])
  })

  it('hold no secret, and no name of one', () => {
    for (const name of secretNames) expect(at(values, `settings.${name}`)).toBeUndefined()
    expect([at(values, 'secretName'), at(values, 'image.repository')]).toEqual(['', ''])
    expect(templates).not.toMatch(/kind: Secret\b/)
  })

  it('take as settings all that the service knows, but secrets and what the chart sets itself', () => {
    const allowed = Object.keys(at(schema, 'properties.settings.properties') as object)
    const secret: readonly string[] = secretNames
    expect(setHere.length).toBeGreaterThan(5)
    expect(allowed.toSorted()).toEqual(
      configNames.filter((name) => !secret.includes(name) && !setHere.includes(name)).toSorted(),
    )
  })
})

const least = { 'image.repository': 'example/concord', secretName: 'concord' }
const most = {
  ...least,
  'api.autoscaling.enabled': 'false',
  'migrate.secretName': 'concord-owner',
  'metrics.podMonitor.enabled': 'true',
  'networkPolicy.enabled': 'true',
  'networkPolicy.apiFrom[0].podSelector.matchLabels.app': 'gateway',
  'networkPolicy.metricsFrom[0].namespaceSelector.matchLabels.name': 'monitoring',
  'settings.LOG_LEVEL': 'debug',
  'settings.JUDGE_URL': 'https://models.example.com/v1',
  'settings.JUDGE_MODEL': 'small',
  'settings.MODEL_URL': 'https://models.example.com/v1',
  'settings.MODEL_NAME': 'large',
  'hatchery.min': '3',
  'hatchery.max': '5',
  'image.digest': `sha256:${'a'.repeat(64)}`,
}

const bytes = Buffer.alloc(32, 7).toString('base64')
const secrets: Environment = {
  DATABASE_URL: 'postgres://concord_api@db/concord',
  WORKER_DATABASE_URL: 'postgres://concord_worker@db/concord',
  DATABASE_OWNER_URL: 'postgres://concord_owner@db/concord',
  NATS_URL: 'nats://nats:4222',
  MASTER_KEY: `mk1:${bytes}`,
  KEY_PEPPER: bytes,
}

/** The environment of the process where the Secret has what is required and nothing else. */
function environmentOf({ env }: Container): Environment {
  return Object.fromEntries(
    env.map(({ name, value, valueFrom }) => [name, valueFrom ? secrets[valueFrom.secretKeyRef.key] : value]),
  )
}

const known = new Set<string>([...configNames, ...secretNames])

const parsers: Readonly<Record<string, (environment: Environment) => unknown>> = {
  api: parseConfig,
  dispatcher: parseKernelConfig,
  hatchery: parseHatcheryConfig,
  migrate: parseOwnerUrl,
}

describe.runIf(hasHelm()).each([
  ['with the least', least],
  ['with everything', most],
])('the chart %s (rendered by the helm on the PATH)', (_, given) => {
  let manifests: readonly ChartManifest[]
  let pods: readonly (readonly [string, PodSpec])[]
  beforeAll(async () => {
    manifests = await render(given)
    pods = manifests.flatMap(({ spec, metadata }) =>
      spec?.template
        ? [[metadata.labels['app.kubernetes.io/component'] ?? '', spec.template.spec] as const]
        : [],
    )
  })

  const podOf = (role: string): PodSpec => {
    const [, pod] = pods.find(([name]) => name === role) ?? []
    if (!pod) throw new Error(`there is no pod ${role}`)
    return pod
  }

  it('runs api, dispatcher, hatchery and migrate, each by its command', () => {
    const commands = pods.map(([role, { containers }]) => [role, containers.map(({ args }) => args)])
    expect(Object.fromEntries(commands)).toEqual(
      Object.fromEntries(Object.keys(parsers).map((role) => [role, [[role]]])),
    )
  })

  it('gives every pod no rights and a root that it cannot write to', () => {
    for (const [, pod] of pods) {
      expect(pod).toMatchObject({
        automountServiceAccountToken: false,
        enableServiceLinks: false,
        securityContext: {
          runAsNonRoot: true,
          runAsUser: 10_001,
          seccompProfile: { type: 'RuntimeDefault' },
        },
      })
      for (const container of pod.containers)
        expect(container).toMatchObject({
          securityContext: {
            allowPrivilegeEscalation: false,
            readOnlyRootFilesystem: true,
            capabilities: { drop: ['ALL'] },
          },
          volumeMounts: [{ name: 'tmp', mountPath: '/tmp' }],
          resources: { requests: expect.anything(), limits: expect.anything() },
        })
    }
  })

  it('gives every process a configuration that it takes, and no secret that it does not read', () => {
    for (const [role, { containers }] of pods)
      for (const container of containers) {
        const environment = environmentOf(container)
        expect(() => parsers[role]?.(environment)).not.toThrow()
        const names = container.env.map(({ name }) => name)
        expect(new Set(names).size).toBe(names.length)
        expect(names.filter((name) => !known.has(name))).toEqual([])
      }
    const secretsOf = (role: string) =>
      podOf(role).containers.flatMap(({ env }) =>
        env.flatMap(({ valueFrom }) => valueFrom?.secretKeyRef.key ?? []),
      )
    expect(secretsOf('migrate')).toEqual(['DATABASE_OWNER_URL'])
    expect(secretsOf('api')).not.toContain('WORKER_DATABASE_URL')
    expect([...secretsOf('dispatcher'), ...secretsOf('hatchery')]).not.toContain('KEY_PEPPER')
  })

  it('gives every process the time to stop that it may take', () => {
    const { DRAIN_NOTICE_SECONDS: notice, DRAIN_SECONDS: drain } = parseConfig(
      environmentOf(podOf('api').containers[0] as Container),
    )
    expect(podOf('api').terminationGracePeriodSeconds).toBeGreaterThan(notice + drain + 10)
    // The figure is that of docs/how-to/operations.md on stopping.
    expect(podOf('dispatcher').terminationGracePeriodSeconds).toBeGreaterThan(25)
    expect(podOf('hatchery').terminationGracePeriodSeconds).toBeGreaterThan(35)
    const [api] = podOf('api').containers
    const readiness = api?.['readinessProbe'] as { periodSeconds: number; failureThreshold: number }
    expect(readiness.periodSeconds * readiness.failureThreshold).toBeLessThan(notice)
    expect(api).toMatchObject({
      livenessProbe: { httpGet: { path: '/livez', port: 'http' } },
      readinessProbe: { httpGet: { path: '/readyz', port: 'http' } },
    })
  })

  it('selects pods by labels that they have', () => {
    const selectors = manifests.flatMap(({ kind, spec }) => {
      if (kind === 'Service') return [spec.selector as Record<string, string>]
      const selector = (spec?.selector ?? spec?.['podSelector']) as
        | { matchLabels: Record<string, string> }
        | undefined
      return selector ? [selector.matchLabels] : []
    })
    const labels = manifests.flatMap(({ spec }) => (spec?.template ? [spec.template.metadata.labels] : []))
    expect(selectors.length).toBeGreaterThan(6)
    for (const selector of selectors)
      expect(
        labels.some((each) => Object.entries(selector).every(([name, value]) => each[name] === value)),
      ).toBe(true)
  })

  it('migrates before anything else, and with an account that is there by then', () => {
    const job = manifests.find(({ kind }) => kind === 'Job')
    expect(job?.metadata.annotations?.['helm.sh/hook']).toBe('pre-install,pre-upgrade')
    expect(job?.spec.template?.spec.serviceAccountName).toBe('default')
  })
})

describe.runIf(hasHelm())('helm', () => {
  it('finds nothing to say about the chart', async () => {
    const { stdout } = await helm('lint', '--strict', CHART, '--set', 'image.repository=x,secretName=y')
    expect(stdout).toContain('0 chart(s) failed')
  })

  it('renders what is asked for, and nothing more', async () => {
    const kinds = async (given: Readonly<Record<string, string>>) =>
      (await render(given)).map(({ kind }) => kind).toSorted()
    const always = ['Deployment', 'Deployment', 'Deployment', 'PodDisruptionBudget', 'PodDisruptionBudget']
    always.push('PodDisruptionBudget', 'Service', 'ServiceAccount')
    expect(await kinds(least)).toEqual(
      [...always, 'HorizontalPodAutoscaler', 'Job', 'NetworkPolicy'].toSorted(),
    )
    expect(await kinds(most)).toEqual([...always, 'Job', 'NetworkPolicy', 'PodMonitor'].toSorted())
  })

  it('lets pods of the cluster reach the API, nobody the figures, and restricts what goes out only by rules', async () => {
    const policyOf = async (given: Readonly<Record<string, string>>) =>
      (await render(given)).find(({ kind }) => kind === 'NetworkPolicy')
    expect(await policyOf(least)).toMatchObject({
      spec: {
        policyTypes: ['Ingress'],
        ingress: [{ from: [{ namespaceSelector: {} }], ports: [{ port: 8080 }] }],
      },
    })
    expect(await policyOf({ ...least, 'networkPolicy.egress[0].ports[0].port': '5432' })).toMatchObject({
      spec: { policyTypes: ['Ingress', 'Egress'], egress: [{ ports: [{ port: 5432 }] }] },
    })
  })

  it.each([
    [{ secretName: '' }, 'secretName is required'],
    [{ 'image.repository': '' }, 'image.repository is required'],
    [{ 'settings.MASTER_KEY': 'x' }, 'MASTER_KEY'],
    [{ 'settings.LOG_LEVLE': 'x' }, 'LOG_LEVLE'],
    [{ 'api.drainSeconds': '301' }, 'drainSeconds'],
    [{ replicas: '3' }, 'replicas'],
  ])('refuses %j and says why', async (wrong, words) => {
    await expect(render({ ...least, ...wrong })).rejects.toThrow(words)
  })
})
