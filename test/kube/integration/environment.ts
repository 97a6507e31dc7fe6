import type { Container, Pod } from '../../../src/shared/kubernetes/objects.ts'
import { shell, specOf } from './containers.ts'
import { must } from './administrator.ts'
import type { Scenario, ScenarioRun } from './scenario-run.ts'

/** Exits 0 if the expression of `test` holds for its variables. */
function checks(expression: string, more: Partial<Container>): Container {
  return { ...shell('c', `sleep 12; test ${expression}`), ...more }
}

function waitsFor(message: string): (pod: Pod) => boolean {
  return ({ status }) => {
    const waiting = status?.containerStatuses?.[0]?.state?.waiting
    return waiting?.reason === 'CreateContainerConfigError' && waiting.message === message
  }
}

async function succeeds(run: ScenarioRun): Promise<undefined> {
  await run.untilEnded('web', 'Succeeded')
  return gone(run)
}

async function gone(run: ScenarioRun): Promise<undefined> {
  await run.delete('web', 0)
  await run.untilGone('web')
  return undefined
}

function settings(data: Readonly<Record<string, string>>) {
  return { metadata: { name: 'settings', uid: '' }, data }
}

const never = { restartPolicy: 'Never' } as const
const started = ['Created', 'Pulled', 'Started'] as const
const arrived = ['Created', 'Failed', 'Pulled', 'Started'] as const

/** The variables of containers. */
export const environment: readonly Scenario[] = [
  {
    title: 'a container waits for a ConfigMap, and has its keys as variables',
    key: 'env-config-map',
    phases: { web: ['Pending', 'Running', 'Succeeded', 'gone'] },
    events: arrived,
    steps: async (run) => {
      const envFrom = [{ prefix: 'P_', configMapRef: { name: 'settings' } }]
      const env = [{ name: 'ALL', value: '$(P_color) $$(P_color) $(none)' }]
      const expression = '"$P_color $ALL" = "blue blue $""(P_color) $""(none)"'
      await run.create('web', specOf(checks(expression, { env, envFrom }), never))
      await run.until('web', 'waits for the ConfigMap', waitsFor('configmap "settings" not found'))
      const { namespace } = run
      const scope = { resource: 'configmaps', namespace } as const
      must(await run.admin.api.create(scope, settings({ color: 'blue' })))
      return succeeds(run)
    },
  },
  {
    title: 'a container waits for a key of a Secret; an optional one is left out',
    key: 'env-secret-key',
    phases: { web: ['Pending', 'Running', 'Succeeded', 'gone'] },
    events: arrived,
    steps: async (run) => {
      const { namespace } = run
      const key = { resource: 'secrets', namespace, name: 'login' } as const
      const metadata = { name: 'login', uid: '' }
      must(await run.admin.api.create({ resource: 'secrets', namespace }, { metadata, data: {} }))
      const reference = { name: 'login', key: 'password' }
      const env = [
        { name: 'PASSWORD', valueFrom: { secretKeyRef: reference } },
        { name: 'OTHER', valueFrom: { secretKeyRef: { ...reference, key: 'o', optional: true } } },
      ]
      const expression = '"$PASSWORD${OTHER-unset}" = "sécretunset"'
      await run.create('web', specOf(checks(expression, { env }), never))
      const message = `couldn't find key password in Secret ${namespace}/login`
      await run.until('web', 'waits for the key', waitsFor(message))
      const data = { password: Buffer.from('sécret').toString('base64') }
      must(await run.admin.api.patch(key, { type: 'merge', body: { data } }))
      return succeeds(run)
    },
  },
  {
    title: 'a container has fields of its pod and its resources as variables',
    key: 'env-fields',
    phases: { web: ['Pending', 'Running', 'Succeeded', 'gone'] },
    events: started,
    steps: async (run) => {
      const field = (name: string, fieldPath: string) => ({
        name,
        valueFrom: { fieldRef: { fieldPath } },
      })
      const resource = (name: string, of: string, divisor: string) => ({
        name,
        valueFrom: { resourceFieldRef: { resource: of, divisor } },
      })
      const env = [
        field('NAME', 'metadata.name'),
        field('SPACE', 'metadata.namespace'),
        field('NODE', 'spec.nodeName'),
        field('ACCOUNT', 'spec.serviceAccountName'),
        field('IP', 'status.podIP'),
        resource('CPU', 'limits.cpu', '1m'),
        resource('MEMORY', 'requests.memory', '1Mi'),
        { name: 'ALL', value: '$(NAME)/$(SPACE)/$(NODE)/$(ACCOUNT)/$(CPU)/$(MEMORY)' },
      ]
      const resources = { requests: { memory: '2100Ki' }, limits: { cpu: '1500m' } }
      const all = `web/${run.namespace}/${run.node}/default/1500/3`
      const container = checks(`"$ALL" = "${all}" -a -n "$IP"`, { env, resources })
      await run.create('web', specOf(container, never))
      return succeeds(run)
    },
  },
  {
    title: 'a container has variables of the Services of its namespace',
    key: 'env-services',
    phases: { web: ['Pending', 'Running', 'Succeeded', 'gone'] },
    events: started,
    steps: async (run) => {
      const metadata = { name: 'web-a', uid: '' }
      const spec = { ports: [{ name: 'http', port: 81 }] }
      const scope = { resource: 'services', namespace: run.namespace } as const
      must(await run.admin.api.create(scope, { metadata, spec }))
      const env = [{ name: 'URL', value: '$(WEB_A_PORT)' }]
      const ports = '"$WEB_A_SERVICE_PORT$WEB_A_SERVICE_PORT_HTTP" = 8181'
      const expression = `${ports} -a "$URL" = "tcp://$WEB_A_SERVICE_HOST:81" -a -n "$KUBERNETES_SERVICE_HOST"`
      await run.create('web', specOf(checks(expression, { env }), never))
      return succeeds(run)
    },
  },
]
